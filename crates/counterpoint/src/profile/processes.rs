//! The mappings of processes at any time.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

/// The time at which something was mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum When {
    /// Before the profile began.
    Always,
    At(u64),
}

/// The memory of processes, by the records.
#[derive(Clone, Default)]
pub(crate) struct Processes {
    processes: HashMap<u32, Process>,
    /// The memory of each process that was looked at last, until a record changes it. Each sample looks here, and few processes are found sooner in a tree than by a hash that nobody can foresee.
    spaces: BTreeMap<u32, Space>,
    /// The time of the last fork of each process that has children.
    parents: HashMap<u32, u64>,
    /// The number of the last memory that was made.
    numbers: u64,
    /// The number of pieces that were put into [`Processes::spaces`].
    pieces: usize,
    /// The number of those that have ended since such processes were last forgotten.
    ended: usize,
}

/// The most pieces that are kept of processes that were looked at, in some 300 MB.
const MOST_PIECES: usize = 1 << 22;

#[derive(Clone, Default)]
struct Process {
    /// In the order of their times.
    maps: Vec<(When, Range<u64>, usize)>,
    execs: Vec<u64>,
    /// Its parent, and the time of the fork, because process ids are reused.
    forks: Vec<(u32, u64)>,
    /// The time of its last end.
    exit: Option<u64>,
}

/// The memory of a process while it does not change.
#[derive(Clone, Default)]
pub(crate) struct Space {
    /// Another number for each memory of each process; 0 before there is one.
    pub(crate) number: u64,
    during: Range<u64>,
    /// None overlap.
    maps: Pieces,
    /// The piece in which an address was found last: the next one is often there, too.
    near: Cell<Option<(u64, Piece)>>,
}

/// The parts of mappings that are not covered by later ones, by the first address of each.
type Pieces = BTreeMap<u64, Piece>;

/// A part of a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    end: u64,
    module: usize,
    /// The number of bytes of the mapping before it.
    before: u64,
}

impl Space {
    /// The module at an address, and the offset in its mapping.
    pub(crate) fn find(&self, address: u64) -> Option<(usize, u64)> {
        let has = |(start, piece): &(u64, Piece)| (*start..piece.end).contains(&address);
        let (start, piece) = match self.near.get().filter(has) {
            Some(near) => near,
            None => {
                let (start, piece) = self.maps.range(..=address).next_back()?;
                Some((*start, *piece)).filter(has)?
            }
        };
        self.near.set(Some((start, piece)));
        Some((piece.module, piece.before + (address - start)))
    }

    /// The modules that begin at an address or before it, the nearest first.
    pub(crate) fn below(&self, address: u64) -> impl Iterator<Item = usize> {
        self.maps.range(..=address).rev().map(|(_, piece)| piece.module)
    }

    /// The addresses and modules in a range.
    pub(crate) fn within(&self, range: Range<u64>) -> impl Iterator<Item = (Range<u64>, usize)> {
        let pieces = self.maps.range(..range.end).rev();
        let pieces = pieces.take_while(move |(_, piece)| piece.end > range.start);
        pieces.map(|(start, piece)| (*start..piece.end, piece.module))
    }
}

impl Processes {
    pub(crate) fn map(&mut self, pid: u32, when: When, range: Range<u64>, module: usize) {
        let maps = &mut self.change(pid, when).maps;
        let place = maps.partition_point(|(before, _, _)| *before <= when);
        maps.insert(place, (when, range, module));
    }

    pub(crate) fn exec(&mut self, pid: u32, time: u64) {
        self.change(pid, When::At(time)).execs.push(time);
    }

    pub(crate) fn fork(&mut self, parent: u32, pid: u32, time: u64) {
        let last = self.parents.entry(parent).or_default();
        *last = time.max(*last);
        self.change(pid, When::At(time)).forks.push((parent, time));
    }

    pub(crate) fn exit(&mut self, pid: u32, time: u64) {
        if let Some(process) = self.processes.get_mut(&pid) {
            self.ended += usize::from(process.exit.is_none());
            process.exit = Some(time);
        }
    }

    /// The number of ended processes that are known.
    pub(crate) fn ended(&self) -> usize {
        self.ended
    }

