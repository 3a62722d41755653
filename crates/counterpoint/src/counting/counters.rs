//! The life cycle of open events: start, read, accumulate, reset, stop.

use super::open as opening;
use super::open::{OpenGroup, Opened, Options, Outcome};
use super::requested::Metric;
use super::schedule::Schedule;
use super::snapshot::Snapshot;
use super::target::Target;
use crate::counting::error::CountError;
use crate::error::Error;
use crate::report::form::{Form, RepeatedReport};
use crate::report::labels::Split;
use crate::report::rows::Report;
use crate::report::values::Reason;
use crate::sources::kinds::Meters;
use crate::sources::source::Opening;
use counterpoint_perf::process::Owner;
use counterpoint_perf::{Count, Host};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Open events.
///
/// The value may be moved to another thread, and read and dropped there: it keeps counting the thread (or process, or CPU) for which it was opened.
///
/// A process that was forked without `exec` from the one that opened the events shares the counters: it may read them, and sees the counts of its parent (including its own work, if the events are inherited), but starting, stopping and resetting them is an error there.
/// A child that needs its own counts opens a set of its own; `exec` closes the counters.
pub struct Counters {
    pub(crate) opened: Opened,
    groups: Vec<OpenGroup>,
    state: State,
    base: Option<Snapshot>,
    /// The sources that are read beside the events.
    meters: Meters,
    /// The result of the last [`Counters::read`], and its snapshot, to be written again.
    last: Option<Box<(Snapshot, RepeatedReport)>>,
    /// A snapshot that was given up, to be written again.
    spare: Option<Snapshot>,
    owner: Owner,
    /// The process that opened it.
    process: u32,
}

/// The state of events: stopped or counting.
#[doc(alias = "PAPI_state")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The events were not started yet, or were stopped.
    Stopped,
    /// The events are counting, or begin with the exec of the command for which they were opened.
    Running,
}

impl fmt::Debug for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut counters = f.debug_struct("Counters");
        counters.field("state", &self.state).field("open", &self.open_count());
        counters.finish_non_exhaustive()
    }
}

impl Counters {
    pub(crate) fn open(
        host: &Host,
        schedule: Schedule,
        target: &Target,
        options: Options,
    ) -> Result<Counters, Error> {
        let (opened, groups) = opening::open(host, schedule, target, options)?;
        let on_exec = opening::begins_on_exec(target, options);
        let state = if on_exec { State::Running } else { State::Stopped };
        let opening = Opening { host, target, inherit: options.inherit, on_exec };
        let meters = Meters::open(&opened.schedule.sources, &opening);
        let mut counters = Counters {
            opened,
            groups,
            state,
            base: None,
            meters,
            last: None,
            spare: None,
            owner: Owner::here(),
            process: std::process::id(),
        };
        if on_exec {
            counters.start_beside()?;
        } else if !options.delayed {
            counters.start()?;
        }
        Ok(counters)
    }

    /// Starts the events of CPUs and the sources, for which the kernel does not wait until the exec.
    fn start_beside(&mut self) -> Result<(), Error> {
        self.meters.start(&self.opened.host);
        let mut beside = self.groups.iter_mut().filter(|open| !open.is_of_target);
        beside
            .try_for_each(|open| open.group.enable())
            .map_err(|errno| Error::from(CountError::Kernel { what: "start counting", errno }))
    }

    /// Returns true if at least one event is open or is left to another process of the node, or a source is read, for which no event is needed.
    pub fn is_any_open(&self) -> bool {
        let mut metrics = self.opened.schedule.metrics.iter();
        let is_source = |metric: &Metric| {
            metric.natives().next().is_none() && metric.sources().next().is_some()
        };
        let is_elsewhere =
            |outcome: &Outcome| outcome.failure.as_ref().is_some_and(Reason::is_elsewhere);
        !self.opened.parts.is_empty()
            || metrics.any(is_source)
            || self.opened.outcomes.iter().any(is_elsewhere)
    }

