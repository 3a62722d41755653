//! Computes values from counts: parts are added up, scaled, and used in formulas.

use crate::event_id::EventId;
use crate::labels::{Labels, RowPlacement, Split};
use crate::native::Native;
use crate::note::Note;
use crate::numbers::grouped;
use crate::opening::Opened;
use crate::resolved::{Input, LimitMetric, Metric, Rule};
use crate::snapshot::Snapshot;
use crate::spread::Spread;
use crate::tool::ToolEvent;
use crate::totals::{Table, Total};
use crate::value::{Reason, Value};
use counterpoint_definitions::Definition;
use counterpoint_formula::{Formula, Number};
use counterpoint_perf::{CpuSet, Host};
use std::fmt;
use std::time::Duration;

/// The values of events, in the order in which the events were named, for each placement.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The values.
    pub rows: Vec<Row>,
}

/// The value of one event at one placement.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Row {
    /// The event as requested.
    pub event: String,
    /// Its usual name, with its PMU and modifiers.
    pub id: EventId,
    /// The unit of the value: `ns`, or that of sysfs; `None` for plain counts.
    pub unit: Option<String>,
    /// The placement that the row is about.
    pub placement: RowPlacement,
    /// The value, or the reason why there is none; the mean if there were several runs.
    pub value: Value,
    /// The unscaled count, summed over all parts; `None` for a formula, and if nothing was counted.
    pub raw: Option<u64>,
    /// The time for which the event was enabled, summed over all parts.
    pub enabled: Duration,
    /// The time for which it was on a counter, summed over all parts.
    pub running: Duration,
    /// The ways in which it was counted differently than requested; for a formula, those of all its events.
    pub notes: Vec<Note>,
    /// The variation over several runs.
    pub spread: Option<Spread>,
    /// The definition of a metric that was requested as such.
    pub metric: Option<Definition>,
    /// Whether the threshold of the metric is crossed; `None` if it has none, or if the threshold has no value.
    pub crossed: Option<bool>,
}

impl Report {
    pub(crate) fn new(opened: &Opened, runs: &[&Snapshot], split: &Split) -> Report {
        let labels = Labels::new(*split, opened);
        let has_boxes = opened.schedule.metrics.iter().any(|m| m.box_number().is_some());
        let tables: Vec<Table> =
            runs.iter().map(|run| Table::new(run, &labels, has_boxes)).collect();
        let mean = Table::mean(&tables);
        let mut rows = Vec::new();
        for placement in mean.placements() {
            for metric in &opened.schedule.metrics {
                // An event that is counted nowhere still has a row, for the whole target.
                let is_here = match placement {
                    RowPlacement::All => {
                        metric.is_at(placement, &mean) || !metric.is_anywhere(opened)
                    }
                    _ => metric.is_at(placement, &mean),
                };
                if !is_here {
                    continue;
                }
                let value = metric.value(placement, &mean, opened);
                let of_run = |table| metric.value(placement, table, opened);
                let spread =
                    (runs.len() > 1).then(|| Spread::new(tables.iter().map(of_run).collect()));
                let total = metric.total(placement, &mean);
                rows.push(Row {
                    event: metric.event.clone(),
                    id: metric.id.clone(),
                    unit: metric.unit.clone(),
                    placement,
                    raw: total.filter(|_| value.as_f64().is_some()).map(|total| total.raw),
                    enabled: total.map_or(Duration::ZERO, |total| total.enabled),
                    running: total.map_or(Duration::ZERO, |total| total.running),
                    notes: metric.notes(opened),
                    crossed: metric.crossed(placement, &mean, opened),
                    value,
                    spread,
                    metric: metric.definition.clone(),
                });
            }
        }
        Report { rows }
    }

    /// The first row of the event with this usual name.
    pub fn row(&self, id: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.id.to_string() == id)
    }
}

/// A table: a line for each row, with the reason why a value is missing.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, row) in self.rows.iter().enumerate() {
            let end = if index == 0 { "" } else { "\n" };
            write!(f, "{end}{row}")?;
        }
        Ok(())
    }
}

