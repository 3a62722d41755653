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
use std::io::Write;
use std::path::Path;

/// Exit status 0 if `task-clock` can be counted, 1 if not.
pub fn run(args: &DoctorArgs) -> Result<u8, Failure> {
    if args.verify {
        return verify::run(args.json);
    }
    let machine = Machine::new(args.machine.host()?);
    if let Some(directory) = &args.record {
        return record(&machine, directory);
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

fn record(machine: &Machine, directory: &Path) -> Result<u8, Failure> {
    let probes = machine.probes();
    let failed = |e: std::io::Error| {
        Failure::new(format!("cannot record into {}: {e}", directory.display()))
    };
    machine.host().record(directory, &probes).map_err(failed)?;
    show::print(format_args!(
        "recorded {} events; list them with: counterpoint list --machine {}",
        probes.len(),
        directory.display()
    ))?;
    Ok(0)
}
