//! Metrics over counts that were saved.

use super::NamedMetric;
use super::needs::{Meaning, Needs, Term};
use crate::error::Error;
use crate::event_set::EventSet;
use crate::report::labels::RowPlacement;
use crate::report::limit::decided;
use crate::report::rows::{Report, Row};
use crate::report::values::{Reason, Value};
use counterpoint_formula::{Column, ColumnMut, ColumnsError, Number};
use std::collections::{HashMap, HashSet};
use std::time::Duration;

/// Counts of an earlier report, by the name of the event: as it was requested, or its usual name.
///
/// ```
/// use counterpoint::metrics::SavedCounts;
/// use counterpoint::{EventSet, Machine, Target, Value, pmu, read_definitions};
///
/// let mut saved = SavedCounts::default();
/// saved.insert("instructions", Value::Counted(3_000_u64.into()));
/// saved.insert("cycles", Value::Counted(1_500_u64.into()));
/// let spr = Machine::of_pmu(pmu::find("spr").unwrap());
/// let mine = read_definitions("mine.metrics", "metric my_ipc\n formula instructions / cycles\n unit per cycle\n");
/// let set = EventSet::with_machine(spr, Target::AllCpus).define(mine).metric("my_ipc");
/// let report = set.report_over(&saved)?;
/// assert_eq!((report.rows[0].value.as_f64(), report.rows[0].unit.as_deref()), (Some(2.0), Some("per cycle")));
/// # Ok::<(), counterpoint::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SavedCounts {
    values: HashMap<String, Value>,
}

impl SavedCounts {
    /// Adds the value of an event, under the text that requested it or its usual name; one more of the same name replaces it.
    pub fn insert(&mut self, event: impl Into<String>, value: Value) {
        self.values.insert(event.into().to_lowercase(), value);
    }

    fn of(&self, term: &Term) -> Value {
        let id = match &term.meaning {
            Ok(Meaning::Event(native)) => native.id.to_string(),
            Ok(Meaning::Source(source)) => source.name().to_string(),
            Ok(Meaning::Fact(fact)) => return Value::Counted(Number::Real(fact.value)),
            Err(_) => String::new(),
        };
        let found =
            [&term.name, &id].into_iter().find_map(|name| self.values.get(&name.to_lowercase()));
        found.cloned().unwrap_or(Value::NotCounted(Reason::NotSaved))
    }
}

impl EventSet {
    /// The metrics of this set over counts that were saved, such as those of an earlier run.
    ///
    /// # Errors
    /// Returns an error if a name is not that of a metric or of a group of metrics.
    pub fn report_over(&self, saved: &SavedCounts) -> Result<Report, Error> {
        let mut rows: Vec<Row> = Vec::new();
        let mut seen = HashSet::new();
        for name in self.requested_metrics() {
            for metric in self.metrics().requested(name)? {
                if !seen.insert(metric.id()) {
                    continue;
                }
                let value = match self.metric_needs(&metric) {
                    Ok(needs) => needs.value(|term| saved.of(term)),
                    Err(reason) => Value::NotSupported(reason),
                };
                let (crossed, is_uncertain) = self.crossed_over(&metric, saved);
                rows.push(Row {
                    event: metric.definition.name().to_string(),
                    id: metric.id(),
                    unit: metric.definition.units().map(str::to_string),
                    placement: RowPlacement::All,
                    value,
                    raw: None,
                    enabled: Duration::ZERO,
                    running: Duration::ZERO,
                    notes: Vec::new(),
                    extremes: None,
                    spread: None,
                    crossed,
                    is_uncertain,
                    metric: Some(metric.definition),
                });
            }
        }
        Ok(Report { rows })
    }

