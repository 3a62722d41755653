//! Events of the kernel and of sysfs on this machine, each tried.

use super::own;
use crate::show::printable;
use counterpoint::pmu::{Pmu, PmuKind};
use counterpoint::{Availability, Listed, Machine};
use serde_json::json;
use std::io::Write;

/// All that words are looked for in.
pub fn text(event: &Listed) -> String {
    let texts =
        [event.name.as_str(), &event.group, event.description.as_deref().unwrap_or_default()];
    format!("{} {}", texts.join(" "), event.aliases.join(" "))
}

pub fn write(out: &mut impl Write, events: &[Listed]) -> std::io::Result<()> {
    for (place, group) in events.chunk_by(|a, b| a.group == b.group).enumerate() {
        if place > 0 {
            writeln!(out)?;
        }
        let states = heading(out, &group[0].group, group.iter().map(|event| &event.availability))?;
        let name_width = group.iter().map(|event| event.name.len()).max().unwrap_or(0);
        let state_width = states.iter().map(String::len).max().unwrap_or(0);
        for (event, state) in group.iter().zip(&states) {
            let name = printable(&event.name);
            let description = event.description.as_deref().unwrap_or_default();
            let unit = event
                .unit
                .as_ref()
                .map(|unit| format!(" [{}]", printable(unit)))
                .unwrap_or_default();
            let line = format!("  {name:<name_width$}  {state:<state_width$}  {description}{unit}");
            writeln!(out, "{}", line.trim_end())?;
        }
    }
    Ok(())
}

/// Writes the name of a group, how many of it can be counted and why others cannot, and says what stands for each state.
pub fn heading<'a>(
    out: &mut impl Write,
    name: &str,
    group: impl ExactSizeIterator<Item = &'a Availability> + Clone,
) -> std::io::Result<Vec<String>> {
    let usable =
        |event: &&Availability| matches!(event, Availability::Available | Availability::UserOnly);
    let (count, all) = (group.clone().filter(usable).count(), group.len());
    writeln!(out, "{} ({count} of {all} available)", printable(name))?;
    write_reasons(out, group)
}

/// Writes each reason for refusals once, and says what stands for each state: a reason's number where there are several.
pub fn write_reasons<'a>(
    out: &mut impl Write,
    states: impl Iterator<Item = &'a Availability> + Clone,
) -> std::io::Result<Vec<String>> {
    let mut reasons = Vec::new();
    for state in states.clone() {
        if let Availability::Refused(reason) = state
            && !reasons.contains(&reason.to_string())
        {
            reasons.push(reason.to_string());
        }
    }
    for (number, reason) in reasons.iter().enumerate() {
        writeln!(out, "  {}: {}", refused(number, reasons.len()), printable(reason))?;
    }
    Ok(states.map(|state| numbered(state, &reasons)).collect())
}

/// The word for a refusal, with a number where there is more than one reason.
fn refused(number: usize, reasons: usize) -> String {
    if reasons > 1 { format!("refused ({})", number + 1) } else { "refused".to_string() }
}

/// Whether an event can be counted, in words.
pub fn state(availability: &Availability) -> String {
    match availability {
        Availability::Refused(reason) => format!("refused: {reason}"),
        _ => short(availability),
    }
}

/// The same in one word or two.
pub fn short(availability: &Availability) -> String {
    numbered(availability, &[])
}

/// The same, with the number of the reason where there are several.
fn numbered(availability: &Availability, reasons: &[String]) -> String {
    match availability {
        Availability::Available => "available".to_string(),
        Availability::UserOnly => "user space only".to_string(),
        Availability::Refused(reason) => {
            let number = reasons.iter().position(|known| *known == reason.to_string()).unwrap_or(0);
            refused(number, reasons.len())
        }
        Availability::Needs(terms) => format!("needs {}", terms.join(" and ")),
        _ => "not recorded".to_string(),
    }
}

/// What else can be counted that no list can hold.
pub fn write_forms(
    out: &mut impl Write,
    machine: &Machine,
    tracepoints: bool,
) -> std::io::Result<()> {
    writeln!(out, "\nalso")?;
    writeln!(out, "  rHEX                     raw code of the core PMU, such as r1a8")?;
    writeln!(
        out,
        "  pmu/field=value,…/       fields of a PMU; its fields are in /sys/bus/event_source/devices/PMU/format"
    )?;
    for pmu in own(machine).into_iter().filter(|pmu| pmu.kind == PmuKind::Core) {
        let (form, count) = (format!("{}::EVENT", pmu.name), pmu.events().count());
        let Pmu { name, description, .. } = pmu;
        writeln!(
            out,
            "  {form:<24} {count} events of {description}: counterpoint list --pmu {name}"
        )?;
    }
    writeln!(out, "  mem:ADDR[/LEN][:rwx]     accesses to an address")?;
    let known = machine.tracepoints().len();
    match (tracepoints, known) {
        (true, _) => Ok(()),
        (false, 0) => {
            writeln!(out, "  subsystem:name           tracepoints; tracefs cannot be read here")
        }
        (false, _) => {
            writeln!(out, "  subsystem:name           {known} tracepoints: counterpoint list --all")
        }
    }
}

/// The words in which machines are told.
pub fn status(availability: &Availability) -> (&'static str, Option<String>) {
    match availability {
        Availability::Available => ("available", None),
        Availability::UserOnly => ("user-only", None),
        Availability::Refused(reason) => ("refused", Some(reason.to_string())),
        Availability::Needs(terms) => ("needs", Some(terms.join(","))),
        _ => ("unknown", None),
    }
}

pub fn write_json(out: &mut impl Write, events: &[Listed]) -> std::io::Result<usize> {
    for event in events {
        let (status, reason) = status(&event.availability);
        let object = json!({
            "schema": 1,
            "name": event.name,
            "aliases": event.aliases,
            "group": event.group,
            "description": event.description,
            "unit": event.unit,
            "status": status,
            "reason": reason,
        });
        writeln!(out, "{object}")?;
    }
    Ok(events.len())
}
