use counterpoint_formula::{EvalErrorKind, Number};
use counterpoint_perf::OpenError;
use std::fmt;

/// What became of an event: a number only if it was measured.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// Counted all the time that it was enabled.
    Counted(Number),
    /// Counted for a part of the time, because events took turns, and scaled up to the whole.
    Estimated {
        /// The estimate.
        value: f64,
        /// The share of the time that was measured, more than 0 and less than 1.
        coverage: f64,
    },
    /// Opened, but no number came of it.
    NotCounted(Reason),
    /// This machine, or this user on it, cannot count it.
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

    /// Why there is no number.
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Value::NotCounted(reason) | Value::NotSupported(reason) => Some(reason),
            Value::Counted(_) | Value::Estimated { .. } => None,
        }
    }

    /// The word for it in machine formats: `counted`, `estimated`, `not-counted` or `not-supported`.
    pub fn status(&self) -> &'static str {
        match self {
            Value::Counted(_) => "counted",
            Value::Estimated { .. } => "estimated",
            Value::NotCounted(_) => "not-counted",
            Value::NotSupported(_) => "not-supported",
        }
    }
}

/// Why an event has no number.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Reason {
    /// The kernel refused to open it.
    Refused(OpenError),
    /// It was opened and never got on a counter: nothing ran, or others held the counters.
    NeverRan,
    /// Only the kernel sees this event, and the kernel may not be counted: the count would be a false 0.
    KernelOnly,
    /// A term of a derived event has no number.
    Term {
        /// The term.
        name: String,
        /// Why it has none.
        reason: Box<Reason>,
    },
    /// A term of a derived event is no event of this machine.
    UnknownTerm {
        /// The term.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The formula has no value for these counts.
    Formula(EvalErrorKind),
    /// The formula asks for the processor's highest clock rate, which the machine does not tell.
    UnknownClockRate,
    /// The definition of a derived event is broken; the text says how.
    Definition(String),
}

impl Reason {
    /// What to do about it, where something can be done.
    pub fn help(&self) -> Option<String> {
        match self {
            Reason::Refused(error) => error.help(),
            Reason::KernelOnly => {
                Some("run as root, or: sudo sysctl kernel.perf_event_paranoid=1".to_string())
            }
            Reason::Term { reason, .. } => reason.help(),
            _ => None,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Refused(error) => error.fmt(f),
            Reason::NeverRan => f.write_str("it was never on a counter"),
            Reason::KernelOnly => {
                f.write_str("only the kernel sees it, and the kernel may not be counted")
            }
            Reason::Term { name, reason } => write!(f, "{name}: {reason}"),
            Reason::UnknownTerm { name, problem } => write!(f, "{name}: {problem}"),
            Reason::Formula(kind) => kind.fmt(f),
            Reason::UnknownClockRate => f.write_str(
                "the machine does not tell its highest clock rate, which the formula needs",
            ),
            Reason::Definition(text) => f.write_str(text),
        }
    }
}
