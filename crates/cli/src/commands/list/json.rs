//! Lists as JSON lines.

use super::pmus::PmuRow;
use super::tables::{Row, Tables};
use crate::availability::status;
#[cfg(test)]
use crate::schema::{Lines, schema_of};
use crate::show::{self, hex};
use counterpoint::listing::{Listed, ListedPreset};
use counterpoint::pmu::Pmu;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

#[cfg(test)]
pub const LINES: Lines = &[
    schema_of::<Event<'_>>,
    schema_of::<TableEvent<'_>>,
    schema_of::<PmuLine<'_>>,
    schema_of::<Preset<'_>>,
    schema_of::<Metric<'_>>,
];

/// An event of the kernel, of sysfs, of a vendor's files or of definitions, or a tracepoint.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Event<'a> {
    /// The version of the format: 1.
    schema: u32,
    /// The name, as `stat -e` takes it.
    name: &'a str,
    /// Other names of the event.
    aliases: &'a [String],
    /// `hardware`, `software`, `cache`, `tool`, `tracepoint`, `definition`, or the name of its PMU.
    group: &'a str,
    /// What the event counts.
    description: Option<&'a str>,
    /// The unit of the value; null for plain counts.
    unit: Option<&'a str>,
    /// `available`, `user-only`, `refused`, `needs`, `not-tested` or `unknown`.
    status: &'a str,
    /// Why it cannot be counted, or the terms that it needs.
    reason: Option<&'a str>,
}

/// An event of a table.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct TableEvent<'a> {
    #[serde(flatten)]
    event: Event<'a>,
    /// The event that this is another name for.
    equiv: Option<&'a str>,
    /// The code of the event, in hexadecimal.
    code: String,
    /// Its unit masks.
    masks: Vec<Mask<'a>>,
}

/// A unit mask.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Mask<'a> {
    /// The name.
    name: &'a str,
    /// What it selects.
    description: Option<&'a str>,
    /// The bits, in hexadecimal.
    code: String,
    /// Whether it applies if no unit mask is written.
    default: bool,
    /// The group of unit masks, if there are several.
    group: Option<u8>,
}

/// A PMU of `list --pmus`.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct PmuLine<'a> {
    /// The version of the format: 1.
    schema: u32,
    /// The name.
    name: &'a str,
    /// `core`, `uncore`, `os` or another kind of the tables, or `sysfs` for a PMU that only sysfs has.
    kind: &'a str,
    /// What it counts, or the fields of its events.
    description: &'a str,
    /// The number of named events.
    events: usize,
    /// The number of general counters; null if it is not known.
    counters: Option<u64>,
    /// The number of fixed counters; null if it is not known.
    fixed_counters: Option<u64>,
    /// The most codes that an event has.
    max_encoding: Option<u64>,
    /// The names that the kernel gives the PMU.
    devices: Option<Vec<String>>,
    /// The name of the PMU in sysfs of this machine.
    device: Option<&'a str>,
    /// The type of the PMU in `perf_event_attr`.
    r#type: Option<u32>,
    /// Whether this machine has it.
    is_present: bool,
    /// Whether it has the events that all processors of an architecture have.
    is_dfl: bool,
}

/// A preset of `list --presets`.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Preset<'a> {
    /// The version of the format: 1.
    schema: u32,
    /// The name, such as `PAPI_TOT_CYC`.
    name: &'a str,
    /// What it counts.
    description: &'a str,
    /// The PMU of the cores, if there are several kinds of cores.
    core: Option<&'a str>,
    /// The formula over the native events; null if no event counts the preset.
    formula: Option<String>,
    /// The native events.
    natives: Option<&'a [String]>,
    /// Whether the kernel's own events are used, because no table has the preset.
    generic: bool,
    /// `available`, `user-only`, `refused`, `needs`, `not-tested` or `unknown`.
    status: &'a str,
    /// Why it cannot be counted.
    reason: Option<String>,
}

