use super::values::Value;
use counterpoint_formula::Number;
use std::cmp::Ordering;

/// The values of several runs, and how they vary; runs without a number are not part of the statistics.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Spread {
    /// The value of each run, in the order of the runs, or the reason why it has none.
    pub values: Vec<Value>,
}

impl Spread {
    /// The variation of these values, one for each run.
    pub fn new(values: Vec<Value>) -> Spread {
        Spread { values }
    }

    /// The number of runs with a number.
    pub fn runs(&self) -> usize {
        self.numbers().count()
    }

    /// The standard deviation of the values (of the sample, with n−1); `None` with fewer than two.
    pub fn stddev(&self) -> Option<f64> {
        let runs = self.runs();
        let mean = self.numbers().map(Number::as_f64).sum::<f64>() / runs as f64;
        let squares: f64 = self.numbers().map(|number| (number.as_f64() - mean).powi(2)).sum();
        (runs > 1).then(|| (squares / (runs - 1) as f64).sqrt())
    }

    /// The standard error of the mean: the standard deviation over the square root of the number of runs.
    pub fn standard_error(&self) -> Option<f64> {
        self.stddev().map(|stddev| stddev / (self.runs() as f64).sqrt())
    }

    /// The least value; `None` without a number.
    pub fn min(&self) -> Option<Number> {
        self.numbers().min_by(compare)
    }

    /// The greatest value.
    pub fn max(&self) -> Option<Number> {
        self.numbers().max_by(compare)
    }

    /// The value in the middle, or the mean of the two in the middle.
    pub fn median(&self) -> Option<Number> {
        let mut numbers: Vec<Number> = self.numbers().collect();
        numbers.sort_by(compare);
        let middle = numbers.len() / 2;
        let upper = *numbers.get(middle)?;
        if numbers.len() % 2 == 1 {
            return Some(upper);
        }
        let lower = numbers[middle - 1];
        Some(match (lower, upper) {
            (lower, upper) if lower == upper => upper,
            (lower, upper) => Number::Real(f64::midpoint(lower.as_f64(), upper.as_f64())),
        })
    }

    fn numbers(&self) -> impl Iterator<Item = Number> {
        self.values.iter().filter_map(|value| match value {
            Value::Counted(number) => Some(*number),
            other => other.as_f64().map(Number::Real),
        })
    }
}

fn compare(one: &Number, two: &Number) -> Ordering {
    match (one, two) {
        (Number::Int(one), Number::Int(two)) => one.cmp(two),
        (one, two) => one.as_f64().total_cmp(&two.as_f64()),
    }
}
