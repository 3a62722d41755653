//! Lists as JSON lines.

use super::pmus::PmuRow;
use super::tables::{Row, Tables};
use crate::availability::status;
use crate::show::hex;
use counterpoint::listing::{Listed, ListedPreset};
use counterpoint::pmu::Pmu;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Events of the kernel and of sysfs.
pub fn events(out: &mut impl Write, events: &[Listed]) -> io::Result<()> {
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
    Ok(())
}

/// Events of the tables; returns their number.
pub fn tables(out: &mut impl Write, tables: &Tables<'_>) -> io::Result<usize> {
    let mut count = 0;
    for pmu in tables.pmus {
        for row in tables.rows(pmu) {
            writeln!(out, "{}", table_row(tables, &row))?;
            count += 1;
        }
    }
    Ok(count)
}

fn table_row(tables: &Tables<'_>, row: &Row<'_>) -> Value {
    let Row { event, description, masks } = row;
    let (status, reason) = match tables.availability(event) {
        Some(state) => status(&state),
        None => ("elsewhere", None),
    };
    let masks = masks.iter().map(|(mask, words)| {
        json!({
            "name": mask.name,
            "description": words,
            "code": hex(mask.code),
            "default": mask.is_default,
            "group": mask.group,
        })
    });
    json!({
        "schema": 1,
        "name": format!("{}::{}", event.pmu.name, event.name),
        "aliases": [],
        "group": event.pmu.name,
        "description": description,
        "unit": null,
        "status": status,
        "reason": reason,
        "equiv": event.equiv,
        "code": hex(event.code),
        "masks": masks.collect::<Vec<_>>(),
    })
}

pub fn pmus(out: &mut impl Write, rows: &[PmuRow]) -> io::Result<()> {
    rows.iter().try_for_each(|row| writeln!(out, "{}", pmu(row)))
}

fn pmu(row: &PmuRow) -> Value {
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

pub fn presets(out: &mut impl Write, listed: &[ListedPreset]) -> io::Result<()> {
    listed.iter().try_for_each(|listed| writeln!(out, "{}", preset(listed)))
}

fn preset(listed: &ListedPreset) -> Value {
    let ListedPreset { preset, core, expansion, generic, availability, .. } = listed;
    let (status, reason) = status(availability);
    json!({
        "schema": 1,
        "name": preset.name,
        "description": preset.description,
        "core": core,
        "formula": expansion.as_ref().map(|whole| whole.formula.to_string()),
        "natives": expansion.as_ref().map(|whole| &whole.terms),
        "generic": generic,
        "status": status,
        "reason": reason,
    })
}
