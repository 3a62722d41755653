//! Open errors, with their causes.

use crate::{Errno, Hint};
use std::fmt;

/// The error of an event that could not be opened, with its cause on this machine.
#[derive(Clone, PartialEq)]
pub struct OpenError {
    /// The error number of the kernel.
    pub errno: Errno,
    /// The cause.
    pub cause: Cause,
}

/// The cause of an open error (`perf_event_open(2)`, section "ERRORS"; causes with the same number are distinguished by the state of the machine).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cause {
    /// The machine has no hardware PMU: it is a virtual machine without one, or its kernel has no driver for it.
    NoHardwarePmu,
    /// The PMU does not have the event.
    NoSuchEvent,
    /// The user does not have the necessary privileges.
    Permission {
        /// The value of `kernel.perf_event_paranoid`; `None` if it cannot be read.
        paranoid: Option<i32>,
        /// The highest value at which an unprivileged user may open the event; `None` if there is none.
        needed: Option<i32>,
    },
    /// The process or thread belongs to another user.
    ForeignProcess,
    /// The directory is not a cgroup, or belongs to a hierarchy that does not count events.
    NotACgroup,
    /// The call is blocked although the kernel itself would permit it: by a seccomp filter, as in containers, or by a security module.
    Blocked {
        /// True if this process has a seccomp filter.
        seccomp: bool,
    },
    /// The kernel has no performance events, or a sandbox hides them.
    NoPerfEvents,
    /// The limit of open files of this process is reached.
    TooManyOpenFiles {
        /// The soft limit; `None` if it cannot be read.
        limit: Option<u64>,
    },
    /// The limit of open files of the machine is reached.
    TooManyOpenFilesInSystem,
    /// The event uses a field that this kernel does not know yet.
    AttributeTooNew {
        /// The field.
        field: &'static str,
        /// The size in bytes of the `perf_event_attr` that the kernel knows.
        known_size: Option<u32>,
    },
    /// The PMU does not distinguish privilege levels.
    ExcludeUnsupported,
    /// The PMU does not support the requested precision.
    PreciseUnsupported,
    /// The event can be opened alone, but not in this group: there are not enough counters, or the PMUs cannot share a group.
    GroupDoesNotFit,
    /// The PMU does not accept the code, or this combination of attributes.
    InvalidEvent,
    /// The kernel does not accept the condition of a tracepoint.
    InvalidFilter,
    /// The PMU does not support the event.
    Unsupported,
    /// The event can be counted but not sampled, because its PMU does not raise interrupts.
    CannotSample,
    /// The event can be sampled, but its PMU does not record calls (LBR), as most do not.
    #[doc(alias = "LBR")]
    NoCallRecords,
    /// This kernel does not include the values of inherited events in samples (Linux before 6.13).
    NoInheritedValues,
    /// The sampling rate is higher than the machine permits.
    RateTooHigh {
        /// The value of `kernel.perf_event_max_sample_rate`; `None` if it cannot be read.
        limit: Option<u64>,
    },
    /// An event that is to be sampled has a period or a frequency of 0, at which the kernel takes no sample.
    NoRate,
    /// The memory that this user may lock for rings is exhausted.
    NoRingMemory,
    /// Another event has exclusive use of the PMU.
    Busy,
    /// All breakpoint registers are in use.
    NoFreeBreakpoint,
    /// Probes of functions cannot be defined: tracefs is not there, or this user may not write it.
    NoProbes,
    /// The process or thread does not exist.
    NoSuchProcess,
    /// The CPU does not exist or is offline, or the PMU does not count on it.
    NoSuchCpu,
    /// All CPUs were requested, and the machine does not show which are online.
    UnknownCpus,
    /// The machine is a recorded one, which cannot count.
    Recording,
    /// The recording of the machine does not include this event.
    NotRecorded,
    /// Another cause.
    Other,
}

impl OpenError {
    pub(crate) fn recording() -> OpenError {
        OpenError { errno: Errno::ENOSYS, cause: Cause::Recording }
    }

    /// Returns true if more privileges would help.
    pub fn is_permission(&self) -> bool {
        matches!(
            self.cause,
            Cause::Permission { .. }
                | Cause::ForeignProcess
                | Cause::Blocked { .. }
                | Cause::NoProbes
        )
    }

    /// Returns true if this machine cannot count the event for any user.
    pub fn is_unsupported(&self) -> bool {
        matches!(
            self.cause,
            Cause::NoHardwarePmu
                | Cause::NoSuchEvent
                | Cause::Unsupported
                | Cause::InvalidEvent
                | Cause::InvalidFilter
                | Cause::NoPerfEvents
                | Cause::CannotSample
                | Cause::NoCallRecords
                | Cause::NoInheritedValues
        )
    }

