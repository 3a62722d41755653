//! Errors in an event string.

use crate::debug::debug_as_sentence;
use std::ops::{Range, RangeInclusive};

/// An error in an event string.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
#[non_exhaustive]
pub struct EncodeError {
    /// The bytes of the string that are wrong.
    pub span: Range<usize>,
    /// The kind of error.
    pub kind: EncodeErrorKind,
}

debug_as_sentence!(EncodeError { span, kind } help);

/// A kind of error in an event string.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeErrorKind {
    /// The machine has no `perf_event_open`.
    #[doc(alias = "PFM_ERR_NOTSUPP")]
    #[error("the machine offers no perf_events")]
    NotSupported,
    /// A comma or a blank.
    #[doc(alias = "PFM_ERR_INVAL")]
    #[error("an event string names one event and holds no {found:?}")]
    SeveralEvents {
        /// The character.
        found: char,
    },
    /// The kernel shows no such PMU.
    #[doc(alias = "PFM_ERR_NOTSUPP")]
    #[error("the machine has no PMU {}", devices.join(" or "))]
    NoDevice {
        /// Its possible names in `/sys/bus/event_source/devices`.
        devices: Vec<&'static str>,
        /// For some families libpfm reports that the event is not found.
        not_found: bool,
    },
    /// No PMU of this name.
    #[doc(alias = "PFM_ERR_NOTFOUND")]
    #[error("no PMU is called `{name}`")]
    UnknownPmu {
        /// The written text.
        name: String,
    },
    /// No event of this name.
    #[doc(alias = "PFM_ERR_NOTFOUND")]
    #[error("there is no event `{name}`{}", in_pmu(*pmu))]
    UnknownEvent {
        /// The written text.
        name: String,
        /// The PMU that the string names, if it does.
        pmu: Option<&'static str>,
        /// The names of the PMUs that were searched.
        searched: Vec<&'static str>,
    },
    /// Two unit masks of a group of which one is needed.
    #[doc(alias = "PFM_ERR_UMASK")]
    #[error("`{second}` cannot follow `{first}`")]
    SecondUmask {
        /// The first.
        first: String,
        /// The second.
        second: String,
    },
    /// Unit masks that cannot be counted together.
    #[doc(alias = "PFM_ERR_FEATCOMB")]
    #[error("`{umask}` cannot be combined so: {why}")]
    Combination {
        /// The unit mask, or the event.
        umask: String,
        /// The reason.
        why: &'static str,
    },
    /// One of these unit masks has to be written.
    #[doc(alias = "PFM_ERR_UMASK")]
    #[error("{event} needs a unit mask")]
    MissingUmask {
        /// The event.
        event: String,
        /// Those that would do.
        choices: Vec<&'static str>,
    },
    /// The event counts nothing without a unit mask.
    #[doc(alias = "PFM_ERR_ATTR")]
    #[error("{event} counts nothing without a unit mask")]
    NoUmask {
        /// The event.
        event: String,
        /// Those that it has.
        choices: Vec<&'static str>,
    },
    /// The code of a unit mask where there can be none.
    #[doc(alias = "PFM_ERR_ATTR")]
    #[error("`{name}` is not possible: {why}")]
    RawUmask {
        /// The written text.
        name: String,
        /// The reason.
        why: &'static str,
    },
    /// A value after the code of a unit mask.
    #[doc(alias = "PFM_ERR_ATTR_VAL")]
    #[error("`{name}` takes no value")]
    RawUmaskWithValue {
        /// The written text.
        name: String,
    },
    /// The modifiers that a unit mask or an event asks for, and no others.
    #[doc(alias = "PFM_ERR_ATTR")]
    #[error("{event} is counted with {} only", modifiers.join(" and "))]
    NeedsModifiers {
        /// The event.
        event: String,
        /// The modifiers.
        modifiers: Vec<&'static str>,
    },
    /// A modifier without an effect.
    #[doc(alias = "PFM_ERR_ATTR")]
    #[error("`{name}` has nothing to act on: {why}")]
    IdleModifier {
        /// The modifier.
        name: &'static str,
        /// The missing part.
        why: &'static str,
    },
    /// A modifier that a unit mask has set to another value.
    #[doc(alias = "PFM_ERR_ATTR_SET")]
    #[error("the unit mask has set `{name}` to another value")]
    WiredModifier {
        /// The modifier.
        name: &'static str,
    },
    /// An attribute of perf_events on a unit mask that takes none.
    #[doc(alias = "PFM_ERR_ATTR_VAL")]
    #[error("the unit mask allows no `{name}`")]
    FixedUmask {
        /// The attribute.
        name: &'static str,
    },
    /// The event has no such attribute at this layer.
    #[doc(alias = "PFM_ERR_ATTR")]
    #[error("{}", unknown_attribute(name, event))]
    UnknownAttribute {
        /// The written text.
        name: String,
        /// The event.
        event: String,
        /// Every attribute that the event has at this layer.
        known: Vec<&'static str>,
    },
    /// A value after a unit mask.
    #[doc(alias = "PFM_ERR_ATTR")]
    #[error("the unit mask `{name}` takes no value")]
    UmaskWithValue {
        /// The unit mask.
        name: String,
    },
    /// An integer without a value.
    #[doc(alias = "PFM_ERR_ATTR_VAL")]
    #[error("`{name}` needs a value")]
    MissingValue {
        /// The attribute.
        name: String,
    },
    /// A value that is neither yes nor no.
    #[doc(alias = "PFM_ERR_ATTR_VAL")]
    #[error("`{name}` is on or off")]
    NotABool {
        /// The attribute.
        name: String,
    },
    /// A value that is not a number.
    #[doc(alias = "PFM_ERR_ATTR_VAL")]
    #[error("`{name}` takes a number")]
    NotANumber {
        /// The attribute.
        name: String,
    },
    /// A number that the attribute cannot have.
    #[doc(alias = "PFM_ERR_ATTR_VAL")]
    #[error("`{name}` cannot be {value}")]
    OutOfRange {
        /// The attribute.
        name: String,
        /// The number as it is written.
        value: String,
        /// The allowed values.
        range: RangeInclusive<u64>,
    },
    /// Both a period and a frequency.
    #[doc(alias = "PFM_ERR_ATTR_VAL")]
    #[error("an event is sampled by period or by frequency, not by both")]
    PeriodAndFrequency,
    /// One attribute with two values.
    #[doc(alias = "PFM_ERR_ATTR_SET")]
    #[error("`{name}` has another value already")]
    TwoValues {
        /// The attribute.
        name: String,
    },
    /// More attributes than libpfm takes.
    #[doc(alias = "PFM_ERR_TOOMANY")]
    #[error("an event takes at most {most} attributes")]
    TooManyAttributes {
        /// The number of attributes that it takes.
        most: usize,
    },
}

