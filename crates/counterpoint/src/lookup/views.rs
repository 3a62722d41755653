//! The definitions that hold on a machine.

use crate::machine::{Device, Machine};
use crate::presets;
use counterpoint_definitions::{Definitions, Library, PmuName, Pmus, link};
use counterpoint_pmu::{Pmu, find};

/// The definitions that hold for one kind of core, and for the PMUs that all cores share.
#[derive(Debug)]
pub(crate) struct View {
    /// The PMU of the cores, on a hybrid machine.
    pub core: Option<Device>,
    pub definitions: Definitions,
}

/// The presets and some libraries as each kind of core sees them; one view where there is only one kind.
///
/// Any PMU of the machine can be named, as libpfm calls it or as sysfs does, and `perf`, the PMU of the kernel's own events.
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

/// The presets and some libraries as a machine with these PMUs of the tables, and these of sysfs, sees them; and how many
/// of the libraries that were linked are presets, which stand first.
pub(crate) fn link_for<'a>(
    pmus: &[&'a Pmu],
    shown: impl IntoIterator<Item = &'a str>,
    libraries: &[Library],
) -> (Definitions, usize) {
    // A preset of a core hides that of its architecture, which stands behind it in the list.
    let presets = pmus.iter().rev().filter_map(|pmu| presets::library(pmu.name));
    let mut all: Vec<Library> = std::iter::once(presets::kernel_library()).chain(presets).collect();
    all.dedup_by(|a, b| a.is_same(b));
    let presets = all.len();
    all.extend_from_slice(libraries);
    let devices = pmus.iter().flat_map(|pmu| pmu.devices()).map(|name| -> &'a str { name });
    let names = pmus.iter().map(|pmu| pmu.name).chain(["perf"]).map(numbered);
    let names: Pmus<'_> = names.chain(devices.chain(shown).map(PmuName::from)).collect();
    (link(&all, names), presets)
}

/// A PMU as blocks of definitions name it: by its number too, where the tables have one.
pub(crate) fn numbered(name: &str) -> PmuName<'_> {
    PmuName { name, number: find(name).map(|pmu| pmu.number.into()) }
}
