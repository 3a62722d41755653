//! Parts of a program, counted by name and by thread.

mod json;
mod report;

pub use report::{RegionCounts, RegionReport};

use crate::opening::{Opened, Options};
use crate::resolved::{Metric, Resolved, Rule};
use crate::{Counting, Error, EventSet, Reason, Target};
use counterpoint_perf::{Count, Host, process};
use std::cell::RefCell;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Counts the regions of a program: each thread that enters one opens the events for itself, and keeps sums by name.
///
/// Entering reads the counters and leaving reads them again; there is little else to it.
/// A region entered again inside itself is counted once, from the outermost entry to its end, and regions of different names may nest and overlap as they like: each has all that was done while it was open.
/// What a thread starts is counted where it enters regions itself.
///
/// ```
/// use counterpoint::{EventSet, Target};
/// let regions = EventSet::new(Target::ThisThread).event("task-clock,page-faults").regions()?;
/// std::thread::scope(|scope| {
///     for _ in 0..2 {
///         scope.spawn(|| {
///             let _solve = regions.region("solve");
///             std::hint::black_box(vec![1_u8; 1 << 20]);
///         });
///     }
/// });
/// let report = regions.report();
/// let solve = report.total("solve").unwrap();
/// assert_eq!(solve.calls, 2);
/// assert!(solve.report.rows[0].value.as_f64().is_some());
/// println!("{report}");
/// # Ok::<(), counterpoint::Error>(())
/// ```
///
/// A process that was forked, without `exec`, from one that had entered regions makes its own `Regions`: these would read the parent's counters.
#[doc(alias = "PAPI_hl_region_begin")]
pub struct Regions {
    host: Host,
    resolved: Resolved,
    options: Options,
    /// Tells the regions of several sets apart in a thread's own list.
    number: u64,
    threads: Mutex<Vec<Arc<Mutex<Local>>>>,
}

/// A region that is open in this thread, until it is dropped.
#[doc(alias = "PAPI_hl_region_end")]
#[must_use = "the region ends when this is dropped: bind it to a name, such as `_region`"]
pub struct Region<'r> {
    regions: &'r Regions,
    entry: usize,
    /// It ends in the thread in which it began.
    in_thread: PhantomData<*const ()>,
}

impl EventSet {
    /// Counts regions of the program by these events, in every thread that enters one.
    ///
    /// The names are looked up, and the events opened for the calling thread.
    /// The set must be for [`Target::ThisThread`].
    pub fn regions(self) -> Result<Regions, Error> {
        let resolved = self.resolve()?;
        Regions::new(self, resolved)
    }

    /// The same with the events that the environment variable `PAPI_EVENTS` names, a list as [`EventSet::event`] takes it, instead of those of the set.
    ///
    /// Without the variable, or if it is empty, the set's own events are counted.
    /// A name between commas that is not found costs that name only: the report says so. If none is found that is an error.
    #[doc(alias = "PAPI_EVENTS")]
    pub fn regions_from_env(self) -> Result<Regions, Error> {
        let events = std::env::var("PAPI_EVENTS").unwrap_or_default();
        self.regions_of(&events)
    }

    fn regions_of(mut self, events: &str) -> Result<Regions, Error> {
        let names: Vec<_> = events.split(',').map(str::trim).filter(|n| !n.is_empty()).collect();
        if names.is_empty() {
            return self.regions();
        }
        self.clear();
        // As a whole it may hold braces, and commas between slashes.
        if self.add(events).is_ok() {
            return self.regions();
        }
        let mut refused = Vec::new();
        for name in &names {
            if let Err(error) = self.add(name) {
                refused.push((name, error));
            }
        }
        if refused.len() == names.len() {
            let first = refused.into_iter().next().map(|(_, error)| error);
            return Err(first.unwrap_or_else(Error::no_events));
        }
        let mut resolved = self.resolve()?;
        resolved.metrics.extend(refused.into_iter().map(|(name, error)| Metric {
            event: name.to_string(),
            canonical: name.to_string(),
            unit: None,
            note: None,
            rule: Rule::Unavailable(Reason::Failed(error.to_string())),
        }));
        Regions::new(self, resolved)
    }
}

