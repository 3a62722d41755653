//! What a definition consists of, whatever language it is written in.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use counterpoint_formula::Formula;

/// The name of the maximum clock rate in Hz in formulas.
pub const CLOCK_RATE: &str = "#";

/// A definition to be added to a [`Library`](crate::Library).
#[derive(Clone, Debug, Default)]
pub struct Entry<'a> {
    /// The name, as written.
    pub name: &'a str,
    /// Where the name stands in its source.
    pub name_span: Range<usize>,
    /// What the value is computed from: names of definitions, or native events.
    pub terms: &'a [Term<'a>],
    /// The value, from `N0`, `N1`, … for the terms in their order, and [`CLOCK_RATE`].
    ///
    /// `None` stands for `N0`: the value is that of the first term, and the other terms are opened with it.
    pub formula: Option<Arc<Formula>>,
    /// Whether the definition is expected to exist on every PMU that it is for.
    pub role: Role,
    /// How its language calls the kind of the definition, such as `DERIVED_ADD`.
    pub notation: &'static str,
    /// The long description; `""` if there is none.
    pub long_description: &'a str,
    /// The short description; `""` if there is none.
    pub short_description: &'a str,
    /// The note; `""` if there is none.
    pub note: &'a str,
    /// The unit of the value, such as `ns`; `""` for plain counts.
    pub units: &'a str,
    /// Where the definition stands in its source.
    pub span: Range<usize>,
    /// The number of its line, from 1.
    pub line: u32,
}

/// A term of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term<'a> {
    /// The name of a definition, or a native event.
    pub name: &'a str,
    /// Where the term stands in the source.
    pub span: Range<usize>,
}

/// What a definition is meant for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// A name that many processors have, as far as they can count it: a missing event is a warning.
    Preset,
    /// A name that its author needs: a missing event is an error.
    #[default]
    Event,
}

/// Where a definition comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// Part of the program, and made of the kernel's own events, so that it holds on every machine.
    BuiltIn,
    /// Part of the program, for the PMUs that it names.
    Preset,
    /// A file of the user.
    File(Arc<Path>),
    /// Text that a program supplied.
    Text,
}

impl Origin {
    /// The file of this path.
    pub fn file(path: impl AsRef<Path>) -> Origin {
        Origin::File(path.as_ref().into())
    }

    /// Whether the definition is part of the program.
    pub fn is_included(&self) -> bool {
        matches!(self, Origin::BuiltIn | Origin::Preset)
    }
}

/// A PMU that definitions are wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PmuName<'a> {
    /// Its name, as the event tables or sysfs spell it (`skx`, `uncore_imc_0`); compared without case.
    pub name: &'a str,
    /// Its number in libpfm4's list of PMUs; `None` agrees with any number.
    pub number: Option<u32>,
}

impl<'a> From<&'a str> for PmuName<'a> {
    fn from(name: &'a str) -> Self {
        PmuName { name, number: None }
    }
}

/// A PMU that a block of definitions is for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedPmu {
    /// The name, as written.
    pub name: String,
    /// The number that stands beside the name.
    pub number: PmuNumber,
    /// Where the name stands in the source.
    pub span: Range<usize>,
    /// Where the number stands in the source; where the name ends if there is none.
    pub number_span: Range<usize>,
}

impl NamedPmu {
    /// Whether the block is for this PMU.
    pub fn matches(&self, pmu: PmuName<'_>) -> bool {
        let is_number = match self.number {
            PmuNumber::Any => true,
            PmuNumber::Is(number) => pmu.number.is_none_or(|wanted| wanted == number),
            PmuNumber::Unreadable => false,
        };
        is_number && !self.name.is_empty() && self.name.eq_ignore_ascii_case(pmu.name)
    }
}

/// The number of a PMU in libpfm4's list, as a block of definitions gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PmuNumber {
    /// No number is given, and any PMU of the name is meant.
    Any,
    /// The PMU of this number.
    Is(u32),
    /// Text that is not a number, which agrees with no PMU.
    Unreadable,
}

/// A definition with the definitions of its terms put in, down to native events.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Expansion {
    /// The native events to open, in the order of the lines, each once: `EVENT:UMASK:mod=1`, `pmu::EVENT`.
    ///
    /// The caller finds out whether an event of that name exists.
    pub terms: Vec<String>,
    /// The value, from the counts of native events; its inputs are strings of `terms`, and [`CLOCK_RATE`].
    pub formula: Formula,
}

/// Why a definition has no value on any machine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unavailable {
    /// It is made of itself.
    #[error("it is made of itself: {}", chain.join(", which needs "))]
    Cycle {
        /// The names on the way from one of them back to it; the middle of a long way is left out.
        chain: Arc<[String]>,
    },
    /// A term has no value.
    #[error("it needs {term}, which has no value")]
    Term {
        /// The term; [`Definitions::expand`](crate::Definitions::expand) gives the reason.
        term: String,
    },
    /// Another definition of its name is meant, or none.
    #[error("another definition hides it")]
    Hidden,
    /// With its terms put in it is larger than a formula may be.
    #[error("it grows larger than a formula may be when the definitions of its terms are put in")]
    TooLarge,
}

/// The index of the term that an input of a formula stands for.
pub(crate) fn term_index(input: &str) -> Option<usize> {
    let digits = input.strip_prefix('N')?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}
