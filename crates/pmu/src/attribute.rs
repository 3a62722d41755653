//! What may follow an event's name: unit masks, and modifiers of the PMU or of perf_events.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use crate::machine::Layer;

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
    pub(crate) description: &'static str,
    /// The unit masks of one group exclude or complete each other.
    pub(crate) group: u8,
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
        Cow::Borrowed(self.description)
    }

    pub(crate) fn umask(
        name: &'static str,
        code: u64,
        group: u8,
        is_default: bool,
        description: &'static str,
    ) -> Attribute {
        Attribute {
            name,
            equiv: None,
            code,
            kind: AttributeKind::Umask,
            index: 0,
            is_default,
            is_precise: false,
            speculative: Speculative::Unknown,
            default: code,
            controller: Controller::Pmu,
            range: None,
            description,
            group,
        }
    }
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

/// Number, name, whether the shorter layer has it too, range of an integer, what it does.
type Row = (PerfAttribute, &'static str, bool, Option<RangeInclusive<u64>>, &'static str);

const PERF_ATTRIBUTES: [Row; 12] = [
    (User, "u", true, None, "Count in user space"),
    (Kernel, "k", true, None, "Count in the kernel"),
    (Hypervisor, "h", true, None, "Count in the hypervisor"),
    (Period, "period", false, Some(1..=u64::MAX), "Sample after this many counts, 1 or more"),
    (Frequency, "freq", false, Some(1..=u64::MAX), "Sample this often in a second, 1 or more"),
    (Precise, "precise", false, Some(0..=3), "How exact sampled addresses must be, 0 to 3"),
    (Exclusive, "excl", false, None, "Let no other group use the PMU meanwhile"),
    (Guest, "mg", true, None, "Count in virtual machines"),
    (Host, "mh", true, None, "Count outside virtual machines"),
    (Cpu, "cpu", false, Some(0..=0x7fff_fffe), "The CPU to count on, 0 to 2147483646"),
    (Pinned, "pinned", false, None, "Keep the event on the PMU, or stop counting it"),
    (HardwareSampling, "hw_smpl", false, None, "Let the processor write the samples"),
];

impl PerfAttribute {
    /// The attribute of perf_events that this one is.
    pub(crate) fn of(attribute: &Attribute) -> Option<PerfAttribute> {
        let is_perf = attribute.controller == Controller::PerfEvent;
        let row = PERF_ATTRIBUTES.iter().find(|row| is_perf && row.0 as u64 == attribute.code);
        row.map(|row| row.0)
    }
}

/// The attributes of perf_events that a layer adds, in their order.
pub(crate) fn of_perf_events(layer: Layer) -> impl Iterator<Item = Attribute> {
    let in_layer = move |row: &Row| match layer {
        Layer::Raw => false,
        Layer::PerfEvent => row.2,
        Layer::PerfEventExt => true,
    };
    PERF_ATTRIBUTES.into_iter().filter(in_layer).map(|(number, name, _, range, description)| {
        let kind = if range.is_some() { AttributeKind::Integer } else { AttributeKind::Bool };
        Attribute {
            kind,
            controller: Controller::PerfEvent,
            default: 0,
            range,
            ..Attribute::umask(name, number as u64, 0, false, description)
        }
    })
}
