//! Maps the addresses of several processes to one address space, to find the program or library of each sample.

use super::counted::Counted;
use super::kernel::Kernel;
use super::module::{self, Module, is_anonymous};
use super::off_cpu::{self, Waits};
use super::parts::{Parts, SampleKey, Who};
use super::pending::Pending;
use super::places::{Located, Places, UNKNOWN_KERNEL};
use super::processes::{Processes, When};
use super::raw_stack::RawStack;
use super::request::Profile;
use super::stacks::Counter;
use counterpoint_perf::Host;
use counterpoint_perf::records::{FileId, Level, Record, Sample};
use counterpoint_profil::{
    BucketWidth, Flags, Histogram, Outcome, Random, Region, Scale, Snapshot,
};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::{Path, PathBuf};

#[derive(Clone)]
pub(crate) struct Modules {
    host: Host,
    kernel: Kernel,
    scale: Scale,
    width: BucketWidth,
    flags: Flags,
    random: Random,
    threshold: u64,
    modules: Vec<Module>,
    /// The histogram of each module; `None` if it has no samples, or addresses that no region can have.
    histograms: Vec<Option<Histogram>>,
    /// The modules of a path, an offset and a length, and of a process if they have no file: one for each file that the path was of.
    known: HashMap<(PathBuf, u64, u64, Option<u32>), Vec<usize>>,
    processes: Processes,
    /// The files of run-time compilers, by process.
    jit_dumps: BTreeMap<u32, PathBuf>,
    /// The records are of processes that run now, so that those that have ended can be forgotten.
    pub(crate) is_live: bool,
    /// Samples that wait until all mappings made before them, which may be in another ring, have been read.
    pending: Vec<Pending>,
    /// The number of waiting samples at which those that have waited long enough are counted.
    room: usize,
    latest: u64,
    /// The texts of the kernel and its modules, after the first sample from there.
    of_kernel: Option<Range<usize>>,
    outside: u64,
    outside_squares: u64,
    stacks: Option<Counter>,
    parts: Option<Parts>,
    /// The bytes that the stacks of waiting samples take.
    waiting_bytes: usize,
    /// That of the last sample, whose memory the next one takes.
    last_stack: Option<Box<RawStack>>,
    /// Each sample counts as its period.
    by_events: bool,
    /// If the time is counted that threads do not run.
    waits: Option<Waits>,
}

/// The age in ns at which no record can still be in a ring, because rings are read several times a second.
const SETTLED: u64 = 1_000_000_000;
const ROOM: usize = 1 << 16;
/// The files of run-time compilers that are kept.
const MOST_DUMPS: usize = 1 << 12;
/// The first address that no kernel of 32 bits has.
const ABOVE_32_BITS: u64 = 1 << 32;
/// The first address of the kernel on 64-bit processors.
const KERNEL: u64 = 1 << 63;
/// The number of processes that have ended at which they are forgotten.
const ENDED: usize = 4096;
/// The most bytes that the stacks of waiting samples take; beyond that, the older half does not wait any longer.
const WAITING_BYTES: usize = 32 << 20;

impl Modules {
    pub(crate) fn new(
        host: &Host,
        scale: Scale,
        width: BucketWidth,
        profile: &Profile,
        threshold: u64,
        kernel: Kernel,
    ) -> Modules {
        Modules {
            host: host.clone(),
            kernel,
            scale,
            width,
            flags: profile.flags,
            random: profile.random,
            threshold,
            modules: Vec::new(),
            histograms: Vec::new(),
            known: HashMap::new(),
            processes: Processes::default(),
            jit_dumps: BTreeMap::new(),
            is_live: false,
            pending: Vec::new(),
            room: ROOM,
            latest: 0,
            of_kernel: None,
            outside: 0,
            outside_squares: 0,
            stacks: profile.call_graph.map(|graph| Counter::new(graph, profile, host)),
            parts: None,
            waiting_bytes: 0,
            last_stack: None,
            by_events: profile.by_events,
            waits: profile.off_cpu.then(Waits::default),
        }
    }

    /// Counts the samples by these keys, too.
    pub(crate) fn keep_apart(&mut self, keys: &[SampleKey], names: Option<&Host>) {
        self.parts = (!keys.is_empty()).then(|| Parts::new(keys, names));
    }

