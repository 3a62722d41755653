//! The counts of one thread.

use super::timeline::Spans;
use super::visits::Visits;
use crate::counting::counters::Counters;
use crate::counting::open::{Opened, Part};
use crate::counting::schedule::Schedule;
use crate::counting::snapshot::{plus, since};
use crate::error::Error;
use counterpoint_perf::{Count, Host, process};
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

/// Returns the number of the calling thread among those that share work.
pub(super) type Numbers = fn() -> Option<u32>;

/// The counts of one thread; only that thread takes the lock, until a report is requested.
pub(super) struct Local {
    pub thread: u32,
    /// Its number among the threads that share work, once `numbers` has told it.
    pub number: Option<u32>,
    pub numbers: Option<Numbers>,
    pub counters: Option<Counters>,
    pub opened: Opened,
    pub lost: Vec<usize>,
    /// The reason why the counters could not be started or read.
    pub failure: Option<String>,
    pub names: HashMap<Box<str>, usize>,
    pub entries: Vec<Entry>,
    /// The region that was entered last, which often is the next one, too, and then need not be looked up.
    pub last: usize,
    pub now: Vec<Count>,
    pub spans: Spans,
    /// False if the whole process is counted.
    pub is_of_thread: bool,
    /// What an empty visit takes.
    pub visit: Duration,
}

/// The visits in which the other threads are watched, which takes two system calls: the first ones of each region.
const WATCHED: u32 = 8;

/// The CPU time of the other threads of the process during the first visits of a region.
#[derive(Default)]
pub(super) struct Others {
    visits: u32,
    start: Duration,
    time: Duration,
    wall: Duration,
}

impl Others {
    fn now() -> Duration {
        let times =
            process::process_time().and_then(|all| Ok(all.saturating_sub(process::thread_time()?)));
        times.unwrap_or_default()
    }

    #[cold]
    fn enter(&mut self) {
        self.start = Others::now();
    }

    #[cold]
    fn leave(&mut self, wall: Duration) {
        self.visits += 1;
        self.time += Others::now().saturating_sub(self.start);
        self.wall += wall;
    }

    /// Returns true if they ran for a tenth of the time at least.
    pub(super) fn ran(&self) -> bool {
        !self.time.is_zero() && self.time * 10 >= self.wall
    }
}

/// A region in one thread.
pub(super) struct Entry {
    pub name: Box<str>,
    pub calls: u64,
    /// The depth of nested entries.
    pub depth: usize,
    /// When it was entered last.
    pub entered: Instant,
    pub others: Others,
    /// The time that the thread has spent in it, also while it waited.
    pub wall: Duration,
    pub start: Vec<Count>,
    pub sum: Vec<Count>,
    /// From the first visit on in which events took turns.
    pub visits: Option<Box<Visits>>,
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
        Local {
            thread,
            number: None,
            numbers: None,
            counters,
            opened,
            lost,
            failure,
            names,
            entries,
            last: 0,
            now,
            spans: Spans::default(),
            is_of_thread: true,
            visit: Duration::ZERO,
        }
    }

    /// Measures what a visit takes: the least time of empty visits of a region that is then forgotten.
    pub(super) fn measure_visit(&mut self) -> Duration {
        const VISITS: u32 = 16;
        let index = self.first("");
        let mut least = Duration::MAX;
        // The first visits take longer, and so they do in every region.
        for visit in 0..WATCHED + VISITS {
            let begun = Instant::now();
            self.enter("");
            self.leave(index);
            if visit >= WATCHED {
                least = least.min(begun.elapsed());
            }
        }
        (self.names, self.entries) = (HashMap::new(), Vec::new());
        self.visit = least;
        least
    }

    #[inline]
    pub(super) fn enter(&mut self, name: &str) -> usize {
        let index = match self.entries.get(self.last) {
            Some(entry) if *entry.name == *name => self.last,
            _ => self.names.get(name).copied().unwrap_or_else(|| self.first(name)),
        };
        self.last = index;
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
        if self.is_of_thread && entry.others.visits < WATCHED {
            entry.others.enter();
        }
        if let Some(counters) = &mut self.counters
            && let Err(error) = counters.read_counts(&mut entry.start)
        {
            self.failure = Some(error.to_string());
        }
    }

    #[cold]
    fn first(&mut self, name: &str) -> usize {
        // A thread that has no number yet may be in a loop now.
        self.number = self.number.or_else(|| self.numbers?());
        let index = self.entries.len();
        let zero = vec![Count::default(); self.now.len()];
        let (start, sum) = (zero.clone(), zero);
        let (entered, wall) = (Instant::now(), Duration::ZERO);
        let others = Others::default();
        self.entries.push(Entry {
            name: name.into(),
            calls: 0,
            depth: 0,
            entered,
            others,
            wall,
            start,
            sum,
            visits: None,
        });
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
        let wall = left.duration_since(entry.entered);
        entry.wall += wall;
        if self.is_of_thread && entry.others.visits < WATCHED {
            entry.others.leave(wall);
        }
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
        let mut takes_turns = self.visits.is_some();
        for (sum, ((now, start), part)) in self.sum.iter_mut().zip(counts) {
            let visit = since(now, start, part.snapshot);
            takes_turns |= visit.running != visit.enabled;
            *sum = plus(sum, &visit, part.snapshot);
        }
        if takes_turns {
            self.add_visit(now);
        }
    }

    #[cold]
    fn add_visit(&mut self, now: &[Count]) {
        match &mut self.visits {
            None => self.visits = Some(Box::new(Visits::since(&self.sum))),
            Some(visits) => {
                visits.add(now.iter().zip(&self.start).map(|(now, start)| now.since(start)));
            }
        }
    }
}

/// The lock, even if a thread panicked while it held it: each change is complete, so the counts remain valid.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
