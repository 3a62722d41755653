#[derive(clap::Args)]
#[command(after_help = "Example:\n  counterpoint man stat | man -l -")]
pub struct ManArgs {
    /// The command whose page is printed, such as `stat` or `catalog dump`
    pub command: Vec<String>,
}
