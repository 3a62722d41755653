//! The values of events, as they are reported.

use super::labels::RowPlacement;
use super::note::Note;
use super::numbers::grouped;
use super::source_total::Extremes;
use super::spread::Spread;
use super::values::Value;
use crate::names::ids::EventId;
use counterpoint_definitions::Definition;
use counterpoint_formula::Number;
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
    /// The least and the greatest value of a level, such as a temperature, whose value is the mean over time.
    pub extremes: Option<Extremes>,
    /// The variation over several runs.
    pub spread: Option<Spread>,
    /// The definition of a metric that was requested as such.
    pub metric: Option<Definition>,
    /// True if the threshold of the metric is crossed; `None` if it has none, or if the threshold has no value.
    pub crossed: Option<bool>,
    /// True if the threshold lies within the errors of the values that it is about: within them, `crossed` may be otherwise.
    pub is_uncertain: bool,
}

impl Report {
    /// The first row of the event with this usual name.
    pub fn row(&self, id: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.id.to_string() == id)
    }
}

impl Row {
    /// The standard error of the value, if it is known: of the mean of several runs, or of an estimate.
    pub fn standard_error(&self) -> Option<f64> {
        match &self.spread {
            Some(spread) => spread.standard_error(),
            None => self.value.standard_error(),
        }
    }

    /// Returns true if the value is a count or a time, which grows with what is measured; metrics, other formulas and
    /// levels may not.
    pub fn adds_up(&self) -> bool {
        let is_time = self.unit.as_deref() == Some("ns");
        self.metric.is_none() && self.extremes.is_none() && (self.raw.is_some() || is_time)
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
        if let Some(extremes) = self.extremes_text() {
            write!(f, " ({extremes})")?;
        }
        if let Some(estimate) = self.estimate_text() {
            write!(f, " ({estimate})")?;
        }
        match self.value.reason() {
            Some(reason) => write!(f, ": {reason}"),
            None => Ok(()),
        }
    }
}

/// A level as people read it.
pub(crate) fn level(value: f64) -> String {
    if value.abs() < 1000.0 { format!("{value:.2}") } else { grouped(value.round() as i128) }
}

impl Row {
    /// How far the value is an estimate, as people read it, such as `estimated from 25% of the time, ± 1.61%`, with its standard error if that is known; `None` if it is none.
    pub(crate) fn estimate_text(&self) -> Option<String> {
        let Value::Estimated { value, coverage, .. } = self.value else { return None };
        let error = self.standard_error().filter(|_| value != 0.0);
        let error =
            error.map_or(String::new(), |of| format!(", ± {:.2}%", 100.0 * of / value.abs()));
        Some(format!("estimated from {:.0}% of the time{error}", coverage * 100.0))
    }

    /// The least and the greatest value of a level as people read them, such as `41.00 to 47.50`.
    pub fn extremes_text(&self) -> Option<String> {
        let Extremes { least, greatest, .. } = self.extremes?;
        Some(format!("{} to {}", level(least), level(greatest)))
    }

    /// The value and its unit as people read them: clocks in milliseconds, counters in whole numbers; the unit is empty if there is none.
    pub fn amount(&self) -> (String, &str) {
        let unit = self.unit.as_deref().unwrap_or_default();
        match (&self.value, self.value.as_f64()) {
            (_, None) => (self.value.to_string(), ""),
            (_, Some(ns)) if unit == "ns" && self.metric.is_none() => {
                (format!("{:.2}", ns / 1e6), "msec")
            }
            (_, Some(mean)) if self.extremes.is_some() => (level(mean), unit),
            (Value::Counted(Number::Int(_)), _) => (self.value.to_string(), unit),
            // A counter is whole, so an estimate or a mean of it is rounded.
            (_, Some(real)) if unit.is_empty() && self.raw.is_some() && real.abs() < 1e15 => {
                (grouped(real.round() as i128), unit)
            }
            _ => (self.value.to_string(), unit),
        }
    }
}
