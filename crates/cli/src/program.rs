//! The arguments of the program, and which command they call.

use crate::failure::Failure;
use crate::{commands, show};
use clap::{CommandFactory, Parser, Subcommand};
use std::env;
use std::process::ExitCode;

/// The program.
pub fn main() -> ExitCode {
    let args = match Args::try_parse() {
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
        Command::Stat(args) => commands::stat::run(&args),
        Command::Profile(args) => commands::profile::run(&args),
        Command::List(args) => commands::list::run(&args),
        Command::Show(args) => commands::show::run(&args),
        Command::Encode(args) => commands::encode::run(&args),
        Command::Plan(args) => commands::plan::run(&args),
        Command::Check(args) => commands::check::run(&args),
        Command::Eval(args) => commands::eval::run(&args),
        Command::Dispatch(args) => commands::dispatch::run(&args),
        Command::Merge(args) => commands::merge::run(&args),
        Command::Doctor(args) => commands::doctor::run(&args),
        #[cfg(feature = "catalog")]
        Command::Catalog(command) => commands::catalog::run(&command),
        Command::Completions(args) => commands::completions::run(Args::command(), &args),
        Command::Man(args) => commands::man::run(Args::command(), &args),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(failure) => failure.report(),
    }
}

/// Performance counters: count events, show where they happen, compute derived ones, and say why where it cannot be done.
#[derive(Parser)]
#[command(name = "counterpoint", version, max_term_width = 100)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

// Only the command that was typed is made with its options, which saves a quarter of the instructions of `stat` of a short command.
// What a command does is said here and not at its structure, and structures that are flattened into it say what they are without a doc comment: `--help` would take the last of them.
#[derive(Subcommand)]
#[command(defer = true)]
pub enum Command {
    /// Run a command, or watch what runs, and print what was counted.
    Stat(Box<commands::stat::StatArgs>),
    /// Run a command, or watch one that runs, and show in which functions and lines events happen.
    Profile(Box<commands::profile::ProfileArgs>),
    /// List what can be counted here, each tried: available, or refused and why; and the events of any PMU.
    List(commands::list::ListArgs),
    /// Show what an event counts, what can be written after its name, how it is encoded, and whether it can be counted here.
    Show(commands::show::ShowArgs),
    /// Say how event strings are programmed: the codes of the registers, and what perf_event_open is asked for.
    Encode(commands::encode::EncodeArgs),
    /// Say which events can be counted together: the fewest passes, the counter of each event, and what is in whose way.
    Plan(commands::plan::PlanArgs),
    /// Check event-definition files: what cannot be read, what means nothing, and what to write instead.
    Check(commands::check::CheckArgs),
    /// Evaluate a formula: its value, whether that is exact, its tree and its operations.
    Eval(commands::eval::EvalArgs),
    /// Show which registers count events together on a processor that libpfm-3 knows; without events, the models.
    Dispatch(commands::dispatch::DispatchArgs),
    /// Merge reports of several runs or ranks into one: totals, and the least, mean and greatest of them.
    Merge(commands::merge::MergeArgs),
    /// Say what stands between you and counting here, each with the command that changes it.
    Doctor(commands::doctor::DoctorArgs),
    /// Show, check and compute with 24x7 catalogs of POWER firmware.
    #[cfg(feature = "catalog")]
    #[command(subcommand)]
    Catalog(commands::catalog::Command),
    /// Print what a shell needs to complete the program's commands and options.
    Completions(commands::completions::CompletionsArgs),
    /// Print the manual page of the program, or of one of its commands.
    Man(commands::man::ManArgs),
}
