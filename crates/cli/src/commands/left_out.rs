//! Commands that this program was built without.

#![allow(dead_code, reason = "a program that has everything leaves nothing out")]

use crate::failure::Failure;
use std::ffi::OsString;

#[derive(clap::Args)]
#[command(
    after_help = "This program was built without the command: cargo install --path crates/cli --features full builds one with all commands."
)]
pub struct LeftOutArgs {
    /// The arguments of the command, which are not read
    #[arg(value_name = "ARGUMENT", trailing_var_arg = true, allow_hyphen_values = true, num_args = 0..)]
    arguments: Vec<OsString>,
}

/// Refuses a command that needs a feature of the program.
pub fn refuse(_: &LeftOutArgs, feature: &str) -> Result<u8, Failure> {
    Err(without(feature))
}

/// The failure of what needs a feature of the program.
pub fn without(feature: &str) -> Failure {
    Failure::new(format!("this program was built without the feature `{feature}`")).help(format!(
        "build one that has it: cargo install --path crates/cli --features {feature}, or --features full for everything"
    ))
}

/// The same as a sentence.
pub fn sentence(feature: &str) -> String {
    format!(
        "this program was built without the feature `{feature}`; cargo install --path crates/cli --features {feature} builds one that has it"
    )
}
