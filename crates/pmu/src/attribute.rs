//! What may follow an event's name: unit masks, and modifiers of the PMU or of perf_events.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use crate::glossary;
use crate::machine::Layer;
use crate::short::key;

/// An attribute of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
#[doc(alias = "pfm_event_attr_info_t")]
#[non_exhaustive]
pub struct Attribute {
    /// The name to write after the event's.
    pub name: &'static str,
    /// What it is another spelling of: a list of attributes of the same event.
    pub equiv: Option<&'static str>,
    /// A unit mask's code; a modifier's number among those of its controller.
    pub code: u64,
    /// What is written for it.
    pub kind: AttributeKind,
    /// Its place in the event's list.
    pub index: usize,
    /// It applies when the string names none of its group.
    #[doc(alias = "is_dfl")]
    pub is_default: bool,
    /// The group of a unit mask: of each group one must be written or apply by default.
    pub group: Option<u8>,
    /// A unit mask that excludes the others of its group.
    #[doc(alias = "ncombo")]
    pub is_alone: bool,
    /// It can be sampled without skid.
    pub is_precise: bool,
    /// Whether it counts on paths that are thrown away.
    pub speculative: Speculative,
    /// The value it has when it is not written; a unit mask's is its code.
    #[doc(alias = "dfl_val64")]
    pub default: u64,
    /// Who acts on it.
    #[doc(alias = "ctrl")]
    pub controller: Controller,
    /// The values that an integer may have.
    pub range: Option<RangeInclusive<u64>>,
    /// The processor can write its samples itself.
    #[doc(alias = "support_hw_smpl")]
    pub hardware_sampling: bool,
    /// Modifiers cannot change what it counts.
    #[doc(alias = "support_no_mods")]
    pub no_modifiers: bool,
    /// The counters that may count it, a bit for each, where that is known.
    pub counters: Option<u64>,
    pub(crate) description: Option<&'static str>,
}

/// What is written for an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AttributeKind {
    /// A name: part of what the event counts.
    #[doc(alias = "PFM_ATTR_UMASK")]
    Umask,
    /// A name, or `name=` and one of `y t 1 n f 0`.
    #[doc(alias = "PFM_ATTR_MOD_BOOL")]
    Bool,
    /// `name=` and a number.
    #[doc(alias = "PFM_ATTR_MOD_INTEGER")]
    Integer,
}

/// Who acts on an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Controller {
    /// The PMU itself.
    #[doc(alias = "PFM_ATTR_CTRL_PMU")]
    Pmu,
    /// The kernel's perf_events.
    #[doc(alias = "PFM_ATTR_CTRL_PERF_EVENT")]
    PerfEvent,
}

/// Whether something counts on paths that the processor throws away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Speculative {
    /// The vendor does not say.
    #[default]
    #[doc(alias = "PFM_EVENT_INFO_SPEC_NA")]
    Unknown,
    /// It counts there too.
    #[doc(alias = "PFM_EVENT_INFO_SPEC_TRUE")]
    Yes,
    /// It counts what retires.
    #[doc(alias = "PFM_EVENT_INFO_SPEC_FALSE")]
    No,
}

impl Attribute {
    /// What it does, in one line.
    #[doc(alias = "desc")]
    pub fn description(&self) -> Cow<'static, str> {
        match self.description {
            Some(description) => Cow::Borrowed(description),
            None => Cow::Owned(glossary::describe(self.name)),
        }
    }

    /// A unit mask of which only name, code and default are known.
    pub(crate) fn umask(name: &'static str, code: u64, is_default: bool) -> Attribute {
        Attribute {
            name,
            equiv: None,
            code,
            kind: AttributeKind::Umask,
            index: 0,
            is_default,
            group: None,
            is_alone: false,
            is_precise: false,
            speculative: Speculative::Unknown,
            default: code,
            controller: Controller::Pmu,
            range: None,
            hardware_sampling: false,
            no_modifiers: false,
            counters: None,
            description: None,
        }
    }

    /// A modifier of the PMU.
    pub(crate) fn of_modifier(modifier: &Modifier) -> Attribute {
        let Modifier { index, name, range, description, .. } = *modifier;
        let kind = if range.is_some() { AttributeKind::Integer } else { AttributeKind::Bool };
        Attribute {
            kind,
            default: 0,
            range: range.map(|(from, till)| from..=till),
            description: Some(description),
            ..Attribute::umask(name, index.into(), false)
        }
    }

    /// An attribute of perf_events.
    pub(crate) fn of_perf(row: &PerfRow) -> Attribute {
        Attribute { controller: Controller::PerfEvent, ..Attribute::of_modifier(&row.modifier) }
    }
}

