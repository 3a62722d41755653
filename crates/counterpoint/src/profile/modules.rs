//! Maps the addresses of several processes to one address space, to find the program or library of each sample.

use super::kernel::KernelTexts;
use super::request::Profile;
use counterpoint_perf::Host;
use counterpoint_perf::records::{Level, Record, Sample};
use counterpoint_profil::{BucketWidth, Flags, Histogram, Random, Region, Scale, Snapshot};
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The text of a program or library, at the addresses where it was first seen.
///
/// Samples of processes that have it at other addresses are counted here too.
/// Another text at the same addresses, such as that of another program with fixed addresses, is moved to free ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The path of the file, or a name such as `[vdso]` and `[kernel]`.
    pub path: PathBuf,
    /// The addresses in the profile.
    pub range: Range<u64>,
    /// The offset in the file at which they begin.
    pub offset: u64,
    /// A process that has it at these addresses; `None` for the kernel.
    pub pid: Option<u32>,
}

/// The time at which something was mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum When {
    /// Before the profile began.
    Always,
    At(u64),
}

#[derive(Clone)]
pub(crate) struct Modules {
    host: Host,
    texts: KernelTexts,
    scale: Scale,
    width: BucketWidth,
    flags: Flags,
    random: Random,
    threshold: u64,
    modules: Vec<Module>,
    /// The modules in which there are samples, with their histogram; `None` if there is no memory for it.
    histograms: Vec<Option<Histogram>>,
    known: HashMap<(PathBuf, u64, u64), usize>,
    processes: HashMap<u32, Process>,
    /// Samples that wait until all mappings made before them, which may be in another ring, have been read.
    pending: Vec<Pending>,
    /// The number of waiting samples at which those that have waited long enough are counted.
    room: usize,
    latest: u64,
    /// The texts of the kernel and its modules, after the first sample from there.
    kernel: Option<Range<usize>>,
    outside: u64,
    outside_squares: u64,
}

#[derive(Clone, Default)]
struct Process {
    maps: Vec<(When, Range<u64>, usize)>,
    execs: Vec<u64>,
    /// Its parent, and the time of the fork, because process ids are reused.
    forks: Vec<(u32, u64)>,
}

#[derive(Clone)]
struct Pending {
    pid: u32,
    time: u64,
    pc: u64,
    excess: i64,
    kernel: bool,
}

/// The age in ns at which no record can still be in a ring, because rings are read several times a second.
const SETTLED: u64 = 1_000_000_000;
const ROOM: usize = 1 << 16;

impl Modules {
    pub(crate) fn new(
        host: &Host,
        scale: Scale,
        width: BucketWidth,
        profile: &Profile,
        threshold: u64,
        texts: KernelTexts,
    ) -> Modules {
        Modules {
            host: host.clone(),
            texts,
            scale,
            width,
            flags: profile.flags,
            random: profile.random,
            threshold,
            modules: Vec::new(),
            histograms: Vec::new(),
            known: HashMap::new(),
            processes: HashMap::new(),
            pending: Vec::new(),
            room: ROOM,
            latest: 0,
            kernel: None,
            outside: 0,
            outside_squares: 0,
        }
    }

    /// Applies a record about processes and their memory.
    pub(crate) fn take(&mut self, record: &Record<'_>) {
        match record {
            Record::Mmap(map) if map.executable => {
                let when = map.time.map_or(When::Always, When::At);
                self.map(map.pid, when, map.range(), map.offset, map.path);
            }
            Record::Comm(comm) if comm.exec => {
                let time = comm.time.unwrap_or(self.latest);
                self.processes.entry(comm.pid).or_default().execs.push(time);
            }
            Record::Fork(task) if task.pid != task.parent_pid => {
                let child = self.processes.entry(task.pid).or_default();
                child.forks.push((task.parent_pid, task.time));
            }
            _ => {}
        }
    }

    /// Adds a mapping of a file in the memory of a process.
    pub(crate) fn map(
        &mut self,
        pid: u32,
        when: When,
        range: Range<u64>,
        offset: u64,
        path: &Path,
    ) {
        let length = range.end.saturating_sub(range.start);
        let key = (path.to_path_buf(), offset, length);
        let module = match self.known.get(&key) {
            Some(module) => *module,
            None => {
                let module = self.add(path, self.place(&range), offset, Some(pid));
                self.known.insert(key, module);
                module
            }
        };
        self.processes.entry(pid).or_default().maps.push((when, range, module));
    }

    fn add(&mut self, path: &Path, range: Range<u64>, offset: u64, pid: Option<u32>) -> usize {
        self.modules.push(Module { path: path.to_path_buf(), range, offset, pid });
        self.histograms.push(None);
        self.modules.len() - 1
    }

