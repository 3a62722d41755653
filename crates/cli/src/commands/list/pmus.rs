//! `list --pmus`: the PMUs themselves.

use super::wanted::Wanted;
use counterpoint::Machine;
use counterpoint::pmu::{Pmu, PmuKind, all, sysfs};

/// A PMU of the tables, of sysfs, or of both.
pub struct PmuRow {
    pub name: String,
    pub kind: &'static str,
    pub events: usize,
    pub description: String,
    /// The device and its type.
    pub device: Option<(String, u32)>,
    pub table: Option<&'static Pmu>,
    pub is_present: bool,
}

/// The PMUs of this machine, or all of the tables, that have the words.
pub fn rows(is_all: bool, machine: &Machine, wanted: &Wanted) -> Vec<PmuRow> {
    let mut rows: Vec<PmuRow> = if is_all {
        all().map(|pmu| of_table(machine, pmu)).collect()
    } else {
        machine.tables().pmus.iter().map(|pmu| of_table(machine, pmu)).collect()
    };
    rows.retain(|row| is_all || row.is_present);
    let known: Vec<u32> = rows.iter().filter_map(|row| Some(row.device.as_ref()?.1)).collect();
    let others = machine.devices().iter().filter(|device| !known.contains(&device.pmu.kind));
    rows.extend(others.map(|device| PmuRow {
        name: device.pmu.name.clone(),
        kind: "sysfs",
        events: device.pmu.events.len(),
        description: fields(&device.pmu),
        device: Some((device.pmu.name.clone(), device.pmu.kind)),
        table: None,
        is_present: true,
    }));
    rows.retain(|row| wanted.matches(&format!("{} {} {}", row.name, row.kind, row.description)));
    rows
}

/// The fields that can be written between the slashes of its events.
fn fields(pmu: &sysfs::Pmu) -> String {
    let names: Vec<&str> = pmu.formats.iter().map(|format| format.name.as_str()).collect();
    match names.as_slice() {
        [] => "no fields".to_string(),
        [one] => format!("the field {one}"),
        [.., _] => format!("the fields {}", names.join(", ")),
    }
}

fn of_table(machine: &Machine, pmu: &'static Pmu) -> PmuRow {
    let tables = machine.tables();
    let shown = |name: &str| Some((name.to_string(), *tables.devices.get(name)?));
    // The PMUs of the kernel are where perf_events is.
    let is_present =
        tables.pmus.contains(&pmu) && (pmu.kind != PmuKind::OsGeneric || tables.perf_events);
    PmuRow {
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
