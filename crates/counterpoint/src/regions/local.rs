//! The counts of one thread.

use super::timeline::Spans;
use crate::counting::counters::Counters;
use crate::counting::open::{Opened, Part};
use crate::counting::schedule::Schedule;
use crate::error::Error;
use counterpoint_perf::{Count, Host};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The state of one thread for some `Regions`; its counters are closed when the thread ends, and its sums are kept.
pub(super) struct ThreadPart {
    pub number: u64,
    pub local: Arc<Mutex<Local>>,
}

impl Drop for ThreadPart {
    fn drop(&mut self) {
        lock(&self.local).close();
    }
}

/// The counts of one thread; only that thread takes the lock, until a report is requested.
pub(super) struct Local {
    pub thread: u32,
    pub counters: Option<Counters>,
    pub opened: Opened,
    pub lost: Vec<usize>,
    /// The reason why the counters could not be started or read.
    pub failure: Option<String>,
    pub names: HashMap<Box<str>, usize>,
    pub entries: Vec<Entry>,
    pub now: Vec<Count>,
    pub spans: Spans,
}

/// A region in one thread.
pub(super) struct Entry {
    pub name: Box<str>,
    pub calls: u64,
    /// The depth of nested entries.
    pub depth: usize,
    /// When it was entered last.
    pub entered: Instant,
    /// The time that the thread has spent in it, also while it waited.
    pub wall: Duration,
    pub start: Vec<Count>,
    pub sum: Vec<Count>,
}

impl Local {
    pub(super) fn new(
        thread: u32,
        counters: Result<Counters, Error>,
        schedule: &Schedule,
        host: &Host,
    ) -> Local {
        let (counters, opened, failure) = match counters {
            Ok(counters) => {
                let opened = counters.opened.clone();
                (Some(counters), opened, None)
            }
            Err(error) => (None, Opened::nothing(schedule.clone(), host), Some(error.to_string())),
        };
        let now = vec![Count::default(); opened.parts.len()];
        let (lost, names, entries) = (Vec::new(), HashMap::new(), Vec::new());
        let spans = Spans::default();
        Local { thread, counters, opened, lost, failure, names, entries, now, spans }
    }

    #[inline]
    pub(super) fn enter(&mut self, name: &str) -> usize {
        let index = match self.names.get(name) {
            Some(index) => *index,
            None => self.first(name),
        };
        self.entries[index].calls += 1;
        self.resume(index);
        index
    }

    /// Enters a region without a call of it.
    #[inline]
    pub(super) fn resume(&mut self, index: usize) {
        let entry = &mut self.entries[index];
        entry.depth += 1;
        if entry.depth > 1 {
            return;
        }
        // The clock is read before the counters, and after them in the end, so that no CPU time exceeds the wall time.
        entry.entered = Instant::now();
        if let Some(counters) = &mut self.counters
            && let Err(error) = counters.read_counts(&mut entry.start)
        {
            self.failure = Some(error.to_string());
        }
    }

    #[cold]
    fn first(&mut self, name: &str) -> usize {
        let index = self.entries.len();
        let zero = vec![Count::default(); self.now.len()];
        let (start, sum) = (zero.clone(), zero);
        let (entered, wall) = (Instant::now(), Duration::ZERO);
        let name_of = name.into();
        self.entries.push(Entry { name: name_of, calls: 0, depth: 0, entered, wall, start, sum });
        self.names.insert(name.into(), index);
        index
    }

    /// The index of a region that is open.
    #[inline]
    pub(super) fn open(&self, name: &str) -> Option<usize> {
        let index = *self.names.get(name)?;
        (self.entries[index].depth > 0).then_some(index)
    }

    #[inline]
    pub(super) fn leave(&mut self, index: usize) {
        let Some(entry) = self.entries.get_mut(index) else { return };
        entry.depth -= 1;
        if entry.depth > 0 {
            return;
        }
        if let Some(counters) = &mut self.counters {
            match counters.read_counts(&mut self.now) {
                Ok(()) => entry.add(&self.now, &self.opened.parts),
                Err(error) => self.failure = Some(error.to_string()),
            }
        }
        let left = Instant::now();
        entry.wall += left.duration_since(entry.entered);
        self.spans.add(index, entry.entered, left);
    }

    pub(super) fn close(&mut self) {
        if let Some(counters) = self.counters.take() {
            self.lost = counters.lost_parts().collect();
        }
    }

    /// The parts whose pinned event has lost its counter.
    pub(super) fn lost_parts(&self) -> Vec<usize> {
        match &self.counters {
            Some(counters) => counters.lost_parts().collect(),
            None => self.lost.clone(),
        }
    }
}

impl Entry {
    /// Adds the counts since it was entered.
    #[inline]
    fn add(&mut self, now: &[Count], parts: &[Part]) {
        let counts = now.iter().zip(&self.start).zip(parts);
        for (sum, ((now, start), part)) in self.sum.iter_mut().zip(counts) {
            *sum = sum.plus(&now.since(start));
            if part.snapshot {
                sum.raw = now.raw;
            }
        }
    }
}

/// The lock, even if a thread panicked while it held it: each change is complete, so the counts remain valid.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
