//! Lists for people.

use super::boxes::{are_boxes, own};
use super::pmus::PmuRow;
use super::tables::{Row, Tables};
use crate::availability::{numbered, reasons, refused};
use crate::descriptions::about;
use crate::show::printable;
use counterpoint::Machine;
use counterpoint::listing::{Availability, Listed, ListedPreset};
use counterpoint::pmu::{Pmu, PmuKind, find};
use counterpoint::presets::Preset;
use std::io::{self, Write};

/// Longer names have their descriptions out of line.
const WIDEST: usize = 44;

/// Events of the kernel, of sysfs and of the vendor, group by group; those of a PMU that is absent cannot be opened.
pub fn events(out: &mut impl Write, events: &[Listed], absent: Option<&str>) -> io::Result<()> {
    for (place, group) in events.chunk_by(|a, b| a.group == b.group).enumerate() {
        if place > 0 {
            writeln!(out)?;
        }
        let states = match absent {
            Some(pmu) => {
                let (name, count) = (printable(pmu), group.len());
                if find(pmu).is_some() {
                    writeln!(out, "by the vendor's names, beside the table of {name} ({count})")?;
                } else {
                    writeln!(out, "by the vendor's names, of {name} ({count})")?;
                }
                vec![String::new(); group.len()]
            }
            None => heading(out, &group[0].group, group.iter().map(|event| &event.availability))?,
        };
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

/// Writes the name of a group, the number of its events that can be counted and the reasons for the others; returns the words for each state.
fn heading<'a>(
    out: &mut impl Write,
    name: &str,
    group: impl ExactSizeIterator<Item = &'a Availability> + Clone,
) -> io::Result<Vec<String>> {
    if group.clone().all(|event| *event == Availability::NotTested) {
        writeln!(out, "{} ({} not tested: --test opens each)", printable(name), group.len())?;
        return Ok(vec![String::new(); group.len()]);
    }
    let usable =
        |event: &&Availability| matches!(event, Availability::Available | Availability::UserOnly);
    let (count, all) = (group.clone().filter(usable).count(), group.len());
    writeln!(out, "{} ({count} of {all} available)", printable(name))?;
    write_reasons(out, group)
}

/// Writes each reason for refusals once, and returns the words for each state: a reason's number where there are several.
fn write_reasons<'a>(
    out: &mut impl Write,
    states: impl Iterator<Item = &'a Availability> + Clone,
) -> io::Result<Vec<String>> {
    let reasons = reasons(states.clone());
    for (number, reason) in reasons.iter().enumerate() {
        writeln!(out, "  {}: {}", refused(number, reasons.len()), printable(reason))?;
    }
    Ok(states.map(|state| numbered(state, &reasons)).collect())
}

/// Writes the forms of events that cannot be listed.
pub fn forms(out: &mut impl Write, machine: &Machine) -> io::Result<()> {
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
    let of_vendor = machine.vendor().names().count();
    if of_vendor > 0 {
        writeln!(
            out,
            "  NAME                     {of_vendor} events by the vendor's names: counterpoint list --events"
        )?;
    }
    writeln!(out, "  mem:ADDR[/LEN][:rwx]     accesses to an address")?;
    writeln!(
        out,
        "  uprobe:FILE:FUNCTION     calls of a function; returns: uretprobe:FILE:FUNCTION"
    )?;
    match machine.tracepoints().len() {
        0 => {
            writeln!(out, "  subsystem:name           tracepoints; tracefs is not readable here")
        }
        known => writeln!(
            out,
            "  subsystem:name           {known} tracepoints: counterpoint list --pmu tracepoint"
        ),
    }
}

/// The numbers of events and unit masks that were listed.
#[derive(Default)]
pub struct Found {
    pub events: usize,
    pub masks: usize,
}

/// Boxes with the same events are one group.
pub fn tables(out: &mut impl Write, tables: &Tables<'_>, mut follows: bool) -> io::Result<Found> {
    let mut found = Found::default();
    for boxes in tables.pmus.chunk_by(|a, b| are_boxes(a, b)) {
        let pmu = boxes[0];
        let rows = tables.rows(pmu);
        if rows.is_empty() {
            continue;
        }
        if follows {
            writeln!(out)?;
        }
        follows = true;
        let last = match boxes {
            [_, .., last] => format!(" to {}", last.name),
            _ => String::new(),
        };
        let number = match (tables.wanted.is_all(), pmu.events().count()) {
            (true, 1) => "1 event".to_string(),
            (true, all) => format!("{all} events"),
            (false, all) => format!("{} of {all} events", rows.len()),
        };
        writeln!(out, "{}{last}, {} ({number})", pmu.name, about(pmu))?;
        table_rows(out, tables, &rows)?;
        found.events += rows.len();
        found.masks += rows.iter().map(|row| row.masks.len()).sum::<usize>();
    }
    Ok(found)
}

