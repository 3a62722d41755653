//! A target for people, for series, and whether it is still the same.

use counterpoint::perf::{CpuSet, Host};
use counterpoint::{Error, Target};
use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path};

/// The target for people.
pub(crate) fn title(target: &Target) -> String {
    match target {
        Target::AllCpus => "all CPUs".to_string(),
        Target::Cpus(cpus) => format!("CPUs {cpus}"),
        Target::Cgroup(path) => format!("cgroup {}", path.display()),
        Target::Processes(pids) => {
            let pids: Vec<String> = pids.iter().map(u32::to_string).collect();
            format!("process {}", pids.join(","))
        }
        other => format!("{other:?}"),
    }
}

/// The word in the names of series that is that of their kind of target: a sum over the CPUs, the cgroups and the processes would count twice.
pub(crate) fn of_kind(target: &Target) -> &'static str {
    match target {
        Target::Cgroup(_) => "cgroup_",
        Target::Processes(_) => "process_",
        _ => "",
    }
}

/// The labels that tell a target from the others.
pub(crate) fn labels(target: &Target) -> Vec<(&'static str, String)> {
    match target {
        Target::Cgroup(path) => vec![("cgroup", path.display().to_string())],
        Target::Processes(pids) => pids.iter().map(|pid| ("pid", pid.to_string())).collect(),
        Target::Cpus(cpus) => vec![("cpus", cpus.to_string())],
        _ => vec![("cpus", "all".to_string())],
    }
}

/// A number that another target at the same place does not have.
pub(crate) fn identity(host: &Host, target: &Target) -> io::Result<u64> {
    match target {
        Target::Cgroup(path) => {
            let directory = counterpoint::cgroup_directory(host, path).map_err(io::Error::other)?;
            Ok(File::from(host.open_directory(&directory)?).metadata()?.ino())
        }
        Target::Processes(pids) => {
            let pid = pids.first().copied().unwrap_or_default();
            let stat = host.task_stat(pid)?;
            if stat.has_ended() { Err(io::ErrorKind::NotFound.into()) } else { Ok(stat.started) }
        }
        _ => Ok(0),
    }
}

pub(crate) fn absence(target: &Target, error: &io::Error) -> String {
    let is_gone = error.kind() == io::ErrorKind::NotFound;
    match target {
        Target::Cgroup(_) if is_gone => "there is no such cgroup".to_string(),
        Target::Processes(_) if is_gone => "there is no such process".to_string(),
        _ => match error.get_ref().and_then(|inner| inner.downcast_ref::<Error>()) {
            Some(inner) => match inner.help() {
                Some(help) => format!("{inner}; {help}"),
                None => inner.to_string(),
            },
            None => error.to_string(),
        },
    }
}

/// Returns true if two targets have counts in common that would have the same labels.
pub(crate) fn is_same(a: &Target, b: &Target) -> bool {
    let common = |a: &CpuSet, b: &CpuSet| !a.intersection(b).is_empty();
    match (a, b) {
        (Target::AllCpus, Target::AllCpus | Target::Cpus(_))
        | (Target::Cpus(_), Target::AllCpus) => true,
        (Target::Cpus(a), Target::Cpus(b)) => common(a, b),
        (Target::Cgroup(a), Target::Cgroup(b)) => names(a).eq(names(b)),
        (a, b) => a == b,
    }
}

/// The names of a path, however many slashes it is written with.
fn names(path: &Path) -> impl Iterator<Item = Component<'_>> {
    path.components().filter(|part| matches!(part, Component::Normal(_)))
}
