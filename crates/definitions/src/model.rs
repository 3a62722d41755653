//! The parts of a definition, independent of the language that it is written in.

use std::fmt;
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
    /// The span of the name in its source.
    pub name_span: Range<usize>,
    /// The terms that the value is computed from: names of definitions, or native events.
    pub terms: &'a [Term<'a>],
    /// The formula of the value, in which `N0`, `N1`, … stand for the terms in order, besides [`CLOCK_RATE`].
    ///
    /// `None` means `N0`: the value is that of the first term, and the other terms are counted but not used.
    pub formula: Option<Arc<Formula>>,
    /// The role, which says if every PMU that the definition applies to is expected to have its events.
    pub role: Role,
    /// The name of the kind of the definition in its language, such as `DERIVED_ADD`.
    pub notation: &'static str,
    /// The long description; `""` if there is none.
    pub long_description: &'a str,
    /// The short description; `""` if there is none.
    pub short_description: &'a str,
    /// The note; `""` if there is none.
    pub note: &'a str,
    /// The unit of the value, such as `ns`; `""` for plain counts.
    pub units: &'a str,
    /// The properties besides its value if it is a metric; `None` if it is an event.
    pub metric: Option<Arc<Metric>>,
    /// The span of the definition in its source.
    pub span: Range<usize>,
    /// Its line number, counted from 1.
    pub line: u32,
}

/// The properties of a metric besides its value.
///
/// The value of a metric is used in other formulas as it is; [`factor`](Metric::factor) and the unit of the definition
/// are for those who read it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Metric {
    /// The name to show, if it is not that of the definition.
    pub title: Option<String>,
    /// The formula, as its source spells it.
    pub text: String,
    /// The number by which the value is multiplied to be in the unit of the definition.
    pub factor: f64,
    /// The groups that it belongs to, such as `TopdownL1`.
    pub groups: Vec<String>,
    /// The metric that it is a part of, in a tree of metrics.
    pub parent: Option<String>,
    /// A formula over metrics, which is not 0 if the value is worth a look.
    pub threshold: Option<Threshold>,
    /// The rule for the grouping of its events.
    pub constraint: Constraint,
    /// The events to sample for the places in the code that the metric is about.
    pub samples: Vec<String>,
    /// The parts of the machine for each of which the metric has a value; `?` in names of its terms stands for the number of each.
    pub each: Option<Each>,
}

/// A part of a machine of which a metric has a value each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Each {
    /// A chip.
    Chip,
    /// A core of a chip.
    Core,
}

impl Default for Metric {
    fn default() -> Metric {
        Metric {
            title: None,
            text: String::new(),
            factor: 1.0,
            groups: Vec::new(),
            parent: None,
            threshold: None,
            constraint: Constraint::None,
            samples: Vec::new(),
            each: None,
        }
    }
}

/// A condition under which the value of a metric is worth a look.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    /// The condition, as its source spells it.
    pub text: String,
    /// The condition; its inputs are names of metrics, whose values are not multiplied by their factor.
    pub formula: Formula,
}

/// A restriction on how the events of a metric are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Constraint {
    /// The events are counted at the same time where they fit.
    #[default]
    None,
    /// The events do not fit one group, and are counted one by one.
    NoGroup,
    /// As `NoGroup`, if the NMI watchdog holds a counter.
    NoGroupNmi,
    /// As `NoGroup`, if cores run several threads.
    NoGroupSmt,
    /// The events of the threshold are not counted if the NMI watchdog holds a counter.
    NoThresholdNmi,
}

/// A term of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term<'a> {
    /// The name of a definition, or a native event.
    pub name: &'a str,
    /// The span of the term in the source.
    pub span: Range<usize>,
}

/// The role of a definition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// A standard name that each processor defines as far as it can count it: a missing event is a warning.
    Preset,
    /// A user-defined name: a missing event is an error.
    #[default]
    Event,
}

/// The origin of a definition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// Built in, and based on the kernel's own events, so that it applies to every machine.
    BuiltIn,
    /// Built in, for the PMUs that it names.
    Preset,
    /// Built in, from the files of a processor's vendor, of which this is the name and the release.
    Vendor(&'static str),
    /// A file that the user supplied.
    File(Arc<Path>),
    /// Text that the calling program supplied.
    Text,
}

