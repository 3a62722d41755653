//! `list --pmus`: the PMUs themselves.

use super::args::ListArgs;
use super::tables::are_boxes;
use super::{Wanted, own};
use crate::failure::Failure;
use crate::show::printable;
use counterpoint::Machine;
use counterpoint::pmu::{Pmu, PmuKind, all, sysfs};
use serde_json::json;
use std::io::Write;

/// A PMU of the tables, of sysfs, or of both.
struct Row {
    name: String,
    kind: &'static str,
    events: usize,
    description: String,
    /// The device and its type.
    device: Option<(String, u32)>,
    table: Option<&'static Pmu>,
    is_present: bool,
}

/// Whether there are any.
pub fn run(
    args: &ListArgs,
    machine: &Machine,
    wanted: &Wanted,
    out: &mut impl Write,
) -> Result<bool, Failure> {
    let mut rows: Vec<Row> = match args.all {
        true => all().map(|pmu| of_table(machine, pmu)).collect(),
        false => own(machine).into_iter().map(|pmu| of_table(machine, pmu)).collect(),
    };
    let known: Vec<u32> = rows.iter().filter_map(|row| Some(row.device.as_ref()?.1)).collect();
    let others = machine.devices().iter().filter(|device| !known.contains(&device.pmu.kind));
    rows.extend(others.map(|device| Row {
        name: device.pmu.name.clone(),
        kind: "sysfs",
        events: device.pmu.events.len(),
        description: fields(&device.pmu),
        device: Some((device.pmu.name.clone(), device.pmu.kind)),
        table: None,
        is_present: true,
    }));
    rows.retain(|row| wanted.matches(&format!("{} {} {}", row.name, row.kind, row.description)));
    match args.json {
        true => rows.iter().try_for_each(|row| writeln!(out, "{}", as_json(row)))?,
        false => write(out, &rows)?,
    }
    Ok(!rows.is_empty())
}

/// What can be written between the slashes of its events.
fn fields(pmu: &sysfs::Pmu) -> String {
    let names: Vec<&str> = pmu.formats.iter().map(|format| format.name.as_str()).collect();
    match names.as_slice() {
        [] => "no fields".to_string(),
        [one] => format!("the field {one}"),
        [.., _] => format!("the fields {}", names.join(", ")),
    }
}

fn of_table(machine: &Machine, pmu: &'static Pmu) -> Row {
    let tables = machine.tables();
    let shown = |name: &str| Some((name.to_string(), *tables.devices.get(name)?));
    let is_present = tables.pmus.contains(&pmu);
    Row {
        name: pmu.name.to_string(),
        kind: match pmu.kind {
            PmuKind::Core => "core",
            PmuKind::Uncore => "uncore",
            PmuKind::OsGeneric => "kernel",
            _ => "other",
        },
        events: pmu.events().count(),
        description: pmu.description.to_string(),
        device: pmu.devices().find_map(shown).filter(|_| is_present),
        table: Some(pmu),
        is_present,
    }
}

fn write(out: &mut impl Write, rows: &[Row]) -> std::io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0).max(4);
    writeln!(out, "  {:<width$}  {:<6}  {:>6}  description", "PMU", "kind", "events")?;
    let is_box = |a: &Row, b: &Row| {
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
        let Row { name, kind, events, description, .. } = row;
        let line =
            format!("{mark} {name:<width$}  {kind:<6}  {events:>6}  {description}{device}{more}");
        writeln!(out, "{}", printable(&line))?;
    }
    let present = rows.iter().filter(|row| row.is_present).count();
    writeln!(out, "\n{} PMUs, {present} of this machine (*)", rows.len())
}

fn as_json(row: &Row) -> serde_json::Value {
    let table = |number: fn(&Pmu) -> u64| row.table.map(number);
    json!({
        "schema": 1,
        "name": row.name,
        "kind": row.kind,
        "description": row.description,
        "events": row.events,
        "counters": table(|pmu| pmu.counters.into()),
        "fixed_counters": table(|pmu| pmu.fixed_counters.into()),
        "max_encoding": table(|pmu| pmu.most_codes.into()),
        "devices": row.table.map(|pmu| pmu.devices().collect::<Vec<_>>()),
        "device": row.device.as_ref().map(|(name, _)| name),
        "type": row.device.as_ref().map(|(_, kind)| kind),
        "is_present": row.is_present,
        "is_dfl": row.table.is_some_and(Pmu::is_architectural),
    })
}
