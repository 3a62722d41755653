//! Errors in the terms of PAPI, for programs that were written for its codes.

use super::set::SetError;
use super::{Error, Kind};
use crate::counting::error::CountError;
use crate::error::profile::ProfileError;
use crate::names::error::NameError;
use crate::report::values::Reason;
use counterpoint_perf::{Cause, Errno, OpenError};
#[cfg(feature = "profile")]
use counterpoint_profil::{FlagsError, HistogramError};
use std::error::Error as Source;

impl Error {
    /// PAPI's name for this kind of error, without `PAPI_`.
    ///
    /// - `ENOEVNT`: the event does not exist, on this machine or in the set.
    /// - `ECNFLCT`: the counters are in use, by the other events of the set or by others.
    /// - `ENOSUPP`: the machine does not support what was requested.
    /// - `EPERM`: more privileges are needed.
    /// - `ENOMEM`: there is not enough memory.
    /// - `ESYS`: a system call failed for another reason.
    /// - `EINVAL`: an argument is invalid; all other errors.
    pub fn papi_code(&self) -> &'static str {
        if self.is_permission() {
            return "EPERM";
        }
        if let Some(error) = self.open_error() {
            return of_open(error);
        }
        match (&*self.kind, self.reason()) {
            (_, Some(reason)) => of_reason(reason),
            (Kind::Set(SetError::NotInSet { .. }) | Kind::Name(NameError::NoTracefs { .. }), _) => {
                "ENOEVNT"
            }
            _ if self.is_unknown_event() => "ENOEVNT",
            (Kind::Profile(ProfileError::NeedsPeriod { .. }), _) => "ENOSUPP",
            (
                Kind::Profile(ProfileError::Reader { .. })
                | Kind::Count(CountError::Kernel { .. } | CountError::NoThreads { .. }),
                _,
            ) => "ESYS",
            (Kind::Other(error), _) => of_other(&**error),
            _ => "EINVAL",
        }
    }
}

fn of_open(error: &OpenError) -> &'static str {
    match error.cause {
        Cause::Busy | Cause::GroupDoesNotFit | Cause::NoFreeBreakpoint => "ECNFLCT",
        Cause::NoSuchEvent | Cause::NoHardwarePmu | Cause::InvalidEvent => "ENOEVNT",
        Cause::NoSuchProcess | Cause::NoSuchCpu | Cause::NotACgroup | Cause::RateTooHigh { .. } => {
            "EINVAL"
        }
        Cause::NoRingMemory => "ENOMEM",
        Cause::ExcludeUnsupported | Cause::PreciseUnsupported | Cause::AttributeTooNew { .. } => {
            "ENOSUPP"
        }
        _ if error.is_unsupported() => "ENOSUPP",
        _ => "ESYS",
    }
}

fn of_reason(reason: &Reason) -> &'static str {
    match reason {
        Reason::Conflicting { .. } | Reason::NoCounter | Reason::LostCounter => "ECNFLCT",
        Reason::UnknownTerm { .. } | Reason::Definition(_) => "ENOEVNT",
        Reason::UnknownClockRate
        | Reason::UnknownMachineValue { .. }
        | Reason::NoCpuTime(_)
        | Reason::NotACommand
        | Reason::NotEnded => "ENOSUPP",
        Reason::TooManyOpenFiles { .. } | Reason::Failed(_) => "ESYS",
        _ => "EINVAL",
    }
}

fn of_other(error: &(dyn Source + Send + Sync + 'static)) -> &'static str {
    #[cfg(feature = "profile")]
    if let Some(code) = of_histogram(error) {
        return code;
    }
    if error.is::<Errno>() || error.is::<std::io::Error>() { "ESYS" } else { "EINVAL" }
}

#[cfg(feature = "profile")]
fn of_histogram(error: &(dyn Source + Send + Sync + 'static)) -> Option<&'static str> {
    let memory = |e: &HistogramError| matches!(e, HistogramError::NoMemory { .. });
    let registers = |e: &FlagsError| matches!(e, FlagsError::EventAddress { .. });
    if error.downcast_ref().is_some_and(memory) {
        Some("ENOMEM")
    } else if error.downcast_ref().is_some_and(registers) {
        Some("ENOSUPP")
    } else {
        None
    }
}