/// A modifier of a family of PMUs.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Modifier {
    /// Its number in the family: a bit of the events' modifiers.
    pub(crate) index: u8,
    pub(crate) name: &'static str,
    /// The name as a number.
    pub(crate) key: u64,
    /// What a number may be; nothing when it is on or off.
    pub(crate) range: Option<(u64, u64)>,
    pub(crate) description: &'static str,
}

/// A modifier that is on or off.
pub(crate) const fn switch(index: u8, name: &'static str, description: &'static str) -> Modifier {
    Modifier { index, name, key: key(name), range: None, description }
}

/// A modifier that is a number.
pub(crate) const fn integer(
    index: u8,
    name: &'static str,
    range: (u64, u64),
    description: &'static str,
) -> Modifier {
    Modifier { index, name, key: key(name), range: Some(range), description }
}

/// An attribute of perf_events; the number is its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PerfAttribute {
    User = 0,
    Kernel = 1,
    Hypervisor = 2,
    Period = 3,
    Frequency = 4,
    Precise = 5,
    Exclusive = 6,
    Guest = 7,
    Host = 8,
    Cpu = 9,
    Pinned = 10,
    HardwareSampling = 11,
}

use PerfAttribute::*;

/// An attribute of perf_events, as a modifier of the kernel's.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PerfRow {
    pub(crate) which: PerfAttribute,
    /// The layer [`Layer::PerfEvent`] has it too.
    in_short: bool,
    pub(crate) modifier: Modifier,
}

const fn both(which: PerfAttribute, name: &'static str, description: &'static str) -> PerfRow {
    PerfRow { which, in_short: true, modifier: switch(which as u8, name, description) }
}

const fn long(which: PerfAttribute, name: &'static str, description: &'static str) -> PerfRow {
    PerfRow { in_short: false, ..both(which, name, description) }
}

const fn number(
    which: PerfAttribute,
    name: &'static str,
    range: (u64, u64),
    description: &'static str,
) -> PerfRow {
    PerfRow { which, in_short: false, modifier: integer(which as u8, name, range, description) }
}

static PERF_ATTRIBUTES: [PerfRow; 12] = [
    both(User, "u", "Count in user space"),
    both(Kernel, "k", "Count in the kernel"),
    both(Hypervisor, "h", "Count in the hypervisor"),
    number(Period, "period", (1, u64::MAX), "Sample after this many counts, 1 or more"),
    number(Frequency, "freq", (1, u64::MAX), "Sample this often in a second, 1 or more"),
    number(Precise, "precise", (0, 3), "How exact sampled addresses must be, 0 to 3"),
    long(Exclusive, "excl", "Let no other group use the PMU meanwhile"),
    both(Guest, "mg", "Count in virtual machines"),
    both(Host, "mh", "Count outside virtual machines"),
    number(Cpu, "cpu", (0, 0x7fff_fffe), "The CPU to count on, 0 to 2147483646"),
    long(Pinned, "pinned", "Keep the event on the PMU, or stop counting it"),
    long(HardwareSampling, "hw_smpl", "Let the processor write the samples"),
];

impl PerfRow {
    fn is_of(&self, layer: Layer) -> bool {
        match layer {
            Layer::Raw => false,
            Layer::PerfEvent => self.in_short,
            Layer::PerfEventExt => true,
        }
    }
}

/// The attributes of perf_events that a layer adds, in their order.
pub(crate) fn of_perf_events(layer: Layer) -> impl Iterator<Item = &'static PerfRow> {
    PERF_ATTRIBUTES.iter().filter(move |row| row.is_of(layer))
}

/// The one that a name means, which is given as its key.
pub(crate) fn perf_attribute(layer: Layer, key: u64) -> Option<&'static PerfRow> {
    PERF_ATTRIBUTES.iter().find(|row| row.modifier.key == key).filter(|row| row.is_of(layer))
}
