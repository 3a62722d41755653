//! Lines of the cache that threads share.

use super::access::Access;
use counterpoint_perf::records::{MemoryLevel, Operation, Snoop};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The accesses to lines of the cache.
#[derive(Clone, Debug)]
#[doc(alias = "c2c")]
pub struct SharedLines {
    /// The size of a line in bytes.
    bytes: u64,
    lines: HashMap<Name, Line>,
    places: usize,
    /// The accesses that were not kept, because there are too many lines or places.
    pub beyond: u64,
}

/// What tells a line from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Name {
    /// A line of a process.
    Process(u32, u64),
    /// A line that all processes have at this place: of the kernel, by its address; of memory that processes share, by the number that the caller gives to it.
    Common(usize, u64),
}

/// A line that threads share.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line {
    /// Its first address, in the process of its first access.
    pub address: u64,
    /// That process; `None` of lines of the kernel.
    pub pid: Option<u32>,
    /// The sums of all accesses.
    pub sums: LineSums,
    /// The places in the line, by offset and the number that the caller gives to the place of the code.
    pub places: BTreeMap<(u64, u32), LinePlace>,
    writers: BTreeSet<u32>,
    readers: BTreeSet<u32>,
}

/// The accesses to an offset of a line by one place of the code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LinePlace {
    /// Their sums.
    pub sums: LineSums,
    /// The threads that did them.
    pub threads: BTreeSet<u32>,
}

/// The numbers of accesses to a line or a part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineSums {
    /// All.
    pub accesses: u64,
    /// Loads.
    pub loads: u64,
    /// Stores, and accesses that may be.
    pub stores: u64,
    /// Loads that found the line changed in a cache of this node.
    #[doc(alias = "LclHitm")]
    pub local_hitm: u64,
    /// Loads that found the line changed in a cache of another node.
    #[doc(alias = "RmtHitm")]
    pub remote_hitm: u64,
    /// Loads that got the line from a cache of the same level, changed or not, as Arm's processors say.
    pub peer: u64,
    /// The loads whose latency was measured.
    pub measured: u64,
    /// The sum of their latencies.
    pub latency: u64,
}

/// The most lines, and places in lines, that are kept, in some 300 MB.
const MOST: usize = 1 << 20;

impl SharedLines {
    /// Lines of this size in bytes, usually 64.
    pub fn new(bytes: u64) -> SharedLines {
        SharedLines { bytes: bytes.max(1), lines: HashMap::new(), places: 0, beyond: 0 }
    }

    /// Counts an access by a place of the code; `shared` is the number of the memory that several processes share, and the address in it.
    pub fn add(&mut self, access: &Access, shared: Option<(usize, u64)>, code: u32) {
        // A line that is not known is none.
        if access.address == 0 || access.source.operation().is_none() {
            return;
        }
        let start = |address: u64| address - address % self.bytes;
        let address = start(access.address);
        let name = match (access.is_kernel(), shared) {
            (true, _) => Name::Common(usize::MAX, address),
            (false, Some((memory, at))) => Name::Common(memory, start(at)),
            (false, None) => Name::Process(access.pid, address),
        };
        let has_room = self.places < MOST;
        if !has_room && !self.lines.contains_key(&name) {
            self.beyond += 1;
            return;
        }
        let pid = (!access.is_kernel()).then_some(access.pid);
        let line = self.lines.entry(name).or_insert_with(|| Line::new(address, pid));
        let place = (access.address - address, code);
        if !has_room && !line.places.contains_key(&place) {
            self.beyond += 1;
            return;
        }
        line.sums.add(access);
        let of = line.places.entry(place).or_insert_with(|| {
            self.places += 1;
            LinePlace::default()
        });
        of.sums.add(access);
        of.threads.insert(access.tid);
        let writes = access.source.operation().is_some_and(Operation::writes);
        if writes { &mut line.writers } else { &mut line.readers }.insert(access.tid);
    }

    /// The lines that one thread changes and another one accesses, or that a load found changed by another core: those with the most of these loads first.
    pub fn finish(self) -> Vec<Line> {
        let mut lines: Vec<Line> = self.lines.into_values().filter(Line::is_shared).collect();
        lines.sort_unstable_by_key(|line| {
            let sums = &line.sums;
            let order = (sums.hitm(), sums.peer, sums.latency, sums.accesses);
            (Reverse(order), line.pid, line.address)
        });
        lines
    }
}

impl Line {
    fn new(address: u64, pid: Option<u32>) -> Line {
        Line {
            address,
            pid,
            sums: LineSums::default(),
            places: BTreeMap::new(),
            writers: BTreeSet::new(),
            readers: BTreeSet::new(),
        }
    }

    fn is_shared(&self) -> bool {
        let has_other =
            |writer: &u32| self.readers.iter().chain(&self.writers).any(|thread| thread != writer);
        self.sums.hitm() > 0 || self.sums.peer > 0 || self.writers.iter().any(has_other)
    }

    /// Returns true if its threads access different parts of it: then they need not share it. A part is the offset of an access, whose length is not known.
    pub fn is_false_sharing(&self) -> bool {
        let mut threads: BTreeMap<u64, BTreeSet<u32>> = BTreeMap::new();
        for ((offset, _), place) in &self.places {
            threads.entry(*offset).or_default().extend(&place.threads);
        }
        threads.len() > 1 && threads.values().all(|of| of.len() == 1)
    }

    /// The threads that change it.
    pub fn writers(&self) -> &BTreeSet<u32> {
        &self.writers
    }

    /// The threads that read it.
    pub fn readers(&self) -> &BTreeSet<u32> {
        &self.readers
    }
}

impl LineSums {
    fn add(&mut self, access: &Access) {
        let (source, operation) = (access.source, access.source.operation());
        self.accesses += 1;
        if operation.is_some_and(Operation::writes) {
            self.stores += 1;
            return;
        }
        if operation != Some(Operation::Load) {
            return;
        }
        self.loads += 1;
        let is_remote = source.level().is_some_and(|MemoryLevel { remote, .. }| remote.is_some());
        match (source.snoop(), is_remote) {
            (Some(Snoop::HitModified), false) => self.local_hitm += 1,
            (Some(Snoop::HitModified), true) => self.remote_hitm += 1,
            (Some(Snoop::Peer), _) => self.peer += 1,
            _ => {}
        }
        if let Some(latency) = access.latency {
            self.measured += 1;
            self.latency = self.latency.saturating_add(latency);
        }
    }

    /// Adds others.
    pub fn merge(&mut self, other: &LineSums) {
        self.accesses += other.accesses;
        self.loads += other.loads;
        self.stores += other.stores;
        self.local_hitm += other.local_hitm;
        self.remote_hitm += other.remote_hitm;
        self.peer += other.peer;
        self.measured += other.measured;
        self.latency = self.latency.saturating_add(other.latency);
    }

    /// Loads that found the line changed in another cache.
    pub fn hitm(&self) -> u64 {
        self.local_hitm + self.remote_hitm
    }

    /// The mean latency of loads; `None` if none was measured.
    pub fn mean_latency(&self) -> Option<f64> {
        (self.measured > 0).then(|| self.latency as f64 / self.measured as f64)
    }
}