    /// Forgets the processes that ended up to a time, of which no sample is waiting; those from which others have their memory are kept.
    pub(crate) fn forget_ended(&mut self, until: u64, is_running: impl Fn(u32) -> bool) {
        let is_gone = |pid: u32, process: &Process| {
            process.exit.is_some_and(|exit| {
                exit <= until && process.forks.iter().all(|(_, fork)| *fork < exit)
            }) && !is_running(pid)
        };
        let (gone, mut left): (Vec<u32>, Vec<u32>) =
            self.processes.keys().partition(|pid| is_gone(**pid, &self.processes[pid]));
        let mut gone: HashSet<u32> = gone.into_iter().collect();
        while let Some(pid) = left.pop() {
            let Some(process) = self.processes.get(&pid) else { continue };
            let exec = process.execs.iter().max();
            let inherited =
                process.forks.iter().filter(|(_, fork)| exec.is_none_or(|exec| exec < fork));
            left.extend(inherited.map(|(parent, _)| *parent).filter(|parent| gone.remove(parent)));
        }
        for pid in gone {
            self.processes.remove(&pid);
            self.spaces.remove(&pid);
            self.parents.remove(&pid);
        }
        self.ended = 0;
    }

    /// The process, of which something becomes known that happened at a time.
    fn change(&mut self, pid: u32, when: When) -> &mut Process {
        let time = match when {
            When::Always => 0,
            When::At(time) => time,
        };
        // Children have what their parent had.
        if self.parents.get(&pid).is_some_and(|fork| time <= *fork) {
            self.spaces.clear();
        } else if let Some(space) = self.spaces.get_mut(&pid) {
            if time <= space.during.start {
                drop(self.spaces.remove(&pid))
            } else {
                space.during.end = space.during.end.min(time);
            }
        }
        self.processes.entry(pid).or_default()
    }

    /// The memory of a process at a time.
    pub(crate) fn at(&mut self, pid: u32, time: u64) -> &Space {
        // Each child of a process with many pieces has them all; they are found again when they are asked for.
        if self.pieces > MOST_PIECES {
            self.spaces.clear();
            self.pieces = 0;
        }
        let Processes { processes, spaces, numbers, pieces, .. } = self;
        let space = spaces.entry(pid).or_default();
        if !space.during.contains(&time) {
            let process = processes.get(&pid);
            let during = process.map_or(0..u64::MAX, |process| process.during(time));
            match process.and_then(|process| process.mapped_since(space, time)) {
                Some(new) => {
                    *pieces += new.len();
                    for (_, range, module) in new {
                        cover(&mut space.maps, range, *module);
                    }
                }
                None => {
                    space.maps = mapped(processes, pid, time);
                    *pieces += space.maps.len();
                }
            }
            *numbers += 1;
            (space.during, space.number) = (during, *numbers);
            space.near.set(None);
        }
        space
    }
}

impl Process {
    /// The time around this one in which nothing changes.
    fn during(&self, time: u64) -> Range<u64> {
        let at = |map: Option<&(When, Range<u64>, usize)>| match map {
            Some((When::At(time), _, _)) => Some(*time),
            _ => None,
        };
        let after = self.maps.partition_point(|(when, _, _)| *when <= When::At(time));
        let around = [at(self.maps[..after].last()), at(self.maps.get(after))];
        let changes = around.into_iter().flatten().chain(self.others());
        changes.fold(0..u64::MAX, |during, change| {
            if change <= time {
                during.start.max(change)..during.end
            } else {
                during.start..during.end.min(change)
            }
        })
    }

    /// The times of forks and execs.
    fn others(&self) -> impl Iterator<Item = u64> {
        self.forks.iter().map(|(_, at)| *at).chain(self.execs.iter().copied())
    }

    /// The mappings that were made between the memory as it was and a later time, if nothing else was changed.
    fn mapped_since(&self, space: &Space, time: u64) -> Option<&[(When, Range<u64>, usize)]> {
        let since = space.during.end;
        let is_later = !space.during.is_empty() && since <= time;
        if !is_later || self.others().any(|other| (since..=time).contains(&other)) {
            return None;
        }
        let first = self.maps.partition_point(|(when, _, _)| *when < When::At(since));
        let after = self.maps.partition_point(|(when, _, _)| *when <= When::At(time));
        self.maps.get(first..after)
    }
}

/// The mappings of a process at a time. A child has the memory of its parent until it calls exec.
fn mapped(processes: &HashMap<u32, Process>, pid: u32, time: u64) -> Pieces {
    // The process, and those from which it has memory, each with the times from which and up to which its mappings count.
    let mut line = Vec::new();
    let mut next = Some((pid, time));
    while let Some((pid, time)) = next.take()
        && let Some(process) = processes.get(&pid)
        && line.len() <= processes.len()
    {
        let exec = process.execs.iter().filter(|exec| **exec <= time).max();
        let born = process.forks.iter().filter(|fork| fork.1 <= time).max_by_key(|fork| fork.1);
        let birth = born.map(|(_, at)| at);
        let is_new = exec.is_some() && exec >= birth;
        next = born.copied().filter(|_| !is_new);
        let since = exec.max(birth).map_or(When::Always, |since| When::At(*since));
        line.push((process, since..=When::At(time)));
    }
    let mut maps = BTreeMap::new();
    for (process, times) in line.into_iter().rev() {
        let own = process.maps.iter().filter(|(when, _, _)| times.contains(when));
        for (_, range, module) in own {
            cover(&mut maps, range, *module);
        }
    }
    maps
}