    /// Applies a record about processes and their memory.
    pub(crate) fn take(&mut self, record: &Record<'_>) {
        if let Some(waits) = &mut self.waits {
            match record {
                Record::Fork(task) => waits.begin(task),
                Record::Exit(task) => waits.end(task),
                Record::Switch(switch) => waits.switch(switch),
                _ => {}
            }
        }
        if let Some(parts) = &mut self.parts {
            parts.take(record);
        }
        match record {
            Record::Mmap(map) if map.executable => {
                let when = map.time.map_or(When::Always, When::At);
                self.map(map.pid, when, map.range(), map.offset, map.path, map.file);
            }
            Record::Comm(comm) if comm.exec => {
                let time = comm.time.unwrap_or(self.latest);
                self.processes.exec(comm.pid, time);
            }
            Record::Fork(task) if task.pid != task.parent_pid => {
                self.processes.fork(task.parent_pid, task.pid, task.time);
            }
            Record::Exit(task) if task.pid == task.tid => {
                self.processes.exit(task.pid, task.time);
                if self.is_live && self.processes.ended() >= ENDED {
                    self.forget_ended(task.time.saturating_sub(SETTLED));
                }
            }
            _ => {}
        }
    }

    /// Forgets the processes that ended up to a time, after their samples have been counted.
    fn forget_ended(&mut self, until: u64) {
        self.settle(until);
        let host = &self.host;
        // Of a process whose first thread has ended, others may run.
        let is_running = |pid: u32| host.text(format!("/proc/{pid}/stat")).is_ok();
        self.processes.forget_ended(until, is_running);
    }

    /// Adds a mapping in the memory of a process.
    pub(crate) fn map(
        &mut self,
        pid: u32,
        when: When,
        range: Range<u64>,
        offset: u64,
        path: &Path,
        file: Option<FileId>,
    ) {
        if module::is_jit_dump(path) && self.jit_dumps.len() < MOST_DUMPS {
            self.jit_dumps.insert(pid, path.to_path_buf());
        }
        let length = range.end.saturating_sub(range.start);
        // Memory without a file is of one process, and known by its addresses there.
        let is_anonymous = is_anonymous(path);
        let (offset, owner) = if is_anonymous { (range.start, Some(pid)) } else { (offset, None) };
        let file = file.filter(|_| !is_anonymous);
        let key = (path.to_path_buf(), offset, length, owner);
        let of_path = self.known.get(&key).map_or(&[][..], Vec::as_slice);
        let same = of_path
            .iter()
            .find_map(|index| Some((*index, module::same_file(self.modules[*index].file, file)?)));
        let module = match same {
            Some((module, known)) => {
                self.modules[module].file = known;
                module
            }
            None => {
                let module = Module {
                    path: path.to_path_buf(),
                    range: self.place(&range),
                    offset,
                    pid: Some(pid),
                    file,
                    user: if self.is_live { self.host.user_of(pid) } else { None },
                };
                let module = self.add(module);
                self.known.entry(key).or_default().push(module);
                module
            }
        };
        self.processes.map(pid, when, range, module);
    }

    fn add(&mut self, module: Module) -> usize {
        self.modules.push(module);
        self.histograms.push(None);
        self.modules.len() - 1
    }

    /// These addresses, or a free range of the same size.
    fn place(&self, range: &Range<u64>) -> Range<u64> {
        let disjoint =
            |module: &Module| range.end <= module.range.start || module.range.end <= range.start;
        // The kernel's own addresses are never moved.
        let is_of_program = range.end <= KERNEL;
        if is_of_program && self.modules.iter().all(disjoint) {
            return range.clone();
        }
        let ends = self.modules.iter().filter(|module| module.pid.is_some()).map(|m| m.range.end);
        let start = ends.max().unwrap_or(0).max(ABOVE_32_BITS);
        let start = start.checked_next_multiple_of(1 << 21).unwrap_or(u64::MAX);
        start..start.saturating_add(range.end - range.start)
    }

    /// Counts a sample, `at_once` if what was mapped before it is known.
    pub(crate) fn sample(&mut self, sample: &Sample<'_>, excess: i64, at_once: bool) {
        let who = Who::of(sample);
        if let Some(parts) = &mut self.parts {
            parts.meet(sample.tid);
        }
        let weight = sample.period.filter(|_| self.by_events);
        let (Some(mut pc), Some(pid)) = (sample.ip, sample.pid) else {
            let weight = weight.unwrap_or_else(|| self.flags.weight(excess, self.threshold));
            return self.elsewhere(who, weight);
        };
        let tid = sample.tid.unwrap_or(pid);
        let mut level = sample.level;
        if self.waits.is_some() {
            // An idle CPU.
            if tid == 0 {
                return;
            }
            if let Some(left) = off_cpu::left_at(sample) {
                (pc, level) = (left, Level::User);
            }
        }
        let stack = self.stack(sample);
        let time = sample.time.unwrap_or(0);
        self.latest = self.latest.max(time);
        let pending = Pending { pid, tid, time, pc, excess, weight, level, who, stack };
        if at_once && self.waits.is_none() {
            self.count(&pending);
            self.last_stack = pending.stack;
        } else {
            self.wait(pending);
        }
    }

