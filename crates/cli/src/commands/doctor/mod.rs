//! `counterpoint doctor`: what prevents counting, and the fix.

mod args;
pub mod json;
mod text;
pub mod verify;

pub use args::DoctorArgs;

use crate::failure::Failure;
use crate::show;
use counterpoint::Machine;
use counterpoint::doctor::{Status, examine};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// Exit status 0 if `task-clock` can be counted, 1 if not.
pub fn run(args: &DoctorArgs) -> Result<u8, Failure> {
    if args.verify {
        // A directory that is not there has no counts either.
        args.machine.host()?;
        return verify::run(args.machine.recorded(), args.json);
    }
    let machine = Machine::new(args.machine.host()?);
    if let Some(directory) = &args.record {
        return record(&machine, directory, args.with_counts);
    }
    let findings = examine(&machine);
    let mut out = show::tables(args.json);
    for finding in &findings {
        if args.json {
            json::write(&mut out, finding)?;
        } else {
            text::write(&mut out, finding)?;
        }
    }
    out.flush()?;
    let blocked = findings.iter().any(|finding| finding.status == Status::Blocked);
    Ok(u8::from(blocked))
}

fn record(machine: &Machine, directory: &Path, with_counts: bool) -> Result<u8, Failure> {
    let probes = machine.probes();
    let failed = |error: io::Error| {
        let what = match error.kind() {
            ErrorKind::AlreadyExists | ErrorKind::NotADirectory => "it is not a directory".into(),
            _ => error.to_string(),
        };
        Failure::new(format!("cannot record into {}: {what}", directory.display()))
    };
    machine.host().record(directory, &probes).map_err(failed)?;
    let shown = directory.display();
    show::print(format_args!(
        "recorded {} events; list them with: counterpoint list --machine {shown}",
        probes.len(),
    ))?;
    if with_counts {
        let counts = verify::record(machine.host(), directory)?;
        show::print(format_args!(
            "recorded {counts} counts; show them with: counterpoint doctor --verify --machine {shown}"
        ))?;
    }
    Ok(0)
}
