//! The rows of a report, and the counts that are written into them.

use super::labels::{RowPlacement, Split};
use super::rows::Report;
use super::spread::Spread;
use super::totals::{Layout, Table};
use crate::counting::open::{Opened, Part};
use crate::counting::snapshot::Snapshot;
use std::fmt;
use std::sync::Arc;

/// The rows of a report without their values, which are the same for all snapshots of the same counters.
pub(crate) struct Form {
    layout: Layout,
    /// The number of the placement, and that of the metric, of each row.
    places: Vec<(usize, usize)>,
    blank: Report,
}

impl Form {
    /// The rows for the parts of one or several runs.
    pub(crate) fn new(opened: &Opened, split: Split, runs: &[&Arc<[Part]>]) -> Form {
        let layout = Layout::new(opened, split, runs);
        let zero = Table::new(&layout);
        let (mut places, mut rows) = (Vec::new(), Vec::new());
        for (line, placement) in layout.placements().iter().enumerate() {
            for (index, metric) in opened.schedule.metrics.iter().enumerate() {
                let is_here = metric.is_at(zero.line(&layout, line), opened);
                // An event that is counted nowhere still has a row, for the whole target.
                let is_split =
                    || layout.has_cpus_of_sources() && metric.cpus(opened).next().is_some();
                let is_nowhere = || {
                    *placement == RowPlacement::All && !metric.is_anywhere(opened) && !is_split()
                };
                if is_here || is_nowhere() {
                    places.push((line, index));
                    rows.push(metric.blank_row(*placement, opened));
                }
            }
        }
        Form { layout, places, blank: Report { rows } }
    }

    /// The report of a snapshot, or of several runs.
    pub(crate) fn report(&self, opened: &Opened, runs: &[&Snapshot]) -> Report {
        let table_of = |run: &&Snapshot| {
            let mut table = Table::new(&self.layout);
            table.fill(&self.layout, run);
            table
        };
        let mut report = self.blank.clone();
        if let [run] = runs {
            self.fill(opened, &table_of(run), &mut report);
            return report;
        }
        let tables: Vec<Table> = runs.iter().map(table_of).collect();
        let mut sum = Table::new(&self.layout);
        tables.iter().for_each(|table| sum.add_run(table));
        self.fill(opened, &sum, &mut report);
        for (row, (line, metric)) in report.rows.iter_mut().zip(&self.places) {
            let metric = &opened.schedule.metrics[*metric];
            let of_run = |table: &Table| metric.value(table.line(&self.layout, *line), opened);
            row.spread =
                (!runs.is_empty()).then(|| Spread::new(tables.iter().map(of_run).collect()));
            if let Some(limit) = &metric.limit {
                let of_runs: Vec<_> =
                    tables.iter().map(|table| table.line(&self.layout, *line)).collect();
                limit.fill_runs(row, sum.line(&self.layout, *line), &of_runs, opened);
            }
        }
        report
    }

    /// Writes the values of a table into a report of this form.
    fn fill(&self, opened: &Opened, table: &Table, report: &mut Report) {
        for (row, (line, metric)) in report.rows.iter_mut().zip(&self.places) {
            let metric = &opened.schedule.metrics[*metric];
            metric.fill(row, table.line(&self.layout, *line), opened);
        }
    }
}

/// A report whose rows are made once, for snapshots of the same counters that are reported again and again.
///
/// ```
/// use counterpoint::{EventSet, RepeatedReport, Split, Target};
///
/// let mut counters = EventSet::new(Target::ThisThread).event("page-faults,task-clock").open()?;
/// let mut report = RepeatedReport::new(Split::Total);
/// for _ in 0..3 {
///     let snapshot = counters.snapshot()?;
///     let rows = &counters.report_into(&snapshot, &mut report).rows;
///     println!("{}", rows[0]);
/// }
/// # Ok::<(), counterpoint::Error>(())
/// ```
pub struct RepeatedReport {
    split: Split,
    made: Option<Made>,
}

/// The rows of a report, and the memory for their values.
struct Made {
    /// The parts of the counters, and those of the snapshot.
    parts: [Arc<[Part]>; 2],
    form: Form,
    table: Table,
    report: Report,
}

impl RepeatedReport {
    /// A report with a row for each event, or for each event at each part of the target.
    pub fn new(split: Split) -> RepeatedReport {
        RepeatedReport { split, made: None }
    }

    /// The values of a snapshot; the rows are made again if it, or the counters, are others than before.
    pub(crate) fn of(&mut self, opened: &Opened, snapshot: &Snapshot) -> &Report {
        let parts = [&opened.parts, &snapshot.parts];
        let is_of = |made: &Made| made.parts.iter().zip(parts).all(|(a, b)| Arc::ptr_eq(a, b));
        let made = match self.made.take().filter(is_of) {
            Some(made) => self.made.insert(made),
            None => self.made.insert(Made::new(opened, self.split, parts)),
        };
        made.table.fill(&made.form.layout, snapshot);
        made.form.fill(opened, &made.table, &mut made.report);
        &made.report
    }
}

impl Made {
    fn new(opened: &Opened, split: Split, parts: [&Arc<[Part]>; 2]) -> Made {
        let form = Form::new(opened, split, &[parts[1]]);
        let (table, report) = (Table::new(&form.layout), form.blank.clone());
        Made { parts: parts.map(Arc::clone), form, table, report }
    }
}

impl fmt::Debug for RepeatedReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RepeatedReport").field("split", &self.split).finish_non_exhaustive()
    }
}
