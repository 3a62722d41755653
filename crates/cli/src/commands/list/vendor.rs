//! Events of the vendor's files.

use super::args::ListArgs;
use super::searched::searched;
use super::wanted::Wanted;
use counterpoint::Machine;
use counterpoint::listing::{Listed, list_vendor};
use counterpoint::pmu::vendor::is_box_of;
use counterpoint::pmu::{PmuKind, find, unit_named};

/// The events that the tables do not have, of this machine or of one with the PMU that is asked about; tested if they
/// are few.
pub fn events(
    args: &ListArgs,
    machine: &Machine,
    absent: Option<&Machine>,
    wanted: &Wanted,
) -> Vec<Listed> {
    const FEW: usize = 64;
    if args.pmu.is_none() && args.words().is_empty() && !args.events {
        return Vec::new();
    }
    let mut events = list_vendor(absent.unwrap_or(machine));
    events.retain(|event| {
        let is_of_pmu = args.pmu.as_ref().is_none_or(|pmu| is_of(&event.group, pmu));
        is_of_pmu && wanted.matches(&searched(event))
    });
    if absent.is_none() && (args.test || events.len() <= FEW) {
        events.iter_mut().for_each(|event| event.test(machine));
    }
    events
}

/// Returns true if a group of events is that of a PMU, by its name in sysfs or in the tables; a group is of all boxes.
pub fn is_of(group: &str, pmu: &str) -> bool {
    let is_box = |device: &str| {
        let number = device.strip_prefix(group);
        number.is_some_and(|n| n.trim_start_matches('_').bytes().all(|b| b.is_ascii_digit()))
    };
    let of_table = find(pmu).is_some_and(|pmu| match pmu.devices().next() {
        Some(_) => pmu.devices().any(is_box),
        None => pmu.kind == PmuKind::Core && group == "cpu",
    });
    let of_unit = || unit_named(pmu).is_some_and(|(_, unit)| is_box_of(group, &unit));
    group == pmu || of_table || of_unit()
}
