use crate::Errno;
use std::fmt;

/// An event that could not be opened: what the kernel said and what it means on this machine.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenError {
    /// The kernel's answer.
    pub errno: Errno,
    /// What it means here.
    pub cause: Cause,
}

/// Why an event could not be opened (`perf_event_open(2)`, section "ERRORS", told apart by what the machine shows).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cause {
    /// The machine shows no hardware PMU: a virtual machine without one, or a kernel without its driver.
    NoHardwarePmu,
    /// There is a PMU, and it has no such event.
    NoSuchEvent,
    /// The privileges do not suffice.
    Permission {
        /// `kernel.perf_event_paranoid`, where it can be read.
        paranoid: Option<i32>,
        /// The highest value at which an unprivileged user may open this; `None`: at none.
        needed: Option<i32>,
    },
    /// The process or thread belongs to another user.
    ForeignProcess,
    /// The directory is no cgroup, or none of a hierarchy that counts events.
    NotACgroup,
    /// Somebody refuses what the kernel would allow: a seccomp filter, as containers have, or a security module.
    Blocked {
        /// A seccomp filter is at work on this process.
        seccomp: bool,
    },
    /// This kernel has no performance events, or a sandbox hides them.
    NoPerfEvents,
    /// The limit of open files of this process.
    TooManyOpenFiles {
        /// The soft limit, where it can be read.
        limit: Option<u64>,
    },
    /// The machine's own limit of open files.
    TooManyOpenFilesInSystem,
    /// The kernel is older than a field that the event uses.
    AttributeTooNew {
        /// The field.
        field: &'static str,
        /// The size in bytes of the attributes that the kernel knows.
        known_size: Option<u32>,
    },
    /// This PMU does not tell privilege levels apart.
    ExcludeUnsupported,
    /// This PMU does not offer the precision asked for.
    PreciseUnsupported,
    /// The event opens alone, but not in this group: the PMU has too few counters for it, or the events are of PMUs that do not mix.
    GroupDoesNotFit,
    /// The PMU does not know the code, or not this use of it.
    InvalidEvent,
    /// The PMU does not support what was asked for.
    Unsupported,
    /// The event counts, and cannot be sampled: its PMU gives no interrupt.
    CannotSample,
    /// This kernel cannot give the values of inherited events with samples (Linux before 6.13).
    NoInheritedValues,
    /// More samples a second than the machine allows.
    RateTooHigh {
        /// `kernel.perf_event_max_sample_rate`, where it can be read.
        limit: Option<u64>,
    },
    /// The memory that this user may lock for rings is used up.
    NoRingMemory,
    /// Someone else has the PMU for himself.
    Busy,
    /// All breakpoint registers are taken.
    NoFreeBreakpoint,
    /// There is no such process or thread.
    NoSuchProcess,
    /// The CPU is not there or offline, or the PMU is not on it.
    NoSuchCpu,
    /// The machine does not tell which CPUs run, and all of them were asked for.
    UnknownCpus,
    /// A recorded machine cannot count.
    Recording,
    /// The recording of a machine does not say what it answered to this event.
    NotRecorded,
    /// Anything else.
    Other,
}

impl OpenError {
    pub(crate) fn recording() -> OpenError {
        OpenError { errno: Errno::ENOSYS, cause: Cause::Recording }
    }

    /// Whether more privileges would help.
    pub fn is_permission(&self) -> bool {
        matches!(
            self.cause,
            Cause::Permission { .. } | Cause::ForeignProcess | Cause::Blocked { .. }
        )
    }

    /// Whether this machine cannot count the event, whoever asks.
    pub fn is_unsupported(&self) -> bool {
        matches!(
            self.cause,
            Cause::NoHardwarePmu
                | Cause::NoSuchEvent
                | Cause::Unsupported
                | Cause::InvalidEvent
                | Cause::NoPerfEvents
                | Cause::CannotSample
                | Cause::NoInheritedValues
        )
    }

