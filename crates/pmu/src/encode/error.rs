//! Errors in an event string.

use std::ops::{Range, RangeInclusive};

use crate::list;
use crate::pmu::Pmu;
use crate::similar::similar;

/// An error in an event string.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
#[non_exhaustive]
pub struct EncodeError {
    /// The bytes of the string that are wrong.
    pub span: Range<usize>,
    /// The kind of error.
    pub kind: EncodeErrorKind,
}

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
        /// The PMUs that were searched.
        searched: Vec<&'static Pmu>,
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
    #[error("`{name}` is not possible here: {why}")]
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
        /// How many it takes.
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

    /// Names near the one that was not found, best first; they are looked for when this is called.
    pub fn similar(&self) -> Vec<&'static str> {
        match &self.kind {
            EncodeErrorKind::UnknownPmu { name } => similar(name, list::all().map(|pmu| pmu.name)),
            EncodeErrorKind::UnknownEvent { name, searched, .. } => {
                similar(name, searched.iter().flat_map(|pmu| pmu.events()).map(|event| event.name))
            }
            EncodeErrorKind::UnknownAttribute { name, known, .. } => {
                similar(name, known.iter().copied())
            }
            _ => Vec::new(),
        }
    }

    /// Advice on how to write it.
    pub fn help(&self) -> String {
        use EncodeErrorKind::*;
        let similar = self.similar();
        match &self.kind {
            _ if !similar.is_empty() => format!("did you mean `{}`?", similar.join("`, `")),
            NotSupported => "encode for the raw layer".to_owned(),
            SeveralEvents { .. } => "write one event, without blanks".to_owned(),
            UnknownPmu { .. } => match list::left_out().as_slice() {
                [] => "`::` follows a PMU's name only; attributes follow a single `:`".to_owned(),
                features => format!(
                    "tables were left out when this was built; PMUs of those need one of the features {}",
                    features.join(", ")
                ),
            },
            UnknownEvent { .. } => {
                "write a name of the PMU's list, or a raw code as `rHEX`".to_owned()
            }
            NoDevice { .. } => "encode for the raw layer, or for a machine that has it".to_owned(),
            Combination { .. } => "leave one of them out".to_owned(),
            MissingUmask { choices, .. } | NoUmask { choices, .. } => {
                format!("write one of {}", choices.join(", "))
            }
            RawUmask { .. } => "write the unit masks by name".to_owned(),
            RawUmaskWithValue { name } => format!("write `{name}`"),
            NeedsModifiers { modifiers, .. } => {
                format!("write `{}=` and a value, and no other modifier", modifiers.join("=`, `"))
            }
            IdleModifier { name, .. } | FixedUmask { name } => format!("leave `{name}` out"),
            WiredModifier { name } => format!("leave `{name}` out, or repeat the value it has"),
            SecondUmask { first, .. } => format!("keep `{first}` or this one"),
            UnknownAttribute { known, .. } if known.is_empty() => {
                "the event has no attributes here".to_owned()
            }
            UnknownAttribute { known, .. } => format!("its attributes are {}", known.join(", ")),
            UmaskWithValue { name } => format!("write `{name}`"),
            MissingValue { name } | NotANumber { name } => {
                format!("write `{name}=` and a number, such as `{name}=1`")
            }
            NotABool { name } => format!("write `{name}`, `{name}=1` or `{name}=0`"),
            OutOfRange { range, .. } => format!("write {} to {}", range.start(), range.end()),
            PeriodAndFrequency => "keep `period=` or `freq=`".to_owned(),
            TwoValues { .. } => "write it once".to_owned(),
            TooManyAttributes { .. } => "leave some out".to_owned(),
        }
    }
}

fn unknown_attribute(name: &str, event: &str) -> String {
    match name {
        "" => "an attribute has no name".to_owned(),
        _ => format!("{event} has no attribute `{name}` here"),
    }
}

fn in_pmu(pmu: Option<&str>) -> String {
    pmu.map(|pmu| format!(" in the PMU {pmu}")).unwrap_or_default()
}
