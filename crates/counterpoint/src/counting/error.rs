//! Errors in opening and counting events.

use crate::report::hint::Hint;
use crate::report::values::Reason;
use counterpoint_perf::{CpuSet, Errno};
use std::path::PathBuf;

/// The reason why events of a target cannot be counted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CountError {
    #[error("`{event}` counts for whole CPUs, not for a process")]
    NeedsCpus { event: String },
    #[error("`{event}` counts on the CPUs {cpus} only")]
    WrongCpus { event: String, cpus: CpuSet },
    #[error("there is no process {0}")]
    NoProcess(u32),
    #[error("the user with the id {0} has no process")]
    NoUser(u32),
    #[error("the threads of process {pid} cannot be listed: {error}")]
    NoThreads {
        pid: u32,
        #[source]
        error: std::io::Error,
    },
    #[error("there is no CPU {cpu} online; these are: {online}")]
    NoCpu { cpu: u32, online: CpuSet },
    #[error("cgroup {}: {error}", path.display())]
    NoCgroup {
        path: PathBuf,
        #[source]
        error: std::io::Error,
    },
    #[error("cgroup {}: {unmounted}", path.display())]
    NoCgroups { path: PathBuf, unmounted: Unmounted },
    #[error("the kernel failed to {what}: {errno}")]
    Kernel {
        what: &'static str,
        #[source]
        errno: Errno,
    },
    #[error("`{event}` cannot be counted: {reason}")]
    Uncountable {
        event: String,
        #[source]
        reason: Reason,
    },
    #[error("these events belong to process {0}, from which this one was forked")]
    OtherProcess(u32),
}

/// The part of the file system of cgroups that is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unmounted {
    #[error("no file system of cgroups is mounted")]
    Cgroups,
    #[error("the controller perf_event is a hierarchy of version 1 here, and it is not mounted")]
    PerfEvent,
}

impl Unmounted {
    /// The way to mount it.
    pub(crate) fn hint(self) -> Hint {
        Hint::MountCgroups { is_version_1: self == Unmounted::PerfEvent }
    }
}

impl CountError {
    /// The error of a process whose threads cannot be listed.
    pub(crate) fn no_threads(pid: u32, error: std::io::Error) -> CountError {
        match error.kind() {
            std::io::ErrorKind::NotFound => CountError::NoProcess(pid),
            _ => CountError::NoThreads { pid, error },
        }
    }

    /// The hint for the user; `None` if nothing can be done.
    pub(crate) fn help(&self) -> Option<Hint> {
        Some(match self {
            CountError::Uncountable { reason, .. } => return reason.help(),
            CountError::NeedsCpus { event } => Hint::CountAllCpus { event: event.clone() },
            CountError::WrongCpus { event, cpus } => {
                Hint::CountOn { event: event.clone(), cpus: cpus.clone() }
            }
            CountError::NoCgroup { .. } => Hint::NameCgroup,
            CountError::NoCgroups { unmounted, .. } => unmounted.hint(),
            CountError::OtherProcess(_) => Hint::OpenInEachProcess,
            CountError::NoProcess(_)
            | CountError::NoUser(_)
            | CountError::NoThreads { .. }
            | CountError::NoCpu { .. }
            | CountError::Kernel { .. } => return None,
        })
    }
}
