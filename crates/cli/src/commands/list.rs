use crate::args::ListArgs;
use crate::show::printable;
use crate::{Failure, host::host};
use counterpoint::{Availability, Listed, Machine, list};
use serde_json::json;
use std::io::{Write, stdout};

/// Exit status 1 if words were given and nothing matched.
pub fn run(args: &ListArgs) -> Result<u8, Failure> {
    let machine = Machine::new(host(args.machine.as_deref())?);
    // Who looks for a tracepoint by name should find it.
    let tracepoints = args.all || args.words.iter().any(|word| word.contains(':'));
    let words: Vec<String> = args.words.iter().map(|word| word.to_lowercase()).collect();
    let mut events = list(&machine, tracepoints);
    events.retain(|event| words.iter().all(|word| matches(event, word)));
    let mut out = stdout().lock();
    if args.json {
        for event in &events {
            writeln!(out, "{}", as_json(event))?;
        }
    } else {
        write_groups(&mut out, &events)?;
        if words.is_empty() {
            write_forms(&mut out, &machine, tracepoints)?;
        }
    }
    if events.is_empty() && !words.is_empty() {
        return Err(Failure::new("no event matches")
            .help("`counterpoint list` without words shows all")
            .code(1));
    }
    Ok(0)
}

fn matches(event: &Listed, word: &str) -> bool {
    let mut texts =
        event.aliases.iter().chain([&event.name, &event.group]).chain(&event.description);
    texts.any(|text| text.to_lowercase().contains(word))
}

fn write_groups(out: &mut impl Write, events: &[Listed]) -> std::io::Result<()> {
    for (place, group) in events.chunk_by(|a, b| a.group == b.group).enumerate() {
        if place > 0 {
            writeln!(out)?;
        }
        let usable = |event: &&Listed| {
            matches!(event.availability, Availability::Available | Availability::UserOnly)
        };
        let count = group.iter().filter(usable).count();
        writeln!(out, "{} ({count} of {} available)", printable(&group[0].group), group.len())?;
        let reasons = reasons(group);
        for (number, reason) in reasons.iter().enumerate() {
            writeln!(out, "  {}: {}", refused(number, reasons.len()), printable(reason))?;
        }
        let name_width = group.iter().map(|event| event.name.len()).max().unwrap_or(0);
        let states: Vec<String> =
            group.iter().map(|event| state(&event.availability, &reasons)).collect();
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

/// The reasons why events of the group are refused, each once.
fn reasons(group: &[Listed]) -> Vec<String> {
    let mut reasons = Vec::new();
    for event in group {
        if let Availability::Refused(reason) = &event.availability
            && !reasons.contains(&reason.to_string())
        {
            reasons.push(reason.to_string());
        }
    }
    reasons
}

/// The word for a refusal, with a number where there is more than one reason.
fn refused(number: usize, reasons: usize) -> String {
    if reasons > 1 { format!("refused ({})", number + 1) } else { "refused".to_string() }
}

fn state(availability: &Availability, reasons: &[String]) -> String {
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
fn write_forms(out: &mut impl Write, machine: &Machine, tracepoints: bool) -> std::io::Result<()> {
    writeln!(out, "\nalso")?;
    writeln!(out, "  rHEX                     raw code of the core PMU, such as r1a8")?;
    writeln!(
        out,
        "  pmu/field=value,…/       fields of a PMU; its fields are in /sys/bus/event_source/devices/PMU/format"
    )?;
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

fn as_json(event: &Listed) -> serde_json::Value {
    let (status, reason) = match &event.availability {
        Availability::Available => ("available", None),
        Availability::UserOnly => ("user-only", None),
        Availability::Refused(reason) => ("refused", Some(reason.to_string())),
        Availability::Needs(terms) => ("needs", Some(terms.join(","))),
        _ => ("unknown", None),
    };
    json!({
        "schema": 1,
        "name": event.name,
        "aliases": event.aliases,
        "group": event.group,
        "description": event.description,
        "unit": event.unit,
        "status": status,
        "reason": reason,
    })
}
