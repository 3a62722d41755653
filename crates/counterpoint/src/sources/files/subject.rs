//! Whose numbers are read: the processes and the cgroup of a target.

use super::table::Scope;
use crate::counting::target::Target;
use crate::report::note::Note;
use crate::report::values::Reason;
use counterpoint_perf::{CpuSet, Host};
use std::path::{Path, PathBuf};

/// The processes and the cgroup whose files are read.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    /// The part of paths below `/proc`, each with the command that it is.
    tasks: Result<Vec<(String, Option<u32>)>, Reason>,
    cgroup: Result<PathBuf, Reason>,
    /// The CPUs of the target; `None` if it is not some of them.
    cpus: Option<CpuSet>,
}

impl Subject {
    pub(super) fn of(target: &Target, host: &Host) -> Subject {
        let cpus = match target {
            Target::Cpus(cpus) => Some(cpus.clone()),
            _ => None,
        };
        Subject { tasks: tasks(target, host), cgroup: cgroup(target, host), cpus }
    }

    /// Returns true if a CPU is one of the target, or if all are.
    pub(super) fn has_cpu(&self, cpu: u32) -> bool {
        self.cpus.as_ref().is_none_or(|cpus| cpus.contains(cpu))
    }

    /// The paths of a file of the table, each with the command to which it belongs.
    pub(super) fn paths(&self, path: &str) -> Result<Vec<(String, Option<u32>)>, Reason> {
        if path.contains(TASK) {
            let tasks = self.tasks.as_ref().map_err(Reason::clone)?;
            return Ok(tasks.iter().map(|(task, of)| (path.replace(TASK, task), *of)).collect());
        }
        if path.contains(CGROUP) {
            let cgroup = self.cgroup.as_ref().map_err(Reason::clone)?;
            return Ok(vec![(path.replace(CGROUP, &cgroup.to_string_lossy()), None)]);
        }
        Ok(vec![(path.to_string(), None)])
    }
}

const TASK: &str = "{task}";
const CGROUP: &str = "{cgroup}";

fn tasks(target: &Target, host: &Host) -> Result<Vec<(String, Option<u32>)>, Reason> {
    let each = |ids: &[u32]| {
        let ids: std::collections::BTreeSet<u32> = ids.iter().copied().collect();
        ids.into_iter()
    };
    let of = |id: u32| (id.to_string(), None);
    match target {
        Target::Command(pid) => Ok(vec![(pid.to_string(), Some(*pid))]),
        Target::Processes(pids) => Ok(each(pids).map(of).collect()),
        Target::Threads(tids) => {
            Ok(each(tids).map(|tid| (format!("{tid}/task/{tid}"), None)).collect())
        }
        Target::ThisThread if host.is_running() => Ok(vec![of(std::process::id())]),
        Target::ThisThread => Ok(vec![("self".to_string(), None)]),
        Target::User(user) => Ok(host.processes_of(*user).into_iter().map(of).collect()),
        Target::AllCpus => no_processes("the whole machine"),
        Target::Cpus(_) => no_processes("CPUs"),
        Target::Cgroup(_) | Target::Cgroups(_) => no_processes("a cgroup"),
    }
}

fn no_processes<T>(target: &str) -> Result<T, Reason> {
    Err(Reason::NotShown(format!(
        "the kernel shows it for each process, and {target} is counted instead of a command, processes or threads"
    )))
}

fn cgroup(target: &Target, host: &Host) -> Result<PathBuf, Reason> {
    let root = || {
        let mounts = host.text("/proc/self/mounts").unwrap_or_default();
        let root = mounts.lines().find_map(|line| {
            let mut fields = line.split(' ').skip(1);
            let directory = fields.next()?;
            (fields.next()? == "cgroup2").then(|| PathBuf::from(directory))
        });
        root.ok_or_else(|| {
            Reason::NotShown("no file system of cgroups of version 2 is mounted".to_string())
        })
    };
    let below = |path: &Path| {
        if path.starts_with("/sys") {
            return Ok(path.to_path_buf());
        }
        Ok(root()?.join(path.strip_prefix("/").unwrap_or(path)))
    };
    let of_process = |pid: &str| {
        let text = host.text(format!("/proc/{pid}/cgroup")).unwrap_or_default();
        let path = text.lines().find_map(|line| line.strip_prefix("0::"));
        below(Path::new(path.ok_or_else(|| {
            Reason::NotShown(format!("/proc/{pid}/cgroup has no cgroup of version 2"))
        })?))
    };
    match target {
        Target::Cgroup(path) => below(path),
        Target::Cgroups(paths) => match paths.as_slice() {
            [path] => below(path),
            several => Err(Reason::NotShown(format!(
                "it is read of one cgroup at a time, and {} are counted: count each by itself",
                several.len()
            ))),
        },
        Target::Command(pid) => of_process(&pid.to_string()),
        Target::Processes(ids) | Target::Threads(ids) => match ids.as_slice() {
            [id] => of_process(&id.to_string()),
            _ => Err(Reason::NotShown(
                "the processes of the target may have several cgroups".to_string(),
            )),
        },
        Target::ThisThread => of_process("self"),
        Target::AllCpus | Target::Cpus(_) => root(),
        Target::User(_) => {
            Err(Reason::NotShown("the processes of a user may have several cgroups".to_string()))
        }
    }
}

/// How much more than the target a number counts.
pub(super) fn note(scope: Scope, target: &Target) -> Option<Note> {
    let is_machine = matches!(target, Target::AllCpus | Target::Cpus(_));
    match (scope, target) {
        (Scope::Machine | Scope::Cpu, Target::AllCpus) => None,
        (Scope::Machine, _) => Some(Note::WholeMachine),
        (Scope::Cpu, Target::Cpus(_)) => None,
        (Scope::Cpu, _) => Some(Note::WholeMachine),
        (Scope::Cgroup, Target::Cgroup(_) | Target::Cgroups(_)) => None,
        (Scope::Cgroup, _) if is_machine => None,
        (Scope::Cgroup, _) => Some(Note::WholeCgroup),
        (Scope::Process, Target::ThisThread) => Some(Note::WholeProcess),
        (Scope::Process, _) => None,
    }
}