    /// The advice to the user; `None` if nothing can.
    pub fn help(&self) -> Option<Hint> {
        Some(match self.cause {
            Cause::NoHardwarePmu => Hint::CountSoftwareEvents,
            Cause::Permission { needed, .. } => Hint::GainPrivileges { paranoid: needed },
            Cause::ForeignProcess => Hint::RunAsOwner,
            Cause::NotACgroup => Hint::NameCgroup,
            Cause::Blocked { seccomp: true } => Hint::PermitInContainer,
            Cause::Blocked { seccomp: false } => Hint::PermitInSandbox,
            Cause::NoPerfEvents => Hint::EnablePerfEvents,
            Cause::TooManyOpenFiles { .. } => Hint::RaiseOpenFiles { limit: 65536 },
            Cause::TooManyOpenFilesInSystem => Hint::RaiseOpenFilesOfMachine,
            Cause::ExcludeUnsupported => Hint::CountEveryLevel,
            Cause::PreciseUnsupported => Hint::DropPrecision,
            Cause::GroupDoesNotFit => Hint::Ungroup,
            Cause::CannotSample => Hint::SampleClock,
            Cause::NoCallRecords => Hint::UnwindOtherwise,
            Cause::NoInheritedValues => Hint::DropInheritance,
            Cause::RateTooHigh { limit } => Hint::LowerRate { limit },
            Cause::NoRingMemory => Hint::RaiseSampleMemory { kb: 4096 },
            Cause::Busy => Hint::WaitForPmu,
            Cause::NoFreeBreakpoint => Hint::WatchLess,
            Cause::NoProbes => Hint::DefineProbes,
            Cause::Recording => Hint::UseRunningMachine,
            Cause::NoSuchEvent
            | Cause::NoRate
            | Cause::AttributeTooNew { .. }
            | Cause::InvalidFilter
            | Cause::InvalidEvent
            | Cause::Unsupported
            | Cause::NoSuchProcess
            | Cause::NoSuchCpu
            | Cause::UnknownCpus
            | Cause::NotRecorded
            | Cause::Other => return None,
        })
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cause {
            Cause::NoHardwarePmu => f.write_str("this machine has no hardware PMU"),
            Cause::NoSuchEvent => f.write_str("the PMU of this machine has no such event"),
            Cause::Permission { paranoid: Some(level), needed: Some(_) } => {
                write!(f, "not permitted while kernel.perf_event_paranoid is {level}")
            }
            Cause::Permission { .. } => f.write_str("not permitted for this user"),
            Cause::ForeignProcess => f.write_str("this process belongs to another user"),
            Cause::NotACgroup => f.write_str("the directory is not a cgroup"),
            Cause::InvalidFilter => f.write_str(
                "the kernel does not accept the filter; the fields are in the file events/SUBSYSTEM/NAME/format of tracefs",
            ),
            Cause::Blocked { seccomp: true } => {
                f.write_str("blocked by a seccomp filter, such as that of a container")
            }
            Cause::Blocked { seccomp: false } => f.write_str(
                "blocked by a security module or a sandbox, not by the rules of the kernel",
            ),
            Cause::NoPerfEvents => f.write_str("perf_event_open is not available here"),
            Cause::TooManyOpenFiles { limit: Some(limit) } => {
                write!(
                    f,
                    "the limit of {limit} open files is reached; every event needs one on every CPU"
                )
            }
            Cause::TooManyOpenFiles { limit: None } => {
                f.write_str("the limit of open files is reached")
            }
            Cause::TooManyOpenFilesInSystem => {
                f.write_str("the machine's limit of open files is reached")
            }
            Cause::AttributeTooNew { field, known_size: Some(size) } => {
                write!(f, "this kernel does not know {field} (its attributes end at {size} bytes)")
            }
            Cause::AttributeTooNew { field, known_size: None } => {
                write!(f, "this kernel does not know {field}")
            }
            Cause::ExcludeUnsupported => {
                f.write_str("this PMU does not distinguish privilege levels")
            }
            Cause::PreciseUnsupported => f.write_str("this PMU does not support that precision"),
            Cause::GroupDoesNotFit => f.write_str("the events cannot be counted together"),
            Cause::InvalidEvent => f.write_str("the PMU does not accept this code"),
            Cause::Unsupported => f.write_str("the PMU does not support this event"),
            Cause::CannotSample => f.write_str("the event can be counted, but not sampled"),
            Cause::NoCallRecords => {
                f.write_str("the PMU of this event does not record calls (LBR)")
            }
            Cause::NoInheritedValues => f.write_str(
                "this kernel does not include values of events in the samples of children",
            ),
            Cause::RateTooHigh { limit: Some(limit) } => {
                write!(f, "this machine permits at most {limit} samples per second")
            }
            Cause::NoRate => {
                f.write_str("the period or the frequency is 0: it would never be sampled")
            }
            Cause::RateTooHigh { limit: None } => f.write_str("the sampling rate is too high"),
            Cause::NoRingMemory => {
                f.write_str("the memory that this user may lock for samples is exhausted")
            }
            Cause::Busy => f.write_str("the PMU is in exclusive use"),
            Cause::NoFreeBreakpoint => f.write_str("all breakpoint registers are in use"),
            Cause::NoProbes => {
                f.write_str("this user may not define probes (the file uprobe_events of tracefs)")
            }
            Cause::NoSuchProcess => f.write_str("the process or thread does not exist"),
            Cause::NoSuchCpu => f.write_str("the CPU is offline, or the PMU does not count on it"),
            Cause::UnknownCpus => {
                f.write_str("the online CPUs cannot be read from /sys/devices/system/cpu/online")
            }
            Cause::Recording => f.write_str("a recorded machine cannot count"),
            Cause::NotRecorded => {
                f.write_str("the recording of this machine does not include this event")
            }
            Cause::Other => write!(f, "the kernel returned {}", self.errno),
        }
    }
}

/// The sentence and its help, as a `main` that returns the error prints them; `{:#?}` has the fields.
impl fmt::Debug for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return f
                .debug_struct("OpenError")
                .field("errno", &self.errno)
                .field("cause", &self.cause)
                .finish();
        }
        match self.help() {
            Some(help) => write!(f, "{self}\n  help: {help}"),
            None => fmt::Display::fmt(self, f),
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.errno)
    }
}
