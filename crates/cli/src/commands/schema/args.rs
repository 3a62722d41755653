#[derive(clap::Args)]
#[command(after_help = "\
Every line of a machine format is an object that its schema describes. A later version may add keys to a format; no key changes its meaning.

Example:
  counterpoint schema stat > stat.schema.json")]
pub struct SchemaArgs {
    /// The format, such as `stat`; without it all formats are listed
    #[arg(value_name = "FORMAT")]
    pub format: Option<String>,
}
