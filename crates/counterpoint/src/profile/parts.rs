//! Counts the samples of each process, thread, name or CPU apart.

use super::names::ThreadNames;
use counterpoint_perf::Host;
use counterpoint_perf::records::{Record, Sample};
use counterpoint_profil::{Bucket, Snapshot};
use std::collections::HashMap;

/// By what samples are counted apart, besides their addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SampleKey {
    /// The process.
    Pid,
    /// The thread.
    Tid,
    /// The name that the thread had.
    #[doc(alias = "comm")]
    Name,
    /// The CPU.
    Cpu,
}

/// The samples that have the same of each requested [`SampleKey`].
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Part {
    /// The process; `None` if it was not requested, or is not known.
    pub pid: Option<u32>,
    /// The thread.
    pub tid: Option<u32>,
    /// The name that the thread had.
    pub name: Option<String>,
    /// The CPU.
    pub cpu: Option<u32>,
    /// The histogram, of the same regions as that of all samples; a region without samples of the part is left out.
    pub snapshot: Snapshot,
}

/// Of what a sample is.
#[derive(Clone, Copy, Default)]
pub(crate) struct Who {
    pub pid: Option<u32>,
    pub tid: Option<u32>,
    pub cpu: Option<u32>,
    pub time: u64,
}

/// The counts of the parts while samples are taken.
#[derive(Clone)]
pub(crate) struct Parts {
    keys: Vec<SampleKey>,
    names: ThreadNames,
    /// The parts, and the index of each.
    known: HashMap<SampledBy, usize>,
    /// By part, module and bucket: the sum of the increments, and that of their squares.
    counts: HashMap<(usize, usize, usize), (u64, u64)>,
    /// By part: what is in no bucket.
    outside: Vec<(u64, u64)>,
}

#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct SampledBy {
    pid: Option<u32>,
    tid: Option<u32>,
    name: Option<String>,
    cpu: Option<u32>,
}

/// The buckets of all parts that are kept apart.
const MOST_BUCKETS: usize = 1 << 20;
/// The parts that are kept apart; the samples of all others are those of a part of which nothing is known.
const MOST_PARTS: usize = 1 << 16;

impl Who {
    pub(crate) fn of(sample: &Sample<'_>) -> Who {
        let Sample { pid, tid, cpu, time, .. } = *sample;
        Who { pid, tid, cpu, time: time.unwrap_or(u64::MAX) }
    }
}

impl Parts {
    pub(crate) fn new(keys: &[SampleKey], host: Option<&Host>) -> Parts {
        Parts {
            keys: keys.to_vec(),
            names: host.map_or_else(ThreadNames::default, ThreadNames::of_host),
            known: HashMap::new(),
            counts: HashMap::new(),
            outside: Vec::new(),
        }
    }

    /// Learns the names of threads.
    pub(crate) fn take(&mut self, record: &Record<'_>) {
        self.names.take(record);
    }

    /// Learns the name of a thread that may be there no more when its samples are counted.
    pub(crate) fn meet(&mut self, tid: Option<u32>) {
        if self.keys.contains(&SampleKey::Name) {
            tid.into_iter().for_each(|tid| self.names.look_up(tid));
        }
    }

    /// Adds to a bucket of a module, or to what is in none.
    pub(crate) fn add(&mut self, who: Who, place: Option<(usize, usize)>, increment: u64) {
        let part = self.part(who);
        let place = place.map(|(module, bucket)| (part, module, bucket));
        let is_kept = |place: &(usize, usize, usize)| {
            self.counts.len() < MOST_BUCKETS || self.counts.contains_key(place)
        };
        let (count, squares) = match place.filter(is_kept) {
            Some(place) => self.counts.entry(place).or_default(),
            None => &mut self.outside[part],
        };
        *count = count.saturating_add(increment);
        *squares = squares.saturating_add(increment.saturating_mul(increment));
    }

    fn part(&mut self, who: Who) -> usize {
        let mut of = SampledBy::default();
        for key in &self.keys {
            match key {
                SampleKey::Pid => of.pid = who.pid,
                SampleKey::Tid => of.tid = who.tid,
                SampleKey::Cpu => of.cpu = who.cpu,
                SampleKey::Name => {
                    let name = who.tid.and_then(|tid| self.names.at(tid, who.time));
                    of.name = name.map(str::to_string);
                }
            }
        }
        if !self.known.contains_key(&of) && self.known.len() >= MOST_PARTS {
            of = SampledBy::default();
        }
        let next = self.outside.len();
        let index = *self.known.entry(of).or_insert(next);
        if index == next {
            self.outside.push((0, 0));
        }
        index
    }

    /// The parts since the last call; `all` has the regions of all samples, and `regions` tells which is that of a module.
    pub(crate) fn take_counted(&mut self, all: &Snapshot, regions: &[Option<usize>]) -> Vec<Part> {
        let (known, counts) = (std::mem::take(&mut self.known), std::mem::take(&mut self.counts));
        let mut snapshots: Vec<Snapshot> = std::mem::take(&mut self.outside)
            .iter()
            .map(|(outside, outside_squares)| Snapshot {
                outside: *outside,
                outside_squares: *outside_squares,
                ..Snapshot::default()
            })
            .collect();
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_unstable();
        let mut last = None;
        for ((part, module, bucket), (count, squares)) in counts {
            let Some(region) = regions.get(module).copied().flatten() else { continue };
            let of: &mut Snapshot = &mut snapshots[part];
            if last != Some((part, module)) {
                last = Some((part, module));
                let mut empty = all.regions[region].clone();
                empty.buckets = Vec::new();
                of.regions.push(empty);
            }
            if let Some(to) = of.regions.last_mut() {
                let addresses = to.region.addresses(bucket);
                to.buckets.push(Bucket::new(bucket, addresses, count, squares));
            }
        }
        let mut parts: Vec<(SampledBy, usize)> = known.into_iter().collect();
        parts.sort_unstable();
        let part = |(SampledBy { pid, tid, name, cpu }, index): (SampledBy, usize)| {
            let snapshot = std::mem::take(&mut snapshots[index]);
            Part { pid, tid, name, cpu, snapshot }
        };
        parts.into_iter().map(part).collect()
    }
}
