#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  counterpoint completions bash > ~/.local/share/bash-completion/completions/counterpoint"
)]
pub struct CompletionsArgs {
    /// The shell to complete for
    pub shell: clap_complete::Shell,
}
