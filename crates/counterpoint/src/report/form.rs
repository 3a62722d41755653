//! The rows of a report, and the counts that are written into them.

use super::labels::{RowPlacement, Split};
use super::rows::Report;
use super::spread::Spread;
use super::totals::{Layout, Table};
use crate::counting::open::{Opened, Part};
use crate::counting::snapshot::Snapshot;
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

/// A report whose rows are made once, for values that are read again and again.
pub(crate) struct Readings {
    /// The counts to report next.
    pub snapshot: Snapshot,
    form: Form,
    table: Table,
    report: Report,
}

impl Readings {
    pub(crate) fn new(opened: &Opened) -> Readings {
        let form = Form::new(opened, Split::Total, &[&opened.parts]);
        let (table, report) = (Table::new(&form.layout), form.blank.clone());
        Readings {
            snapshot: Snapshot::zero(opened.parts.clone(), opened.schedule.sources.len()),
            form,
            table,
            report,
        }
    }

    /// Computes the values of the snapshot.
    pub(crate) fn compute(&mut self, opened: &Opened) {
        self.table.fill(&self.form.layout, &self.snapshot);
        self.form.fill(opened, &self.table, &mut self.report);
    }

    /// The values as they were last computed.
    pub(crate) fn report(&self) -> &Report {
        &self.report
    }
}