    /// The stack of a sample as its record has it, in the memory of the last one.
    fn stack(&mut self, sample: &Sample<'_>) -> Option<Box<RawStack>> {
        let graph = &self.stacks.as_ref()?.graph;
        let mut stack = self.last_stack.take().unwrap_or_default();
        stack.read(sample, graph);
        Some(stack)
    }

    /// Has a sample wait until the mappings before it have been read.
    fn wait(&mut self, pending: Pending) {
        self.waiting_bytes += pending.stack.as_ref().map_or(0, |stack| stack.size());
        self.pending.push(pending);
        if self.waiting_bytes > WAITING_BYTES {
            let half = self.pending.len() / 2;
            let (_, median, _) = self.pending.select_nth_unstable_by_key(half, |of| of.time);
            let until = median.time;
            self.settle(until);
        }
        if self.pending.len() >= self.room {
            // Of recorded samples, all mappings are known.
            let is_ordered = !self.is_live && self.waits.is_none();
            let until = if is_ordered { u64::MAX } else { self.latest.saturating_sub(SETTLED) };
            self.settle(until);
            self.room = ROOM.max(2 * self.pending.len());
        }
    }

    /// Counts the samples up to a time.
    fn settle(&mut self, until: u64) {
        for sample in std::mem::take(&mut self.pending) {
            if sample.time > until {
                self.pending.push(sample);
            } else {
                self.waiting_bytes -= sample.stack.as_ref().map_or(0, |stack| stack.size());
                match &mut self.waits {
                    Some(waits) => waits.stop(sample),
                    None => self.count(&sample),
                }
            }
        }
        let ended = self.waits.as_mut().map(|waits| waits.settle(until));
        self.count_waits(ended.unwrap_or_default());
    }

    fn count_waits(&mut self, ended: Vec<(Pending, u64)>) {
        for (sample, length) in ended {
            self.count(&Pending { weight: Some(length), ..sample });
        }
    }

    /// Counts a sample, by its weight or its excess.
    fn count(&mut self, sample: &Pending) {
        let by_excess = || self.flags.weight(sample.excess, self.threshold);
        let weight = sample.weight.unwrap_or_else(by_excess);
        let (places, stacks) = self.places(sample);
        let found = places.of(sample.pc, sample.level);
        if let Some(stacks) = stacks {
            stacks.count(sample, weight, &places);
        }
        let Some((module, address)) = found else { return self.elsewhere(sample.who, weight) };
        if self.histograms[module].is_none() {
            let region = Region::exactly(self.modules[module].range.clone(), self.scale).ok();
            let new = region.map(|region| Histogram::sparse(vec![region], self.width));
            let flagged = new.map(|new| new.with_flags(self.flags, self.threshold));
            self.histograms[module] = flagged.map(|new| new.with_random(self.random));
        }
        let Some(histogram) = &mut self.histograms[module] else {
            return self.elsewhere(sample.who, weight);
        };
        let outcome = match sample.weight {
            Some(weight) => histogram.record_weight(address, weight),
            None => histogram.record_excess(address, sample.excess),
        };
        if let (Some(parts), Outcome::Counted { bucket, increment, .. }) =
            (&mut self.parts, outcome)
        {
            parts.add(sample.who, Some((module, bucket)), increment);
        }
    }

    /// The modules at the time of a sample, and what finds its stack.
    fn places(&mut self, sample: &Pending) -> (Places<'_>, Option<&mut Counter>) {
        let has_kernel = sample.stack.as_ref().is_some_and(|stack| stack.has_kernel());
        let is_kernel = sample.level == Level::Kernel;
        let kernel = if is_kernel || has_kernel { self.of_kernel() } else { 0..0 };
        let space = self.processes.at(sample.pid, sample.time);
        (Places { modules: &self.modules, space, kernel }, self.stacks.as_mut())
    }

