//! `list --pmus`: the PMUs themselves.

use super::wanted::Wanted;
use counterpoint::Machine;
use counterpoint::pmu::vendor::Events;
use counterpoint::pmu::{CpuId, Pmu, PmuKind, all, detect, sysfs, units_beside};
use std::collections::BTreeMap;

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
        let cores = all().filter(|pmu| pmu.kind == PmuKind::Core && !pmu.is_deprecated());
        all().map(|pmu| of_table(machine, pmu)).chain(cores.flat_map(units)).collect()
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

/// The units beside the cores of a PMU that have no table: their events are the vendor's.
fn units(core: &Pmu) -> Vec<PmuRow> {
    // Of several kinds of cores, the first stands for the processor.
    let is_first =
        |cpu: &CpuId| detect(cpu).into_iter().find(|pmu| pmu.kind == PmuKind::Core) == Some(core);
    let Some(cpu) = core.processor().filter(is_first) else { return Vec::new() };
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for event in Events::built_in(&cpu).iter().filter(|event| !event.is_of_core()) {
        let pmu = event.pmus().into_iter().next();
        pmu.into_iter().for_each(|name| *counts.entry(name).or_default() += 1);
    }
    let processor = core.description.split(" (").next().unwrap_or_default();
    let processor = processor.trim_end_matches(" performance core");
    let row = |(name, unit): (String, String)| {
        Some(PmuRow {
            name,
            kind: "uncore",
            events: *counts.get(&unit)?,
            description: format!("{processor} uncore, {unit}, by the vendor's names"),
            device: None,
            table: None,
            is_present: false,
        })
    };
    units_beside(core).into_iter().filter_map(row).collect()
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
