use crate::args::DoctorArgs;
use crate::{Failure, show};
use counterpoint::Machine;
use counterpoint::doctor::{Finding, Status, examine};
use serde_json::json;
use std::io::Write;
use std::path::Path;

/// Exit status 0 if `task-clock` can be counted, 1 if not.
pub fn run(args: &DoctorArgs) -> Result<u8, Failure> {
    let machine = Machine::new(args.machine.host()?);
    if let Some(directory) = &args.record {
        return record(&machine, directory);
    }
    let findings = examine(&machine);
    let mut out = show::stdout();
    for finding in &findings {
        if args.json {
            writeln!(out, "{}", as_json(finding))?;
        } else {
            write_text(&mut out, finding)?;
        }
    }
    out.flush()?;
    let blocked = findings.iter().any(|finding| finding.status == Status::Blocked);
    Ok(u8::from(blocked))
}

fn write_text(out: &mut impl Write, finding: &Finding) -> std::io::Result<()> {
    let mark = match finding.status {
        Status::Good => "ok",
        Status::Limited => "limited",
        Status::Blocked => "BLOCKED",
    };
    writeln!(out, "{mark:>8}  {:<20} {}", finding.subject, finding.text)?;
    if let Some(command) = &finding.command {
        writeln!(out, "{:>31} {command}", "change it:")?;
    }
    Ok(())
}

fn as_json(finding: &Finding) -> serde_json::Value {
    json!({
        "schema": 1,
        "subject": finding.subject,
        "status": finding.status.name(),
        "text": finding.text,
        "command": finding.command,
    })
}

fn record(machine: &Machine, directory: &Path) -> Result<u8, Failure> {
    let probes = machine.probes();
    let failed = |e: std::io::Error| {
        Failure::new(format!("cannot record into {}: {e}", directory.display()))
    };
    machine.host().record(directory, &probes).map_err(failed)?;
    show::print(format_args!(
        "recorded {} events; look at them with: counterpoint list --machine {}",
        probes.len(),
        directory.display()
    ))?;
    Ok(0)
}
