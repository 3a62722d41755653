//! The help of commands with many options: `--help` has them under headings, and `-h` the most used ones on one screen.

pub mod headings;

#[cfg(feature = "top")]
use crate::commands::top;
use crate::commands::{profile, report, stat};
use clap::{Arg, Command};

/// The command whose help is that of `-h`; `None` if these words ask for the whole help, or the command has one help.
pub fn short(program: Command, words: &[String]) -> Option<Command> {
    let name = words.first()?;
    let most = match name.as_str() {
        "stat" => stat::help::MOST,
        "profile" => profile::help::MOST,
        "record" => profile::help::MOST_RECORDED,
        "report" => report::help::MOST,
        #[cfg(feature = "top")]
        "top" => top::help::MOST,
        _ => return None,
    };
    let options = words[1..].iter().take_while(|word| *word != "--");
    if options.clone().any(|word| word == "--help" || word == "diff") {
        return None;
    }
    let mut program = program;
    program.build();
    let command = program.find_subcommand_mut(name)?;
    let shown = |arg: &Arg| !arg.is_hide_set() && !arg.is_positional();
    let count = command.get_arguments().filter(|arg| shown(arg)).count();
    let place = |arg: &Arg| most.iter().position(|(id, _)| *id == arg.get_id().as_str());
    let command = std::mem::take(command).mut_args(|arg| match place(&arg) {
        Some(at) => arg
            .help(most[at].1)
            .help_heading(None)
            .display_order(at)
            .hide_default_value(true)
            .hide_possible_values(true),
        None if arg.is_positional() || arg.get_id() == "help" => arg,
        None => arg.hide(true),
    });
    let path = command.get_bin_name().unwrap_or(name).to_string();
    let after = format!("`{path} --help` shows all {count} options, with examples");
    let command = command.mut_subcommands(|inner| inner.hide(true));
    Some(command.after_help(after))
}