impl Origin {
    /// The origin of the definitions of a file.
    pub fn file(path: impl AsRef<Path>) -> Origin {
        Origin::File(path.as_ref().into())
    }

    /// Returns true if the definition is built in.
    pub fn is_included(&self) -> bool {
        matches!(self, Origin::BuiltIn | Origin::Preset | Origin::Vendor(_))
    }
}

/// A PMU for which libraries are linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PmuName<'a> {
    /// Its name, as the event tables or sysfs spell it (`skx`, `uncore_imc_0`); case is ignored.
    pub name: &'a str,
    /// Its number in libpfm4's list of PMUs; `None` matches any number.
    pub number: Option<u32>,
}

impl PmuName<'_> {
    /// Returns true if a block with this name and number is for this PMU.
    pub(crate) fn matches(self, name: &str, number: PmuNumber) -> bool {
        let is_number = match number {
            PmuNumber::Any => true,
            PmuNumber::Is(number) => self.number.is_none_or(|wanted| wanted == number),
            PmuNumber::Unreadable => false,
        };
        is_number && !name.is_empty() && name.eq_ignore_ascii_case(self.name)
    }
}

impl<'a> From<&'a str> for PmuName<'a> {
    fn from(name: &'a str) -> Self {
        PmuName { name, number: None }
    }
}

/// A PMU that a block of definitions applies to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedPmu {
    /// The name, as written.
    pub name: String,
    /// The number that is given with the name.
    pub number: PmuNumber,
    /// The span of the name in the source.
    pub span: Range<usize>,
    /// The span of the number in the source; the end of the name if there is no number.
    pub number_span: Range<usize>,
}

impl NamedPmu {
    /// Returns true if the block applies to this PMU.
    pub fn matches(&self, pmu: PmuName<'_>) -> bool {
        pmu.matches(&self.name, self.number)
    }
}

/// The number of a PMU in libpfm4's list, as written in a block of definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PmuNumber {
    /// No number is given: any PMU with the name matches.
    Any,
    /// The PMU of this number.
    Is(u32),
    /// Text that is not a number, and matches no PMU.
    Unreadable,
}

/// A definition expanded to native events: the definitions of its terms are substituted, recursively.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Expansion {
    /// The native events to open, each once, in the order of the lines: `EVENT:UMASK:mod=1`, `pmu::EVENT`.
    ///
    /// The caller checks whether events with these names exist.
    pub terms: Vec<String>,
    /// The formula of the value. Its [inputs](Formula::inputs) are strings of `terms`, and [`CLOCK_RATE`], in the order in which the formula names them, which need not be that of `terms`; one that it does not name is not among them.
    pub formula: Formula,
}

/// The reason why a definition has no value on any machine.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unavailable {
    /// It is defined in terms of itself.
    #[error("it is defined in terms of itself: {}", chain.join(", which needs "))]
    Cycle {
        /// The names in the cycle, from one of them back to itself; the middle of a long cycle is left out.
        chain: Arc<[String]>,
    },
    /// A term has no value.
    #[error("it needs {term}, which has no value: {reason}")]
    Term {
        /// The term.
        term: String,
        /// The reason of the first definition on the way that has no value itself.
        reason: Arc<Unavailable>,
    },
    /// Its name stands for another definition, or for none.
    #[error("another definition hides it")]
    Hidden,
    /// It exceeds the limits of a formula once the definitions of its terms are substituted.
    #[error("it is too large for a formula once the definitions of its terms are substituted")]
    TooLarge,
}

/// The sentence, as a `main` that returns the error prints it; `{:#?}` has the variant with its fields.
impl fmt::Debug for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return fmt::Display::fmt(self, f);
        }
        match self {
            Unavailable::Cycle { chain } => f.debug_struct("Cycle").field("chain", chain).finish(),
            Unavailable::Term { term, reason } => {
                f.debug_struct("Term").field("term", term).field("reason", reason).finish()
            }
            Unavailable::Hidden => f.write_str("Hidden"),
            Unavailable::TooLarge => f.write_str("TooLarge"),
        }
    }
}

/// The index of the term that an input of a formula stands for.
pub(crate) fn term_index(input: &str) -> Option<usize> {
    let digits = input.strip_prefix('N')?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}
