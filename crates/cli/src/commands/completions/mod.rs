//! `counterpoint completions`: what a shell needs to complete the arguments.

mod args;
mod names;
mod script;

pub use args::CompletionsArgs;

use crate::failure::Failure;
use crate::show;
use clap::Command;
use std::io::Write;

pub fn run(mut program: Command, args: &CompletionsArgs) -> Result<u8, Failure> {
    if let Some(kind) = args.names {
        names::print(kind)?;
    }
    if let Some(shell) = args.shell {
        show::bytes_out()
            .lock()
            .write_all(script::completion_script(shell, &mut program).as_bytes())?;
    }
    Ok(0)
}