    /// The number of open counters, over all events and placements.
    pub fn open_count(&self) -> usize {
        self.opened.parts.len()
    }

    /// The state of the events: whether they were started.
    #[doc(alias = "PAPI_state")]
    pub fn state(&self) -> State {
        self.state
    }

    /// Starts counting, or resumes after [`Counters::stop`]; use [`Counters::reset`] to start from zero.
    ///
    /// All events start, or none: after an error, the state is as before.
    #[doc(alias = "PAPI_start")]
    pub fn start(&mut self) -> Result<(), Error> {
        let before = self.counts_of_cgroups();
        self.switch(State::Running, "start counting")?;
        if let Some((before, at)) = before {
            self.leave_out_jumps(&before, at);
        }
        Ok(())
    }

    /// The counts of the events of cgroups that are about to start, and the time of the read.
    fn counts_of_cgroups(&mut self) -> Option<(Vec<Count>, Instant)> {
        let has_cgroups = self.opened.parts.iter().any(|part| part.cgroup.is_some());
        if !has_cgroups || self.state == State::Running {
            return None;
        }
        let mut counts = vec![Count::default(); self.opened.parts.len()];
        let at = Instant::now();
        self.read_counts(&mut counts).ok().map(|()| (counts, at))
    }

    /// Takes away the time for which an event was enabled before it was started: kernels (6.18) add all the time since the
    /// CPU had its first event to those of cgroups, and a count would be multiplied by it.
    fn leave_out_jumps(&mut self, before: &[Count], at: Instant) {
        let mut now = vec![Count::default(); before.len()];
        if self.read_counts(&mut now).is_err() {
            return;
        }
        let passed = at.elapsed();
        let jump = |(now, before): (&Count, &Count)| {
            let since = now.since(before);
            let running = if since.running > passed { since.running } else { Duration::ZERO };
            let own = since.running - running;
            let enabled = if since.enabled > passed { since.enabled - own } else { Duration::ZERO };
            Count { raw: 0, enabled, running, lost: None }
        };
        let jumps: Vec<Count> = now.iter().zip(before).map(jump).collect();
        if jumps.iter().any(|jump| !jump.enabled.is_zero() || !jump.running.is_zero()) {
            let mut base = self.base.take().unwrap_or_else(|| self.zero());
            for (count, jump) in base.counts.iter_mut().zip(jumps) {
                count.enabled += jump.enabled;
                count.running += jump.running;
            }
            self.base = Some(base);
        }
    }

    /// Stops counting; the counts are kept and can be read.
    ///
    /// All events stop, or none: after an error, all are counting as before, with a short gap in those that had been stopped.
    #[doc(alias = "PAPI_stop")]
    pub fn stop(&mut self) -> Result<(), Error> {
        self.switch(State::Stopped, "stop counting")
    }

    fn switch(&mut self, to: State, what: &'static str) -> Result<(), Error> {
        self.check_process()?;
        let switch = |open: &mut OpenGroup, to| match to {
            State::Running => open.group.enable(),
            State::Stopped => open.group.disable(),
        };
        if to == State::Stopped && self.state == State::Running {
            self.meters.stop(&self.opened.host);
        }
        for group in 0..self.groups.len() {
            if let Err(errno) = switch(&mut self.groups[group], to) {
                if self.state != to {
                    for open in &mut self.groups[..group] {
                        // An error while undoing adds nothing to the first one.
                        let _ = switch(open, self.state);
                    }
                }
                if self.state == State::Running {
                    self.meters.start(&self.opened.host);
                }
                return Err(Error::from(CountError::Kernel { what, errno }));
            }
        }
        if to == State::Running {
            self.meters.start(&self.opened.host);
        }
        self.state = to;
        Ok(())
    }