    /// The place of a sample and of its callers; it is not counted.
    pub(crate) fn locate(&mut self, sample: &Sample<'_>) -> Located {
        let (Some(pc), Some(pid)) = (sample.ip, sample.pid) else { return Located::default() };
        let stack = self.stack(sample);
        let sample = Pending {
            pid,
            tid: sample.tid.unwrap_or(pid),
            time: sample.time.unwrap_or(0),
            pc,
            excess: 0,
            weight: None,
            level: sample.level,
            who: Who::of(sample),
            stack,
        };
        let (places, stacks) = self.places(&sample);
        let address = places.of(pc, sample.level).map(|(_, address)| address);
        let stack = stacks.map_or(&[][..], |stacks| stacks.find(&sample, &places)).to_vec();
        self.last_stack = sample.stack;
        Located { address, stack }
    }

    /// The modules, with those of the kernel.
    pub(crate) fn all(&mut self) -> &[Module] {
        self.of_kernel();
        &self.modules
    }

    /// The files of run-time compilers, by process.
    #[cfg(feature = "symbols")]
    pub(crate) fn jit_dumps(&self) -> &BTreeMap<u32, PathBuf> {
        &self.jit_dumps
    }

    /// Counts a sample that belongs to no module.
    fn elsewhere(&mut self, who: Who, weight: u64) {
        if let Some(parts) = &mut self.parts {
            parts.add(who, None, weight);
        }
        self.outside = self.outside.saturating_add(weight);
        self.outside_squares = self.outside_squares.saturating_add(weight.saturating_mul(weight));
    }

    /// The indexes of the kernel's modules, which are added after the first sample from there.
    fn of_kernel(&mut self) -> Range<usize> {
        if let Some(modules) = &self.of_kernel {
            return modules.clone();
        }
        let first = self.modules.len();
        let kernel = self.kernel.clone();
        let texts = kernel.symbols(&self.host).texts().iter().cloned();
        // Code whose address this user may not know, or that is in no text, is of the kernel all the same.
        let elsewhere = ("[kernel]".to_string(), UNKNOWN_KERNEL..u64::MAX);
        for (name, range) in texts.chain([elsewhere]) {
            self.add(Module {
                path: name.into(),
                range,
                offset: 0,
                pid: None,
                file: None,
                user: None,
            });
        }
        self.of_kernel.insert(first..self.modules.len()).clone()
    }

    /// Counts the waits that have not ended, because no more records follow.
    pub(crate) fn end_waits(&mut self) {
        self.settle(u64::MAX);
        let unfinished = self.waits.as_mut().map(Waits::unfinished);
        self.count_waits(unfinished.unwrap_or_default());
    }

    /// The histogram, the module of each of its regions, and what was asked for besides, of the samples since the last call; what is known of processes is kept.
    pub(crate) fn take_counted(&mut self) -> Counted {
        self.settle(u64::MAX);
        let outside = std::mem::take(&mut self.outside);
        let outside_squares = std::mem::take(&mut self.outside_squares);
        let mut snapshot = Snapshot { outside, outside_squares, ..Snapshot::default() };
        let used = self.stacks.as_ref().map_or(&[][..], |stacks| &stacks.used);
        let (mut modules, mut of_callers) = (Vec::new(), Vec::new());
        // The region of each module.
        let mut regions = vec![None; self.modules.len()];
        for (index, (module, histogram)) in
            self.modules.iter().zip(&mut self.histograms).enumerate()
        {
            let Some(histogram) = histogram.take() else {
                let is_used = used.get(index).is_some_and(|used| *used);
                of_callers.extend(is_used.then(|| module.clone()));
                continue;
            };
            let counted = histogram.snapshot();
            regions[index] = Some(snapshot.regions.len());
            snapshot.regions.extend(counted.regions);
            snapshot.outside += counted.outside;
            snapshot.outside_squares += counted.outside_squares;
            snapshot.dropped += counted.dropped;
            modules.push(module.clone());
        }
        modules.extend(of_callers);
        let parts = self.parts.as_mut().map(|parts| parts.take_counted(&snapshot, &regions));
        Counted {
            snapshot,
            modules,
            kernel: self.kernel.known(),
            stacks: self.stacks.as_mut().map(Counter::take_counted),
            parts: parts.unwrap_or_default(),
            histogram: None,
            by_events: self.by_events,
            jit_dumps: self.jit_dumps.clone(),
            off_cpu: self.waits.as_mut().map(|waits| std::mem::take(&mut waits.known)),
        }
    }
}
