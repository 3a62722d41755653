//! The counts of one thread.

use super::timeline::Spans;
use crate::counting::counters::Counters;
use crate::counting::open::Opened;
use crate::counting::schedule::Schedule;
use crate::error::Error;
use counterpoint_perf::{Count, Host};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

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
    /// When it was entered, if that is recorded.
    pub entered: Duration,
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
        let entry = &mut self.entries[index];
        entry.calls += 1;
        entry.depth += 1;
        if let (1, Some(recording)) = (entry.depth, &self.spans.recording) {
            entry.entered = recording.began.elapsed();
        }
        if let (1, Some(counters)) = (entry.depth, &mut self.counters)
            && let Err(error) = counters.read_counts(&mut entry.start)
        {
            self.failure = Some(error.to_string());
        }
        index
    }

    #[cold]
    fn first(&mut self, name: &str) -> usize {
        let index = self.entries.len();
        let zero = vec![Count::default(); self.now.len()];
        let (start, sum) = (zero.clone(), zero);
        let entered = Duration::ZERO;
        self.entries.push(Entry { name: name.into(), calls: 0, depth: 0, entered, start, sum });
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
        if entry.depth == 0 {
            self.spans.add(index, entry.entered);
        }
        let (0, Some(counters)) = (entry.depth, &mut self.counters) else { return };
        if let Err(error) = counters.read_counts(&mut self.now) {
            self.failure = Some(error.to_string());
            return;
        }
        let counts = self.now.iter().zip(&entry.start).zip(self.opened.parts.iter());
        for (sum, ((now, start), part)) in entry.sum.iter_mut().zip(counts) {
            *sum = sum.plus(&now.since(start));
            if part.snapshot {
                sum.raw = now.raw;
            }
        }
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

/// The lock, even if a thread panicked while it held it: each change is complete, so the counts remain valid.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
