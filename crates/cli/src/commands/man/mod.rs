//! `counterpoint man`: the manual pages, of which the synopsis and the options are made of the arguments.

mod args;
mod page;

pub use args::ManArgs;

use crate::failure::Failure;
use crate::show;
use clap::Command;
use std::io::Write;

/// The page of the program, or of the command of this name.
pub fn run(mut command: Command, args: &ManArgs) -> Result<u8, Failure> {
    command.build();
    let version = format!("counterpoint {}", command.get_version().unwrap_or_default());
    let page = match &args.command[..] {
        [name] if name == "events" => page::events(&version),
        names => page::command_page(find(command, names)?, names, &version)?,
    };
    show::bytes_out().lock().write_all(page.as_bytes())?;
    Ok(0)
}

fn find(mut command: Command, names: &[String]) -> Result<Command, Failure> {
    for name in names {
        let found = command.find_subcommand(name).cloned();
        command = found.ok_or_else(|| {
            Failure::new(format!("there is no command `{name}`"))
                .help("`counterpoint --help` lists all commands; `events` is a page, too")
        })?;
    }
    Ok(command)
}
