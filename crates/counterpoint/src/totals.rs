//! Adds up counts: over parts, by placement, and over runs.

use crate::clock::Times;
use crate::labels::{Labels, RowPlacement};
use crate::opening::Part;
use crate::snapshot::Snapshot;
use crate::tool::{NoCpuTime, ToolEvent};
use counterpoint_formula::Number;
use counterpoint_perf::Count;
use std::collections::{BTreeMap, BTreeSet};
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
    /// Whether a part has lost its counter, so that the sum of the others is not the value of the whole.
    pub is_lost: bool,
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

/// The totals of one run, or of several together.
pub(crate) struct Table {
    totals: BTreeMap<(RowPlacement, usize), Total>,
    /// The same for each box of an event, if they are reported apart.
    boxes: BTreeMap<(RowPlacement, usize, usize), Total>,
    /// The times of each run.
    times: Vec<Times>,
}

impl Table {
    pub(crate) fn new(snapshot: &Snapshot, labels: &Labels, has_boxes: bool) -> Table {
        let whole = |part: &Part| Some((labels.placement(part), part.native));
        let of_box =
            |part: &Part| has_boxes.then(|| (labels.placement(part), part.native, part.number));
        let (totals, boxes) = (sums(snapshot, whole), sums(snapshot, of_box));
        Table { totals, boxes, times: vec![snapshot.times] }
    }

    /// The placement of the whole, and those into which it is split.
    pub(crate) fn placements(&self) -> BTreeSet<RowPlacement> {
        self.totals.keys().map(|(placement, _)| *placement).chain([RowPlacement::All]).collect()
    }

    pub(crate) fn mean(tables: &[Table]) -> Table {
        let totals = over_runs(tables.iter().flat_map(|table| &table.totals));
        let boxes = over_runs(tables.iter().flat_map(|table| &table.boxes));
        let times = tables.iter().flat_map(|table| &table.times).copied().collect();
        Table { totals, boxes, times }
    }

    /// A time in ns: the mean of the runs in which it is known. The error is that of the last run, if it is known in none.
    pub(crate) fn time(&self, tool: ToolEvent) -> Result<Number, NoCpuTime> {
        let (mut sum, mut runs) = (0_i128, 0_u32);
        let mut why = None;
        for time in self.times.iter().map(|times| times.of(tool)) {
            match time {
                Ok(time) => {
                    sum += i128::try_from(time.as_nanos()).unwrap_or(i128::MAX);
                    runs += 1;
                }
                Err(problem) => why = Some(problem),
            }
        }
        match (runs, why) {
            (0, Some(why)) => Err(why),
            (0 | 1, _) => Ok(Number::Int(sum)),
            _ => Ok(Number::Real(sum as f64 / f64::from(runs))),
        }
    }

    pub(crate) fn get(&self, placement: RowPlacement, native: usize) -> Option<&Total> {
        self.totals.get(&(placement, native))
    }

    /// The total of one box of an event, or of all.
    pub(crate) fn get_box(
        &self,
        placement: RowPlacement,
        native: usize,
        number: Option<usize>,
    ) -> Option<&Total> {
        match number {
            Some(number) => self.boxes.get(&(placement, native, number)),
            None => self.get(placement, native),
        }
    }
}

/// Adds up the counts of the parts that have the same key.
fn sums<K: Ord>(snapshot: &Snapshot, key: impl Fn(&Part) -> Option<K>) -> BTreeMap<K, Total> {
    let mut totals = BTreeMap::<K, Total>::new();
    for (part, count) in snapshot.parts.iter().zip(&snapshot.counts) {
        if let Some(key) = key(part) {
            totals.entry(key).or_default().add(count, part.snapshot);
        }
    }
    for part in &snapshot.lost {
        if let Some(total) = key(&snapshot.parts[*part]).and_then(|key| totals.get_mut(&key)) {
            total.is_lost = true;
        }
    }
    for total in totals.values_mut() {
        total.runs = u32::from(!total.enabled.is_zero());
    }
    totals
}

/// Adds up the totals of several runs.
fn over_runs<'t, K: Ord + Copy + 't>(
    totals: impl Iterator<Item = (&'t K, &'t Total)>,
) -> BTreeMap<K, Total> {
    let mut sums = BTreeMap::<K, Total>::new();
    for (key, total) in totals {
        let sum = sums.entry(*key).or_default();
        sum.raw = sum.raw.saturating_add(total.raw);
        sum.scaled += total.scaled;
        sum.enabled += total.enabled;
        sum.running += total.running;
        sum.measured += total.measured;
        sum.runs += total.runs;
        sum.is_lost |= total.is_lost;
    }
    sums
}
