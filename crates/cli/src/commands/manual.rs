//! `counterpoint man` and `completions`: what the arguments say of themselves, for readers and for shells.

use crate::args::Args;
use crate::{Failure, show};
use clap::CommandFactory;
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use std::io::Write;

pub fn completions(shell: Shell) -> Result<u8, Failure> {
    let mut script = Vec::new();
    generate(shell, &mut Args::command(), "counterpoint", &mut script);
    show::bytes_out().lock().write_all(&script)?;
    Ok(0)
}

/// The page of the program, or of the command of this name.
pub fn page(names: &[String]) -> Result<u8, Failure> {
    let mut command = Args::command();
    command.build();
    let version = format!("counterpoint {}", command.get_version().unwrap_or_default());
    for name in names {
        let found = command.find_subcommand(name).cloned();
        command = found.ok_or_else(|| {
            Failure::new(format!("there is no command `{name}`"))
                .help("`counterpoint --help` shows all")
        })?;
    }
    let mut page = Vec::new();
    Man::new(command).source(version).render(&mut page)?;
    show::bytes_out().lock().write_all(&page)?;
    Ok(0)
}
