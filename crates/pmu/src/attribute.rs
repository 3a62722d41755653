//! The attributes that may follow an event's name: unit masks, and modifiers of the PMU or of perf_events.

use std::ops::RangeInclusive;

use crate::modifier::{Modifier, PerfAttribute};

/// An attribute of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
#[doc(alias = "pfm_event_attr_info_t")]
#[non_exhaustive]
pub struct Attribute {
    /// The name to write after the event's.
    pub name: &'static str,
    /// The list of attributes of the same event that it is another spelling of.
    pub equiv: Option<&'static str>,
    /// A unit mask's code; a modifier's number among those of its controller.
    pub code: u64,
    /// The form in which it is written.
    pub kind: AttributeKind,
    /// Its position in the event's list.
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
    /// The counts on paths that are thrown away.
    pub speculative: Speculative,
    /// The value it has when it is not written; a unit mask's is its code.
    #[doc(alias = "dfl_val64")]
    pub default: u64,
    /// The part of the system that acts on it.
    #[doc(alias = "ctrl")]
    pub controller: Controller,
    /// The values that an integer may have.
    pub range: Option<RangeInclusive<u64>>,
    /// The processor can write its samples itself.
    #[doc(alias = "support_hw_smpl")]
    pub hardware_sampling: bool,
    /// It takes no modifiers.
    #[doc(alias = "support_no_mods")]
    pub no_modifiers: bool,
    /// The counters that may count it, a bit for each, where that is known.
    pub counters: Option<u64>,
    pub(crate) description: Option<&'static str>,
}

/// The form in which an attribute is written.
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

/// The part of the system that acts on an attribute.
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

/// The counting on paths that the processor throws away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Speculative {
    /// The vendor does not document it.
    #[default]
    #[doc(alias = "PFM_EVENT_INFO_SPEC_NA")]
    Unknown,
    /// It counts there too.
    #[doc(alias = "PFM_EVENT_INFO_SPEC_TRUE")]
    Yes,
    /// It counts only on paths that retire.
    #[doc(alias = "PFM_EVENT_INFO_SPEC_FALSE")]
    No,
}

impl Attribute {
    /// A description in one line, or `None` if the tables have none for this unit mask. Modifiers have one.
    #[doc(alias = "desc")]
    pub fn description(&self) -> Option<&'static str> {
        self.description
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
    pub(crate) fn of_perf(which: PerfAttribute) -> Attribute {
        let modifier = Attribute::of_modifier(which.modifier());
        Attribute { controller: Controller::PerfEvent, ..modifier }
    }
}