impl EncodeError {
    /// An error that no attribute has caused; the caller that knows the string adds the span of the event.
    pub(crate) fn of_event(kind: EncodeErrorKind) -> EncodeError {
        EncodeError { span: 0..0, kind }
    }

    /// libpfm's name of the error, without `PFM_ERR_`.
    pub fn code(&self) -> &'static str {
        use EncodeErrorKind::*;
        match self.kind {
            NotSupported | NoDevice { not_found: false, .. } => "NOTSUPP",
            NoDevice { not_found: true, .. } => "NOTFOUND",
            SeveralEvents { .. } => "INVAL",
            UnknownPmu { .. } | UnknownEvent { .. } => "NOTFOUND",
            Combination { .. } => "FEATCOMB",
            SecondUmask { .. } | MissingUmask { .. } => "UMASK",
            UnknownAttribute { .. }
            | UmaskWithValue { .. }
            | NoUmask { .. }
            | RawUmask { .. }
            | NeedsModifiers { .. }
            | IdleModifier { .. } => "ATTR",
            MissingValue { .. }
            | NotABool { .. }
            | NotANumber { .. }
            | OutOfRange { .. }
            | RawUmaskWithValue { .. }
            | FixedUmask { .. }
            | PeriodAndFrequency => "ATTR_VAL",
            TwoValues { .. } | WiredModifier { .. } => "ATTR_SET",
            TooManyAttributes { .. } => "TOOMANY",
        }
    }
}

fn unknown_attribute(name: &str, event: &str) -> String {
    match name {
        "" => "an attribute has no name".to_owned(),
        _ => format!("{event} has no attribute `{name}`"),
    }
}

fn in_pmu(pmu: Option<&str>) -> String {
    pmu.map(|pmu| format!(" in the PMU {pmu}")).unwrap_or_default()
}
