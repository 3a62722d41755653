//! The PMUs to which a block of definitions applies.

use crate::machine::pmus::Machine;
use crate::names::views;
use counterpoint_definitions::Block;
use counterpoint_pmu::{Pmu, all, find};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The PMUs that a block applies to.
pub(super) struct Scope<'f> {
    /// The names in the block that are known PMUs.
    pub(super) names: Vec<&'f str>,
    pub(super) pmus: Vec<&'static Pmu>,
    /// A machine that has these PMUs.
    pub(super) machine: Machine,
}

impl<'f> Scope<'f> {
    /// The PMUs of a block; none if the block does not apply to the PMU that is checked.
    pub(super) fn new(block: &'f Block, pmu: Option<&'f str>) -> Self {
        let (mut names, mut all) = (Vec::<&str>::new(), Vec::new());
        let mut add = |name: &'f str| {
            let pmus = pmus_named(name);
            if !pmus.is_empty() && !names.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                names.push(name);
                all.extend(pmus);
            }
        };
        match pmu {
            Some(name) if block.is_for(views::numbered(name)) => add(name),
            Some(name) => {
                let beside = find(name).map(beside).unwrap_or_default();
                if views::names_of(&beside).any(|name| block.is_for(name)) {
                    add(name);
                    beside.iter().for_each(|pmu| add(pmu.name));
                }
            }
            None => block.pmus.iter().flatten().for_each(|named| add(&named.name)),
        }
        Scope { names, machine: Machine::of_pmus(all.clone()), pmus: all }
    }
}

/// A PMU, and those that every machine with it has: that of its architecture, and those of the kernel.
pub(super) fn beside(pmu: &'static Pmu) -> Vec<&'static Pmu> {
    Machine::of_pmu(pmu).tables().pmus.clone()
}

/// The PMUs of the tables that a name in a block stands for: the one with that name, or those with that name in the kernel.
pub(super) fn pmus_named(name: &str) -> Vec<&'static Pmu> {
    /// The PMUs by their names in the kernel, in lower case.
    static DEVICES: LazyLock<HashMap<String, Vec<&'static Pmu>>> = LazyLock::new(|| {
        let mut devices = HashMap::<String, Vec<&'static Pmu>>::new();
        for (device, pmu) in all().flat_map(|pmu| pmu.devices().map(move |device| (device, pmu))) {
            let pmus = devices.entry(device.to_ascii_lowercase()).or_default();
            if !pmus.iter().any(|known| known.name == pmu.name) {
                pmus.push(pmu);
            }
        }
        devices
    });
    match find(name) {
        Some(pmu) => vec![pmu],
        None => DEVICES.get(&name.to_ascii_lowercase()).cloned().unwrap_or_default(),
    }
}
