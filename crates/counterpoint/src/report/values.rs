use super::hint::Hint;
use super::no_cpu_time::NoCpuTime;
use super::numbers::{decimal, grouped};
use counterpoint_formula::{EvalErrorKind, Number};
use counterpoint_perf::{CpuSet, Hint as PerfHint, OpenError};
use std::fmt;

/// The result of counting an event: a number only if it was measured.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// The exact count: the event was on a counter all the time that it was enabled.
    Counted(Number),
    /// An estimate: the event was on a counter for a part of the time, because events took turns, and the count was scaled to the whole.
    Estimated {
        /// The estimate.
        value: f64,
        /// The share of the time that was measured, more than 0 and less than 1.
        coverage: f64,
        /// The standard error, if [`Slices`](crate::Slices) were read: the true value is within twice the error in 95 of 100 cases.
        standard_error: Option<f64>,
    },
    /// The event was opened, but not counted.
    NotCounted(Reason),
    /// This machine, or this user on it, cannot count the event.
    NotSupported(Reason),
}

impl Value {
    /// The number, exact or estimated; `None` if nothing was measured.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Counted(number) => Some(number.as_f64()),
            Value::Estimated { value, .. } => Some(*value),
            Value::NotCounted(_) | Value::NotSupported(_) => None,
        }
    }

    /// The standard error of an estimate, if it is known.
    pub fn standard_error(&self) -> Option<f64> {
        match self {
            Value::Estimated { standard_error, .. } => *standard_error,
            Value::Counted(_) | Value::NotCounted(_) | Value::NotSupported(_) => None,
        }
    }

    /// The value in another unit: the number times a factor.
    pub(crate) fn times(self, factor: f64) -> Value {
        match self {
            Value::Counted(number) if factor != 1.0 => {
                Value::Counted(Number::Real(number.as_f64() * factor))
            }
            Value::Estimated { value, coverage, standard_error } => {
                let standard_error = standard_error.map(|error| error * factor.abs());
                Value::Estimated { value: value * factor, coverage, standard_error }
            }
            other => other,
        }
    }

    /// The reason why there is no number; `None` if there is one.
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Value::NotCounted(reason) | Value::NotSupported(reason) => Some(reason),
            Value::Counted(_) | Value::Estimated { .. } => None,
        }
    }
}

/// The number as people read it, or `<not counted>` or `<not supported>`; the coverage and the reason are not part of the text.
///
/// ```
/// use counterpoint::{Value, formula::Number};
/// assert_eq!(Value::Counted(Number::Int(1_234_567)).to_string(), "1,234,567");
/// assert_eq!(Value::Estimated { value: 0.5, coverage: 0.25, standard_error: None }.to_string(), "0.500000");
/// ```
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Counted(Number::Int(whole)) => f.pad(&grouped(*whole)),
            Value::Counted(Number::Real(real)) => f.pad(&decimal(*real)),
            Value::Estimated { value, .. } => f.pad(&decimal(*value)),
            Value::NotCounted(_) => f.pad("<not counted>"),
            Value::NotSupported(_) => f.pad("<not supported>"),
        }
    }
}

/// The reason why an event has no number.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Reason {
    /// The kernel did not open it.
    NotOpened(OpenError),
    /// The events need more open files than this process may have.
    TooManyOpenFiles {
        /// The number of files: one for each event at each placement.
        needed: usize,
        /// The limit; `None` if it is unknown.
        limit: Option<u64>,
    },
    /// It conflicts with others of its braces: the PMU does not have the counters for all of them.
    Conflicting {
        /// The events that need the same counters.
        rivals: Vec<String>,
    },
    /// The target did not run.
    NeverRan,
    /// It was never on a counter, because the counters were in use.
    NoCounter,
    /// It belongs to these CPUs only, and was never on a counter there.
    OtherCores {
        /// The CPUs.
        cpus: CpuSet,
    },
    /// It was pinned to a counter and lost it at one placement at least, together with the count.
    LostCounter,
    /// It occurs in the kernel only, which this user may not count: the count would be a false 0.
    KernelOnly,
    /// A term of a derived event has no number.
    Term {
        /// The term.
        name: String,
        /// The reason.
        reason: Box<Reason>,
    },
    /// A term of a derived event is not an event of this machine.
    UnknownTerm {
        /// The term.
        name: String,
        /// The problem, in words.
        problem: String,
    },
    /// The formula has no value for these counts.
    Formula(EvalErrorKind),
    /// The formula needs the highest clock rate of the processor, which the machine does not show.
    UnknownClockRate,
    /// The machine does not show a value that the formula needs.
    UnknownMachineValue {
        /// The name of the value.
        name: String,
        /// The places that were looked at, such as files.
        looked_at: String,
    },
    /// It counts for the whole node, and another process of the node counts it ([`NodeEvents::Elsewhere`](crate::NodeEvents::Elsewhere)).
    CountedElsewhere,
    /// The CPU time of the target is not known.
    NoCpuTime(NoCpuTime),
    /// It is known of a command only that is started to be counted, and the target is another.
    NotACommand,
    /// It is known when the command has ended.
    NotEnded,
    /// Counting had not begun.
    NotBegun,
    /// It is not among the counts that were saved.
    NotSaved,
    /// The machine does not show it in a file, or not for this target, as the text describes.
    NotShown(String),
    /// The definition of a derived event is invalid, as the text describes.
    Definition(String),
    /// Starting or reading it failed at one placement at least, as the text describes.
    Failed(String),
}

