//! The events that a recording of a machine tries.

use super::lookup;
use super::spec::spec;
use crate::machine::pmus::{Machine, probe_placement};
use counterpoint_perf::{Attr, Placement};
use counterpoint_pmu::{PmuKind, kernel};

impl Machine {
    /// Every event of the machine that can be tested without further parameters, each with a placement: for [`Host::record`](counterpoint_perf::Host::record).
    pub fn probes(&self) -> Vec<(Attr, Placement)> {
        let mut probes = Vec::new();
        let hybrid = self.hybrid_pmus();
        for event in kernel::all() {
            let attr = Attr::new(event.kind(), event.config);
            if event.group != kernel::Group::Software {
                for device in &hybrid {
                    let config = attr.config | u64::from(device.pmu.kind) << 32;
                    probes.push((Attr { config, ..attr.clone() }, Placement::ThisThread));
                }
            }
            probes.push((attr, Placement::ThisThread));
        }
        for device in self.devices() {
            for event in &device.pmu.events {
                if let Some(attr) = device.attr(&event.name) {
                    probes.push((attr, device.probe_placement()));
                }
            }
        }
        let cores = self.tables().pmus.iter().filter(|pmu| pmu.kind == PmuKind::Core);
        let names = cores
            .flat_map(|pmu| pmu.events())
            .map(|event| format!("{}::{}", event.pmu.name, event.name));
        for natives in names.filter_map(|n| lookup::natives(self, &spec(&n)).ok()) {
            let boxes = natives.iter().flat_map(|native| &native.boxes);
            probes.extend(boxes.map(|b| (b.attr.clone(), probe_placement(b.cpumask.as_ref()))));
        }
        probes
    }
}
