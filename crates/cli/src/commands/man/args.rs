#[derive(clap::Args)]
#[command(after_help = "Example:\n  counterpoint man stat | man -l -")]
pub struct ManArgs {
    /// The command, such as `stat` or `catalog dump`
    pub command: Vec<String>,
}