impl Reason {
    /// The underlying reason: for a derived event, that of its term.
    pub(crate) fn root(&self) -> &Reason {
        match self {
            // A term is an event, so this is one level deep.
            Reason::Term { reason, .. } => reason,
            other => other,
        }
    }

    /// Returns true if another process of the node has the value.
    pub fn is_elsewhere(&self) -> bool {
        matches!(self.root(), Reason::CountedElsewhere)
    }

    /// The hint for the user; `None` if nothing can be done.
    pub fn help(&self) -> Option<Hint> {
        match self {
            Reason::NotOpened(error) => error.help().map(Hint::Perf),
            Reason::KernelOnly => Some(PerfHint::GainPrivileges { paranoid: Some(1) }.into()),
            Reason::Term { reason, .. } => reason.help(),
            Reason::TooManyOpenFiles { needed, .. } => {
                /// Other files that a process has open.
                const OTHERS: u64 = 64;
                Some(PerfHint::RaiseOpenFiles { limit: *needed as u64 + OTHERS }.into())
            }
            Reason::Conflicting { .. } => Some(PerfHint::Ungroup.into()),
            Reason::NoCounter | Reason::LostCounter => Some(Hint::CountFewer),
            Reason::NeverRan
            | Reason::OtherCores { .. }
            | Reason::UnknownTerm { .. }
            | Reason::Formula(_)
            | Reason::UnknownClockRate
            | Reason::UnknownMachineValue { .. }
            | Reason::CountedElsewhere
            | Reason::NoCpuTime(_)
            | Reason::NotACommand
            | Reason::NotEnded
            | Reason::NotBegun
            | Reason::NotSaved
            | Reason::NotShown(_)
            | Reason::Definition(_)
            | Reason::Failed(_) => None,
        }
    }
}

impl std::error::Error for Reason {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Reason::NotOpened(error) => Some(error),
            Reason::Term { reason, .. } => Some(reason),
            _ => None,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::NotOpened(error) => error.fmt(f),
            Reason::TooManyOpenFiles { needed, limit: Some(limit) } => write!(
                f,
                "the events need {needed} open files, one for each event at each placement, and the limit is {limit}"
            ),
            Reason::TooManyOpenFiles { needed, limit: None } => write!(
                f,
                "the events need {needed} open files, one for each event at each placement, which exceeds the limit"
            ),
            Reason::Conflicting { rivals } => {
                write!(f, "no counter is left for it beside {} of its group", rivals.join(", "))
            }
            Reason::NeverRan => f.write_str("nothing ran while it was counted"),
            Reason::NoCounter => f.write_str("no counter was free for it"),
            Reason::OtherCores { cpus } => {
                write!(
                    f,
                    "it was never on a counter of the CPUs {cpus}, the only ones that count it"
                )
            }
            Reason::LostCounter => f.write_str("it was pinned to a counter and lost it"),
            Reason::KernelOnly => {
                f.write_str("it occurs in the kernel only, which this user may not count")
            }
            Reason::Term { name, reason } => write!(f, "{name}: {reason}"),
            Reason::UnknownTerm { name, problem } => write!(f, "{name}: {problem}"),
            Reason::Formula(kind) => kind.fmt(f),
            Reason::UnknownClockRate => f.write_str(
                "the machine does not show its highest clock rate, which the formula needs",
            ),
            Reason::UnknownMachineValue { name, looked_at } => {
                write!(f, "the machine does not show {name}; looked at: {looked_at}")
            }
            Reason::CountedElsewhere => f.write_str("counted by local rank 0 of this node"),
            Reason::NoCpuTime(why) => why.fmt(f),
            Reason::NotACommand => f.write_str(
                "it is known of a command that is started to be counted, and the target is another",
            ),
            Reason::NotEnded => f.write_str("it is known when the command has ended"),
            Reason::NotBegun => f.write_str("counting had not begun"),
            Reason::NotSaved => f.write_str("it is not among the counts that were saved"),
            Reason::Definition(text) | Reason::NotShown(text) | Reason::Failed(text) => {
                f.write_str(text)
            }
        }
    }
}
