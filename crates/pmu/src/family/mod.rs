//! How the events of related PMUs are listed and encoded: one module per family.

mod perf;
mod perf_raw;

use crate::attribute::Attribute;
use crate::encode::{EncodeError, Request};
use crate::machine::{Machine, Privilege};
use crate::pmu::{Event, Pmu};

/// PMUs that are encoded by the same rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Perf,
    PerfRaw,
}

/// An event as its PMU programs it.
pub(crate) struct Programmed {
    /// The register images.
    pub(crate) codes: Vec<u64>,
    /// The event's own name, as it is printed.
    pub(crate) event: String,
    /// The PMU's attributes as they are printed, each with its colon.
    pub(crate) attributes: String,
    /// What libpfm prints for event and attributes at the perf layers.
    pub(crate) perf_text: PerfText,
    /// `perf_event_attr`'s type, config, config1 and config2.
    pub(crate) perf: (u32, [u64; 3]),
}

/// Whether libpfm's string names the event at the perf layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PerfText {
    Same,
    Empty,
}

impl Family {
    pub(crate) fn events(self, pmu: &'static Pmu) -> Box<dyn Iterator<Item = Event>> {
        match self {
            Family::Perf => Box::new(perf::events(pmu)),
            Family::PerfRaw => Box::new(perf_raw::events(pmu)),
        }
    }

    pub(crate) fn event(self, pmu: &'static Pmu, name: &str) -> Option<Event> {
        match self {
            Family::Perf => perf::event(pmu, name),
            Family::PerfRaw => perf_raw::event(pmu, name),
        }
    }

    /// The machine has this event.
    pub(crate) fn has(self, event: &Event, machine: &Machine) -> bool {
        match self {
            Family::Perf => perf::has(event, machine),
            Family::PerfRaw => true,
        }
    }

    pub(crate) fn umasks(self, event: &Event) -> Vec<Attribute> {
        match self {
            Family::Perf => perf::umasks(event),
            Family::PerfRaw => Vec::new(),
        }
    }

    /// The event can have this attribute of perf_events.
    pub(crate) fn keeps(self, event: &Event, attribute: &Attribute, machine: &Machine) -> bool {
        match self {
            Family::Perf => perf::keeps(event, attribute, machine),
            Family::PerfRaw => true,
        }
    }

    /// The levels that its PMUs tell apart.
    pub(crate) fn privilege(self, machine: &Machine) -> Privilege {
        match self {
            Family::Perf => machine.privilege,
            Family::PerfRaw => Privilege::USER | Privilege::KERNEL | Privilege::HYPERVISOR,
        }
    }

    pub(crate) fn program(
        self,
        event: &Event,
        request: &Request,
    ) -> Result<Programmed, EncodeError> {
        match self {
            Family::Perf => perf::program(event, request),
            Family::PerfRaw => Ok(perf_raw::program(event)),
        }
    }
}
