//! Whether a value is worth a look, and how sure that is.

use super::evaluation::derived_value;
use super::rows::Row;
use super::spread::Spread;
use super::totals::Line;
use super::values::Value;
use crate::counting::open::Opened;
use crate::counting::requested::{Limit, LimitMetric};
use counterpoint_formula::{Formula, Number};

/// With more inputs than this, one at a time is taken to the ends of its interval.
const TOGETHER: usize = 6;

impl Limit {
    /// Writes whether the condition holds for the values of a line.
    pub(super) fn fill(&self, row: &mut Row, line: Line<'_>, opened: &Opened) {
        let values = self.values(line, opened);
        let errors = values.iter().map(|value| value.standard_error().unwrap_or(0.0)).collect();
        self.decide(row, &values, errors);
    }

    /// Writes whether the condition holds for the values of `whole`, whose errors are those of the means of several runs.
    pub(super) fn fill_runs(
        &self,
        row: &mut Row,
        whole: Line<'_>,
        runs: &[Line<'_>],
        opened: &Opened,
    ) {
        let values = self.values(whole, opened);
        let of_runs: Vec<Vec<Value>> = runs.iter().map(|run| self.values(*run, opened)).collect();
        let error = |input: usize| {
            let of_input = of_runs.iter().map(|values| values[input].clone()).collect();
            Spread::new(of_input).standard_error().unwrap_or(0.0)
        };
        self.decide(row, &values, (0..values.len()).map(error).collect());
    }

    /// The value of each input.
    fn values(&self, line: Line<'_>, opened: &Opened) -> Vec<Value> {
        let value = |metric: &LimitMetric| match metric {
            LimitMetric::Requested(metric) => {
                opened.schedule.metrics[*metric].unscaled(line, opened)
            }
            LimitMetric::Other(other) => derived_value(&other.0, &other.1, line, opened),
        };
        self.metrics.iter().map(value).collect()
    }

    fn decide(&self, row: &mut Row, values: &[Value], errors: Vec<f64>) {
        let inputs: Option<Vec<f64>> = values.iter().map(Value::as_f64).collect();
        (row.crossed, row.is_uncertain) =
            inputs.map_or((None, false), |inputs| decided(&self.formula, &inputs, &errors));
    }
}

/// Whether a condition holds for its inputs, `None` if it has no value, and whether that is uncertain because it does not hold within two errors of them.
pub(crate) fn decided(condition: &Formula, inputs: &[f64], errors: &[f64]) -> (Option<bool>, bool) {
    let holds = |inputs: &[f64]| {
        let numbers: Vec<Number> = inputs.iter().map(|input| Number::Real(*input)).collect();
        Some(condition.eval_numbers(&numbers).ok()?.as_f64() != 0.0)
    };
    let crossed = holds(inputs);
    let is_other = |ends: Vec<f64>| holds(&ends) != crossed;
    (crossed, crossed.is_some() && corners(inputs, errors).any(is_other))
}

/// The corners of the region in which the true values are: each input at an end of its interval, two errors from its value.
fn corners<'n>(numbers: &'n [f64], errors: &'n [f64]) -> impl Iterator<Item = Vec<f64>> + 'n {
    let moving: Vec<usize> = (0..errors.len()).filter(|input| errors[*input] > 0.0).collect();
    let is_together = moving.len() <= TOGETHER;
    let count = match moving.len() {
        0 => 0,
        few if is_together => 1 << few,
        many => 2 * many,
    };
    (0..count).map(move |corner| {
        let mut at = numbers.to_vec();
        for (place, input) in moving.iter().enumerate() {
            let is_here = is_together || corner / 2 == place;
            let is_high = if is_together { corner >> place & 1 == 1 } else { corner % 2 == 1 };
            let end = if is_high { 2.0 } else { -2.0 };
            at[*input] += if is_here { end * errors[*input] } else { 0.0 };
        }
        at
    })
}
