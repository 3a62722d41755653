//! Which PMUs are listed, and which of them are boxes of one kind.

use counterpoint::Machine;
use counterpoint::pmu::{Pmu, PmuKind, all, find};

/// The PMUs of the machine's tables.
pub fn own(machine: &Machine) -> Vec<&'static Pmu> {
    let pmus = machine.tables().pmus.iter().copied();
    pmus.filter(|pmu| pmu.kind != PmuKind::OsGeneric).collect()
}

/// The PMU of this name, or all its boxes if the name has no number.
pub fn named(name: &str) -> Vec<&'static Pmu> {
    let boxes = || {
        let stem = |pmu: &&'static Pmu| {
            let number = pmu.name.get(name.len()..).unwrap_or_default();
            let begins = pmu.name.get(..name.len()).is_some_and(|s| s.eq_ignore_ascii_case(name));
            begins && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
        };
        all().filter(|pmu| pmu.kind == PmuKind::Uncore).filter(stem).collect()
    };
    find(name).map_or_else(boxes, |pmu| vec![pmu])
}

/// Boxes of one kind, such as the memory controllers, have the same events.
pub fn are_boxes(a: &'static Pmu, b: &'static Pmu) -> bool {
    let stem = |pmu: &Pmu| pmu.name.trim_end_matches(|c: char| c.is_ascii_digit());
    let names = |pmu: &'static Pmu| pmu.events().map(|event| event.name);
    stem(a) == stem(b) && names(a).eq(names(b))
}