/// The value, its unit and the event, as in the table of `perf stat`.
///
/// ```
/// use counterpoint::{EventSet, Target};
/// let mut counters = EventSet::new(Target::ThisThread).event("page-faults").open()?;
/// let report = counters.read()?;
/// assert!(report.rows[0].to_string().ends_with(" page-faults"));
/// println!("{report}");
/// # Ok::<(), counterpoint::Error>(())
/// ```
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, unit) = self.amount();
        write!(f, "{value:>20} {unit:<4} ")?;
        match self.placement {
            RowPlacement::All => write!(f, "{}", self.event)?,
            placement => write!(f, "{} of {placement}", self.event)?,
        }
        if let Value::Estimated { coverage, .. } = self.value {
            write!(f, " (estimated from {:.0}% of the time)", coverage * 100.0)?;
        }
        match self.value.reason() {
            Some(reason) => write!(f, ": {reason}"),
            None => Ok(()),
        }
    }
}

impl Row {
    /// The value and its unit as people read them: clocks in milliseconds, counters in whole numbers; the unit is empty if there is none.
    pub fn amount(&self) -> (String, &str) {
        let unit = self.unit.as_deref().unwrap_or_default();
        match (&self.value, self.value.as_f64()) {
            (_, None) => (self.value.to_string(), ""),
            (_, Some(ns)) if unit == "ns" && self.metric.is_none() => {
                (format!("{:.2}", ns / 1e6), "msec")
            }
            (Value::Counted(Number::Int(_)), _) => (self.value.to_string(), unit),
            // A counter is whole, so an estimate or a mean of it is rounded.
            (_, Some(real)) if unit.is_empty() && self.raw.is_some() && real.abs() < 1e15 => {
                (grouped(real.round() as i128), unit)
            }
            _ => (self.value.to_string(), unit),
        }
    }
}

impl Metric {
    fn notes(&self, opened: &Opened) -> Vec<Note> {
        let mut notes: Vec<Note> = self.note.into_iter().collect();
        let natives = self.natives();
        let of_natives = natives.flat_map(|native| &opened.outcomes[native].notes);
        of_natives.for_each(|note| note.join(&mut notes));
        notes
    }

    fn is_at(&self, placement: RowPlacement, table: &Table) -> bool {
        let number = self.box_number();
        self.natives().any(|native| table.get_box(placement, native, number).is_some())
    }

    /// The counts of the event, if the metric is not a formula.
    fn total<'t>(&self, placement: RowPlacement, table: &'t Table) -> Option<&'t Total> {
        table.get_box(placement, self.native()?, self.box_number())
    }

    fn is_anywhere(&self, opened: &Opened) -> bool {
        self.natives().any(|native| opened.parts.iter().any(|part| part.native == native))
    }

    /// The value in the unit of the metric.
    fn value(&self, placement: RowPlacement, table: &Table, opened: &Opened) -> Value {
        let value = self.unscaled(placement, table, opened);
        match value {
            Value::Counted(number) if self.factor != 1.0 => {
                Value::Counted(Number::Real(number.as_f64() * self.factor))
            }
            Value::Estimated { value, coverage } => {
                Value::Estimated { value: value * self.factor, coverage }
            }
            other => other,
        }
    }

    fn crossed(&self, placement: RowPlacement, table: &Table, opened: &Opened) -> Option<bool> {
        let limit = self.limit.as_ref()?;
        let number = |metric: &LimitMetric| {
            let value = match metric {
                LimitMetric::Requested(metric) => {
                    opened.schedule.metrics[*metric].unscaled(placement, table, opened)
                }
                LimitMetric::Other(other) => {
                    derived_value(&other.0, &other.1, placement, table, opened)
                }
            };
            value.as_f64().map(Number::Real)
        };
        let numbers: Vec<Number> = limit.metrics.iter().map(number).collect::<Option<_>>()?;
        Some(limit.formula.eval_numbers(&numbers).ok()?.as_f64() != 0.0)
    }

    fn unscaled(&self, placement: RowPlacement, table: &Table, opened: &Opened) -> Value {
        match &self.rule {
            Rule::Native(native) | Rule::Box { native, .. } => {
                native_value(*native, self.total(placement, table), opened)
            }
            Rule::Tool(tool) => tool_value(*tool, table),
            Rule::Unavailable(reason) => Value::NotSupported(reason.clone()),
            Rule::Derived { formula, inputs } => {
                derived_value(formula, inputs, placement, table, opened)
            }
        }
    }
}