impl Regions {
    fn new(set: EventSet, mut resolved: Resolved) -> Result<Regions, Error> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        if *set.target() != Target::ThisThread {
            return Err(Error::region_target());
        }
        set.arrange(&mut resolved);
        let regions = Regions {
            host: set.machine().host().clone(),
            resolved,
            options: Options { inherit: false, delayed: false, ..set.options() },
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            threads: Mutex::default(),
        };
        match regions.with_local(|local| local.failure.clone()) {
            Some(Some(failure)) => Err(Error::uncountable("regions", Reason::Failed(failure))),
            _ => Ok(regions),
        }
    }

    /// Enters a region, and leaves it when the result is dropped.
    ///
    /// What goes wrong with counting is told by the report.
    #[inline]
    pub fn region(&self, name: &str) -> Region<'_> {
        let entry = self.with_local(|local| local.enter(name)).unwrap_or(usize::MAX);
        Region { regions: self, entry, in_thread: PhantomData }
    }

    /// What was counted so far in regions that have ended, for all threads together and for each.
    pub fn report(&self) -> RegionReport {
        let threads = lock(&self.threads);
        let locals: Vec<_> = threads.iter().map(|local| lock(local)).collect();
        RegionReport::new(&locals)
    }

    /// Calls `work` with what this thread keeps; nothing while the thread ends.
    #[inline]
    fn with_local<T>(&self, work: impl FnOnce(&mut Local) -> T) -> Option<T> {
        let of_thread = |slots: &RefCell<Vec<Slot>>| {
            let mut slots = slots.borrow_mut();
            let slot = match slots.iter().position(|slot| slot.number == self.number) {
                Some(place) => &slots[place],
                None => {
                    // Those of regions that are gone.
                    slots.retain(|slot| Arc::strong_count(&slot.local) > 1);
                    slots.push(self.join());
                    slots.last()?
                }
            };
            Some(work(&mut lock(&slot.local)))
        };
        SLOTS.try_with(of_thread).ok().flatten()
    }

    /// Opens the events for this thread.
    #[cold]
    fn join(&self) -> Slot {
        let thread = process::this_thread();
        let opened =
            Counting::open(&self.host, self.resolved.clone(), &Target::ThisThread, self.options);
        let local = Arc::new(Mutex::new(Local::new(thread, opened, &self.resolved, &self.host)));
        lock(&self.threads).push(local.clone());
        Slot { number: self.number, local }
    }
}

impl Drop for Regions {
    fn drop(&mut self) {
        for local in lock(&self.threads).iter() {
            lock(local).close();
        }
    }
}

impl Drop for Region<'_> {
    #[inline]
    fn drop(&mut self) {
        self.regions.with_local(|local| local.leave(self.entry));
    }
}

thread_local! {
    static SLOTS: RefCell<Vec<Slot>> = const { RefCell::new(Vec::new()) };
}

/// A thread's own part of some regions; the counters are closed when the thread ends, the sums stay.
struct Slot {
    number: u64,
    local: Arc<Mutex<Local>>,
}

impl Drop for Slot {
    fn drop(&mut self) {
        lock(&self.local).close();
    }
}

/// What one thread has counted; only that thread takes its lock, until somebody wants the report.
struct Local {
    thread: u32,
    counting: Option<Counting>,
    opened: Opened,
    lost: Vec<usize>,
    /// Why the counters could not be started or read.
    failure: Option<String>,
    names: HashMap<Box<str>, usize>,
    entries: Vec<Entry>,
    now: Vec<Count>,
}

/// A region in one thread.
struct Entry {
    name: Box<str>,
    calls: u64,
    /// How often it is open.
    depth: usize,
    start: Vec<Count>,
    sum: Vec<Count>,
}

impl Local {
    fn new(
        thread: u32,
        counting: Result<Counting, Error>,
        resolved: &Resolved,
        host: &Host,
    ) -> Local {
        let (counting, opened, failure) = match counting {
            Ok(counting) => {
                let opened = counting.opened.clone();
                (Some(counting), opened, None)
            }
            Err(error) => (None, Opened::nothing(resolved.clone(), host), Some(error.to_string())),
        };
        let now = vec![Count::default(); opened.parts.len()];
        let (lost, names, entries) = (Vec::new(), HashMap::new(), Vec::new());
        Local { thread, counting, opened, lost, failure, names, entries, now }
    }

    #[inline]
    fn enter(&mut self, name: &str) -> usize {
        let index = match self.names.get(name) {
            Some(index) => *index,
            None => self.first(name),
        };
        let entry = &mut self.entries[index];
        entry.calls += 1;
        entry.depth += 1;
        if let (1, Some(counting)) = (entry.depth, &mut self.counting)
            && let Err(error) = counting.read_counts(&mut entry.start)
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
        self.entries.push(Entry { name: name.into(), calls: 0, depth: 0, start, sum });
        self.names.insert(name.into(), index);
        index
    }

    #[inline]
    fn leave(&mut self, index: usize) {
        let Some(entry) = self.entries.get_mut(index) else { return };
        entry.depth -= 1;
        let (0, Some(counting)) = (entry.depth, &mut self.counting) else { return };
        if let Err(error) = counting.read_counts(&mut self.now) {
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

    fn close(&mut self) {
        if let Some(counting) = self.counting.take() {
            self.lost = counting.lost_parts().collect();
        }
    }

    /// The parts whose pinned event has lost its counter.
    fn lost_parts(&self) -> Vec<usize> {
        match &self.counting {
            Some(counting) => counting.lost_parts().collect(),
            None => self.lost.clone(),
        }
    }
}

/// What a thread that panicked has counted is as good as ever: each change is whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
