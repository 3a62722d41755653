//! What is mapped at the addresses of data.

use super::access::Access;
use super::allocations::{Allocations, Block};
use crate::profile::{Processes, When, is_anonymous};
use counterpoint_perf::records::{Comm, FileId, Record};
use std::ops::Range;
use std::path::PathBuf;

/// What a recording says of the memory of processes, in any order.
#[derive(Debug, Default)]
pub struct MappingRecords {
    changes: Vec<(u64, Change)>,
    beyond: u64,
}

#[derive(Debug)]
enum Change {
    Fork { parent: u32, pid: u32 },
    Exec { pid: u32 },
    Map(Mapping),
    Allocate(Block),
}

/// A file, or memory without one, in the memory of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mapping {
    /// The process.
    pub pid: u32,
    /// The addresses.
    pub range: Range<u64>,
    /// The offset in the file.
    pub offset: u64,
    /// The file, or a name such as `[heap]` and `//anon`.
    pub path: PathBuf,
    /// Which of the files that had this path it is, if that is known.
    pub file: Option<FileId>,
    /// True if what is written there is seen by all that map it.
    pub shared: bool,
}

/// What was mapped in the memory of processes at any time.
#[derive(Default)]
pub struct Mappings {
    processes: Processes,
    mappings: Vec<Mapping>,
    /// The blocks that were allocated, by the numbers of their sites; [`NO_SITE`] without one.
    blocks: Processes,
    /// The time from which on blocks are not known.
    until: Option<u64>,
    /// The number of mappings that were not kept, because there are too many.
    pub beyond: u64,
}

/// The number for a block whose site is not known.
const NO_SITE: usize = usize::MAX;
/// The most mappings, forks and execs that are kept, in some 200 MB.
const MOST: usize = 1 << 20;

impl MappingRecords {
    /// Takes a record that is no sample.
    pub fn take(&mut self, record: &Record<'_>) {
        let (time, change) = match record {
            Record::Mmap(map) => {
                let mapping = Mapping {
                    pid: map.pid,
                    range: map.range(),
                    offset: map.offset,
                    path: map.path.to_path_buf(),
                    file: map.file,
                    shared: map.shared,
                };
                (map.time.unwrap_or(0), Change::Map(mapping))
            }
            Record::Comm(Comm { pid, exec: true, time, .. }) => {
                (time.unwrap_or(0), Change::Exec { pid: *pid })
            }
            Record::Fork(task) if task.pid != task.parent_pid => {
                (task.time, Change::Fork { parent: task.parent_pid, pid: task.pid })
            }
            _ => return,
        };
        if self.changes.len() < MOST {
            self.changes.push((time, change));
        } else {
            self.beyond += 1;
        }
    }

    /// All of it, in the order of time, with the blocks that were allocated.
    pub fn finish(mut self, allocations: Allocations) -> Mappings {
        let (blocks, until) = allocations.finish();
        self.changes.extend(blocks.into_iter().map(|of| (of.time, Change::Allocate(of))));
        self.changes.sort_by_key(|(time, _)| *time);
        let mut mappings = Mappings { beyond: self.beyond, until, ..Mappings::default() };
        for (time, change) in self.changes {
            match change {
                Change::Fork { parent, pid } => {
                    mappings.processes.fork(parent, pid, time);
                    mappings.blocks.fork(parent, pid, time);
                }
                Change::Exec { pid } => {
                    mappings.processes.exec(pid, time);
                    mappings.blocks.exec(pid, time);
                }
                Change::Map(mapping) => mappings.map(time, mapping),
                Change::Allocate(Block { pid, range, site, .. }) => {
                    let site = site.map_or(NO_SITE, |site| site as usize);
                    mappings.blocks.map(pid, When::At(time), range, site);
                }
            }
        }
        mappings
    }
}

impl Mappings {
    /// Adds a mapping; memory without a file adds what older memory without a file does not have.
    fn map(&mut self, time: u64, mapping: Mapping) {
        let (pid, range, number) = (mapping.pid, mapping.range.clone(), self.mappings.len());
        let mut gaps = Vec::new();
        let mut end = range.end;
        if is_anonymous(&mapping.path) {
            // From the last address to the first.
            for (piece, older) in self.processes.at(pid, time).within(range.clone()) {
                if self.mappings[older].is_part_of(&mapping) {
                    gaps.push(piece.end..end);
                    end = piece.start;
                }
            }
        }
        gaps.push(range.start..end);
        for gap in gaps.into_iter().filter(|gap| !gap.is_empty()) {
            self.processes.map(pid, When::At(time), gap, number);
        }
        self.mappings.push(mapping);
    }

    /// The number of the mapping of an access.
    pub fn find(&mut self, access: &Access) -> Option<usize> {
        self.at(access.pid, access.time, access.address)
    }

    /// The number of the site of the block that an access is in, and the place in the block.
    pub fn block(&mut self, access: &Access) -> Option<(u32, u64)> {
        if self.until.is_some_and(|until| until <= access.time) {
            return None;
        }
        let (site, offset) = self.blocks.at(access.pid, access.time).find(access.address)?;
        Some((u32::try_from(site).ok()?, offset))
    }

    /// The number of what a process has mapped at an address.
    pub fn at(&mut self, pid: u32, time: u64, address: u64) -> Option<usize> {
        self.processes.at(pid, time).find(address).map(|(number, _)| number)
    }

    /// The numbers of what a process has mapped at an address and below it, the nearest first.
    pub(super) fn below(&mut self, access: &Access) -> impl Iterator<Item = usize> {
        self.processes.at(access.pid, access.time).below(access.address)
    }

    /// The mapping of a number.
    pub fn get(&self, number: usize) -> &Mapping {
        &self.mappings[number]
    }
}

impl Mapping {
    /// Returns true if it is memory without a file that another mapping of such memory contains.
    fn is_part_of(&self, other: &Mapping) -> bool {
        let (own, of_other) = (&self.range, &other.range);
        is_anonymous(&self.path)
            && of_other.start <= own.start
            && own.end <= of_other.end
            && own != of_other
    }
}

impl std::fmt::Debug for Mappings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mappings").field("mappings", &self.mappings).finish_non_exhaustive()
    }
}
