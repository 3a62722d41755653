//! Divides each instant among the threads.

use super::tracks::{Segment, State, Track};

/// The number of running threads over time, and what has the time in which none runs.
pub(super) struct Shares {
    /// The times at which the number changes.
    times: Vec<u64>,
    /// The number from each time on.
    running: Vec<u32>,
    /// The time that a thread gets which ran from the first time up to each.
    sums: Vec<f64>,
    /// The times in which none runs, in order, each with the thread that runs next; `None` at the end.
    gaps: Vec<(u64, u64, Option<usize>)>,
    /// The threads that wait at the end.
    waiting: Vec<bool>,
    /// Their number.
    waiting_count: usize,
}

impl Shares {
    pub(super) fn new(tracks: &[Track], end: u64) -> Shares {
        let mut changes: Vec<(u64, i32, usize)> = Vec::new();
        for (thread, track) in tracks.iter().enumerate() {
            for of in track.segments.iter().filter(|of| of.state == State::Running) {
                changes.extend([(of.start, 1, thread), (of.end, -1, thread)]);
            }
        }
        changes.sort_unstable();
        let mut shares = Shares {
            times: Vec::new(),
            running: Vec::new(),
            sums: Vec::new(),
            gaps: Vec::new(),
            waiting: tracks.iter().map(|track| !track.has_ended).collect(),
            waiting_count: tracks.iter().filter(|track| !track.has_ended).count(),
        };
        let (mut running, mut sum) = (0_i32, 0.0);
        let mut since = tracks.iter().map(|track| track.start).min().unwrap_or(end);
        for same in changes.chunk_by(|one, other| one.0 == other.0) {
            let time = same[0].0;
            if running > 0 {
                sum += (time - since) as f64 / f64::from(running);
            } else if time > since {
                let next = same.iter().find(|(_, by, _)| *by > 0).map(|(.., thread)| *thread);
                shares.gaps.push((since, time, next));
            }
            running += same.iter().map(|(_, by, _)| by).sum::<i32>();
            since = time;
            shares.times.push(time);
            shares.running.push(running.unsigned_abs());
            shares.sums.push(sum);
        }
        if end > since {
            shares.gaps.push((since, end, None));
        }
        shares
    }

    /// The part of the wall time that a thread has in one of its segments.
    pub(super) fn of(&self, thread: usize, segment: &Segment) -> f64 {
        if segment.state == State::Running {
            let sum = |time| self.times.binary_search(&time).map_or(0.0, |at| self.sums[at]);
            return sum(segment.end) - sum(segment.start);
        }
        let first = self.gaps.partition_point(|(_, end, _)| *end <= segment.start);
        let gaps = self.gaps[first..].iter().take_while(|(start, ..)| *start < segment.end);
        let part = |(start, end, next): &(u64, u64, Option<usize>)| {
            let both = (*end).min(segment.end) - (*start).max(segment.start);
            match next {
                Some(next) if *next == thread => both as f64,
                Some(_) => 0.0,
                None if self.waiting[thread] => both as f64 / self.waiting_count as f64,
                None => 0.0,
            }
        };
        gaps.map(part).sum()
    }

    /// The number of threads that run at a time.
    pub(super) fn running(&self, time: u64) -> u32 {
        let after = self.times.partition_point(|of| *of <= time);
        after.checked_sub(1).map_or(0, |at| self.running[at])
    }
}
