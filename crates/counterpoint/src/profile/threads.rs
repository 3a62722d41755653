//! Counts the samples of each thread over time.

use super::intervals::{Intervals, Span};
use super::names::ThreadNames;
use counterpoint_perf::Host;
use counterpoint_perf::records::{Record, Sample};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::time::Duration;

/// The samples of each thread over time.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ThreadTimes {
    /// The length of an interval; the first one begins less than that before the first sample.
    pub interval: Duration,
    /// The number of intervals.
    pub intervals: usize,
    /// The threads, in descending order of their samples.
    pub threads: Vec<ThreadSamples>,
    /// The samples of all other threads in each interval, if there are more than 1024 threads; else empty.
    pub others: Vec<u64>,
}

/// The samples of a thread over time.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ThreadSamples {
    /// The process.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// Its last name, or else that of its process, if one is known.
    #[doc(alias = "comm")]
    pub name: Option<String>,
    /// The number of samples in each interval, whatever their weights are.
    pub counts: Vec<u64>,
}

/// The counts of the threads while samples are taken.
#[derive(Clone)]
pub(crate) struct Threads {
    intervals: Intervals,
    threads: HashMap<(u32, u32), Counts>,
    others: Counts,
    names: ThreadNames,
    near: Near,
}

/// The samples of one thread in one interval, because samples come in clusters.
#[derive(Clone, Default)]
struct Near {
    thread: (u32, u32),
    times: Range<u64>,
    count: u64,
}

/// The samples of the intervals that have any.
type Counts = BTreeMap<u64, u64>;

/// The threads that are kept apart.
const MOST_THREADS: usize = 1024;

impl Threads {
    /// The names of threads for which there is no record are looked up if there is a host.
    pub(crate) fn new(host: Option<&Host>, intervals: usize) -> Threads {
        Threads {
            intervals: Intervals::new(intervals),
            threads: HashMap::new(),
            others: Counts::new(),
            names: host.map_or_else(ThreadNames::default, ThreadNames::of_host),
            near: Near::default(),
        }
    }

    /// Learns the name of a thread from a record.
    pub(crate) fn take(&mut self, record: &Record<'_>) {
        self.names.take(record);
    }

    /// Looks up the name of a thread that was there before the profile, for which there is no record.
    pub(crate) fn look_up(&mut self, tid: u32) {
        self.names.look_up(tid);
    }

    pub(crate) fn sample(&mut self, sample: &Sample<'_>, weight: u64) {
        let (Some(pid), Some(tid), Some(time)) = (sample.pid, sample.tid, sample.time) else {
            return;
        };
        if self.near.thread == (pid, tid) && self.near.times.contains(&time) {
            self.near.count = self.near.count.saturating_add(weight);
            return;
        }
        self.settle();
        if !self.threads.contains_key(&(pid, tid)) && self.threads.len() < MOST_THREADS {
            self.threads.insert((pid, tid), Counts::new());
            self.look_up(tid);
        }
        let (interval, halvings) = self.intervals.at(time);
        if halvings > 0 {
            for counts in self.threads.values_mut().chain([&mut self.others]) {
                for (interval, count) in std::mem::take(counts) {
                    let sum: &mut u64 = counts.entry(interval >> halvings).or_default();
                    *sum = sum.saturating_add(count);
                }
            }
        }
        let times = self.intervals.times(interval);
        self.near = Near { thread: (pid, tid), times, count: weight };
    }

    /// Adds the samples that were counted aside.
    fn settle(&mut self) {
        let Near { thread, times, count } = std::mem::take(&mut self.near);
        if count > 0 {
            let counts = self.threads.get_mut(&thread).unwrap_or(&mut self.others);
            let sum: &mut u64 = counts.entry(self.intervals.number(times.start)).or_default();
            *sum = sum.saturating_add(count);
        }
    }

    /// The samples since the last call; names are kept.
    pub(crate) fn take_counted(&mut self) -> ThreadTimes {
        self.settle();
        let Span { length, numbers } = self.intervals.take();
        let counted = std::mem::take(&mut self.threads);
        let others = std::mem::take(&mut self.others);
        let all = |counts: &Counts| -> Vec<u64> {
            numbers.clone().map(|at| counts.get(&at).copied().unwrap_or(0)).collect()
        };
        let thread = |((pid, tid), counts): (&(u32, u32), &Counts)| ThreadSamples {
            pid: *pid,
            tid: *tid,
            name: self.names.last(*tid).or_else(|| self.names.last(*pid)).map(str::to_string),
            counts: all(counts),
        };
        let mut threads: Vec<ThreadSamples> = counted.iter().map(thread).collect();
        threads.sort_by_key(|of| (std::cmp::Reverse(of.samples()), of.pid, of.tid));
        ThreadTimes {
            interval: length,
            intervals: numbers.clone().count(),
            threads,
            others: if others.is_empty() { Vec::new() } else { all(&others) },
        }
    }
}

impl ThreadSamples {
    /// The number of samples.
    pub fn samples(&self) -> u64 {
        self.counts.iter().fold(0, |sum, count| sum.saturating_add(*count))
    }
}