    /// Excludes `work` from the counts: stops, calls it, and resumes if the events were counting.
    ///
    /// ```
    /// use counterpoint::{EventSet, Target};
    /// let mut counters = EventSet::new(Target::ThisThread).event("page-faults").open()?;
    /// let input = counters.paused(|| vec![1_u8; 1 << 20])?;
    /// assert!(input.len() > 0 && counters.read()?.rows[0].value.as_f64().is_some_and(|faults| faults < 250.0));
    /// # Ok::<(), counterpoint::Error>(())
    /// ```
    pub fn paused<T>(&mut self, work: impl FnOnce() -> T) -> Result<T, Error> {
        let was = self.state;
        if was == State::Running {
            self.stop()?;
        }
        let result = work();
        if was == State::Running {
            self.start()?;
        }
        Ok(result)
    }

    /// Resets the counts, so that later reads start from zero.
    ///
    /// The kernel's reset clears neither the counts of children that have ended nor the times, so the baseline is kept here.
    #[doc(alias = "PAPI_reset")]
    pub fn reset(&mut self) -> Result<(), Error> {
        self.check_process()?;
        let now = self.now()?;
        self.spare = self.base.replace(now);
        Ok(())
    }

    /// The values since the start, or since [`Counters::reset`]; one row for each event.
    ///
    /// The rows are made by the first call; later ones write their values again.
    /// Clone the report to keep it, or take a [`Counters::snapshot`] and compute its report later.
    #[doc(alias = "PAPI_read")]
    pub fn read(&mut self) -> Result<&Report, Error> {
        let last = self.last.take();
        let mut last =
            last.unwrap_or_else(|| Box::new((self.zero(), RepeatedReport::new(Split::Total))));
        self.read_into(&mut last.0)?;
        let (snapshot, report) = &mut **self.last.insert(last);
        Ok(report.of(&self.opened, snapshot))
    }

    /// Returns true if values are better when they are read now and then while they are counted: of a level, such as a temperature, there are a mean, a least and a greatest value of what was read.
    pub fn has_levels(&self) -> bool {
        self.meters.has_levels()
    }

    /// Reads the levels, which the next report has, and nothing else.
    pub fn read_levels(&mut self) {
        if self.state == State::Running && self.has_levels() {
            let readings = &mut Vec::new();
            self.meters.read(&self.opened.host, readings);
        }
    }

    /// Takes a snapshot of all counters, for differences and for other sums.
    pub fn snapshot(&mut self) -> Result<Snapshot, Error> {
        let mut snapshot = self.zero();
        self.read_into(&mut snapshot)?;
        Ok(snapshot)
    }

    /// Takes a snapshot into an existing one, such as [`Counters::zero`], without allocating.
    pub fn read_into(&mut self, snapshot: &mut Snapshot) -> Result<(), Error> {
        self.read_raw(snapshot)?;
        if let Some(base) = &self.base {
            snapshot.subtract(base);
        }
        Ok(())
    }

    /// Takes a snapshot; also returns the time right after it was taken.
    #[doc(alias = "PAPI_read_ts")]
    pub fn snapshot_at(&mut self) -> Result<(Snapshot, Instant), Error> {
        let snapshot = self.snapshot()?;
        Ok((snapshot, Instant::now()))
    }

    /// Adds the counts since the last reset to `sum`, and resets; nothing is lost in between.
    ///
    /// ```
    /// use counterpoint::{EventSet, Split, Target};
    /// let mut counters = EventSet::new(Target::ThisThread).event("task-clock").open()?;
    /// let mut sum = counters.zero();
    /// for _ in 0..3 {
    ///     counters.accumulate(&mut sum)?;
    /// }
    /// assert!(counters.report(&sum, &Split::Total).rows[0].value.as_f64().is_some());
    /// # Ok::<(), counterpoint::Error>(())
    /// ```
    #[doc(alias = "PAPI_accum")]
    pub fn accumulate(&mut self, sum: &mut Snapshot) -> Result<(), Error> {
        self.check_process()?;
        let now = self.now()?;
        match &self.base {
            Some(base) => sum.add(&now.since(base)),
            None => sum.add(&now),
        }
        self.spare = self.base.replace(now);
        Ok(())
    }

