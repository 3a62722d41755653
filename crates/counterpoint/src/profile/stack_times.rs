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

/// The counts while samples are taken: one for each sample at first, which are added up when there is no room for more.
#[derive(Clone)]
pub(crate) struct Counting {
    intervals: Intervals,
    threads: HashMap<(u32, u32), u32>,
    /// The thread counted last, because samples come in clusters.
    near: Option<((u32, u32), u32)>,
    counts: Vec<Count>,
    /// The most counts.
    most: usize,
    /// The counts of different stacks take all the room.
    is_full: bool,
    beyond: u64,
}

/// The interval by its number from the time 0, the thread, the innermost frame, and the samples.
type Count = (u64, u32, u32, u64);

/// The counts that are kept, in 48 MB.
const MOST_COUNTS: usize = 1 << 21;

impl Counting {
    pub(crate) fn new(intervals: usize) -> Counting {
        Counting {
            intervals: Intervals::new(intervals),
            threads: HashMap::new(),
            near: None,
            counts: Vec::new(),
            most: MOST_COUNTS,
            is_full: false,
            beyond: 0,
        }
    }

    /// Counts a stack by its innermost frame, which is `None` if there was no room for it.
    pub(crate) fn count(&mut self, thread: (u32, u32), time: u64, frame: Option<u32>, weight: u64) {
        if self.counts.len() >= self.most && !self.is_full {
            self.make_room();
        }
        let Some(frame) = frame.filter(|_| !self.is_full) else {
            self.beyond = self.beyond.saturating_add(weight);
            return;
        };
        let (interval, halvings) = self.intervals.at(time);
        self.halve(halvings);
        let thread = self.thread(thread);
        self.counts.push((interval, thread, frame, weight));
    }

    /// The index of a thread.
    fn thread(&mut self, thread: (u32, u32)) -> u32 {
        match self.near {
            Some((near, index)) if near == thread => index,
            _ => {
                let next = self.threads.len() as u32;
                let index = *self.threads.entry(thread).or_insert(next);
                self.near = Some((thread, index));
                index
            }
        }
    }

    /// Halves the numbers of all intervals so many times.
    fn halve(&mut self, times: u32) {
        if times > 0 {
            self.counts.iter_mut().for_each(|(interval, ..)| *interval >>= times);
        }
    }

    /// Adds up counts of the same stack, in longer intervals until half of the room is free.
    fn make_room(&mut self) {
        self.add_up();
        while self.counts.len() > self.most / 2 && self.intervals.are_several() {
            self.intervals.double();
            self.halve(1);
            self.add_up();
        }
        // With less room, it would soon be made again.
        self.is_full = self.counts.len() >= self.most - self.most / 8;
    }

    fn add_up(&mut self) {
        self.counts.sort_unstable();
        self.counts.dedup_by(|next, kept| {
            let is_same = (kept.0, kept.1, kept.2) == (next.0, next.1, next.2);
            if is_same {
                kept.3 = kept.3.saturating_add(next.3);
            }
            is_same
        });
    }

    /// The counts since the last call.
    pub(crate) fn take_counted(&mut self) -> StackTimes {
        self.add_up();
        let Span { length, numbers } = self.intervals.take();
        let threads: BTreeMap<u32, (u32, u32)> =
            std::mem::take(&mut self.threads).into_iter().map(|(of, index)| (index, of)).collect();
        let count = |(interval, thread, frame, count): Count| StackCount {
            interval: (interval - numbers.start) as u32,
            thread,
            frame,
            count,
        };
        (self.near, self.is_full) = (None, false);
        StackTimes {
            interval: length,
            threads: threads.into_values().collect(),
            counts: std::mem::take(&mut self.counts).into_iter().map(count).collect(),
            intervals: numbers.count(),
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