/// A metric of `list --metrics`.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Metric<'a> {
    /// The version of the format: 1.
    pub schema: u32,
    /// The name.
    pub name: &'a str,
    /// The usual name, with the kind of core if there are several.
    pub canonical: &'a str,
    /// The PMU of the cores, if there are several kinds of cores.
    pub pmu: Option<&'a str>,
    /// `metric`.
    pub kind: &'static str,
    /// The groups that the metric is in.
    pub groups: Option<&'a [String]>,
    /// What it says.
    pub description: Option<&'a str>,
    /// The unit of the value.
    pub unit: Option<&'a str>,
    /// What the value of the formula is multiplied with.
    pub factor: Option<f64>,
    /// The formula, as its source spells it.
    pub formula: Option<&'a str>,
    /// The metric that this one is a part of.
    pub parent: Option<&'a str>,
    /// When the value is worth a look.
    pub threshold: Option<&'a str>,
    /// `available` or `unsupported`.
    pub status: &'static str,
    /// Why it has no value here.
    pub reason: Option<String>,
}

/// Events of the kernel and of sysfs.
pub fn events(out: &mut impl Write, events: &[Listed]) -> io::Result<()> {
    for event in events {
        let (status, reason) = status(&event.availability);
        let event = Event {
            schema: 1,
            name: &event.name,
            aliases: &event.aliases,
            group: &event.group,
            description: event.description.as_deref(),
            unit: event.unit.as_deref(),
            status,
            reason: reason.as_deref(),
        };
        show::json(out, &event)?;
    }
    Ok(())
}

/// Events of the tables; returns their number.
pub fn tables(out: &mut impl Write, tables: &Tables<'_>) -> io::Result<usize> {
    let mut count = 0;
    for pmu in tables.pmus {
        for row in tables.rows(pmu) {
            table_event(out, tables, &row)?;
            count += 1;
        }
    }
    Ok(count)
}

fn table_event(out: &mut impl Write, tables: &Tables<'_>, row: &Row<'_>) -> io::Result<()> {
    let Row { event, description, masks } = row;
    let (status, reason) = match tables.availability(event) {
        Some(state) => status(&state),
        None => ("elsewhere", None),
    };
    let masks = masks.iter().map(|(mask, words)| Mask {
        name: mask.name,
        description: *words,
        code: hex(mask.code),
        default: mask.is_default,
        group: mask.group,
    });
    let of_table = TableEvent {
        event: Event {
            schema: 1,
            name: &format!("{}::{}", event.pmu.name, event.name),
            aliases: &[],
            group: event.pmu.name,
            description: *description,
            unit: None,
            status,
            reason: reason.as_deref(),
        },
        equiv: event.equiv,
        code: hex(event.code),
        masks: masks.collect(),
    };
    show::json(out, &of_table)
}

pub fn pmus(out: &mut impl Write, rows: &[PmuRow]) -> io::Result<()> {
    rows.iter().try_for_each(|row| show::json(out, &pmu(row)))
}

fn pmu(row: &PmuRow) -> PmuLine<'_> {
    let table = |number: fn(&Pmu) -> u64| row.table.map(number);
    PmuLine {
        schema: 1,
        name: &row.name,
        kind: row.kind,
        description: &row.description,
        events: row.events,
        counters: table(|pmu| pmu.counters.into()),
        fixed_counters: table(|pmu| pmu.fixed_counters.into()),
        max_encoding: table(|pmu| pmu.most_codes.into()),
        devices: row.table.map(|pmu| pmu.devices().map(|name| name.to_string()).collect()),
        device: row.device.as_ref().map(|(name, _)| name.as_str()),
        r#type: row.device.as_ref().map(|(_, kind)| *kind),
        is_present: row.is_present,
        is_dfl: row.table.is_some_and(Pmu::is_architectural),
    }
}

pub fn presets(out: &mut impl Write, listed: &[ListedPreset]) -> io::Result<()> {
    listed.iter().try_for_each(|listed| show::json(out, &preset(listed)))
}

fn preset(listed: &ListedPreset) -> Preset<'_> {
    let ListedPreset { preset, core, expansion, generic, availability, .. } = listed;
    let (status, reason) = status(availability);
    Preset {
        schema: 1,
        name: preset.name,
        description: preset.description,
        core: core.as_deref(),
        formula: expansion.as_ref().map(|whole| whole.formula.to_string()),
        natives: expansion.as_ref().map(|whole| whole.terms.as_slice()),
        generic: *generic,
        status,
        reason,
    }
}