fn table_rows(out: &mut impl Write, tables: &Tables<'_>, rows: &[Row<'_>]) -> io::Result<()> {
    let states: Option<Vec<_>> = rows.iter().map(|row| tables.availability(&row.event)).collect();
    // PMUs of other machines cannot be tried, and most events are not in a recording.
    let states = states.filter(|all| all.iter().any(|s| *s != Availability::NotRecorded));
    let told = states.is_some();
    let states = match &states {
        Some(states) => write_reasons(out, states.iter())?,
        None => vec![String::new(); rows.len()],
    };
    let state_width = states.iter().map(|state| state.chars().count()).max().unwrap_or(0);
    let names = rows.iter().map(|row| row.event.name.len());
    let masks = rows.iter().flat_map(|row| &row.masks).map(|(mask, _)| mask.name.len() + 5);
    let width = names.chain(masks).max().unwrap_or(0).min(WIDEST);
    for (row, state) in rows.iter().zip(&states) {
        let state = if told { format!("  {state:<state_width$}") } else { String::new() };
        let equiv = row.event.equiv.map(|e| format!(" (stands for {e})")).unwrap_or_default();
        let (name, description) = (row.event.name, row.description.unwrap_or_default());
        let line = format!("  {name:<width$}{state}  {description}{equiv}");
        writeln!(out, "{}", printable(line.trim_end()))?;
        let blank = if told { state_width + 2 } else { 0 };
        for (mask, description) in &row.masks {
            let description = description.unwrap_or_default();
            let name = format!(":{}{}", mask.name, if mask.is_default { " *" } else { "" });
            let line = format!("    {name:<0$}{1:blank$}  {description}", width - 2, "");
            writeln!(out, "{}", printable(line.trim_end()))?;
        }
    }
    Ok(())
}

/// PMUs, the boxes of one kind in one line.
pub fn pmus(out: &mut impl Write, rows: &[PmuRow]) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0).max(4);
    writeln!(out, "  {:<width$}  {:<6}  {:>6}  description", "PMU", "kind", "events")?;
    let is_box = |a: &PmuRow, b: &PmuRow| {
        a.is_present == b.is_present && a.table.zip(b.table).is_some_and(|(a, b)| are_boxes(a, b))
    };
    for boxes in rows.chunk_by(is_box) {
        let row = &boxes[0];
        let device = match &row.device {
            Some((device, kind)) if *device == row.name => format!(" (type {kind})"),
            Some((device, kind)) => format!(" ({device}, type {kind})"),
            None => String::new(),
        };
        let more = match boxes {
            [_, .., last] => format!(", and {} more to {}", boxes.len() - 1, last.name),
            _ => String::new(),
        };
        let mark = if row.is_present { '*' } else { ' ' };
        let PmuRow { name, kind, events, description, .. } = row;
        let line =
            format!("{mark} {name:<width$}  {kind:<6}  {events:>6}  {description}{device}{more}");
        writeln!(out, "{}", printable(&line))?;
    }
    let present = rows.iter().filter(|row| row.is_present).count();
    writeln!(out, "\n{} PMUs, {present} of this machine (*)", rows.len())
}

/// Those that something counts, each with its formula; then the names of the others.
pub fn presets(out: &mut impl Write, listed: &[ListedPreset]) -> io::Result<()> {
    let (counted, others): (Vec<_>, Vec<_>) =
        listed.iter().partition(|listed| listed.expansion.is_some());
    let is_tried = |listed: &&ListedPreset| listed.availability != Availability::NotRecorded;
    let states: Vec<String> = if counted.iter().any(is_tried) {
        heading(out, "presets", counted.iter().map(|listed| &listed.availability))?
    } else {
        vec![String::new(); counted.len()]
    };
    let width = |widths: &mut dyn Iterator<Item = usize>| widths.max().map_or(0, |width| width + 2);
    let name_width = width(&mut listed.iter().map(|listed| listed.preset.name.len()));
    let state_width = width(&mut states.iter().map(String::len).filter(|width| *width > 0));
    for (listed, state) in counted.iter().zip(&states) {
        let Preset { name, description, .. } = listed.preset;
        writeln!(out, "  {name:<name_width$}{state:<state_width$}{description}")?;
        let core = listed.core.as_ref().map(|core| format!("{}: ", printable(core)));
        let formula = listed.expansion.as_ref().map(|whole| whole.formula.to_string());
        let kernel = if listed.generic { ", the kernel's own" } else { "" };
        let (core, formula) = (core.unwrap_or_default(), formula.unwrap_or_default());
        writeln!(out, "  {:name_width$}{core}{formula}{kernel}", "")?;
    }
    for (place, ListedPreset { preset, availability, .. }) in others.into_iter().enumerate() {
        if let (0, Availability::Unavailable(reason)) = (place, availability) {
            let gap = if counted.is_empty() { "" } else { "\n" };
            writeln!(out, "{gap}{}", reason.to_string().replace(" counts it", " counts these"))?;
        }
        writeln!(out, "  {:<name_width$}{}", preset.name, preset.description)?;
    }
    Ok(())
}

/// Writes the numbers of events and unit masks that were listed.
pub fn count(out: &mut impl Write, others: usize, found: &Found) -> io::Result<()> {
    let number = |number: usize, what: &str| match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    };
    let masks = match found.masks {
        0 => String::new(),
        masks => format!(" with {}", number(masks, "unit mask")),
    };
    match others + found.events {
        0 => Ok(()),
        events => writeln!(out, "\n{}{masks}", number(events, "event")),
    }
}
