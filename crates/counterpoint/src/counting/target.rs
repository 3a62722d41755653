use crate::counting::cgroups::cgroup_directory;
use crate::counting::error::CountError;
use crate::error::Error;
use counterpoint_perf::{CpuSet, Host, Placement};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// The threads, processes or CPUs whose events are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// The calling thread, and the children and threads that it starts from now on.
    ThisThread,
    /// These threads, and the children and threads that they start from now on.
    Threads(Vec<u32>),
    /// All threads of these processes, and the children and threads that they start from now on.
    Processes(Vec<u32>),
    /// A process held by [`Held`](counterpoint_perf::process::Held), from its exec, with its children and threads.
    Command(u32),
    /// The processes that the user with this id has when the events are opened, and the children and threads that they start from now on.
    ///
    /// The calling process itself is left out.
    User(u32),
    /// All processes, on every CPU.
    AllCpus,
    /// All processes, on these CPUs.
    Cpus(CpuSet),
    /// The processes of a cgroup, on every CPU; the path is below the cgroup file system, or absolute.
    Cgroup(PathBuf),
    /// The processes of each of these cgroups, on every CPU; [`Split::Cgroup`](crate::Split::Cgroup) has a row for each.
    Cgroups(Vec<PathBuf>),
}

/// A placement of events, with the CPU or thread by which its counts are labelled.
#[derive(Clone, Debug)]
pub(crate) struct TargetPlacement {
    pub placement: Placement,
    pub cpu: Option<u32>,
    pub thread: Option<u32>,
    /// The index of the cgroup among those of the target.
    pub cgroup: Option<u32>,
}

impl TargetPlacement {
    fn thread(tid: u32) -> TargetPlacement {
        let placement = Placement::Thread(tid);
        TargetPlacement { placement, cpu: None, thread: Some(tid), cgroup: None }
    }

    fn cpu(cpu: u32) -> TargetPlacement {
        let placement = Placement::Cpu(cpu);
        TargetPlacement { placement, cpu: Some(cpu), thread: None, cgroup: None }
    }
}

impl Target {
    /// Returns true if CPUs are counted instead of processes.
    pub fn is_cpu_wide(&self) -> bool {
        matches!(self, Target::AllCpus | Target::Cpus(_) | Target::Cgroup(_) | Target::Cgroups(_))
    }

    /// The placements at which events are opened, in ascending order.
    pub(crate) fn placements(&self, host: &Host) -> Result<Vec<TargetPlacement>, Error> {
        match self {
            Target::ThisThread => Ok(vec![TargetPlacement {
                placement: Placement::ThisThread,
                cpu: None,
                thread: None,
                cgroup: None,
            }]),
            Target::Threads(threads) => {
                Ok(each_once(threads).map(TargetPlacement::thread).collect())
            }
            Target::Command(pid) => Ok(vec![TargetPlacement::thread(*pid)]),
            Target::Processes(pids) => {
                let mut placements = Vec::new();
                for pid in each_once(pids) {
                    let tasks = host
                        .directory(format!("/proc/{pid}/task"))
                        .map_err(|error| CountError::no_threads(pid, error))?;
                    placements.extend(
                        tasks
                            .iter()
                            .filter_map(|tid| tid.parse().ok())
                            .map(TargetPlacement::thread),
                    );
                }
                Ok(placements)
            }
            Target::User(user) => {
                let pids = host.processes_of(*user);
                let threads = |pid: &u32| host.names(format!("/proc/{pid}/task"));
                let tids = pids.iter().flat_map(threads).filter_map(|tid| tid.parse().ok());
                let placements: Vec<_> = tids.map(TargetPlacement::thread).collect();
                if placements.is_empty() {
                    Err(Error::from(CountError::NoUser(*user)))
                } else {
                    Ok(placements)
                }
            }
            Target::AllCpus => {
                Ok(host.every_online_cpu()?.iter().map(TargetPlacement::cpu).collect())
            }
            Target::Cpus(cpus) => {
                let online = host.every_online_cpu()?;
                match cpus.iter().find(|cpu| !online.contains(*cpu)) {
                    Some(cpu) => Err(Error::from(CountError::NoCpu { cpu, online })),
                    None => Ok(cpus.iter().map(TargetPlacement::cpu).collect()),
                }
            }
            Target::Cgroup(path) => in_cgroups(host, std::slice::from_ref(path)),
            Target::Cgroups(paths) => in_cgroups(host, paths),
        }
    }
}

/// Every CPU in each of these cgroups.
fn in_cgroups(host: &Host, paths: &[PathBuf]) -> Result<Vec<TargetPlacement>, Error> {
    let online = host.every_online_cpu()?;
    let mut placements = Vec::new();
    for (number, path) in paths.iter().enumerate() {
        let directory = host.open_directory(&cgroup_directory(host, path)?);
        let directory = Arc::new(directory.map_err(|e| {
            Error::from(CountError::NoCgroup { path: path.to_path_buf(), error: e })
        })?);
        placements.extend(online.iter().map(|cpu| TargetPlacement {
            placement: Placement::Cgroup { directory: directory.clone(), cpu },
            cpu: Some(cpu),
            thread: None,
            cgroup: u32::try_from(number).ok(),
        }));
    }
    Ok(placements)
}

/// The numbers in ascending order, each once.
fn each_once(numbers: &[u32]) -> impl Iterator<Item = u32> {
    BTreeSet::from_iter(numbers.iter().copied()).into_iter()
}
