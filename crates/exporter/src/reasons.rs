//! The reasons why an event has no number, in a few words that can be a label.

use counterpoint::perf::Cause;
use counterpoint::{Error, Reason};

/// The word for a reason; there are few, however many events there are.
pub(crate) fn word(reason: &Reason) -> &'static str {
    match reason {
        Reason::Term { reason, .. } => word(reason),
        Reason::NotOpened(error) => of_cause(&error.cause),
        Reason::TooManyOpenFiles { .. } => "open-files",
        Reason::Conflicting { .. } => "conflict",
        Reason::NeverRan => "never-ran",
        Reason::NoCounter => "no-counter",
        Reason::OtherCores { .. } => "other-cores",
        Reason::LostCounter => "lost-counter",
        Reason::KernelOnly => "permission",
        Reason::UnknownTerm { .. } => "unknown-term",
        Reason::Formula(_) => "formula",
        Reason::UnknownClockRate | Reason::UnknownMachineValue { .. } => "unknown-machine-value",
        Reason::CountedElsewhere => "counted-elsewhere",
        Reason::NoCpuTime(_) => "no-cpu-time",
        Reason::NotACommand => "no-target",
        Reason::NotEnded => "not-ended",
        Reason::NotBegun => "not-begun",
        Reason::NotShown(_) => "not-shown",
        Reason::Definition(_) => "definition",
        _ => "failed",
    }
}

/// The word for the error of a name that is not counted.
pub(crate) fn of_error(error: &Error) -> &'static str {
    if error.is_unknown_event() { "unknown-event" } else { "unsupported" }
}

fn of_cause(cause: &Cause) -> &'static str {
    match cause {
        Cause::NoHardwarePmu => "no-hardware-pmu",
        Cause::NoSuchEvent | Cause::InvalidEvent | Cause::Unsupported => "unsupported",
        Cause::Permission { .. } | Cause::ForeignProcess | Cause::NoProbes => "permission",
        Cause::Blocked { .. } => "blocked",
        Cause::NoPerfEvents => "no-perf-events",
        Cause::TooManyOpenFiles { .. } | Cause::TooManyOpenFilesInSystem => "open-files",
        Cause::GroupDoesNotFit => "conflict",
        Cause::Busy | Cause::NoFreeBreakpoint => "busy",
        Cause::NoSuchCpu | Cause::NoSuchProcess | Cause::NotACgroup => "no-target",
        _ => "not-opened",
    }
}