    /// What to do about it, where something can be done.
    pub fn help(&self) -> Option<String> {
        Some(match &self.cause {
            Cause::NoHardwarePmu => {
                "software events such as task-clock and page-faults count here; for hardware events, let the hypervisor pass a PMU through".into()
            }
            Cause::Permission { needed: Some(level), .. } => format!(
                "run as root, or: sudo sysctl kernel.perf_event_paranoid={level}, or give the program the capability: sudo setcap cap_perfmon+ep PROGRAM"
            ),
            Cause::Permission { needed: None, .. } => "run as root, or give the program the capability: sudo setcap cap_perfmon+ep PROGRAM".into(),
            Cause::ForeignProcess => "run as root, or as the user whose process it is".into(),
            Cause::NotACgroup => "name a directory of the cgroup file system, such as one below /sys/fs/cgroup".into(),
            Cause::Blocked { seccomp: true } => {
                "let the container call perf_event_open: docker run --cap-add=PERFMON --security-opt seccomp=PROFILE …".into()
            }
            Cause::Blocked { seccomp: false } => "allow perf_event_open in the rules of the security module or the sandbox".into(),
            Cause::NoPerfEvents => "use a kernel built with CONFIG_PERF_EVENTS, outside of a sandbox that hides it".into(),
            Cause::TooManyOpenFiles { .. } => "count fewer events or CPUs, or raise the limit: ulimit -n 65536".into(),
            Cause::TooManyOpenFilesInSystem => "raise the machine's limit: sudo sysctl fs.file-max=1000000".into(),
            Cause::ExcludeUnsupported => "leave out the modifiers :u, :k, :h".into(),
            Cause::PreciseUnsupported => "leave out the modifier :p".into(),
            Cause::GroupDoesNotFit => "take events out of the braces, so that they take turns".into(),
            Cause::CannotSample => "sample a clock and read this event with each sample, as software overflow does".into(),
            Cause::NoInheritedValues => "leave out children and threads that start later, or use Linux 6.13".into(),
            Cause::RateTooHigh { limit: Some(limit) } => {
                format!("ask for at most {limit} samples a second, or raise it: sudo sysctl kernel.perf_event_max_sample_rate=100000")
            }
            Cause::RateTooHigh { limit: None } => "ask for fewer samples a second".into(),
            Cause::NoRingMemory => "sample fewer events, or raise the limit: sudo sysctl kernel.perf_event_mlock_kb=4096".into(),
            Cause::Busy => "wait until the other tool has ended; `:e` and `:D` events take a PMU for themselves".into(),
            Cause::NoFreeBreakpoint => "watch fewer addresses, or stop the debugger that uses them".into(),
            Cause::Recording => "leave out --machine to count on the machine that this runs on".into(),
            _ => return None,
        })
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cause {
            Cause::NoHardwarePmu => f.write_str("this machine shows no hardware PMU"),
            Cause::NoSuchEvent => f.write_str("the PMU of this machine has no such event"),
            Cause::Permission { paranoid: Some(level), needed: Some(_) } => {
                write!(f, "not permitted while kernel.perf_event_paranoid is {level}")
            }
            Cause::Permission { .. } => f.write_str("not permitted for this user"),
            Cause::ForeignProcess => f.write_str("this process belongs to another user"),
            Cause::NotACgroup => f.write_str("the directory is no cgroup"),
            Cause::Blocked { seccomp: true } => {
                f.write_str("blocked by a seccomp filter, as containers have them")
            }
            Cause::Blocked { seccomp: false } => f.write_str(
                "blocked by a security module or a sandbox, and not by the kernel's own rules",
            ),
            Cause::NoPerfEvents => f.write_str("perf_event_open is not available here"),
            Cause::TooManyOpenFiles { limit: Some(limit) } => {
                write!(
                    f,
                    "the limit of {limit} open files is reached, and every event on every CPU needs one"
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
                f.write_str("this PMU does not tell privilege levels apart")
            }
            Cause::PreciseUnsupported => f.write_str("this PMU does not offer that precision"),
            Cause::GroupDoesNotFit => f.write_str("the events cannot be counted together"),
            Cause::InvalidEvent => f.write_str("the PMU does not take this code"),
            Cause::Unsupported => f.write_str("the PMU does not support this event"),
            Cause::CannotSample => f.write_str("the event counts, but cannot be sampled"),
            Cause::NoInheritedValues => f.write_str(
                "this kernel does not give values of events with the samples of children",
            ),
            Cause::RateTooHigh { limit: Some(limit) } => {
                write!(f, "this machine takes at most {limit} samples a second")
            }
            Cause::RateTooHigh { limit: None } => f.write_str("too many samples a second"),
            Cause::NoRingMemory => {
                f.write_str("the memory that this user may lock for samples is used up")
            }
            Cause::Busy => f.write_str("the PMU is in exclusive use"),
            Cause::NoFreeBreakpoint => f.write_str("all breakpoint registers are taken"),
            Cause::NoSuchProcess => f.write_str("there is no such process or thread"),
            Cause::NoSuchCpu => f.write_str("the CPU is offline, or has no such PMU"),
            Cause::UnknownCpus => {
                f.write_str("the CPUs that run cannot be read from /sys/devices/system/cpu/online")
            }
            Cause::Recording => f.write_str("a recorded machine cannot count"),
            Cause::NotRecorded => f.write_str("the recording of this machine does not say"),
            Cause::Other => write!(f, "the kernel refused with {}", self.errno),
        }
    }
}

impl std::error::Error for OpenError {}
