use super::local::Local;
use super::timeline::{Span, Spans, Timeline, Visit};
use crate::counting::open::{Opened, Part};
use crate::counting::snapshot::Snapshot;
use crate::report::form::Form;
use crate::report::labels::{RowPlacement, Split};
use crate::report::reporter::Reporter;
use crate::report::rows::{Report, Row};
use crate::report::values::{Reason, Value};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, MutexGuard};
use std::{fmt, iter};

/// The report of [`Regions`](crate::Regions).
///
/// `Display` writes a table of the totals; [`RegionReport::to_json`] writes JSON lines for programs and `counterpoint merge`.
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
    /// The number of entries, including those inside itself.
    pub calls: u64,
    /// The values of the events.
    pub report: Report,
}

impl RegionReport {
    pub(super) fn new(locals: &[MutexGuard<'_, Local>]) -> RegionReport {
        let mut regions = Vec::new();
        if let Some(opened) = together(locals) {
            let [whole, by_thread] = [Split::Total, Split::Thread]
                .map(|split| Form::new(&opened, split, &[&opened.parts]));
            for (name, entries) in entered(locals) {
                let snapshot = snapshot(locals, &entries, &opened.parts);
                let of = |form: &Form| form.report(&opened, &[&snapshot]).rows;
                let mut calls: BTreeMap<u32, u64> = BTreeMap::new();
                for (thread, nth) in entries {
                    let local = &locals[thread];
                    *calls.entry(local.thread).or_default() += local.entries[nth].calls;
                }
                let total: u64 = calls.values().sum();
                regions.push(RegionCounts::new(name, None, total, of(&whole)));
                // Both are in the order of the threads.
                let mut rows = of(&by_thread).into_iter().peekable();
                for (thread, calls) in calls {
                    let place = RowPlacement::Thread(thread);
                    while rows.next_if(|row| row.placement < place).is_some() {}
                    let mut own = Vec::with_capacity(opened.schedule.metrics.len());
                    own.extend(iter::from_fn(|| rows.next_if(|row| row.placement == place)));
                    regions.push(RegionCounts::new(name, Some(thread), calls, own));
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

impl RegionCounts {
    fn new(name: &str, thread: Option<u32>, calls: u64, rows: Vec<Row>) -> RegionCounts {
        RegionCounts { name: name.to_string(), thread, calls, report: Report { rows } }
    }
}

impl fmt::Display for RegionReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |region: &RegionCounts| region.name.chars().count();
        let width = self.totals().map(name).max().unwrap_or(0).max("region".len());
        write!(f, "{:<width$} {:>10}  {:>20} event", "region", "calls", "value")?;
        for region in self.totals() {
            for row in &region.report.rows {
                let (value, unit) = row.amount();
                let (name, calls) = (&region.name, region.calls);
                write!(f, "\n{name:<width$} {calls:>10}  {value:>20} {}", row.event)?;
                if !unit.is_empty() {
                    write!(f, " ({unit})")?;
                }
                if let Value::Estimated { coverage, .. } = row.value {
                    write!(f, " (estimated from {:.0}% of the time)", coverage * 100.0)?;
                }
                if let Some(reason) = row.value.reason() {
                    write!(f, ": {reason}")?;
                }
            }
        }
        Ok(())
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
        began: recording.as_ref()?.began_at,
        visits: kept.iter().map(visit).collect(),
        left_out: *left_out,
    })
}

/// All threads as one set of counters; `None` while there is no thread.
fn together(locals: &[MutexGuard<'_, Local>]) -> Option<Opened> {
    let mut opened = locals.first()?.opened.clone();
    for local in locals {
        for (all, here) in opened.outcomes.iter_mut().zip(&local.opened.outcomes) {
            let failed = || local.failure.clone().map(Reason::Failed);
            all.failure = all.failure.take().or_else(|| here.failure.clone()).or_else(failed);
            here.notes.iter().for_each(|note| note.join(&mut all.notes));
        }
    }
    let of_thread = |local: &MutexGuard<'_, Local>| {
        let thread = Some(local.thread);
        local.opened.parts.iter().map(move |part| Part { thread, ..*part }).collect::<Vec<_>>()
    };
    opened.parts = locals.iter().flat_map(of_thread).collect();
    Some(opened)
}

/// The name of a region, and for each thread that has entered it the index of the thread and that of its entry.
type Entered<'l> = (&'l str, Vec<(usize, usize)>);

/// Every region in the order of first entry.
fn entered<'l>(locals: &'l [MutexGuard<'_, Local>]) -> Vec<Entered<'l>> {
    let mut regions: Vec<Entered<'l>> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (thread, local) in locals.iter().enumerate() {
        for (nth, entry) in local.entries.iter().enumerate() {
            let place = *places.entry(&entry.name).or_insert_with(|| {
                regions.push((&entry.name, Vec::new()));
                regions.len() - 1
            });
            regions[place].1.push((thread, nth));
        }
    }
    regions
}

/// The snapshot of a region over all threads; those that never entered it have zero counts and times.
fn snapshot(
    locals: &[MutexGuard<'_, Local>],
    entries: &[(usize, usize)],
    parts: &Arc<[Part]>,
) -> Snapshot {
    let mut snapshot = Snapshot::zero(parts.clone(), 0);
    let mut entries = entries.iter().peekable();
    let mut first_part = 0;
    for (thread, local) in locals.iter().enumerate() {
        if let Some((_, nth)) = entries.next_if(|(entered, _)| *entered == thread) {
            let sum = &local.entries[*nth].sum;
            snapshot.lost.extend(local.lost_parts().iter().map(|part| first_part + part));
            snapshot.counts[first_part..first_part + sum.len()].copy_from_slice(sum);
        }
        first_part += local.opened.parts.len();
    }
    snapshot
}
