//! The energies of packages, which the component `rapl` has: the kernel's PMU `power` counts them, here in nanojoules.

use counterpoint::perf::{Attr, Host};
use counterpoint::{EventSet, Machine, Target};
use std::collections::BTreeMap;

/// An energy of a package.
#[derive(Debug, PartialEq)]
pub(crate) struct Energy {
    /// The name without that of the component.
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) attr: Attr,
    /// The CPUs on which the package is counted.
    pub(crate) cpus: Vec<u32>,
    /// The nanojoules of one count.
    pub(crate) nanojoules: f64,
}

/// The energies in PAPI's order, and what consumes each.
const KINDS: [(&str, &str); 5] = [
    ("PACKAGE_ENERGY", "the package"),
    ("PP1_ENERGY", "the graphics processor"),
    ("DRAM_ENERGY", "the memory"),
    ("PSYS_ENERGY", "the platform"),
    ("PP0_ENERGY", "all cores"),
];

/// Returns true if a name could be that of an energy.
pub(crate) fn is_name(name: &str) -> bool {
    name.split_once(':').is_some_and(|(kind, _)| KINDS.iter().any(|(own, _)| *own == kind))
}

/// The energies that the kernel of a machine counts.
pub(crate) fn on(machine: Machine) -> Vec<Energy> {
    if machine.devices().iter().all(|device| device.pmu.name != "power") {
        return Vec::new();
    }
    let set = EventSet::with_machine(machine, Target::ThisThread);
    let mut energies = Vec::new();
    for (kind, consumer) in KINDS {
        let Ok(resolved) = set.resolve_list(&format!("rapl:::{kind}")) else { continue };
        let [native] = resolved.natives() else { continue };
        let ([pmu], Some(scale), Some("Joules")) =
            (&native.boxes[..], native.scale, native.unit.as_deref())
        else {
            continue;
        };
        let cpus = pmu.cpumask.iter().flat_map(|mask| mask.iter());
        for (package, cpus) in packages(set.machine().host(), cpus) {
            energies.push(Energy {
                name: format!("{kind}:PACKAGE{package}"),
                description: format!("Energy that {consumer} consumes: package {package}"),
                attr: pmu.attr.clone(),
                cpus,
                nanojoules: scale * 1e9,
            });
        }
    }
    energies
}

/// The packages, with those of the CPUs that are on each: several if its dies are counted apart.
fn packages(host: &Host, cpus: impl Iterator<Item = u32>) -> BTreeMap<u32, Vec<u32>> {
    let mut packages = BTreeMap::<u32, Vec<u32>>::new();
    for cpu in cpus {
        let (_, package) = host.core_and_socket(cpu).unwrap_or_default();
        packages.entry(package).or_default().push(cpu);
    }
    packages
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterpoint_fixtures::machine;

    fn names(recorded: &str) -> Vec<String> {
        let host = Host::recorded(&machine(recorded)).expect("a recorded machine");
        on(Machine::new(host)).into_iter().map(|energy| energy.name).collect()
    }

    #[test]
    fn the_kernels_energies_have_papis_names() {
        assert_eq!(names("amd-zen4"), ["PACKAGE_ENERGY:PACKAGE0"]);
        let client = ["PACKAGE", "PP1", "DRAM", "PSYS", "PP0"];
        let client = client.map(|kind| format!("{kind}_ENERGY:PACKAGE0"));
        assert_eq!(names("intel-cpu-offline"), client);
        assert_eq!(names("vm-no-pmu"), [""; 0]);
    }

    #[test]
    fn a_count_is_in_the_kernels_unit() {
        let host = Host::recorded(&machine("amd-zen4")).expect("a recorded machine");
        let energies = on(Machine::new(host));
        let [energy] = &energies[..] else { panic!("{energies:?}") };
        // 2^-32 J, as the kernel's PMU counts on all processors.
        assert_eq!(energy.nanojoules, 1e9 / 4_294_967_296.0);
        assert_eq!(energy.cpus, [0]);
    }
}
