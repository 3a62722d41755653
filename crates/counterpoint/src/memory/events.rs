//! The events with which a machine samples accesses to data.

use counterpoint_perf::{Every, Host};

/// An event that is sampled with the addresses of data.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryEvent {
    /// Its name, for [`EventSet::event`](crate::EventSet::event).
    pub name: String,
    /// The event that leads its group, for [`Profile::behind`](crate::profile::Profile::behind).
    pub leader: Option<String>,
    /// How often it is sampled if nobody says otherwise.
    pub every: Every,
}

/// The loads that are sampled take at least so many cycles, as with perf.
const LEAST_LATENCY: u64 = 30;
const DEVICES: &str = "/sys/bus/event_source/devices";
/// The default rate of samples.
const RATE: Every = Every::Frequency(4000);
/// The events of a machine that sample loads and stores, or its page faults if it has none of these, as a virtual machine without a PMU.
///
/// They are `mem-loads` and `mem-stores` of Intel's and IBM's processors, the first in the group of `mem-loads-aux` where the processor needs that, and `ibs_op` of AMD's.
#[doc(alias = "PEBS")]
#[doc(alias = "IBS")]
pub fn events(host: &Host) -> Vec<MemoryEvent> {
    let has = |path: String| host.text(format!("{DEVICES}/{path}")).is_ok();
    let mut events = Vec::new();
    // A machine may have several kinds of cores.
    for core in host.names(DEVICES) {
        let has_event = |event: &str| has(format!("{core}/events/{event}"));
        // The others measure no latencies by a threshold, and have no levels of precision.
        let is_intel = has(format!("{core}/format/ldlat"));
        let name = |event: &str| {
            if is_intel { format!("{core}/{event}/P") } else { format!("{core}/{event}/") }
        };
        if has_event("mem-loads") {
            let least = if is_intel { format!(",ldlat={LEAST_LATENCY}") } else { String::new() };
            let leader = has_event("mem-loads-aux").then(|| format!("{core}/mem-loads-aux/"));
            let name = name(&format!("mem-loads{least}"));
            events.push(MemoryEvent { name, leader, every: RATE });
        }
        if has_event("mem-stores") {
            events.push(MemoryEvent { name: name("mem-stores"), leader: None, every: RATE });
        }
    }
    if events.is_empty() && has("ibs_op/type".to_string()) {
        // It samples every so many operations, of which the loads and stores have addresses.
        let every = Every::Period(100_000);
        events.push(MemoryEvent { name: "ibs_op//".to_string(), leader: None, every });
    }
    if events.is_empty() {
        let (name, every) = ("page-faults".to_string(), Every::Period(1));
        events.push(MemoryEvent { name, leader: None, every });
    }
    events
}
