//! Advice in the place of a string with an error, from the names of all PMUs and events.

use super::error::{EncodeError, EncodeErrorKind};
use crate::list;
use crate::named::named;
use crate::pmu::Pmu;
use crate::similar::similar;

impl EncodeError {
    /// Names near the one that was not found, best first; they are looked for when this is called.
    pub fn similar(&self) -> Vec<&'static str> {
        match &self.kind {
            EncodeErrorKind::UnknownPmu { name } => match named(name) {
                Some(pmu) => vec![pmu.name],
                None => similar(name, list::all().map(|pmu| pmu.name)),
            },
            EncodeErrorKind::UnknownEvent { name, searched, .. } => {
                let pmus = searched.iter().filter_map(|pmu| list::find(pmu));
                similar(name, pmus.flat_map(Pmu::events).map(|event| event.name))
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
                "the event has no attributes".to_owned()
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
