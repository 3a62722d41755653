use super::local::{Local, Numbers, ThreadPart, lock};
use super::report::{RegionCounts, RegionReport};
use super::timeline::Recording;
use crate::counting::counters::Counters;
use crate::counting::error::CountError;
use crate::counting::open::Options;
use crate::counting::requested::{Metric, Requested, Rule};
use crate::counting::schedule::Schedule;
use crate::counting::target::Target;
use crate::error::Error;
use crate::error::set::SetError;
use crate::event_set::EventSet;
use crate::names::ids::EventId;
use crate::report::values::Reason;
use crate::sources::clock::elapsed;
use counterpoint_perf::{Host, process};
use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Counts the regions of a program: each thread that enters one opens the events for itself and keeps sums by name.
///
/// Entering a region reads the counters, and leaving it reads them again.
/// The wall time in a region, `duration_time` in nanoseconds, is always in the report, also where a thread waited; that of all threads together is the one of the thread that was in the region for the longest time.
/// A region that is entered again inside itself is counted once, from the outermost entry to its end; regions with different names may nest and overlap: each counts all events while it is open.
/// A thread is counted only in regions that it enters itself, also if it was started inside one: around a loop of OpenMP, each thread enters a region within the loop, or the set is for the whole process ([`EventSet::regions`]).
/// A note says where other threads ran while a single one was in a region, and where several threads entered a region that each counted for the whole process.
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
/// A process that was forked, without `exec`, from one that had entered regions must create its own `Regions`: the inherited ones would read the counters of the parent.
#[doc(alias = "PAPI_hl_region_begin")]
pub struct Regions {
    host: Host,
    schedule: Schedule,
    /// Each thread that enters a region counts itself, or the whole process.
    target: Target,
    options: Options,
    /// Distinguishes the regions of several sets in the list of a thread.
    number: u64,
    threads: Mutex<Vec<Arc<Mutex<Local>>>>,
    recording: Option<Recording>,
    numbers: Option<Numbers>,
    /// What an empty visit takes.
    visit: Duration,
}

/// A region that stays open in this thread until the value is dropped.
#[doc(alias = "PAPI_hl_region_end")]
#[must_use = "the region ends when this is dropped: bind it to a name, such as `_region`"]
pub struct Region<'r> {
    regions: &'r Regions,
    entry: usize,
    /// Keeps the value in the thread in which the region began.
    in_thread: PhantomData<*const ()>,
}

impl EventSet {
    /// Creates regions that count these events in every thread that enters one.
    ///
    /// Looks up the names, and opens the events for the calling thread.
    /// The set must be for [`Target::ThisThread`], or for [`Target::Processes`] with the own process alone: then a region counts all threads of the process, also those that run already, while one thread is in it.
    ///
    /// ```
    /// use counterpoint::{EventSet, Target};
    /// let process = Target::Processes(vec![std::process::id()]);
    /// let regions = EventSet::new(process).event("page-faults").regions()?;
    /// {
    ///     // One thread enters the region around what all do.
    ///     let _solve = regions.region("solve");
    ///     std::thread::scope(|scope| {
    ///         (0..2).for_each(|_| _ = scope.spawn(|| std::hint::black_box(vec![1_u8; 1 << 20])));
    ///     });
    /// }
    /// let report = regions.report();
    /// assert!(report.total("solve").unwrap().report.rows[0].value.as_f64() > Some(2.0));
    /// # Ok::<(), counterpoint::Error>(())
    /// ```
    pub fn regions(self) -> Result<Regions, Error> {
        let resolved = self.resolve()?;
        Regions::new(self, resolved.requested)
    }

    /// Like [`EventSet::regions`], with the events of the environment variable `PAPI_EVENTS`, a list as for [`EventSet::event`], in place of those of the set.
    ///
    /// Without the variable, or if it is empty, the set's own events are counted.
    /// A name that is not found is left out and reported; it is an error if no name is found.
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
        // The whole list may contain braces, and commas between slashes.
        if self.add(events).is_ok() {
            return self.regions();
        }
        let mut failed = Vec::new();
        for name in &names {
            if let Err(error) = self.add(name) {
                failed.push((name, error));
            }
        }
        if failed.len() == names.len() {
            let first = failed.into_iter().next().map(|(_, error)| error);
            return Err(first.unwrap_or_else(|| SetError::NoEvents.into()));
        }
        let mut requested = self.resolve()?.requested;
        requested.metrics.extend(failed.into_iter().map(|(name, error)| {
            let rule = Rule::Unavailable(Reason::Failed(error.to_string()));
            Metric::new(name.to_string(), EventId::name(name), None, rule)
        }));
        Regions::new(self, requested)
    }
}

