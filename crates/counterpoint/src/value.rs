use counterpoint_formula::{EvalErrorKind, Number};
use counterpoint_perf::{CpuSet, OpenError};
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
    /// The kernel did not open it.
    NotOpened(OpenError),
    /// All events together need more open files than this process may have.
    TooManyOpenFiles {
        /// How many they need: one for each event at each place.
        needed: usize,
        /// The limit, where it is known.
        limit: Option<u64>,
    },
    /// It has no counter beside others of its braces, as the PMU's counters are known.
    Conflicting {
        /// The others that need those counters.
        rivals: Vec<String>,
    },
    /// What it was to count did not run.
    NeverRan,
    /// It never got on a counter, because others held them.
    NoCounter,
    /// It is an event of these CPUs only, and was never on a counter there.
    OtherCores {
        /// The CPUs.
        cpus: CpuSet,
    },
    /// It was pinned to a counter and lost it, at one place at least, and what it had counted there with it.
    LostCounter,
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
    /// Starting or reading it failed at one place at least; the text says how.
    Failed(String),
}

impl Reason {
    /// The reason beneath: that of the term, for a derived event that lacks one.
    pub(crate) fn root(&self) -> &Reason {
        match self {
            // A term is an event itself, so this goes one step deep.
            Reason::Term { reason, .. } => reason,
            other => other,
        }
    }

    /// What to do about it, where something can be done.
    pub fn help(&self) -> Option<String> {
        match self {
            Reason::NotOpened(error) => error.help(),
            Reason::KernelOnly => {
                Some("run as root, or: sudo sysctl kernel.perf_event_paranoid=1".to_string())
            }
            Reason::Term { reason, .. } => reason.help(),
            // Some are open already, for whatever else the process does.
            Reason::TooManyOpenFiles { needed, .. } => Some(format!(
                "count fewer events or CPUs, or raise the limit: ulimit -n {}",
                needed + 64
            )),
            Reason::Conflicting { .. } => {
                Some("take events out of the braces, so that they take turns".to_string())
            }
            Reason::NoCounter | Reason::LostCounter => Some(
                "count fewer events at a time; the NMI watchdog holds a counter until: sudo sysctl kernel.nmi_watchdog=0"
                    .to_string(),
            ),
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
                "the events need {needed} open files, one for each at each place, and the limit is {limit}"
            ),
            Reason::TooManyOpenFiles { needed, limit: None } => write!(
                f,
                "the events need {needed} open files, one for each at each place, which is over the limit"
            ),
            Reason::Conflicting { rivals } => {
                write!(f, "no counter is left for it beside {} of its group", rivals.join(", "))
            }
            Reason::NeverRan => f.write_str("nothing ran while it was counted"),
            Reason::NoCounter => f.write_str("no counter was free for it"),
            Reason::OtherCores { cpus } => {
                write!(f, "it was never on a counter of the CPUs {cpus}, and counts there only")
            }
            Reason::LostCounter => f.write_str("it was pinned to a counter and lost it"),
            Reason::KernelOnly => {
                f.write_str("only the kernel sees it, and the kernel may not be counted")
            }
            Reason::Term { name, reason } => write!(f, "{name}: {reason}"),
            Reason::UnknownTerm { name, problem } => write!(f, "{name}: {problem}"),
            Reason::Formula(kind) => kind.fmt(f),
            Reason::UnknownClockRate => f.write_str(
                "the machine does not tell its highest clock rate, which the formula needs",
            ),
            Reason::Definition(text) | Reason::Failed(text) => f.write_str(text),
        }
    }
}
