//! Adds up counts: over parts, by placement, and over runs.

use super::labels::{Labels, RowPlacement, Split};
use super::source_total::{self, SourceTotal};
use super::values::Reason;
use crate::counting::deviations::{Deviations, standard_error};
use crate::counting::open::{Opened, Part};
use crate::counting::snapshot::Snapshot;
use crate::sources::source::Reading;
use counterpoint_formula::Number;
use counterpoint_perf::Count;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// The counts of one event at one placement, over all parts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Total {
    pub raw: u64,
    /// The sum of the parts, each scaled separately.
    scaled: f64,
    pub enabled: Duration,
    pub running: Duration,
    /// The enabled time of those parts that were on a counter at all.
    measured: Duration,
    /// The number of runs in which it was enabled; values are divided by it.
    pub runs: u32,
    /// True if a part has lost its counter, so that the sum of the others is not the value of the whole.
    pub is_lost: bool,
    /// The standard error of an estimate, if it is known.
    pub error: Option<f64>,
}

impl Total {
    fn add(&mut self, count: &Count, snapshot: bool) {
        let scaled = count.scaled().unwrap_or(0.0);
        if snapshot {
            // A state is not an amount: the highest of the parts is used.
            self.raw = self.raw.max(count.raw);
            self.scaled = self.scaled.max(scaled);
        } else {
            self.raw = self.raw.saturating_add(count.raw);
            self.scaled += scaled;
        }
        self.enabled += count.enabled;
        self.running += count.running;
        if !count.running.is_zero() {
            self.measured += count.enabled;
        }
    }

    /// Adds the total of another run.
    fn add_run(&mut self, other: &Total) {
        self.raw = self.raw.saturating_add(other.raw);
        self.scaled += other.scaled;
        self.enabled += other.enabled;
        self.running += other.running;
        self.measured += other.measured;
        self.runs += other.runs;
        self.is_lost |= other.is_lost;
        // Runs show by themselves how they vary.
        self.error = None;
    }

    /// The value before the scale of sysfs; `None` if it was never on a counter.
    pub(crate) fn value(&self) -> Option<(Number, f64)> {
        if self.running.is_zero() || self.is_lost {
            None
        } else if self.running >= self.enabled {
            Some((Number::Int(self.raw.into()), 1.0))
        } else {
            // Parts that were never measured are assumed to be like the others.
            let share =
                |part: Duration, whole: Duration| part.as_nanos() as f64 / whole.as_nanos() as f64;
            let whole = self.scaled * share(self.enabled, self.measured);
            Some((Number::Real(whole), share(self.running, self.enabled)))
        }
    }
}

/// The table in which counts are added up: a line for each placement, with a column for each event, and more for boxes that are reported apart.
pub(crate) struct Layout {
    labels: Labels,
    /// The placement of each line; the whole is the first.
    placements: Vec<RowPlacement>,
    natives: usize,
    sources: usize,
    columns: usize,
    /// The column of the first box of each event; empty if no boxes are reported apart.
    first_boxes: Vec<usize>,
    /// The parts for which `cells` are.
    parts: Arc<[Part]>,
    cells: Vec<Cells>,
    /// A total of zero in each cell to which a part adds.
    zero: Vec<Option<Total>>,
}

/// The cell to which a part adds, and that of its box if boxes are reported apart; `None` if its event or placement is not in the layout.
type Cells = Option<(usize, Option<usize>)>;

