//! Counts the samples of each thread over time.

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
    /// The most intervals.
    most: u64,
    /// The length of an interval in ns, which doubles when there are too many.
    length: u64,
    /// The first and the last interval with a sample, counted from the time 0.
    span: Option<(u64, u64)>,
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
/// The shortest interval in ns.
const SHORTEST: u64 = 1 << 20;

impl Threads {
    /// The names of threads for which there is no record are looked up if there is a host.
    pub(crate) fn new(host: Option<&Host>, intervals: usize) -> Threads {
        Threads {
            // With one interval, times before and after a power of two would need the longest of all.
            most: (intervals as u64).max(2),
            length: SHORTEST,
            span: None,
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
        let start = self.interval_at(time) * self.length;
        let times = start..start.saturating_add(self.length);
        self.near = Near { thread: (pid, tid), times, count: weight };
    }

    /// Adds the samples that were counted aside.
    fn settle(&mut self) {
        let Near { thread, times, count } = std::mem::take(&mut self.near);
        if count > 0 {
            let counts = self.threads.get_mut(&thread).unwrap_or(&mut self.others);
            let sum: &mut u64 = counts.entry(times.start / self.length).or_default();
            *sum = sum.saturating_add(count);
        }
    }

    /// The interval of a time, after making intervals longer until there are few enough.
    fn interval_at(&mut self, time: u64) -> u64 {
        loop {
            let interval = time / self.length;
            let (first, last) = self.span.unwrap_or((interval, interval));
            let (first, last) = (first.min(interval), last.max(interval));
            if last - first < self.most {
                self.span = Some((first, last));
                return interval;
            }
            self.length *= 2;
            self.span = self.span.map(|(first, last)| (first / 2, last / 2));
            for counts in self.threads.values_mut().chain([&mut self.others]) {
                for (interval, count) in std::mem::take(counts) {
                    let sum: &mut u64 = counts.entry(interval / 2).or_default();
                    *sum = sum.saturating_add(count);
                }
            }
        }
    }

    /// The samples since the last call; names are kept.
    pub(crate) fn take_counted(&mut self) -> ThreadTimes {
        self.settle();
        let (first, last) = self.span.take().unwrap_or((1, 0));
        let length = std::mem::replace(&mut self.length, SHORTEST);
        let counted = std::mem::take(&mut self.threads);
        let others = std::mem::take(&mut self.others);
        let all = |counts: &Counts| -> Vec<u64> {
            (first..=last).map(|at| counts.get(&at).copied().unwrap_or(0)).collect()
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
            interval: Duration::from_nanos(length),
            intervals: (first..=last).count(),
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
