//! `counterpoint completions`: what a shell needs to complete the arguments.

mod args;

pub use args::CompletionsArgs;

use crate::failure::Failure;
use crate::show;
use clap::Command;
use clap_complete::generate;
use std::io::Write;

pub fn run(mut command: Command, args: &CompletionsArgs) -> Result<u8, Failure> {
    let mut script = Vec::new();
    generate(args.shell, &mut command, "counterpoint", &mut script);
    show::bytes_out().lock().write_all(&script)?;
    Ok(0)
}