impl Layout {
    /// A layout for the parts of several snapshots: each time that the events of a target are opened, it may have other threads.
    pub(crate) fn new(opened: &Opened, split: Split, runs: &[&Arc<[Part]>]) -> Layout {
        let labels = Labels::new(split, opened);
        let mut placements = vec![RowPlacement::All];
        for parts in runs {
            placements.extend(parts.iter().map(|part| labels.placement(part)));
        }
        placements.extend(labels.of_sources());
        placements.sort_unstable();
        placements.dedup();

        let natives = opened.schedule.natives.len();
        let sources = opened.schedule.sources.len();
        let mut columns = natives;
        let mut first_boxes = Vec::new();
        if opened.schedule.metrics.iter().any(|metric| metric.box_number().is_some()) {
            for native in &opened.schedule.natives {
                first_boxes.push(columns);
                columns += native.boxes.len();
            }
        }
        let zero = vec![None; placements.len() * columns];
        let parts = runs.first().map_or_else(|| Arc::from([]), |parts| Arc::clone(parts));
        let cells = Vec::new();
        let mut layout = Layout {
            labels,
            placements,
            natives,
            sources,
            columns,
            first_boxes,
            parts,
            cells,
            zero,
        };
        for parts in runs.iter().rev() {
            layout.cells = layout.cells_of(parts);
            for (cell, of_box) in layout.cells.iter().flatten() {
                for cell in of_box.iter().chain([cell]) {
                    layout.zero[*cell] = Some(Total::default());
                }
            }
        }
        layout
    }

    /// The placement of the whole, and those into which it is split, in order.
    pub(crate) fn placements(&self) -> &[RowPlacement] {
        &self.placements
    }

    /// Returns true if sources have values of CPUs of their own.
    pub(crate) fn has_cpus_of_sources(&self) -> bool {
        self.labels.of_sources().next().is_some()
    }

    fn cells_of(&self, parts: &[Part]) -> Vec<Cells> {
        let cells = |part: &Part| {
            let line = self.placements.binary_search(&self.labels.placement(part)).ok()?;
            let cell = |column| line * self.columns + column;
            let of_box = self.first_boxes.get(part.native).map(|first| first + part.number);
            let of_box = of_box.filter(|column| *column < self.columns);
            (part.native < self.natives).then(|| (cell(part.native), of_box.map(cell)))
        };
        parts.iter().map(cells).collect()
    }
}

/// The totals of one run, or of several together.
pub(crate) struct Table {
    cells: Vec<Option<Total>>,
    /// The readings of all sources in each run.
    readings: Vec<Reading>,
    sources: usize,
    /// The deviations of the cells whose estimates have an error.
    deviations: BTreeMap<usize, Vec<f64>>,
}

impl Table {
    pub(crate) fn new(layout: &Layout) -> Table {
        let (cells, deviations) = (layout.zero.clone(), BTreeMap::new());
        Table { cells, readings: Vec::new(), sources: layout.sources, deviations }
    }

    /// Replaces the totals by those of a snapshot.
    pub(crate) fn fill(&mut self, layout: &Layout, snapshot: &Snapshot) {
        self.cells.copy_from_slice(&layout.zero);
        let others;
        let cells = if Arc::ptr_eq(&snapshot.parts, &layout.parts) {
            &layout.cells
        } else {
            others = layout.cells_of(&snapshot.parts);
            &others
        };
        for ((part, count), cells) in snapshot.parts.iter().zip(&snapshot.counts).zip(cells) {
            self.each(*cells, |total| total.add(count, part.snapshot));
        }
        for cells in snapshot.lost.iter().filter_map(|part| cells.get(*part)) {
            self.each(*cells, |total| total.is_lost = true);
        }
        for total in self.cells.iter_mut().flatten() {
            total.runs = u32::from(!total.enabled.is_zero());
        }
        self.readings.clear();
        self.readings.extend_from_slice(&snapshot.readings);
        self.deviations.clear();
        if let Some(deviations) = &snapshot.deviations {
            self.fill_errors(cells, deviations);
        }
    }

