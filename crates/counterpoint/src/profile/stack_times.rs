//! Counts the call stacks of each thread over time.

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
    /// The count of samples that are in none of these, because there are too many, or their time is not known.
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
    /// The most intervals.
    most: u64,
    /// The length of an interval in ns, which doubles when there are too many intervals or counts.
    length: u64,
    /// The first and the last interval with a sample, counted from the time 0.
    span: Option<(u64, u64)>,
    threads: HashMap<(u32, u32), u32>,
    /// By interval, thread and frame.
    counts: HashMap<(u64, u32, u32), u64>,
    beyond: u64,
}

/// The counts that are kept; each takes some 40 bytes.
const MOST_COUNTS: usize = 1 << 21;
/// The shortest interval in ns.
const SHORTEST: u64 = 1 << 20;

impl Counting {
    pub(crate) fn new(intervals: usize) -> Counting {
        Counting {
            // With one interval, times before and after a power of two would need the longest of all.
            most: (intervals as u64).max(2),
            length: SHORTEST,
            span: None,
            threads: HashMap::new(),
            counts: HashMap::new(),
            beyond: 0,
        }
    }

    /// Counts a stack by its innermost frame; of a frame for which there was no room, it is `None`.
    pub(crate) fn count(&mut self, thread: (u32, u32), time: u64, frame: Option<u32>, weight: u64) {
        let Some(frame) = frame.filter(|_| time > 0) else {
            self.beyond = self.beyond.saturating_add(weight);
            return;
        };
        let interval = self.interval_at(time);
        let next = self.threads.len() as u32;
        let thread = *self.threads.entry(thread).or_insert(next);
        let count: &mut u64 = self.counts.entry((interval, thread, frame)).or_default();
        *count = count.saturating_add(weight);
        while self.counts.len() > MOST_COUNTS && self.span.is_some_and(|(first, last)| first < last)
        {
            self.lengthen();
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
            self.lengthen();
        }
    }

    fn lengthen(&mut self) {
        self.length *= 2;
        self.span = self.span.map(|(first, last)| (first / 2, last / 2));
        for ((interval, thread, frame), count) in std::mem::take(&mut self.counts) {
            let sum: &mut u64 = self.counts.entry((interval / 2, thread, frame)).or_default();
            *sum = sum.saturating_add(count);
        }
    }

    /// The counts since the last call.
    pub(crate) fn take_counted(&mut self) -> StackTimes {
        let (first, last) = self.span.take().unwrap_or((1, 0));
        let threads: BTreeMap<u32, (u32, u32)> =
            std::mem::take(&mut self.threads).into_iter().map(|(of, index)| (index, of)).collect();
        let count = |((interval, thread, frame), count): ((u64, u32, u32), u64)| StackCount {
            interval: (interval - first) as u32,
            thread,
            frame,
            count,
        };
        let counts = std::mem::take(&mut self.counts);
        let mut counts: Vec<StackCount> = counts.into_iter().map(count).collect();
        counts.sort_unstable();
        StackTimes {
            interval: Duration::from_nanos(std::mem::replace(&mut self.length, SHORTEST)),
            intervals: (first..=last).count(),
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
    }
}
