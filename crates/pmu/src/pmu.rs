//! The PMUs that have tables here, and their events.

use std::borrow::Cow;

use crate::attribute::{self, Attribute, Speculative};
use crate::family::Family;
use crate::machine::{Layer, Machine};

/// Every PMU, in the order in which a string without a prefix tries them.
pub fn all() -> impl Iterator<Item = &'static Pmu> {
    PMUS.iter()
}

/// The PMU of this name, in any case.
///
/// ```
/// let pmu = counterpoint_pmu::find("PERF").unwrap();
/// assert_eq!(pmu.name, "perf");
/// assert!(pmu.event("task-clock").is_some());
/// ```
pub fn find(name: &str) -> Option<&'static Pmu> {
    all().find(|pmu| pmu.name.eq_ignore_ascii_case(name))
}

static PMUS: [Pmu; 2] = [
    Pmu {
        name: "perf",
        description: "The events that Linux itself names",
        kind: PmuKind::OsGeneric,
        family: Family::Perf,
    },
    Pmu {
        name: "perf_raw",
        description: "Raw codes for the processor's PMU, written rHEX",
        kind: PmuKind::OsGeneric,
        family: Family::PerfRaw,
    },
];

/// A performance monitoring unit: a source of events with names.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pmu {
    /// The prefix in event strings, as in `perf::CYCLES`.
    pub name: &'static str,
    /// One line on what it is.
    pub description: &'static str,
    /// What it is a part of.
    pub kind: PmuKind,
    pub(crate) family: Family,
}

/// What a PMU is a part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PmuKind {
    /// A processor core.
    #[doc(alias = "PFM_PMU_TYPE_CORE")]
    Core,
    /// The processor outside its cores.
    #[doc(alias = "PFM_PMU_TYPE_UNCORE")]
    Uncore,
    /// The operating system.
    #[doc(alias = "PFM_PMU_TYPE_OS_GENERIC")]
    OsGeneric,
}

impl Pmu {
    /// Its events, those that only some machines have left out.
    pub fn events(&'static self) -> impl Iterator<Item = Event> {
        self.family.events(self)
    }

    /// The event of this name, in any case; also one that only some machines have.
    pub fn event(&'static self, name: &str) -> Option<Event> {
        self.family.event(self, name)
    }
}

/// An event of a PMU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// The PMU it belongs to.
    pub pmu: &'static Pmu,
    /// Its name.
    pub name: &'static str,
    /// What it is another name for: an event of the same PMU, possibly with attributes.
    pub equiv: Option<&'static str>,
    /// Its code, without what attributes add.
    pub code: u64,
    /// It can be sampled without skid, or one of its unit masks can.
    pub is_precise: bool,
    /// Whether it counts on paths that are thrown away, where that is known.
    pub speculative: Speculative,
    pub(crate) description: &'static str,
    /// `perf_event_attr.type`.
    pub(crate) perf_kind: u32,
}

impl Event {
    /// What is counted, in one line.
    #[doc(alias = "desc")]
    pub fn description(&self) -> Cow<'static, str> {
        Cow::Borrowed(self.description)
    }

    /// The attributes that a string for this event may name, in libpfm's order: unit masks, the PMU's
    /// modifiers, then those of perf_events. What is left out depends on the machine.
    ///
    /// ```
    /// use counterpoint_pmu::{Layer, Machine, find};
    ///
    /// let event = find("perf").unwrap().event("PERF_COUNT_HW_CACHE_ITLB").unwrap();
    /// let attributes = event.attributes(Layer::Raw, &Machine::default());
    /// let names: Vec<&str> = attributes.iter().map(|attribute| attribute.name).collect();
    /// assert_eq!(names, ["READ", "ACCESS", "MISS"]);
    /// ```
    #[doc(alias = "pfm_get_event_attr_info")]
    pub fn attributes(&self, layer: Layer, machine: &Machine) -> Vec<Attribute> {
        let family = self.pmu.family;
        let mut attributes = family.umasks(self);
        let of_layer = attribute::of_perf_events(layer);
        attributes.extend(of_layer.filter(|attribute| family.keeps(self, attribute, machine)));
        for (index, attribute) in attributes.iter_mut().enumerate() {
            attribute.index = index;
        }
        attributes
    }
}
