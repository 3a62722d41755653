use super::local::{Entry, Local};
use super::timeline::{Span, Spans, Timeline, Visit};
use super::visits::Visits;
use crate::counting::deviations::Deviations;
use crate::counting::open::Opened;
use crate::counting::snapshot::{Snapshot, plus};
use crate::report::form::Form;
use crate::report::labels::{RowPlacement, Split};
use crate::report::note::Note;
use crate::report::reporter::Reporter;
use crate::report::rows::Report;
use crate::report::values::{Reason, Value};
use crate::sources::clock::elapsed;
use crate::sources::source::Measure;
use counterpoint_perf::Count;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, MutexGuard};
use std::time::Duration;

/// The report of [`Regions`](crate::Regions).
///
/// `Display` writes a table of the totals; [`RegionReport::to_json`] writes JSON lines for programs and `counterpoint merge`, and [`RegionReport::to_trace`] the times for trace viewers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RegionReport {
    /// This process, with its rank in a parallel job.
    pub reporter: Reporter,
    /// The regions in the order of first entry: first all threads together, then each thread.
    pub regions: Vec<RegionCounts>,
    /// When each thread was in which region, if that is recorded: see [`Regions::timeline`](crate::Regions::timeline).
    pub timelines: Vec<Timeline>,
}

/// A region in one thread, or in all of them together.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RegionCounts {
    /// Its name.
    pub name: String,
    /// The thread; `None` for the whole process.
    pub thread: Option<u32>,
    /// The number of the thread among those that share work: see [`Regions::thread_numbers`](crate::Regions::thread_numbers).
    pub thread_number: Option<u32>,
    /// The number of entries, including those inside itself.
    pub calls: u64,
    /// What entering and leaving it took at least: its calls times what an empty visit takes, which is measured when the regions are made.
    ///
    /// From 1 % of the time in the region on, the row of `duration_time` has [`Note::Visits`].
    pub own_cost: Duration,
    /// The values of the events.
    pub report: Report,
}

impl RegionReport {
    pub(super) fn new(locals: &[MutexGuard<'_, Local>]) -> RegionReport {
        let mut regions = Vec::new();
        let locals: Vec<&Local> = locals.iter().map(|local| &**local).collect();
        if let Some(whole) = Together::new(&locals) {
            let entered = entered(&locals);
            // What one thread has is in one place of memory: threads are outside, and regions inside.
            let mut of_threads: Vec<(Duration, Vec<RegionCounts>)> =
                vec![Default::default(); entered.len()];
            // A thread may have the id of one that has ended.
            let mut by_id: BTreeMap<Id, Vec<usize>> = BTreeMap::new();
            for (place, local) in locals.iter().enumerate() {
                by_id.entry(local.id()).or_default().push(place);
            }
            for (id, places) in by_id {
                let own: Vec<&Local> = places.iter().map(|place| locals[*place]).collect();
                let Some(thread) = Together::new(&own) else { continue };
                for ((name, entries), (longest, counts)) in entered.iter().zip(&mut of_threads) {
                    let own: Vec<_> = places.iter().map(|place| entries[*place]).collect();
                    if own.iter().any(Option::is_some) {
                        let wall: Duration = own.iter().flatten().map(|entry| entry.wall).sum();
                        *longest = wall.max(*longest);
                        counts.push(thread.counts(name, Some(id), &own, wall));
                    }
                }
            }
            for ((name, entries), (longest, of_threads)) in entered.iter().zip(of_threads) {
                let first = regions.len();
                regions.push(whole.counts(name, None, entries, longest));
                regions.extend(of_threads);
                if let [_, _] = regions[first..]
                    && entries.iter().flatten().any(|entry| entry.others.ran())
                {
                    regions[first..].iter_mut().for_each(|region| note(region, Note::OtherThreads));
                }
                let is_of_process =
                    |(of, entry): &(&&Local, &Option<&Entry>)| !of.is_of_thread && entry.is_some();
                if locals.iter().zip(entries).filter(is_of_process).count() > 1 {
                    note(&mut regions[first], Note::ByEachThread);
                }
            }
        }
        let timelines = locals.iter().filter_map(|local| timeline(local)).collect();
        RegionReport { reporter: Reporter::this_process(), regions, timelines }
    }

    /// A region in all threads together.
    pub fn total(&self, name: &str) -> Option<&RegionCounts> {
        self.totals().find(|region| region.name == name)
    }

    /// The regions in all threads together.
    pub fn totals(&self) -> impl Iterator<Item = &RegionCounts> {
        self.regions.iter().filter(|region| region.thread.is_none())
    }
}

/// The widest column of names: longer ones move the rest of their lines.
const WIDEST: usize = 200;

impl fmt::Display for RegionReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |region: &RegionCounts| region.name.chars().count();
        let width = self.totals().map(name).max().unwrap_or(0).clamp("region".len(), WIDEST);
        write!(f, "{:<width$} {:>10}  {:>20} event", "region", "calls", "value")?;
        for region in self.totals() {
            for row in &region.report.rows {
                let (value, unit) = row.amount();
                let (name, calls) = (&region.name, region.calls);
                write!(f, "\n{name:<width$} {calls:>10}  {value:>20} {}", row.event)?;
                if !unit.is_empty() {
                    write!(f, " ({unit})")?;
                }
                if let Some(estimate) = row.estimate_text() {
                    write!(f, " ({estimate})")?;
                }
                if let Some(reason) = row.value.reason() {
                    write!(f, ": {reason}")?;
                }
            }
        }
        let rows = || self.totals().flat_map(|region| &region.report.rows);
        if rows().any(|row| row.estimate_text().is_some() && row.standard_error().is_some()) {
            f.write_str("\n± is the standard error of an estimate: in 95 of 100 cases, twice that covers the true value")?;
        }
        for region in self.totals() {
            if region.report.rows.iter().any(|row| row.notes.contains(&Note::Visits)) {
                let (name, own_cost) = (&region.name, region.own_cost);
                write!(f, "\n{name}: entering and leaving took at least {own_cost:.1?}")?;
            }
        }
        Ok(())
    }
}

