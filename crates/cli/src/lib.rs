//! The program `counterpoint`: count, profile, list, check, evaluate, diagnose.
//!
//! It is a library only so that tests and fuzzing reach what reads lines and files; no interface is promised.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this crate is the one that prints")]
#![allow(unreachable_pub, reason = "a program has no public interface")]

mod args;
mod commands;
mod finding;
mod host;
mod input;
#[doc(hidden)]
pub mod lines;
mod show;
mod stat;

use clap::Parser;
use std::borrow::Borrow;
use std::env;
use std::io::Write;
use std::process::ExitCode;

/// The program.
pub fn main() -> ExitCode {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        // What was typed may hold what a terminal would obey, which the colours are too.
        Err(error) if env::args_os().any(|arg| show::is_harmful(&arg.to_string_lossy())) => {
            return Failure::new(error.to_string()).report();
        }
        Err(error) => {
            return match error.print() {
                Ok(()) => ExitCode::from(error.exit_code() as u8),
                Err(error) => Failure::from(error).report(),
            };
        }
    };
    let result = match args.command {
        args::Command::Stat(args) => stat::run(&args),
        args::Command::Profile(args) => commands::profile::run(&args),
        args::Command::List(args) => commands::list::run(&args),
        args::Command::Show(args) => commands::show::run(&args),
        args::Command::Encode(args) => commands::encode::run(&args),
        args::Command::Plan(args) => commands::plan::run(&args),
        args::Command::Check(args) => commands::check::run(&args),
        args::Command::Eval(args) => commands::eval::run(&args),
        args::Command::Dispatch(args) => commands::dispatch::run(&args),
        args::Command::Merge(args) => commands::merge::run(&args),
        args::Command::Doctor(args) => commands::doctor::run(&args),
        #[cfg(feature = "catalog")]
        args::Command::Catalog(command) => commands::catalog::run(&command),
        args::Command::Completions { shell } => commands::manual::completions(shell),
        args::Command::Man { command } => commands::manual::page(&command),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(failure) => failure.report(),
    }
}

/// Why a command could not do its work; reported on stderr, with exit status 2 unless it says otherwise.
struct Failure {
    text: String,
    help: Option<String>,
    code: u8,
}

impl Failure {
    fn new(text: impl Into<String>) -> Failure {
        Failure { text: text.into(), help: None, code: 2 }
    }

    fn help(mut self, help: impl Into<String>) -> Failure {
        self.help = Some(help.into());
        self
    }

    fn code(mut self, code: u8) -> Failure {
        self.code = code;
        self
    }

    fn report(&self) -> ExitCode {
        if !self.text.is_empty() {
            let _ = writeln!(show::stderr(), "counterpoint: {}", show::printable_lines(&self.text));
        }
        if let Some(help) = &self.help {
            let _ = writeln!(show::stderr(), "  help: {}", show::printable_lines(help));
        }
        ExitCode::from(self.code)
    }
}

/// Names that are like the one that was not found, or else where names are shown.
fn did_you_mean<S: Borrow<str>>(near: &[S], otherwise: &str) -> String {
    if near.is_empty() {
        otherwise.to_string()
    } else {
        format!("did you mean `{}`?", near.join("`, `"))
    }
}

impl From<counterpoint::Error> for Failure {
    fn from(error: counterpoint::Error) -> Failure {
        Failure { help: error.help(), ..Failure::new(error.to_string()) }
    }
}

/// A reader that went away, as `head` does, is no failure worth words.
impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::new("").code(0),
            _ => Failure::new(error.to_string()),
        }
    }
}