fn native_value(native: usize, total: Option<&Total>, opened: &Opened) -> Value {
    if let Some(reason) = &opened.outcomes[native].failure {
        if reason.is_elsewhere() {
            return Value::NotCounted(reason.clone());
        }
        return Value::NotSupported(reason.clone());
    }
    let Some((number, coverage)) = total.and_then(Total::value) else {
        return Value::NotCounted(why_not_counted(
            total,
            &opened.schedule.natives[native],
            &opened.host,
        ));
    };
    let runs = total.map_or(1, |total| total.runs.max(1));
    let factor = opened.schedule.natives[native].scale.unwrap_or(1.0) / f64::from(runs);
    let number = if factor == 1.0 { number } else { Number::Real(number.as_f64() * factor) };
    if coverage < 1.0 {
        Value::Estimated { value: number.as_f64(), coverage }
    } else {
        Value::Counted(number)
    }
}

/// A time, which is the same at every placement.
fn tool_value(tool: ToolEvent, table: &Table) -> Value {
    match table.time(tool) {
        Ok(time) => Value::Counted(time),
        Err(why) => Value::NotCounted(Reason::NoCpuTime(why)),
    }
}

/// The reason why an open event has no value.
fn why_not_counted(total: Option<&Total>, native: &Native, host: &Host) -> Reason {
    let cpus: Option<Vec<_>> = native.boxes.iter().map(|b| b.cpus.as_ref()).collect();
    let cpus: Option<CpuSet> = cpus.map(|sets| sets.into_iter().flat_map(CpuSet::iter).collect());
    let is_some = |cpus: &CpuSet| host.online_cpus().iter().any(|cpu| !cpus.contains(cpu));
    match (total, cpus.filter(is_some)) {
        (Some(total), _) if total.is_lost => Reason::LostCounter,
        (Some(total), _) if total.enabled.is_zero() => Reason::NeverRan,
        (_, Some(cpus)) => Reason::OtherCores { cpus },
        (Some(_), None) => Reason::NoCounter,
        (None, None) => Reason::NeverRan,
    }
}

fn derived_value(
    formula: &Formula,
    inputs: &[Input],
    placement: RowPlacement,
    table: &Table,
    opened: &Opened,
) -> Value {
    let mut numbers = Vec::with_capacity(inputs.len());
    let mut lowest = 1.0_f64;
    for input in inputs {
        let value = match input {
            Input::Native(native) => native_value(*native, table.get(placement, *native), opened),
            Input::Tool(tool) => tool_value(*tool, table),
            Input::Machine(name) => match opened.values.get(name) {
                Some(Ok(value)) => Value::Counted(Number::Real(value.value)),
                Some(Err(reason)) => return Value::NotCounted(reason.clone()),
                None => return Value::NotCounted(Reason::NeverRan),
            },
        };
        let name = || match input {
            Input::Native(native) => opened.schedule.natives[*native].id.to_string(),
            Input::Tool(tool) => tool.name().to_string(),
            Input::Machine(name) => name.to_string(),
        };
        match value {
            Value::Counted(number) => numbers.push(number),
            Value::Estimated { value, coverage } => {
                lowest = lowest.min(coverage);
                numbers.push(Number::Real(value));
            }
            Value::NotCounted(reason) => {
                return Value::NotCounted(Reason::Term { name: name(), reason: Box::new(reason) });
            }
            Value::NotSupported(reason) => {
                return Value::NotSupported(Reason::Term {
                    name: name(),
                    reason: Box::new(reason),
                });
            }
        }
    }
    match formula.eval_numbers(&numbers) {
        Err(error) => Value::NotCounted(Reason::Formula(error.kind)),
        Ok(number) if lowest < 1.0 => Value::Estimated { value: number.as_f64(), coverage: lowest },
        Ok(number) => Value::Counted(number),
    }
}