/// The id and the number of a thread.
type Id = (u32, Option<u32>);

impl Local {
    fn id(&self) -> Id {
        (self.thread, self.number)
    }

    /// Leaves a region, and returns the counts since it was entered; `None` if it is still entered.
    pub(super) fn visit(&mut self, index: usize) -> Option<RegionCounts> {
        if self.entries[index].depth > 1 {
            self.leave(index);
            return None;
        }
        // The sums are those of this visit until it is reported.
        let entry = &mut self.entries[index];
        let zero = vec![Count::default(); entry.sum.len()];
        let sum = std::mem::replace(&mut entry.sum, zero);
        let wall = std::mem::take(&mut entry.wall);
        let calls = std::mem::replace(&mut entry.calls, 1);
        let visits = entry.visits.take();
        self.leave(index);
        let local = &*self;
        let entry = &local.entries[index];
        let counts = Together::new(&[local])
            .map(|thread| thread.counts(&entry.name, Some(local.id()), &[Some(entry)], entry.wall));
        let entry = &mut self.entries[index];
        let turns_began = visits.is_none() && entry.visits.is_some();
        if let Some(mut visits) = visits {
            visits.add(entry.sum.iter().copied());
            entry.visits = Some(visits);
        }
        for ((visit, sum), part) in entry.sum.iter_mut().zip(&sum).zip(self.opened.parts.iter()) {
            *visit = plus(sum, visit, part.snapshot);
        }
        if turns_began {
            // What was before is of the first slice.
            entry.visits = Some(Box::new(Visits::since(&entry.sum)));
        }
        entry.wall += wall;
        entry.calls = calls;
        counts
    }
}

/// The timeline of a thread; `None` if it is not recorded.
fn timeline(local: &Local) -> Option<Timeline> {
    let Spans { recording, kept, left_out } = &local.spans;
    let visit = |span: &Span| Visit {
        region: local.entries[span.entry].name.to_string(),
        start: span.start,
        end: span.end,
    };
    Some(Timeline {
        thread: local.thread,
        thread_number: local.number,
        began: recording.as_ref()?.began_at,
        visits: kept.iter().map(visit).collect(),
        left_out: *left_out,
    })
}

/// A region, and its entry in each thread.
type Entered<'l> = (&'l str, Vec<Option<&'l Entry>>);

/// Every region in the order of first entry.
fn entered<'l>(locals: &[&'l Local]) -> Vec<Entered<'l>> {
    let mut regions: Vec<Entered<'l>> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (thread, local) in locals.iter().enumerate() {
        for entry in &local.entries {
            let place = *places.entry(&entry.name).or_insert_with(|| {
                regions.push((&entry.name, vec![None; locals.len()]));
                regions.len() - 1
            });
            regions[place].1[thread] = Some(entry);
        }
    }
    regions
}

/// Adds a note to the events of a region; the wall time is not one.
fn note(region: &mut RegionCounts, note: Note) {
    let of_events = region.report.rows.iter_mut().filter(|row| !row.enabled.is_zero());
    of_events.for_each(|row| note.join(&mut row.notes));
}