/// Puts a mapping in the place of what was there.
fn cover(maps: &mut Pieces, range: &Range<u64>, module: usize) {
    if range.is_empty() {
        return;
    }
    let overlapped: Vec<u64> = maps
        .range(..range.end)
        .rev()
        .take_while(|(_, piece)| piece.end > range.start)
        .map(|(start, _)| *start)
        .collect();
    for start in overlapped {
        let Some(piece) = maps.remove(&start) else { continue };
        if start < range.start {
            maps.insert(start, Piece { end: range.start, ..piece });
        }
        if piece.end > range.end {
            maps.insert(range.end, Piece { before: piece.before + (range.end - start), ..piece });
        }
    }
    maps.insert(range.start, Piece { end: range.end, module, before: 0 });
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A process with one mapping, of module `pid`.
    fn mapped(processes: &mut Processes, pid: u32) {
        processes.map(pid, When::At(1), 0x1000..0x2000, pid as usize);
    }

    fn module(processes: &mut Processes, pid: u32) -> Option<usize> {
        processes.at(pid, 100).find(0x1000).map(|(module, _)| module)
    }

    #[test]
    fn ended_processes_are_forgotten_but_for_those_whose_memory_others_have() {
        let mut processes = Processes::default();
        for pid in 1..=6 {
            mapped(&mut processes, pid);
        }
        // 7 has the memory of 1 by 2, which had that of 1; 8 had that of 3 and has its own by now.
        processes.fork(1, 2, 10);
        processes.fork(2, 7, 20);
        processes.fork(3, 8, 20);
        processes.exec(8, 30);
        for pid in 1..=5 {
            processes.exit(pid, 40);
        }
        // The number of 5 has been given to another one since.
        processes.fork(6, 5, 60);
        assert_eq!(processes.ended(), 5);
        processes.forget_ended(50, |pid| pid == 4);
        let left = [1, 2, 3, 4, 5, 6, 7].map(|pid| module(&mut processes, pid));
        assert_eq!(left, [Some(1), Some(1), None, Some(4), Some(6), Some(6), Some(1)]);
        assert_eq!(processes.ended(), 0);
        processes.exit(7, 70);
        processes.forget_ended(69, |_| false);
        assert_eq!(module(&mut processes, 7), Some(1), "it ended after that time");
    }

    #[test]
    fn what_is_around_a_new_mapping_stays_at_its_offset() {
        let mut processes = Processes::default();
        processes.map(1, When::At(1), 0x1000..0x5000, 0);
        processes.map(1, When::At(2), 0x2000..0x3000, 1);
        let space = processes.at(1, 9);
        let found = [0x1010, 0x2010, 0x3010, 0x5000].map(|address| space.find(address));
        assert_eq!(found, [Some((0, 0x10)), Some((1, 0x10)), Some((0, 0x2010)), None]);
        assert_eq!(space.below(0x3000).collect::<Vec<_>>(), [0, 1, 0]);
        let within: Vec<_> = space.within(0x2800..0x3001).collect();
        assert_eq!(within, [(0x3000..0x5000, 0), (0x2000..0x3000, 1)]);
    }

    proptest! {
        /// Whatever was looked at before, and in whatever order records come, the memory is that of all records.
        #[test]
        fn what_was_looked_at_before_does_not_matter(
            records in prop::collection::vec((0_u8..4, 1_u32..5, 1_u32..5, 1_u64..30, 0_u64..6), 0..60),
            looks in prop::collection::vec((1_u32..5, 0_u64..32), 60),
        ) {
            let mut processes = Processes::default();
            for (index, ((kind, pid, other, time, page), (at_pid, at))) in
                records.into_iter().zip(looks).enumerate()
            {
                match kind {
                    0 if pid != other => processes.fork(other, pid, time),
                    1 => processes.exec(pid, time),
                    _ => {
                        let range = page * 0x1000..(page + 2) * 0x1000;
                        processes.map(pid, When::At(time), range, index);
                    }
                }
                for (pid, at) in [(at_pid, at), (pid, time), (other, 31)] {
                    let anew = super::mapped(&processes.processes, pid, at);
                    prop_assert_eq!(&processes.at(pid, at).maps, &anew, "{} at {}", pid, at);
                }
            }
        }
    }
}