impl Regions {
    fn new(set: EventSet, mut requested: Requested) -> Result<Regions, Error> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        for metric in &mut requested.metrics {
            let other = metric.sources().find(|at| requested.sources[*at] != elapsed());
            if let Some(other) = other {
                let reason =
                    format!("{} is not measured in regions", requested.sources[other].name());
                metric.rule = Rule::Unavailable(Reason::Failed(reason));
            }
        }
        request_elapsed(&mut requested);
        let target = set.target().clone();
        let is_process = target == Target::Processes(vec![std::process::id()]);
        if !is_process && target != Target::ThisThread {
            return Err(Error::from(SetError::RegionTarget));
        }
        let mut regions = Regions {
            host: set.machine().host().clone(),
            schedule: set.schedule(requested.into()),
            target,
            options: Options { inherit: is_process, delayed: false, ..set.options() },
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            threads: Mutex::default(),
            recording: None,
            numbers: None,
            visit: Duration::ZERO,
        };
        regions.visit = regions.with_local(Local::measure_visit).unwrap_or_default();
        match regions.with_local(|local| local.failure.clone()) {
            Some(Some(failure)) => Err(Error::from(CountError::Uncountable {
                event: "regions".to_string(),
                reason: Reason::Failed(failure),
            })),
            _ => Ok(regions),
        }
    }

    /// Also records when regions are entered and left, for the first `most` visits of each thread; others are counted only.
    ///
    /// A visit takes 40 bytes, and two readings of the clock.
    ///
    /// ```
    /// use counterpoint::{EventSet, Target};
    /// let regions = EventSet::new(Target::ThisThread).event("task-clock").regions()?.timeline(1000);
    /// drop(regions.region("solve"));
    /// let report = regions.report();
    /// let visit = &report.timelines[0].visits[0];
    /// assert_eq!(visit.region, "solve");
    /// assert!(visit.start <= visit.end);
    /// # Ok::<(), counterpoint::Error>(())
    /// ```
    pub fn timeline(mut self, most: usize) -> Regions {
        let recording = Recording::new(most);
        self.recording = Some(recording);
        // The thread that makes the regions has joined them already.
        for local in lock(&self.threads).iter() {
            lock(local).spans.recording = Some(recording);
        }
        self
    }

    /// Also records the number of each thread among those that share work, such as its index in a pool, by which
    /// `counterpoint merge --by thread` compares the threads of several processes.
    ///
    /// `number` is called in the thread when it enters a region for the first time, and until it has told a number.
    ///
    /// ```
    /// use counterpoint::{EventSet, Target};
    /// // As `rayon::current_thread_index` does.
    /// fn index() -> Option<u32> {
    ///     let thread = std::thread::current();
    ///     thread.name()?.strip_prefix("pool-")?.parse().ok()
    /// }
    /// let regions = EventSet::new(Target::ThisThread).event("task-clock").regions()?;
    /// let regions = regions.thread_numbers(index);
    /// std::thread::scope(|scope| {
    ///     let third = std::thread::Builder::new().name("pool-2".to_string());
    ///     third.spawn_scoped(scope, || drop(regions.region("solve"))).map(drop)
    /// }).unwrap();
    /// assert_eq!(regions.report().regions[1].thread_number, Some(2));
    /// # Ok::<(), counterpoint::Error>(())
    /// ```
    #[doc(alias = "omp_get_thread_num")]
    pub fn thread_numbers(mut self, number: fn() -> Option<u32>) -> Regions {
        self.numbers = Some(number);
        for local in lock(&self.threads).iter() {
            lock(local).numbers = Some(number);
        }
        self
    }

    /// Enters a region, and leaves it when the result is dropped.
    ///
    /// Errors in counting are shown in the report.
    #[inline]
    pub fn region(&self, name: &str) -> Region<'_> {
        let entry = self.with_local(|local| local.enter(name)).unwrap_or(usize::MAX);
        Region { regions: self, entry, in_thread: PhantomData }
    }

    /// Enters a region in this thread until [`Regions::end`]: for callers, such as those in C, that cannot keep a [`Region`].
    ///
    /// ```
    /// use counterpoint::{EventSet, Target};
    /// let regions = EventSet::new(Target::ThisThread).event("task-clock").regions()?;
    /// regions.begin("solve");
    /// assert!(regions.is_open("solve") && regions.end("solve"));
    /// assert!(!regions.end("solve"), "it is not open");
    /// assert_eq!(regions.report().total("solve").unwrap().calls, 1);
    /// # Ok::<(), counterpoint::Error>(())
    /// ```
    #[inline]
    pub fn begin(&self, name: &str) {
        self.with_local(|local| local.enter(name));
    }

    /// Leaves a region that this thread entered; returns false if the thread is not in it.
    #[inline]
    pub fn end(&self, name: &str) -> bool {
        let leave = |local: &mut Local| local.open(name).map(|entry| local.leave(entry)).is_some();
        self.with_local(leave).unwrap_or(false)
    }

    /// Leaves a region for a part that is not to be counted in it, such as another region within it; returns false if the
    /// thread is not in it.
    ///
    /// ```
    /// use counterpoint::{EventSet, Target};
    /// let regions = EventSet::new(Target::ThisThread).event("task-clock").regions()?;
    /// regions.begin("request");
    /// assert!(regions.suspend("request"));
    /// drop(regions.region("query"));
    /// regions.resume("request");
    /// assert!(regions.end("request"));
    /// assert_eq!(regions.report().total("request").unwrap().calls, 1);
    /// # Ok::<(), counterpoint::Error>(())
    /// ```
    #[inline]
    pub fn suspend(&self, name: &str) -> bool {
        self.end(name)
    }

    /// Enters a region again that was [suspended](Regions::suspend), which is no further call; does nothing for a region
    /// that the thread has never entered.
    #[inline]
    pub fn resume(&self, name: &str) {
        self.with_local(|local| {
            if let Some(index) = local.names.get(name).copied() {
                local.resume(index);
            }
        });
    }

    /// Leaves a region as [`Regions::end`] does, and returns what this visit of it counted; `None` if the thread is not in
    /// it, or is still in it because it entered it more than once.
    pub fn end_visit(&self, name: &str) -> Option<RegionCounts> {
        self.with_local(|local| local.open(name).and_then(|index| local.visit(index)))?
    }

    /// Returns true if this thread is in a region.
    pub fn is_open(&self, name: &str) -> bool {
        self.with_local(|local| local.open(name).is_some()).unwrap_or(false)
    }

    /// The counts so far of regions that have ended, for all threads together and for each.
    pub fn report(&self) -> RegionReport {
        let threads = lock(&self.threads);
        let locals: Vec<_> = threads.iter().map(|local| lock(local)).collect();
        RegionReport::new(&locals)
    }

    /// Calls `work` with the state of this thread; returns `None` while the thread ends.
    #[inline]
    fn with_local<T>(&self, work: impl FnOnce(&mut Local) -> T) -> Option<T> {
        let of_thread = |parts: &RefCell<Vec<ThreadPart>>| {
            let mut parts = parts.borrow_mut();
            let part = match parts.iter().position(|part| part.number == self.number) {
                Some(place) => &parts[place],
                None => {
                    // Entries of regions that no longer exist.
                    parts.retain(|part| Arc::strong_count(&part.local) > 1);
                    parts.push(self.join());
                    parts.last()?
                }
            };
            Some(work(&mut lock(&part.local)))
        };
        PARTS.try_with(of_thread).ok().flatten()
    }

    /// Opens the events for this thread.
    #[cold]
    fn join(&self) -> ThreadPart {
        let thread = process::this_thread();
        let opened = Counters::open(&self.host, self.schedule.clone(), &self.target, self.options);
        let mut local = Local::new(thread, opened, &self.schedule, &self.host);
        local.visit = self.visit;
        local.spans.recording = self.recording;
        local.numbers = self.numbers;
        local.is_of_thread = self.target == Target::ThisThread;
        let local = Arc::new(Mutex::new(local));
        lock(&self.threads).push(local.clone());
        ThreadPart { number: self.number, local }
    }
}

/// Adds the wall time to the events, unless it is one of them.
fn request_elapsed(requested: &mut Requested) {
    let elapsed = elapsed();
    let known = requested.sources.iter().position(|source| *source == elapsed);
    let source = known.unwrap_or(requested.sources.len());
    if requested.metrics.iter().any(|metric| metric.rule == Rule::Source(source)) {
        return;
    }
    let (name, unit) = (elapsed.name().to_string(), elapsed.unit().map(str::to_string));
    let metric = Metric::new(name.clone(), EventId::name(&name), unit, Rule::Source(source));
    requested.metrics.push(metric);
    if known.is_none() {
        requested.sources.push(elapsed);
    }
}

impl fmt::Debug for Regions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let threads = lock(&self.threads).len();
        f.debug_struct("Regions").field("threads", &threads).finish_non_exhaustive()
    }
}

impl fmt::Debug for Region<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Region").field("entry", &self.entry).finish_non_exhaustive()
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
    static PARTS: RefCell<Vec<ThreadPart>> = const { RefCell::new(Vec::new()) };
}