/// Threads as one set of counters.
struct Together<'l> {
    locals: Vec<&'l Local>,
    opened: Cow<'l, Opened>,
    form: Form,
}

impl<'l> Together<'l> {
    /// `None` while there is no thread.
    fn new(locals: &[&'l Local]) -> Option<Together<'l>> {
        let opened = match locals {
            [] => return None,
            [one] if one.failure.is_none() => Cow::Borrowed(&one.opened),
            all => Cow::Owned(together(all)),
        };
        let form = Form::new(&opened, Split::Total, &[&opened.parts]);
        Some(Together { locals: locals.to_vec(), opened, form })
    }

    /// The counts of a region, from the entry of each thread that has entered it.
    fn counts(
        &self,
        name: &str,
        thread: Option<Id>,
        entries: &[Option<&Entry>],
        wall: Duration,
    ) -> RegionCounts {
        let calls = entries.iter().flatten().map(|entry| entry.calls).sum();
        let mut report = self.form.report(&self.opened, &[&self.snapshot(entries, wall)]);
        let (thread, thread_number) =
            thread.map_or((None, None), |(id, number)| (Some(id), number));
        if let Some(thread) = thread {
            // The rows of the whole have the reasons.
            report.rows.retain(|row| !matches!(row.value, Value::NotSupported(_)));
            for row in &mut report.rows {
                row.placement = RowPlacement::Thread(thread);
            }
        }
        let own_cost = self.own_cost(entries);
        let time: Duration = entries.iter().flatten().map(|entry| entry.wall).sum();
        if !own_cost.is_zero() && own_cost * 100 >= time {
            let of_time = report.rows.iter_mut().filter(|row| row.event == elapsed().name());
            of_time.for_each(|row| Note::Visits.join(&mut row.notes));
        }
        RegionCounts { name: name.to_string(), thread, thread_number, calls, own_cost, report }
    }

    /// What the visits took at least.
    fn own_cost(&self, entries: &[Option<&Entry>]) -> Duration {
        let of = |(local, entry): (&&Local, &Option<&Entry>)| {
            let visit = u64::try_from(local.visit.as_nanos()).unwrap_or(u64::MAX);
            Some(visit.saturating_mul(entry.as_ref()?.calls))
        };
        let nanoseconds = self.locals.iter().zip(entries).filter_map(of);
        Duration::from_nanos(nanoseconds.fold(0, u64::saturating_add))
    }

    /// The snapshot of a region; threads that never entered it have zero counts and times.
    fn snapshot(&self, entries: &[Option<&Entry>], wall: Duration) -> Snapshot {
        let sources = &self.opened.schedule.sources;
        let mut snapshot = Snapshot::zero(self.opened.parts.clone(), sources.len());
        let (mut first_part, mut deviations) = (0, Some(Deviations::default()));
        for (local, entry) in self.locals.iter().zip(entries) {
            if let Some(Entry { sum, visits, .. }) = entry {
                snapshot.lost.extend(local.lost_parts().iter().map(|part| first_part + part));
                snapshot.counts[first_part..first_part + sum.len()].copy_from_slice(sum);
                if let Some(visits) = visits {
                    let of_thread = visits.deviations(sum, &local.opened.parts);
                    deviations =
                        deviations.zip(of_thread).map(|(all, of)| all.beside(of, first_part));
                }
            }
            first_part += local.opened.parts.len();
        }
        snapshot.deviations = deviations.filter(|all| !all.of_parts.is_empty()).map(Arc::new);
        let wall = Measure::count(u64::try_from(wall.as_nanos()).unwrap_or(u64::MAX));
        for (reading, source) in snapshot.readings.iter_mut().zip(sources) {
            if *source == elapsed() {
                *reading = Ok(wall.clone());
            }
        }
        snapshot
    }
}

/// What several threads have opened: an event fails in all if it does in one.
fn together(locals: &[&Local]) -> Opened {
    let mut opened = locals[0].opened.clone();
    for local in locals {
        for (all, here) in opened.outcomes.iter_mut().zip(&local.opened.outcomes) {
            let failed = || local.failure.clone().map(Reason::Failed);
            all.failure = all.failure.take().or_else(|| here.failure.clone()).or_else(failed);
            here.notes.iter().for_each(|note| note.join(&mut all.notes));
        }
    }
    opened.parts = locals.iter().flat_map(|local| local.opened.parts.iter().copied()).collect();
    opened
}
