//! `cargo xtask VERB`: development tasks of the project; `cargo xtask --help` lists them.

#![deny(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a tool for the terminal")]
#![allow(unreachable_pub, reason = "a program has no public interface")]

mod ballista;
mod bench;
mod book;
mod browser;
mod capi;
mod ci;
mod conformance;
mod dist;
mod fuzz;
mod hardware;
mod live;
mod mpi;
mod msrv;
mod package;
mod project;
mod prometheus;
mod public_api;
mod python;
mod sanitize;
mod tables;
mod tidy;
mod vendor_files;
mod verbs;
mod vm;

use std::process::ExitCode;
use verbs::{VERBS, Verb};

fn main() -> ExitCode {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let Some(verb) = VERBS.iter().find(|verb| verb.name() == wanted) else {
        let help: String = VERBS.iter().map(Verb::help).collect();
        let usage = format!("usage: cargo xtask VERB\n\n{help}");
        return if matches!(&*wanted, "--help" | "-h" | "help") {
            print!("{usage}");
            ExitCode::SUCCESS
        } else {
            eprint!("{usage}");
            ExitCode::from(2)
        };
    };
    match (verb.run)() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("xtask {wanted}: {problem}");
            ExitCode::FAILURE
        }
    }
}
