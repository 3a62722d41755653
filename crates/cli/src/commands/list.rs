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
        let usable = group.iter().filter(|event| is_usable(&event.availability)).count();
        writeln!(out, "{} ({} of {} available)", printable(&group[0].group), usable, group.len())?;
        let width = group.iter().map(|event| event.name.len()).max().unwrap_or(0);
        // Where one reason holds for all, it is said once.
        let shared = group.iter().all(|event| event.availability == group[0].availability)
            && group.len() > 1;
        if shared
            && !matches!(group[0].availability, Availability::Available | Availability::Needs(_))
        {
            writeln!(out, "  all: {}", availability(&group[0].availability))?;
        }
        for event in group {
            let name = printable(&event.name);
            let state = match (&event.availability, shared) {
                (Availability::Available, _) => "available".to_string(),
                (Availability::Needs(_), _) | (_, false) => availability(&event.availability),
                (_, true) => String::new(),
            };
            let description = event.description.as_deref().unwrap_or_default();
            let unit = event
                .unit
                .as_ref()
                .map(|unit| format!(" [{}]", printable(unit)))
                .unwrap_or_default();
            let line = format!("  {name:<width$}  {state:<9}  {description}{unit}");
            writeln!(out, "{}", line.trim_end())?;
        }
    }
    Ok(())
}

fn is_usable(availability: &Availability) -> bool {
    matches!(
        availability,
        Availability::Available | Availability::UserOnly | Availability::Needs(_)
    )
}

fn availability(availability: &Availability) -> String {
    match availability {
        Availability::Available => "available".to_string(),
        Availability::UserOnly => "available in user space only (:u)".to_string(),
        Availability::Refused(reason) => format!("refused: {reason}"),
        Availability::Needs(terms) => format!("needs {}", terms.join(" and ")),
        _ => "unknown: the recording does not say".to_string(),
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
