//! A series of values: what is added up for one event at one placement.

use counterpoint::formula::Number;
use counterpoint::{Reason, Row, Value};
use std::time::Duration;

/// The status of events that stay without a value.
pub(crate) const NOT_SUPPORTED: &str = "not-supported";

/// The order in which values of a series follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A count, which only grows.
    Counter,
    /// A state at the time of the read.
    State,
    /// A value that is computed from the counts of an interval.
    Computed,
}

/// The values of one event or metric at one placement.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub kind: Kind,
    /// The index of its family.
    pub family: usize,
    /// The usual name of its event or metric.
    pub event: String,
    pub labels: Labels,
    value: Option<Number>,
    /// The machine does not show its number any more, such as that of an interface that was removed; if it comes back, it is counted on.
    is_gone: bool,
    /// The value with the reason why there is none; `None` also before the first one.
    missing: Option<Value>,
    enabled: Duration,
    running: Duration,
    /// The time since the last measurement in which the event had no counter.
    unmeasured: Duration,
}

/// The labels of a series, and those of what is said about it, as they are written between braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Labels {
    pub pairs: Vec<(&'static str, String)>,
    /// Of the value.
    pub text: String,
    /// Of its status and its coverage, which have the event as a label.
    pub about: String,
}

impl Labels {
    /// `event` is a label of the value only if the name of the family loses something.
    pub(crate) fn new(event: &str, loses: bool, mut pairs: Vec<(&'static str, String)>) -> Labels {
        pairs.insert(0, ("event", event.to_string()));
        let about = written(&pairs);
        if !loses {
            pairs.remove(0);
        }
        Labels { text: written(&pairs), about, pairs }
    }
}

/// Labels as both text formats write them, without braces.
pub(crate) fn written(pairs: &[(&str, String)]) -> String {
    let pair = |(name, value): &(&str, String)| format!("{name}=\"{}\"", escaped(value));
    pairs.iter().map(pair).collect::<Vec<_>>().join(",")
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

impl Series {
    pub(crate) fn new(kind: Kind, family: usize, event: String, labels: Labels) -> Series {
        Series {
            kind,
            family,
            event,
            labels,
            value: None,
            is_gone: false,
            missing: None,
            enabled: Duration::ZERO,
            running: Duration::ZERO,
            unmeasured: Duration::ZERO,
        }
    }

    /// The value, in the unit of the report; none while what it counts is gone.
    pub(crate) fn value(&self) -> Option<Number> {
        self.value.filter(|_| !self.is_gone)
    }

    /// The word of the status of a series without a value, and the reason.
    pub(crate) fn missing(&self) -> Option<(&'static str, &Reason)> {
        let missing = self.missing.as_ref().filter(|_| self.value().is_none())?;
        Some((missing.status().name(), missing.reason()?))
    }

    /// The reason why the series stays without a value.
    pub(crate) fn not_supported(&self) -> Option<&Reason> {
        self.missing().filter(|(status, _)| *status == NOT_SUPPORTED).map(|(_, reason)| reason)
    }

    /// Returns true if a value is there, or may be there at the next read: the target did not run yet, or no interval is over.
    pub(crate) fn may_have_value(&self) -> bool {
        !matches!(self.missing(), Some((NOT_SUPPORTED, _) | (_, Reason::NoCounter)))
    }

    /// The share of the time for which an estimate was measured; `None` if the value is exact or missing.
    pub(crate) fn coverage(&self) -> Option<f64> {
        let is_estimate = self.value().is_some() && self.running < self.enabled;
        is_estimate.then(|| self.running.as_secs_f64() / self.enabled.as_secs_f64())
    }

    /// Takes the row of what was counted since the row before.
    ///
    /// Estimates are added up as they are made: one for the whole time could be less than it was before.
    pub(crate) fn add(&mut self, row: &Row) {
        if self.kind != Kind::Counter {
            return self.replace(row);
        }
        self.is_gone = matches!(row.value, Value::NotCounted(Reason::NotShown(_)));
        match &row.value {
            Value::Counted(number) => self.grow(*number, row),
            Value::Estimated { value, .. } => self.grow(Number::Real(*value), row),
            Value::NotCounted(reason) if !is_over(reason) => {
                // The time for which the event was not measured is estimated from its next measurement.
                self.unmeasured += row.enabled;
                self.enabled += row.enabled;
                // A time in which the target did not run tells nothing new.
                if self.missing.is_none() || self.is_gone || !row.enabled.is_zero() {
                    self.missing = Some(row.value.clone());
                }
            }
            missing => {
                self.value = None;
                self.missing = Some(missing.clone());
            }
        }
    }

    fn grow(&mut self, number: Number, row: &Row) {
        let number = if self.unmeasured.is_zero() || row.enabled.is_zero() {
            number
        } else {
            let share = self.unmeasured.as_secs_f64() / row.enabled.as_secs_f64();
            self.unmeasured = Duration::ZERO;
            Number::Real(number.as_f64() * (1.0 + share))
        };
        self.value = Some(self.value.map_or(number, |sum| plus(sum, number)));
        self.enabled += row.enabled;
        self.running += row.running;
    }

    /// A state, or a computed value, is that of the last row only.
    fn replace(&mut self, row: &Row) {
        (self.value, self.missing) = match &row.value {
            Value::Counted(number) => (Some(*number), None),
            Value::Estimated { value, .. } => (Some(Number::Real(*value)), None),
            missing => (None, Some(missing.clone())),
        };
        (self.enabled, self.running) = match row.value {
            // A formula has no times: its share is that of the event that was measured least.
            Value::Estimated { coverage, .. } => {
                (Duration::from_secs(1), Duration::from_secs_f64(coverage.clamp(0.0, 1.0)))
            }
            _ => (Duration::ZERO, Duration::ZERO),
        };
    }
}

/// Returns true if the count is lost for good, so that what is counted later is not the whole.
fn is_over(reason: &Reason) -> bool {
    matches!(reason, Reason::LostCounter | Reason::CountedElsewhere)
}

fn plus(a: Number, b: Number) -> Number {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => {
            a.checked_add(b).map_or(Number::Real(a as f64 + b as f64), Number::Int)
        }
        (a, b) => Number::Real(a.as_f64() + b.as_f64()),
    }
}
