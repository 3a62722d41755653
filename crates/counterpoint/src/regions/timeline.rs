use std::time::{Duration, Instant, SystemTime};

/// When the regions of a thread were entered and left.
///
/// Made by [`Regions::timeline`](crate::Regions::timeline).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Timeline {
    /// The thread.
    pub thread: u32,
    /// Its number among the threads that share work, if it is known.
    pub thread_number: Option<u32>,
    /// The time from which `start` and `end` are counted, the same for all threads.
    pub began: SystemTime,
    /// The visits that have ended, in the order in which they ended.
    pub visits: Vec<Visit>,
    /// The number of visits that were left out, because the thread had more than are kept.
    pub left_out: u64,
}

/// The time from entering a region to leaving it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Visit {
    /// The name of the region.
    pub region: String,
    /// When it was entered, since the timeline began.
    pub start: Duration,
    /// When it was left.
    pub end: Duration,
}

/// The most visits that are recorded, and the time since when.
#[derive(Clone, Copy)]
pub(super) struct Recording {
    pub began: Instant,
    pub began_at: SystemTime,
    /// The most visits of a thread.
    pub most: usize,
}

impl Recording {
    pub(super) fn new(most: usize) -> Recording {
        Recording { began: Instant::now(), began_at: SystemTime::now(), most }
    }
}

/// A visit with the index of its region.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub entry: usize,
    pub start: Duration,
    pub end: Duration,
}

/// The visits of a thread.
#[derive(Default)]
pub(super) struct Spans {
    pub recording: Option<Recording>,
    pub kept: Vec<Span>,
    pub left_out: u64,
}

impl Spans {
    pub(super) fn add(&mut self, entry: usize, entered: Instant, left: Instant) {
        let Some(recording) = &self.recording else { return };
        if self.kept.len() < recording.most {
            let [start, end] = [entered, left].map(|at| at.duration_since(recording.began));
            self.kept.push(Span { entry, start, end });
        } else {
            self.left_out += 1;
        }
    }
}
