#[derive(clap::Args)]
#[command(after_help = "\
`events` is the page about the names of events.

Examples:
  counterpoint man stat | man -l -
  counterpoint man events | man -l -")]
pub struct ManArgs {
    /// The command whose page is printed, such as `stat` or `catalog dump`; or `events`
    pub command: Vec<String>,
}