    /// A snapshot of zeros, with which [`Counters::accumulate`] can start.
    pub fn zero(&self) -> Snapshot {
        Snapshot::zero(self.opened.parts.clone(), self.opened.schedule.sources.len())
    }

    /// The report of a snapshot, or of the difference of two.
    pub fn report(&self, snapshot: &Snapshot, split: &Split) -> Report {
        Form::new(&self.opened, *split, &[&snapshot.parts]).report(&self.opened, &[snapshot])
    }

    /// The report of a snapshot, or of the difference of two, in the rows of the last one.
    pub fn report_into<'r>(
        &self,
        snapshot: &Snapshot,
        report: &'r mut RepeatedReport,
    ) -> &'r Report {
        report.of(&self.opened, snapshot)
    }

    /// The report of several runs of the same events: means with their [`Spread`](crate::Spread); formulas are computed from the mean counts.
    pub fn report_runs(&self, runs: &[Snapshot], split: &Split) -> Report {
        let parts: Vec<_> = runs.iter().map(|run| &run.parts).collect();
        let runs: Vec<&Snapshot> = runs.iter().collect();
        Form::new(&self.opened, *split, &parts).report(&self.opened, &runs)
    }

    /// A snapshot of the counters themselves, without the baseline of [`Counters::reset`].
    fn now(&mut self) -> Result<Snapshot, Error> {
        let mut now = self.spare.take().unwrap_or_else(|| self.zero());
        self.read_raw(&mut now)?;
        Ok(now)
    }

    /// Takes a snapshot of the counters themselves, without the baseline of [`Counters::reset`].
    #[inline]
    fn read_raw(&mut self, snapshot: &mut Snapshot) -> Result<(), Error> {
        if !self.is_of(snapshot) {
            *snapshot = self.zero();
        }
        self.read_counts(&mut snapshot.counts)?;
        self.meters.read(&self.opened.host, &mut snapshot.readings);
        snapshot.deviations = None;
        snapshot.lost.clear();
        snapshot.lost.extend(self.lost_parts());
        Ok(())
    }

    /// Reads the events into a snapshot of these counters, and leaves the sources as they are.
    pub(crate) fn read_events(&mut self, snapshot: &mut Snapshot) -> Result<(), Error> {
        self.read_counts(&mut snapshot.counts)?;
        if let Some(base) = &self.base {
            snapshot.subtract(base);
        }
        Ok(())
    }

    /// Returns true if a snapshot is one of these counters.
    pub(crate) fn is_of(&self, snapshot: &Snapshot) -> bool {
        Arc::ptr_eq(&snapshot.parts, &self.opened.parts)
    }

    /// The current counts, one for each part; a part that lost its counter has no running time.
    #[inline]
    pub(crate) fn read_counts(&mut self, counts: &mut [Count]) -> Result<(), Error> {
        for OpenGroup { group, first_part, .. } in &mut self.groups {
            let end = *first_part + group.len();
            group
                .read_into(&mut counts[*first_part..end])
                .map_err(|e| Error::from(CountError::Kernel { what: "read counters", errno: e }))?;
        }
        Ok(())
    }

    /// The parts whose pinned event was found to have lost its counter.
    pub(crate) fn lost_parts(&self) -> impl Iterator<Item = usize> {
        self.groups.iter().flat_map(|OpenGroup { group, first_part, .. }| {
            let lost = (0..group.len()).filter(|member| group.has_lost_counter(*member));
            lost.map(move |member| first_part + member)
        })
    }

    fn check_process(&self) -> Result<(), Error> {
        if self.owner.is_here() {
            Ok(())
        } else {
            Err(Error::from(CountError::OtherProcess(self.process)))
        }
    }
}
