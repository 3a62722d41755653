//! Options that no command has, and those that come near.

use crate::failure::Failure;
use crate::show::printable;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use counterpoint::pmu::similar;

/// At most so many options are suggested.
const MOST: usize = 3;

/// The option of an error that says that there is none of this name.
pub fn unknown(error: &clap::Error) -> Option<&str> {
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(option)) if error.kind() == ErrorKind::UnknownArgument => {
            Some(option)
        }
        _ => None,
    }
}

/// The command that words call, as they begin with its names, and these with that of the program.
pub fn command<'p>(program: &'p Command, words: &[String]) -> (&'p Command, String) {
    let (mut command, mut path) = (program, program.get_name().to_string());
    for word in words {
        let Some(inner) = command.find_subcommand(word) else { break };
        command = inner;
        path = format!("{path} {word}");
    }
    (command, path)
}

/// The failure that suggests the options of a command that come near.
pub fn failure(option: &str, command: &Command, path: &str) -> Failure {
    let mut help = format!("`{path} --help` lists all");
    let meant = option.strip_prefix("--").map(|typed| meant(typed, command)).unwrap_or_default();
    if !meant.is_empty() {
        help = format!("did you mean {}?\n        {help}", meant.join(" or "));
    }
    let option = printable(option);
    Failure::new(format!("`{option}` is not an option of `{path}`")).help(help)
}

/// What may be meant, as it is typed.
fn meant(typed: &str, command: &Command) -> Vec<String> {
    let typed = typed.split_once('=').map_or(typed, |(name, _)| name).to_lowercase();
    let known: Vec<&Arg> = command
        .get_arguments()
        .filter(|arg| arg.get_long().is_some() && !arg.is_hide_set())
        .collect();
    // `--json` of a command that has it as a value, such as `--format json`.
    let with_value = known.iter().filter_map(|arg| {
        let values = arg.get_possible_values();
        let value = values.iter().find(|value| value.matches(&typed, true))?;
        Some(format!("`--{} {}`", arg.get_long()?, value.get_name()))
    });
    with_value.chain(near(&typed, &known).into_iter().map(spelled)).take(MOST).collect()
}

/// Options of which one name begins with the other, or that share a word, or are spelled alike; the best first.
fn near<'a>(typed: &str, known: &[&'a Arg]) -> Vec<&'a Arg> {
    let long = |arg: &'a Arg| arg.get_long().unwrap_or_default();
    // A word such as `no` says nothing about what is wanted.
    let words = |name: &str| -> Vec<String> {
        name.split(['-', '_']).filter(|word| word.len() > 2).map(str::to_string).collect()
    };
    let begins = |arg: &&&'a Arg| {
        !typed.is_empty() && (typed.starts_with(long(arg)) || long(arg).starts_with(typed))
    };
    let mut found: Vec<&Arg> = known.iter().filter(begins).copied().collect();
    let alike = similar(typed, known.iter().map(|arg| long(arg)));
    found.extend(known.iter().filter(|arg| alike.contains(&long(arg))));
    let shares = |arg: &&&'a Arg| words(long(arg)).iter().any(|word| words(typed).contains(word));
    found.extend(known.iter().filter(shares));
    let mut once: Vec<&Arg> = Vec::new();
    for arg in found {
        if !once.iter().any(|other| other.get_id() == arg.get_id()) {
            once.push(arg);
        }
    }
    once
}

/// As it is typed: `-e, --event <EVENT,…>`.
fn spelled(arg: &Arg) -> String {
    let short = arg.get_short().map(|short| format!("-{short}, ")).unwrap_or_default();
    let names = arg.get_value_names().filter(|_| arg.get_action().takes_values());
    let value = names.and_then(|names| names.first()).map(|name| {
        if arg.is_require_equals_set() { format!("[={name}]") } else { format!(" <{name}>") }
    });
    format!("`{short}--{}{}`", arg.get_long().unwrap_or_default(), value.unwrap_or_default())
}