    /// These addresses, or a free range of the same size.
    fn place(&self, range: &Range<u64>) -> Range<u64> {
        let disjoint =
            |module: &Module| range.end <= module.range.start || module.range.end <= range.start;
        if self.modules.iter().all(disjoint) {
            return range.clone();
        }
        let ends = self.modules.iter().filter(|module| module.pid.is_some()).map(|m| m.range.end);
        let start = ends.max().unwrap_or(0).next_multiple_of(1 << 21);
        start..start.saturating_add(range.end - range.start)
    }

    pub(crate) fn sample(&mut self, sample: &Sample<'_>, excess: i64) {
        let (Some(pc), Some(pid)) = (sample.ip, sample.pid) else {
            return self.elsewhere(excess);
        };
        let time = sample.time.unwrap_or(0);
        let kernel = sample.level == Level::Kernel;
        self.latest = self.latest.max(time);
        self.pending.push(Pending { pid, time, pc, excess, kernel });
        if self.pending.len() >= self.room {
            self.settle(self.latest.saturating_sub(SETTLED));
            self.room = ROOM.max(2 * self.pending.len());
        }
    }

    /// Counts the samples up to a time.
    fn settle(&mut self, until: u64) {
        for sample in std::mem::take(&mut self.pending) {
            if sample.time > until {
                self.pending.push(sample);
            } else {
                self.count(&sample);
            }
        }
    }

    fn count(&mut self, sample: &Pending) {
        let found = if sample.kernel { self.in_kernel(sample.pc) } else { self.find(sample) };
        let Some((module, address)) = found else { return self.elsewhere(sample.excess) };
        if self.histograms[module].is_none() {
            let region = Region::exactly(self.modules[module].range.clone(), self.scale).ok();
            let new = region.and_then(|region| Histogram::new(vec![region], self.width).ok());
            let flagged = new.map(|new| new.with_flags(self.flags, self.threshold));
            self.histograms[module] = flagged.map(|new| new.with_random(self.random));
        }
        match &mut self.histograms[module] {
            Some(histogram) => drop(histogram.record_excess(address, sample.excess)),
            None => self.elsewhere(sample.excess),
        }
    }

    /// Counts a sample that belongs to no module.
    fn elsewhere(&mut self, excess: i64) {
        let weight = self.flags.weight(excess, self.threshold);
        self.outside = self.outside.saturating_add(weight);
        self.outside_squares = self.outside_squares.saturating_add(weight * weight);
    }

    /// The module of an address of a process, and the address in the profile.
    fn find(&self, sample: &Pending) -> Option<(usize, u64)> {
        let (mut pid, mut time) = (sample.pid, sample.time);
        // A child has the memory of its parent until it calls exec.
        for _ in 0..self.processes.len() {
            let process = self.processes.get(&pid)?;
            let exec = process.execs.iter().filter(|exec| **exec <= time).max();
            let born = process.forks.iter().filter(|fork| fork.1 <= time).max_by_key(|fork| fork.1);
            let birth = born.map(|(_, at)| at);
            let since = exec.max(birth).map_or(When::Always, |since| When::At(*since));
            let holds = |(when, range, _): &&(When, Range<u64>, usize)| {
                (since..=When::At(time)).contains(when) && range.contains(&sample.pc)
            };
            if let Some((_, range, module)) = process.maps.iter().filter(holds).max_by_key(|m| m.0)
            {
                return Some((
                    *module,
                    self.modules[*module].range.start + (sample.pc - range.start),
                ));
            }
            if exec.is_some() && exec >= birth {
                return None;
            }
            (pid, time) = *born?;
        }
        None
    }

    fn in_kernel(&mut self, pc: u64) -> Option<(usize, u64)> {
        let kernel = match &self.kernel {
            Some(kernel) => kernel.clone(),
            None => {
                let first = self.modules.len();
                let texts = self.texts.clone();
                for (name, range) in texts.of(&self.host) {
                    self.add(Path::new(name), range.clone(), 0, None);
                }
                self.kernel.insert(first..self.modules.len()).clone()
            }
        };
        let found = kernel.into_iter().find(|module| self.modules[*module].range.contains(&pc));
        found.map(|module| (module, pc))
    }

    /// The histogram, and the module of each of its regions.
    pub(crate) fn finish(mut self) -> (Snapshot, Vec<Module>) {
        self.settle(u64::MAX);
        let Modules { outside, outside_squares, .. } = self;
        let mut snapshot = Snapshot { outside, outside_squares, ..Snapshot::default() };
        let mut modules = Vec::new();
        for (module, histogram) in self.modules.into_iter().zip(self.histograms) {
            let Some(histogram) = histogram else { continue };
            let counted = histogram.snapshot();
            snapshot.regions.extend(counted.regions);
            snapshot.outside += counted.outside;
            snapshot.outside_squares += counted.outside_squares;
            snapshot.dropped += counted.dropped;
            modules.push(module);
        }
        (snapshot, modules)
    }
}
