//! `cargo counterpoint`: the benchmarks of two revisions compared, and profiles of what cargo builds.

mod args;
mod bench;
mod build;
mod checkout;
mod itself;
mod profile;
mod rounds;
mod runs;

use crate::failure::Failure;
use crate::program;
use args::{Args, Command};
use clap::Parser;
use std::env;
use std::process::ExitCode;

/// The program that cargo calls. Called otherwise, it is `counterpoint`: so it counts and profiles by calling itself.
pub fn main() -> ExitCode {
    if env::args_os().nth(1).is_none_or(|word| word != "counterpoint") {
        return program::main();
    }
    let args = match Args::try_parse_from(env::args_os().skip(1)) {
        Ok(args) => args,
        Err(error) => {
            return match error.print() {
                Ok(()) => ExitCode::from(error.exit_code() as u8),
                Err(error) => Failure::from(error).report(),
            };
        }
    };
    let result = match args.command {
        Command::Bench(args) => bench::run(&args),
        Command::Profile(args) => profile::run(&args),
    };
    result.map_or_else(|failure| failure.report(), ExitCode::from)
}
