//! The arguments of the program, and which command they call.

use crate::failure::Failure;
use crate::{commands, foreign, help, options, show};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::env;
use std::process::ExitCode;

/// The program.
pub fn main() -> ExitCode {
    let words: Vec<String> =
        env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let name = words.first().map_or("", String::as_str);
    let program = foreign::accepting(Args::command(), name);
    let matches = program.try_get_matches();
    let args = match matches.and_then(|mut matches| Args::from_arg_matches_mut(&mut matches)) {
        Ok(args) => args,
        Err(error) => return answered(&error, &words),
    };
    let result = match args.command {
        Command::Stat(args) => commands::stat::run(&args),
        Command::Profile(args) => commands::profile::run(&args),
        Command::Record(args) => commands::profile::run(&args.0),
        Command::Report(args) => commands::report::run(&args),
        Command::Annotate(args) => commands::annotate::run(&args),
        #[cfg(feature = "top")]
        Command::Top(args) => commands::top::run(&args),
        #[cfg(not(feature = "top"))]
        Command::Top(args) => commands::left_out::refuse(&args, "top"),
        Command::List(args) => commands::list::run(&args),
        Command::Show(args) => commands::show::run(&args),
        Command::Encode(args) => commands::encode::run(&args),
        Command::Plan(args) => commands::plan::run(&args),
        Command::Check(args) => commands::check::run(&args),
        Command::Eval(args) => commands::eval::run(&args),
        #[cfg(feature = "libpfm3")]
        Command::Dispatch(args) => commands::dispatch::run(&args),
        #[cfg(not(feature = "libpfm3"))]
        Command::Dispatch(args) => commands::left_out::refuse(&args, "libpfm3"),
        Command::Merge(args) => commands::merge::run(&args),
        Command::Export(args) => commands::export::run(&args),
        Command::Query(args) => commands::query::run(&args),
        Command::Exporter(args) => commands::exporter::run(&args),
        Command::Doctor(args) => commands::doctor::run(&args),
        #[cfg(feature = "catalog")]
        Command::Catalog(command) => commands::catalog::run(&command),
        #[cfg(not(feature = "catalog"))]
        Command::Catalog(args) => commands::left_out::refuse(&args, "catalog"),
        Command::Schema(args) => commands::schema::run(&args),
        Command::Completions(args) => commands::completions::run(Args::command(), &args),
        Command::Man(args) => commands::man::run(Args::command(), &args),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(failure) => failure.report(),
    }
}

/// The answer to arguments that are no command to run: help, the version, or an error.
fn answered(error: &clap::Error, words: &[String]) -> ExitCode {
    let is_help = error.kind() == ErrorKind::DisplayHelp;
    if let Some(mut command) = is_help.then(|| help::short(Args::command(), words)).flatten() {
        return match command.print_help() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => Failure::from(error).report(),
        };
    }
    if let Some(failure) = unknown_command(error).or_else(|| unknown_option(error, words)) {
        return failure.report();
    }
    // An argument may hold control characters, and so do the colours of the message.
    if error.use_stderr() && words.iter().any(|word| show::is_harmful(word)) {
        return Failure::new(error.to_string()).report();
    }
    match error.print() {
        Ok(()) => ExitCode::from(error.exit_code() as u8),
        Err(error) => Failure::from(error).report(),
    }
}

/// The failure for a command that only perf has.
fn unknown_command(error: &clap::Error) -> Option<Failure> {
    match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(name)) => foreign::command(name),
        _ => None,
    }
}

/// The failure for an option that the command does not have: what to use instead, if there is something.
fn unknown_option(error: &clap::Error, words: &[String]) -> Option<Failure> {
    let option = options::unknown(error)?;
    let mut program = Args::command();
    // Only built commands have their options.
    program.build();
    let (command, path) = options::command(&program, words);
    // Those of perf's command are none of the commands below ours.
    let name = path.split_once(' ').map_or("", |(_, name)| name);
    Some(foreign::option(name, option).unwrap_or_else(|| options::failure(option, command, &path)))
}