    /// Adds the deviations of parts to those of their cells, from which the errors of their totals follow.
    fn fill_errors(&mut self, cells: &[Cells], deviations: &Deviations) {
        for (part, of_part) in &deviations.of_parts {
            let Some((cell, of_box)) = cells[*part] else { continue };
            for cell in of_box.into_iter().chain([cell]) {
                let sum = self.deviations.entry(cell).or_insert_with(|| vec![0.0; of_part.len()]);
                sum.iter_mut().zip(of_part).for_each(|(sum, deviation)| *sum += deviation);
            }
        }
        for (cell, deviations) in &self.deviations {
            if let Some(total) = &mut self.cells[*cell] {
                // Nothing is known about parts that were never measured.
                total.error = (total.measured == total.enabled).then(|| standard_error(deviations));
            }
        }
    }

    /// Changes the totals to which a part adds.
    #[inline]
    fn each(&mut self, cells: Cells, change: impl Fn(&mut Total)) {
        let Some((cell, of_box)) = cells else { return };
        for cell in of_box.into_iter().chain([cell]) {
            if let Some(total) = &mut self.cells[cell] {
                change(total);
            }
        }
    }

    /// Adds the totals of another run.
    pub(crate) fn add_run(&mut self, other: &Table) {
        for (sum, total) in self.cells.iter_mut().zip(&other.cells) {
            if let (Some(sum), Some(total)) = (sum, total) {
                sum.add_run(total);
            }
        }
        self.readings.extend_from_slice(&other.readings);
    }

    /// The totals at the placement of this number.
    pub(crate) fn line<'t>(&'t self, layout: &'t Layout, number: usize) -> Line<'t> {
        let columns = layout.columns;
        let totals = &self.cells[number * columns..(number + 1) * columns];
        Line {
            totals,
            first_boxes: &layout.first_boxes,
            readings: &self.readings,
            sources: self.sources,
            placement: layout.placements[number],
            labels: &layout.labels,
            deviations: &self.deviations,
            first_cell: number * columns,
        }
    }
}

/// The totals at one placement.
#[derive(Clone, Copy)]
pub(crate) struct Line<'t> {
    totals: &'t [Option<Total>],
    first_boxes: &'t [usize],
    readings: &'t [Reading],
    sources: usize,
    placement: RowPlacement,
    labels: &'t Labels,
    deviations: &'t BTreeMap<usize, Vec<f64>>,
    first_cell: usize,
}

impl<'t> Line<'t> {
    /// The total of an event; `None` if it is not counted here.
    pub(crate) fn get(self, native: usize) -> Option<&'t Total> {
        self.totals[native].as_ref()
    }

    /// The total of one box of an event, or of all.
    pub(crate) fn get_box(self, native: usize, number: Option<usize>) -> Option<&'t Total> {
        match number {
            Some(number) => self.totals[self.first_boxes[native] + number].as_ref(),
            None => self.get(native),
        }
    }

    /// The deviations of an event whose estimate has an error.
    pub(crate) fn deviations(self, native: usize) -> Option<&'t [f64]> {
        self.deviations.get(&(self.first_cell + native)).map(Vec::as_slice)
    }

    /// Returns true if it is the line of a part of the machine to which a CPU belongs.
    pub(crate) fn is_of(self, cpu: u32) -> bool {
        self.placement != RowPlacement::All && self.labels.has(self.placement, cpu)
    }

    /// The value of a source: the mean of the runs in which it is known. The error is that of the last run, if it is known
    /// in none.
    pub(crate) fn reading(self, source: usize) -> Result<SourceTotal, Reason> {
        let (mut sum, mut runs) = (None::<SourceTotal>, 0_u32);
        let mut why = None;
        let is_here = |cpu: u32| self.labels.has(self.placement, cpu);
        for reading in self.readings.iter().skip(source).step_by(self.sources) {
            match source_total::of(reading, is_here) {
                Ok(total) => {
                    sum = Some(match sum {
                        Some(sum) => sum.plus(&total),
                        None => total,
                    });
                    runs += 1;
                }
                Err(reason) => why = Some(reason),
            }
        }
        match (sum, why) {
            (Some(sum), _) => Ok(sum.over(runs)),
            (None, why) => Err(why.unwrap_or(Reason::NeverRan)),
        }
    }
}
