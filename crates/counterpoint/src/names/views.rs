//! The definitions that apply to a machine.

use crate::libraries::presets;
use crate::machine::pmus::{Device, Machine};
use counterpoint_definitions::{Definitions, Library, PmuName, Pmus, link};
use counterpoint_pmu::{Pmu, find};

/// The definitions that apply to one kind of core, and to the PMUs that all cores share.
#[derive(Debug)]
pub(crate) struct View {
    /// The core PMU, on a hybrid machine.
    pub core: Option<Device>,
    pub definitions: Definitions,
}

/// Links the presets and libraries for each kind of core; there is one view if there is only one kind.
///
/// Definitions may name any PMU of the machine by its name in libpfm or in sysfs, and `perf`, the PMU of the kernel's own events.
pub(crate) fn views(machine: &Machine, libraries: &[Library]) -> Vec<View> {
    let hybrid = machine.hybrid_pmus();
    if hybrid.len() < 2 {
        return vec![view(machine, libraries, None)];
    }
    hybrid.iter().map(|core| view(machine, libraries, Some(core))).collect()
}

fn view(machine: &Machine, libraries: &[Library], core: Option<&Device>) -> View {
    let others: Vec<&str> = match core {
        Some(core) => {
            let hybrid = machine.hybrid_pmus().into_iter().map(|core| core.pmu.name.as_str());
            hybrid.filter(|name| *name != core.pmu.name).collect()
        }
        None => Vec::new(),
    };
    let is_here = |pmu: &&Pmu| !pmu.devices().any(|device| others.contains(&device));
    let pmus: Vec<&Pmu> = machine.tables().pmus.iter().copied().filter(is_here).collect();
    let shown = machine.pmu_names().iter().map(String::as_str);
    let shown = shown.filter(|name| !others.contains(name));
    View { core: core.cloned(), definitions: link_for(&pmus, shown, libraries).0 }
}

/// Links the presets and libraries for a machine with these PMUs of the tables and of sysfs; also returns how many of
/// the linked libraries are presets, which come first.
pub(crate) fn link_for<'a>(
    pmus: &[&'a Pmu],
    shown: impl IntoIterator<Item = &'a str>,
    libraries: &[Library],
) -> (Definitions, usize) {
    // A preset of a core hides that of its architecture, which comes after it in the list.
    let presets = pmus.iter().rev().filter_map(|pmu| presets::library(pmu.name));
    let mut all: Vec<Library> = std::iter::once(presets::kernel_library()).chain(presets).collect();
    all.dedup_by(|a, b| a.is_same(b));
    let presets = all.len();
    all.extend_from_slice(libraries);
    let names: Pmus<'_> = names_of(pmus).chain(shown.into_iter().map(PmuName::from)).collect();
    (link(&all, names), presets)
}

/// The names by which blocks of definitions apply to a machine with these PMUs of the tables.
pub(crate) fn names_of<'a>(pmus: &[&'a Pmu]) -> impl Iterator<Item = PmuName<'a>> {
    let devices = pmus.iter().flat_map(|pmu| pmu.devices()).map(|name| -> &'a str { name });
    let names = pmus.iter().map(|pmu| pmu.name).chain(["perf"]).map(numbered);
    names.chain(devices.map(PmuName::from))
}

/// A PMU as blocks of definitions name it: also by its number, if the tables have one.
pub(crate) fn numbered(name: &str) -> PmuName<'_> {
    PmuName { name, number: find(name).map(|pmu| pmu.number.into()) }
}
