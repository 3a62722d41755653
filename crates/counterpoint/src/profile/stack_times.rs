//! Counts the call stacks of each thread over time.

use super::intervals::{Intervals, Span};
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

/// The call stacks of each thread over time.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct StackTimes {
    /// The length of an interval; the first one begins less than that before the first sample.
    pub interval: Duration,
    /// The number of intervals.
    pub intervals: usize,
    /// The threads, each by its process and its own id.
    pub threads: Vec<(u32, u32)>,
    /// The counts, in the order of intervals and threads.
    pub counts: Vec<StackCount>,
    /// The count of samples that are in none of these, because there are too many frames or counts.
    pub beyond: u64,
}

/// How often a thread was seen with a stack in an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct StackCount {
    /// The number of the interval.
    pub interval: u32,
    /// The index of the thread.
    pub thread: u32,
    /// The index of the innermost frame among those of the stacks.
    pub frame: u32,
    /// The samples, weighted if samples are.
    pub count: u64,
}

/// The counts while samples are taken.
#[derive(Clone)]
pub(crate) struct Counting {
    intervals: Intervals,
    threads: HashMap<(u32, u32), u32>,
    /// The thread counted last, because samples come in clusters.
    near: Option<((u32, u32), u32)>,
    /// By interval, thread and frame.
    counts: HashMap<(u64, u32, u32), u64>,
    /// The most counts.
    most: usize,
    beyond: u64,
}

/// The counts that are kept; each takes some 40 bytes.
const MOST_COUNTS: usize = 1 << 21;
impl Counting {
    pub(crate) fn new(intervals: usize) -> Counting {
        Counting {
            intervals: Intervals::new(intervals),
            threads: HashMap::new(),
            near: None,
            counts: HashMap::new(),
            most: MOST_COUNTS,
            beyond: 0,
        }
    }

    /// Counts a stack by its innermost frame, which is `None` if there was no room for it.
    pub(crate) fn count(&mut self, thread: (u32, u32), time: u64, frame: Option<u32>, weight: u64) {
        let (interval, halvings) = self.intervals.at(time);
        self.halve(halvings);
        let known = self.known(thread);
        let index = known.unwrap_or(self.threads.len() as u32);
        let key = frame.map(|frame| (interval, index, frame));
        let has_room = |key: &_| self.counts.len() < self.most || self.counts.contains_key(key);
        let count = match key.filter(has_room) {
            Some(key) => {
                if known.is_none() {
                    self.threads.insert(thread, index);
                }
                self.near = Some((thread, index));
                self.counts.entry(key).or_default()
            }
            None => &mut self.beyond,
        };
        *count = count.saturating_add(weight);
        while self.counts.len() >= self.most && self.intervals.are_several() {
            self.intervals.double();
            self.halve(1);
        }
    }

    /// The index of a thread that has counts.
    fn known(&self, thread: (u32, u32)) -> Option<u32> {
        match self.near {
            Some((near, index)) if near == thread => Some(index),
            _ => self.threads.get(&thread).copied(),
        }
    }

    /// Adds up the counts of intervals that became one.
    fn halve(&mut self, times: u32) {
        if times == 0 {
            return;
        }
        for ((interval, thread, frame), count) in std::mem::take(&mut self.counts) {
            let sum: &mut u64 = self.counts.entry((interval >> times, thread, frame)).or_default();
            *sum = sum.saturating_add(count);
        }
    }

    /// The counts since the last call.
    pub(crate) fn take_counted(&mut self) -> StackTimes {
        let Span { length, numbers } = self.intervals.take();
        self.near = None;
        let threads: BTreeMap<u32, (u32, u32)> =
            std::mem::take(&mut self.threads).into_iter().map(|(of, index)| (index, of)).collect();
        let count = |((interval, thread, frame), count): ((u64, u32, u32), u64)| StackCount {
            interval: (interval - numbers.start) as u32,
            thread,
            frame,
            count,
        };
        let counts = std::mem::take(&mut self.counts);
        let mut counts: Vec<StackCount> = counts.into_iter().map(count).collect();
        counts.sort_unstable();
        StackTimes {
            interval: length,
            intervals: numbers.count(),
            threads: threads.into_values().collect(),
            counts,
            beyond: std::mem::take(&mut self.beyond),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_sample_is_lost_or_moved_to_another_thread_or_stack(
            samples in prop::collection::vec((0_u32..3, 1_u64..1 << 40, 0_u32..4), 0..60),
            intervals in 1..40_usize,
        ) {
            let mut counting = Counting::new(intervals);
            for (thread, time, frame) in &samples {
                counting.count((7, *thread), *time, Some(*frame), 1);
            }
            let times = counting.take_counted();
            prop_assert!(times.intervals <= intervals.max(2));
            let first = samples.iter().map(|(_, time, _)| *time).min().unwrap_or(0);
            let length = times.interval.as_nanos() as u64;
            let begin = first / length;
            let mut expected: BTreeMap<(u32, u32, u32), u64> = BTreeMap::new();
            for (thread, time, frame) in samples {
                let interval = (time / length - begin) as u32;
                *expected.entry((interval, thread, frame)).or_default() += 1;
            }
            let found: BTreeMap<(u32, u32, u32), u64> = times
                .counts
                .iter()
                .map(|of| ((of.interval, times.threads[of.thread as usize].1, of.frame), of.count))
                .collect();
            prop_assert_eq!(found, expected);
            prop_assert_eq!(times.beyond, 0);
        }

        #[test]
        fn memory_is_bounded_and_what_has_no_room_is_counted(
            samples in prop::collection::vec((0_u32..9, 0_u64..1 << 40, 0_u32..9), 0..200),
            most in 1..40_usize,
        ) {
            let mut counting = Counting { most, ..Counting::new(600) };
            for (thread, time, frame) in &samples {
                counting.count((7, *thread), *time, Some(*frame), 1);
                prop_assert!(counting.counts.len() <= most && counting.threads.len() <= most);
            }
            let times = counting.take_counted();
            let kept: u64 = times.counts.iter().map(|of| of.count).sum();
            prop_assert_eq!(kept + times.beyond, samples.len() as u64);
        }
    }
}