/// Count and profile performance events; explain what cannot be counted.
#[derive(Parser)]
#[command(name = "counterpoint", version, max_term_width = 100)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

// Only the command that was typed is made with its options, which saves a quarter of the instructions of `stat` of a short command.
// Commands are described here and not at their structures, and flattened structures have no doc comments, because `--help` would print the last of them.
#[derive(Subcommand)]
#[command(defer = true)]
pub enum Command {
    /// Count events while a command runs, or in a target that is running already.
    Stat(Box<commands::stat::StatArgs>),
    /// Sample events and show in which functions and lines they occur.
    Profile(Box<commands::profile::ProfileArgs>),
    /// Sample events and write the samples to perf.data, as `profile --format perf` does.
    Record(Box<commands::profile::RecordArgs>),
    /// Show the samples that are in a file, of `profile --format perf` or of `perf record`.
    Report(Box<commands::report::ReportArgs>),
    /// Show the source lines and the instructions of a function with their samples, from a file as of `report`.
    Annotate(Box<commands::annotate::AnnotateArgs>),
    /// Show on the whole screen which functions, threads, lines and processes are hot now, and counters over time.
    #[cfg(feature = "top")]
    Top(Box<commands::top::TopArgs>),
    /// Show on the whole screen which functions, threads, lines and processes are hot now, and counters over time (not built in).
    #[cfg(not(feature = "top"))]
    Top(commands::left_out::LeftOutArgs),
    /// List the events and PMUs of this machine and whether they can be counted, or those of any other PMU.
    List(commands::list::ListArgs),
    /// Show what an event counts, its attributes, its encoding, and whether this machine can count it.
    Show(commands::show::ShowArgs),
    /// Encode event strings: the codes of the registers and the attributes of perf_event_open.
    Encode(commands::encode::EncodeArgs),
    /// Show which events can be counted together, in how few passes, and which conflict.
    Plan(commands::plan::PlanArgs),
    /// Check files of event definitions and suggest corrections.
    Check(commands::check::CheckArgs),
    /// Evaluate a formula and print its value, whether it is exact, its tree and its operations.
    Eval(commands::eval::EvalArgs),
    /// Assign events to the registers of a processor that libpfm-3 supports, or list these processors.
    #[cfg(feature = "libpfm3")]
    Dispatch(commands::dispatch::DispatchArgs),
    /// Assign events to the registers of a processor that libpfm-3 supports (not built in).
    #[cfg(not(feature = "libpfm3"))]
    Dispatch(commands::left_out::LeftOutArgs),
    /// Merge the reports of several runs or ranks: the total, minimum, mean and maximum of each event.
    Merge(commands::merge::MergeArgs),
    /// Export reports as one table (Parquet, Arrow, CSV or JSON lines) with a row for each value, or turn such a table back into reports.
    Export(commands::export::ExportArgs),
    /// Query reports by SQL, also on a cluster (needs counterpoint-query).
    Query(commands::query::QueryArgs),
    /// Count for monitoring, and show the values as OpenMetrics over HTTP, or send them by OTLP.
    Exporter(commands::exporter::ExporterArgs),
    /// Diagnose what prevents counting and print the fix.
    Doctor(commands::doctor::DoctorArgs),
    /// Show, check and evaluate 24x7 catalogs of POWER firmware.
    #[cfg(feature = "catalog")]
    #[command(subcommand)]
    Catalog(commands::catalog::Command),
    /// Show, check and evaluate 24x7 catalogs of POWER firmware (not built in).
    #[cfg(not(feature = "catalog"))]
    Catalog(commands::left_out::LeftOutArgs),
    /// Print the JSON Schema of a machine format, or list the formats.
    Schema(commands::schema::SchemaArgs),
    /// Print a completion script for a shell.
    Completions(commands::completions::CompletionsArgs),
    /// Print the manual page of the program or of one of its commands.
    Man(commands::man::ManArgs),
}
