use super::names::Kind;

#[derive(clap::Args)]
#[command(
    after_help = "Names of events, PMUs, metrics and groups are completed, too, also in a list with commas.

Example:\n  counterpoint completions bash > ~/.local/share/bash-completion/completions/counterpoint"
)]
pub struct CompletionsArgs {
    /// The shell to complete for
    #[arg(required_unless_present = "names")]
    pub shell: Option<clap_complete::Shell>,
    /// Print the names of this machine, which the scripts offer
    #[arg(long, hide = true, conflicts_with = "shell")]
    pub names: Option<Kind>,
}
