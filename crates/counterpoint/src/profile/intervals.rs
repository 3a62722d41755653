//! Intervals of time of one length, which doubles when there would be too many of them.

use std::ops::Range;
use std::time::Duration;

/// The intervals in which there are samples.
#[derive(Clone)]
pub(crate) struct Intervals {
    /// The most of them.
    most: u64,
    /// The length of one in ns.
    length: u64,
    /// The first and the last with a sample, by their numbers counted from the time 0.
    span: Option<(u64, u64)>,
}

/// The intervals at the end.
pub(crate) struct Span {
    /// The length of one.
    pub length: Duration,
    /// The numbers of those from the first to the last with a sample.
    pub numbers: Range<u64>,
}

/// The shortest interval in ns.
const SHORTEST: u64 = 1 << 20;

impl Intervals {
    pub(crate) fn new(most: usize) -> Intervals {
        // With one, times before and after a power of two would need the longest of all.
        Intervals { most: (most as u64).max(2), length: SHORTEST, span: None }
    }

    /// The number of the interval of a time, and how often the numbers of all before were halved for it, because the length was doubled.
    pub(crate) fn at(&mut self, time: u64) -> (u64, u32) {
        let mut halvings = 0;
        loop {
            let interval = time / self.length;
            let (first, last) = self.span.unwrap_or((interval, interval));
            let (first, last) = (first.min(interval), last.max(interval));
            if last - first < self.most {
                self.span = Some((first, last));
                return (interval, halvings);
            }
            self.double();
            halvings += 1;
        }
    }

    /// Returns true if there are several.
    pub(crate) fn are_several(&self) -> bool {
        self.span.is_some_and(|(first, last)| first < last)
    }

    /// Doubles the length, which halves the number of every interval.
    pub(crate) fn double(&mut self) {
        self.length *= 2;
        self.span = self.span.map(|(first, last)| (first / 2, last / 2));
    }

    /// The times of an interval.
    pub(crate) fn times(&self, interval: u64) -> Range<u64> {
        let start = interval * self.length;
        start..start.saturating_add(self.length)
    }

    /// The number of the interval of a time that is in one of them.
    pub(crate) fn number(&self, time: u64) -> u64 {
        time / self.length
    }

    /// The intervals so far; those that follow begin anew.
    pub(crate) fn take(&mut self) -> Span {
        let numbers = self.span.take().map_or(0..0, |(first, last)| first..last + 1);
        let length = Duration::from_nanos(std::mem::replace(&mut self.length, SHORTEST));
        Span { length, numbers }
    }
}
