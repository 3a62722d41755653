//! The sums of accesses.

use super::access::Access;
use super::nodes::Nodes;
use counterpoint_perf::records::DataSource;
use std::collections::HashMap;

/// The sums of accesses by what they have in common, and by page.
#[derive(Clone, Debug, Default)]
pub struct Accesses {
    sums: HashMap<Key, Sums>,
    pages: HashMap<(Option<u32>, u64), Page>,
    /// The sums of all accesses.
    pub all: Sums,
    /// The accesses that are in no sum but that of all, because there are too many different ones.
    pub beyond: u64,
    /// The accesses whose pages were not kept.
    pub beyond_pages: u64,
}

/// What accesses have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// The event that was sampled, as the caller counts events.
    pub event: usize,
    /// The process.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// The number of the object.
    pub object: usize,
    /// The number that the caller gives to the place of the code.
    pub stack: u32,
    /// Where the data was found.
    pub source: DataSource,
    /// The node of the CPU, and that of the data, as far as they are known.
    pub nodes: (Option<u32>, Option<u32>),
}

/// The sums of some accesses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sums {
    /// The number of accesses that were sampled.
    pub accesses: u64,
    /// The number of accesses for which they stand.
    pub events: u64,
    /// The sum of [`Access::cost`].
    pub cost: u64,
    /// The number of accesses whose latency was measured.
    pub measured: u64,
    /// The sum of their latencies.
    pub latency: u64,
    /// The longest of them.
    pub longest: u64,
}

/// A page with accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page {
    /// The process that has it; `None` of pages of the kernel.
    pub pid: Option<u32>,
    /// Its first address.
    pub address: u64,
    /// Its size in bytes: that which samples say, or 4096.
    pub bytes: u64,
    /// The number of the object of its first access.
    pub object: usize,
    /// The sums of its accesses.
    pub sums: Sums,
}

/// The most different keys that are kept, and pages, in some 100 MB each.
const MOST: usize = 1 << 20;
/// The size of a page that samples do not say.
const PAGE: u64 = 4096;

impl Accesses {
    /// Counts an access to an object, at a place of the code and of an event that the caller knows, on a machine with these nodes.
    pub fn add(
        &mut self,
        access: &Access,
        (object, stack, event): (usize, u32, usize),
        nodes: &Nodes,
    ) {
        self.all.add(access);
        let Access { pid, tid, source, cpu, physical, .. } = *access;
        let of_cpu = cpu.and_then(|cpu| nodes.of_cpu(cpu));
        let of_data = physical.and_then(|address| nodes.of_physical(address));
        let key = Key { event, pid, tid, object, stack, source, nodes: (of_cpu, of_data) };
        if self.sums.len() < MOST || self.sums.contains_key(&key) {
            self.sums.entry(key).or_default().add(access);
        } else {
            self.beyond += 1;
        }
        let bytes = access.page_bytes.unwrap_or(PAGE).max(1);
        let address = access.address - access.address % bytes;
        let pid = (!access.is_kernel()).then_some(pid);
        if self.pages.len() < MOST || self.pages.contains_key(&(pid, address)) {
            let new = || Page { pid, address, bytes, object, sums: Sums::default() };
            self.pages.entry((pid, address)).or_insert_with(new).sums.add(access);
        } else {
            self.beyond_pages += 1;
        }
    }

    /// The sums, in the order of their keys.
    pub fn sums(&self) -> Vec<(Key, Sums)> {
        let mut sums: Vec<_> = self.sums.iter().map(|(key, sums)| (*key, *sums)).collect();
        sums.sort_unstable_by_key(|(key, _)| *key);
        sums
    }

    /// The pages: those with the greatest cost first.
    pub fn pages(&self) -> Vec<Page> {
        let mut pages: Vec<Page> = self.pages.values().copied().collect();
        pages.sort_unstable_by_key(|page| (u64::MAX - page.sums.cost, page.pid, page.address));
        pages
    }
}

impl Sums {
    fn add(&mut self, access: &Access) {
        self.accesses += 1;
        self.events = self.events.saturating_add(access.period);
        self.cost = self.cost.saturating_add(access.cost);
        if let Some(latency) = access.latency {
            self.measured += 1;
            self.latency = self.latency.saturating_add(latency);
            self.longest = self.longest.max(latency);
        }
    }

    /// Adds others.
    pub fn merge(&mut self, other: &Sums) {
        self.accesses += other.accesses;
        self.events = self.events.saturating_add(other.events);
        self.cost = self.cost.saturating_add(other.cost);
        self.measured += other.measured;
        self.latency = self.latency.saturating_add(other.latency);
        self.longest = self.longest.max(other.longest);
    }

    /// The mean latency; `None` if none was measured.
    pub fn mean_latency(&self) -> Option<f64> {
        (self.measured > 0).then(|| self.latency as f64 / self.measured as f64)
    }
}
