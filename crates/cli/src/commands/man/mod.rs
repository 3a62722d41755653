//! `counterpoint man`: the manual page, made of the arguments.

mod args;

pub use args::ManArgs;

use crate::failure::Failure;
use crate::show;
use clap::Command;
use clap_mangen::Man;
use std::io::Write;

/// The page of the program, or of the command of this name.
pub fn run(mut command: Command, args: &ManArgs) -> Result<u8, Failure> {
    command.build();
    let version = format!("counterpoint {}", command.get_version().unwrap_or_default());
    for name in &args.command {
        let found = command.find_subcommand(name).cloned();
        command = found.ok_or_else(|| {
            Failure::new(format!("there is no command `{name}`"))
                .help("`counterpoint --help` lists all commands")
        })?;
    }
    let mut page = Vec::new();
    Man::new(command).source(version).render(&mut page)?;
    show::bytes_out().lock().write_all(&page)?;
    Ok(0)
}
