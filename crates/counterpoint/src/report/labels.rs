//! The placements of a report, by which counts are added up.

use crate::counting::open::{Opened, Part};
use counterpoint_perf::{CpuSet, Host};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The rows into which a report is split.
///
/// If the machine does not report the part of a CPU that is asked for, there is one row for each CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Split {
    /// One row for each event.
    #[default]
    Total,
    /// One row for each CPU.
    Cpu,
    /// One row for each core.
    Core,
    /// One row for each cache of this level, or for each of the last level.
    Cache(Option<u8>),
    /// One row for each die.
    Die,
    /// One row for each socket.
    Socket,
    /// One row for each NUMA node.
    Node,
    /// One row for each thread.
    Thread,
    /// One row for each cgroup of [`Target::Cgroups`](crate::Target::Cgroups).
    Cgroup,
}

/// The placement that a row of a report is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowPlacement {
    /// The whole target.
    All,
    /// A CPU.
    Cpu(u32),
    /// A core of a socket.
    Core {
        /// The socket.
        socket: u32,
        /// The core, numbered within the socket.
        core: u32,
    },
    /// A cache.
    Cache {
        /// Its level.
        level: u8,
        /// The first of the CPUs that share it.
        cpu: u32,
    },
    /// A die of a socket.
    Die {
        /// The socket.
        socket: u32,
        /// The die, numbered within the socket.
        die: u32,
    },
    /// A socket.
    Socket(u32),
    /// A NUMA node.
    Node(u32),
    /// A thread.
    Thread(u32),
    /// A cgroup, by its index among those of [`Target::Cgroups`](crate::Target::Cgroups).
    Cgroup(u32),
}

/// In words, such as `socket 0 core 1`; a cgroup has the number of its place in the target.
impl fmt::Display for RowPlacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RowPlacement::All => f.write_str("the whole target"),
            RowPlacement::Cpu(cpu) => write!(f, "CPU {cpu}"),
            RowPlacement::Core { socket, core } => write!(f, "socket {socket} core {core}"),
            RowPlacement::Cache { level, cpu } => write!(f, "L{level} cache of CPU {cpu}"),
            RowPlacement::Die { socket, die } => write!(f, "socket {socket} die {die}"),
            RowPlacement::Socket(socket) => write!(f, "socket {socket}"),
            RowPlacement::Node(node) => write!(f, "node {node}"),
            RowPlacement::Thread(thread) => write!(f, "thread {thread}"),
            RowPlacement::Cgroup(index) => write!(f, "cgroup {index}"),
        }
    }
}

impl Split {
    /// The placement of the row to which the counts of a CPU belong; `None` if the machine does not report it.
    ///
    /// ```
    /// use counterpoint::{RowPlacement, Split, perf::Host};
    /// assert_eq!(Split::Cpu.placement(&Host::local(), 3), Some(RowPlacement::Cpu(3)));
    /// ```
    pub fn placement(self, host: &Host, cpu: u32) -> Option<RowPlacement> {
        Some(match self {
            Split::Total | Split::Thread | Split::Cgroup => RowPlacement::All,
            Split::Cpu => RowPlacement::Cpu(cpu),
            Split::Core => {
                let (core, socket) = host.core_and_socket(cpu)?;
                RowPlacement::Core { socket, core }
            }
            Split::Cache(level) => {
                let (level, cpu) = host.cache(cpu, level)?;
                RowPlacement::Cache { level, cpu }
            }
            Split::Die => {
                let (die, socket) = host.die_and_socket(cpu)?;
                RowPlacement::Die { socket, die }
            }
            Split::Socket => RowPlacement::Socket(host.core_and_socket(cpu)?.1),
            Split::Node => RowPlacement::Node(host.node(cpu)?),
        })
    }
}

/// Finds the placement of a part in a report.
pub(crate) struct Labels {
    split: Split,
    /// The placements of the CPUs.
    known: BTreeMap<u32, RowPlacement>,
    /// The CPUs of which sources have values.
    of_sources: BTreeSet<u32>,
}

impl Labels {
    /// If the machine does not report the placement of each CPU, sums would be wrong, so rows are split by CPU.
    pub(crate) fn new(split: Split, opened: &Opened) -> Labels {
        let sources = opened.beside.iter();
        let of_sources: BTreeSet<u32> = match split {
            Split::Total | Split::Thread | Split::Cgroup => BTreeSet::new(),
            _ => {
                let cpus = sources.filter_map(|source| source.cpus.as_ref());
                cpus.flat_map(CpuSet::iter).collect()
            }
        };
        let of_parts = opened.parts.iter().filter_map(|part| part.cpu);
        let cpus: BTreeSet<u32> = of_parts.chain(of_sources.iter().copied()).collect();
        let of = |split: Split| {
            let known = |cpu: &u32| Some((*cpu, split.placement(&opened.host, *cpu)?));
            cpus.iter().map(known).collect::<Option<_>>()
        };
        let known = of(split).or_else(|| of(Split::Cpu)).unwrap_or_default();
        Labels { split, known, of_sources }
    }

    /// The placements of the CPUs of sources.
    pub(crate) fn of_sources(&self) -> impl Iterator<Item = RowPlacement> {
        self.of_sources.iter().filter_map(|cpu| self.known.get(cpu)).copied()
    }

    /// Returns true if a CPU is at a placement.
    pub(crate) fn has(&self, placement: RowPlacement, cpu: u32) -> bool {
        placement == RowPlacement::All || self.known.get(&cpu) == Some(&placement)
    }

    pub(crate) fn placement(&self, part: &Part) -> RowPlacement {
        let of_cpu = || part.cpu.and_then(|cpu| self.known.get(&cpu)).copied();
        let placement = match self.split {
            Split::Thread => part.thread.map(RowPlacement::Thread),
            Split::Cgroup => part.cgroup.map(RowPlacement::Cgroup),
            _ => of_cpu(),
        };
        placement.unwrap_or(RowPlacement::All)
    }
}