    /// Whether the threshold of a metric is crossed, `None` if it has none, or no value, and whether that is uncertain.
    fn crossed_over(&self, metric: &NamedMetric, saved: &SavedCounts) -> (Option<bool>, bool) {
        let definition = metric.definition.metric();
        let Some(threshold) = definition.and_then(|of| of.threshold.as_ref()) else {
            return (None, false);
        };
        let value = |name: &str| {
            let found =
                self.metrics().find(name).into_iter().find(|found| found.core == metric.core)?;
            let needs = self.metric_needs(&found).ok()?;
            let value = needs.value(|term| saved.of(term)).times(1.0 / needs.factor);
            Some((value.as_f64()?, value.standard_error().unwrap_or(0.0)))
        };
        let values: Option<Vec<(f64, f64)>> = threshold.formula.inputs().map(value).collect();
        let Some(values) = values else { return (None, false) };
        let (inputs, errors): (Vec<f64>, Vec<f64>) = values.into_iter().unzip();
        decided(&threshold.formula, &inputs, &errors)
    }
}

impl Needs {
    /// The value of the metric in its unit, where each term has the value that `count` returns; the error of an estimate is the greatest that it can be, to first order.
    pub fn value(&self, count: impl Fn(&Term) -> Value) -> Value {
        let mut numbers = Vec::with_capacity(self.terms.len());
        let (mut lowest, mut errors) = (1.0_f64, Vec::with_capacity(self.terms.len()));
        for term in &self.terms {
            let because =
                |reason| Reason::Term { name: term.name.clone(), reason: Box::new(reason) };
            match count(term) {
                Value::Counted(number) => {
                    errors.push(Some(0.0));
                    numbers.push(number);
                }
                Value::Estimated { value, coverage, standard_error } => {
                    errors.push(standard_error);
                    lowest = lowest.min(coverage);
                    numbers.push(Number::Real(value));
                }
                Value::NotCounted(reason) => return Value::NotCounted(because(reason)),
                Value::NotSupported(reason) => return Value::NotSupported(because(reason)),
            }
        }
        let value = match self.formula.eval_numbers(&numbers) {
            Err(error) => Value::NotCounted(Reason::Formula(error.kind)),
            Ok(number) if lowest < 1.0 => {
                let errors: Option<Vec<f64>> = errors.into_iter().collect();
                let standard_error =
                    errors.and_then(|errors| self.greatest_error(&numbers, &errors));
                Value::Estimated { value: number.as_f64(), coverage: lowest, standard_error }
            }
            Ok(number) => Value::Counted(number),
        };
        value.times(self.factor)
    }

    /// The greatest error that follows from those of the terms, to first order: counts that were saved do not show which of them vary together.
    fn greatest_error(&self, numbers: &[Number], errors: &[f64]) -> Option<f64> {
        let numbers: Vec<f64> = numbers.iter().map(|number| number.as_f64()).collect();
        let slopes = self.formula.slopes(&numbers);
        let error: f64 =
            slopes.iter().zip(errors).map(|(slope, error)| (slope * error).abs()).sum();
        Some(error).filter(|error| error.is_finite())
    }

    /// The values of the metric in its unit, a row for each of many saved counts; `columns` are those of the terms, in their order.
    ///
    /// ```
    /// use counterpoint::formula::{Column, ColumnMut};
    /// use counterpoint::{EventSet, Machine, Target, pmu, read_definitions};
    ///
    /// let spr = Machine::of_pmu(pmu::find("spr").unwrap());
    /// let mine = read_definitions("mine.metrics", "metric share\n formula branches / instructions\n unit 100%\n");
    /// let set = EventSet::with_machine(spr, Target::AllCpus).define(mine);
    /// let needs = set.metric_needs(&set.metrics().find("share")[0]).unwrap();
    /// let columns = [Column::from(&[1.0, 3.0][..]), Column::from(&[4.0, 4.0][..])];
    /// let mut values = [0.0; 2];
    /// needs.columns(&columns, &mut ColumnMut { values: &mut values, validity: None }).unwrap();
    /// assert_eq!(values, [25.0, 75.0]);
    /// ```
    ///
    /// # Errors
    /// Returns an error if columns are missing or differ in length.
    pub fn columns(
        &self,
        columns: &[Column<'_>],
        out: &mut ColumnMut<'_>,
    ) -> Result<(), ColumnsError> {
        self.formula.eval_columns(columns, out)?;
        if self.factor != 1.0 {
            out.values.iter_mut().for_each(|value| *value *= self.factor);
        }
        Ok(())
    }
}
