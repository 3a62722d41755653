//! Metrics over counts between samples.

use super::NamedMetric;
use super::needs::{Needs, Term};
use crate::report::values::Reason;

/// The sums of counts between samples, with what is needed for the errors of formulas over them.
///
/// ```
/// use counterpoint::metrics::{SampledCounts, SampledInput};
/// use counterpoint::{EventSet, Machine, Target, pmu, read_definitions};
///
/// // Instructions and cycles between five samples.
/// let mut counts = SampledCounts::default();
/// for between in [[100, 50], [110, 50], [90, 50], [105, 50], [95, 50]] {
///     counts.add(&between);
/// }
/// let spr = Machine::of_pmu(pmu::find("spr").unwrap());
/// let mine = read_definitions("mine.metrics", "metric my_ipc\n formula instructions / cycles\n");
/// let set = EventSet::with_machine(spr, Target::AllCpus).define(mine);
/// let needs = set.metric_needs(&set.metrics().find("my_ipc")[0]).unwrap();
/// let inputs = [0, 1].map(|index| SampledInput::Count { index, factor: 1.0 });
/// let ipc = needs.estimate(&counts, &inputs).unwrap();
/// assert_eq!(ipc.value, 2.0);
/// assert!((ipc.error - 0.0707).abs() < 0.0001);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SampledCounts {
    intervals: u64,
    sums: Vec<f64>,
    /// The sums of the products of each two counts, a row for each count up to itself.
    products: Vec<f64>,
}

/// An input of a formula over counts between samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SampledInput {
    /// A count, by its index, times the factor of its event.
    Count {
        /// The index of the count in [`SampledCounts::add`].
        index: usize,
        /// The number by which it is multiplied.
        factor: f64,
    },
    /// A number that is the same in all intervals, such as a fact of the machine.
    Fixed(f64),
}

/// A value with its standard error, by chance in what happened between the samples.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// The value, in the unit of the metric.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
    /// The value grows with the counts, so that it is a part of a whole, and not a ratio.
    pub is_sum: bool,
}

impl SampledCounts {
    /// Adds the counts between two samples, which are those of the same events in each call.
    pub fn add(&mut self, counts: &[u64]) {
        self.intervals += 1;
        self.sums.resize(self.sums.len().max(counts.len()), 0.0);
        let pairs = self.sums.len() * (self.sums.len() + 1) / 2;
        self.products.resize(self.products.len().max(pairs), 0.0);
        let mut products = self.products.iter_mut();
        for (at, count) in counts.iter().enumerate() {
            let count = *count as f64;
            self.sums[at] += count;
            for (other, product) in counts[..=at].iter().zip(&mut products) {
                *product += count * *other as f64;
            }
        }
    }

    /// The number of intervals between samples.
    pub fn intervals(&self) -> u64 {
        self.intervals
    }

    /// The sum of each count.
    pub fn sums(&self) -> &[f64] {
        &self.sums
    }

    /// The variance of a sum of the counts, each with its factor: intervals are drawn, and so is their number.
    fn variance(&self, factors: &[f64]) -> f64 {
        let mut products = self.products.iter();
        let mut sum = 0.0;
        for (at, factor) in factors.iter().enumerate() {
            let (own, others) = (factor, &factors[..at]);
            for (other, product) in others.iter().zip(&mut products) {
                sum += 2.0 * own * other * product;
            }
            sum += own * own * products.next().copied().unwrap_or(0.0);
        }
        let intervals = self.intervals as f64;
        sum.max(0.0) * intervals / (intervals - 1.0)
    }
}

impl Needs {
    /// The value of the metric over counts between samples, with its error by the slopes of the formula; `inputs` are those of the formula.
    ///
    /// `None` if there is no value, such as without a divisor, or of fewer than two intervals.
    pub fn estimate(&self, counts: &SampledCounts, inputs: &[SampledInput]) -> Option<Estimate> {
        let values: Vec<f64> = inputs.iter().map(|input| input.value(&counts.sums)).collect();
        let value = self.formula.eval(&values);
        // By how much the value grows with each count.
        let mut factors = vec![0.0; counts.sums.len()];
        for (input, slope) in inputs.iter().zip(self.formula.slopes(&values)) {
            if let SampledInput::Count { index, factor } = input
                && let Some(of) = factors.get_mut(*index)
            {
                *of += slope * factor;
            }
        }
        let error = counts.variance(&factors).sqrt();
        let grown: f64 = factors.iter().zip(&counts.sums).map(|(by, sum)| by * sum).sum();
        let is_known = counts.intervals > 1 && value.is_finite() && error.is_finite();
        is_known.then(|| Estimate {
            value: value * self.factor,
            error: error * self.factor.abs(),
            is_sum: grown.abs() > 1e-6 * value.abs(),
        })
    }
}

impl NamedMetric {
    /// The formula over the names that its definition has, of which nothing is looked up on a machine, for counts whose events have these names.
    ///
    /// `None` if the definition has no formula.
    pub fn as_written(&self) -> Option<Needs> {
        let names = self.definition.term_names();
        let own = self.definition.formula()?;
        let named = |input: &str| {
            let number = input.strip_prefix('N').and_then(|number| number.parse::<usize>().ok());
            number.and_then(|number| names.get(number)).map_or(input, |name| *name).to_string()
        };
        let formula = own.rename_inputs(named);
        let term = |name: &str| Term { name: name.to_string(), meaning: Err(Reason::NotSaved) };
        let terms = formula.inputs().map(term).collect();
        let factor = self.definition.metric().map_or(1.0, |metric| metric.factor);
        Some(Needs { terms, missing: Vec::new(), latencies: Vec::new(), formula, factor })
    }
}

impl SampledInput {
    fn value(&self, sums: &[f64]) -> f64 {
        match self {
            SampledInput::Count { index, factor } => {
                sums.get(*index).map_or(f64::NAN, |sum| sum * factor)
            }
            SampledInput::Fixed(value) => *value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EventSet, Machine, Target, read_definitions};

    fn needs(formula: &str) -> Needs {
        let mine = format!("metric mine\n formula {formula}\n");
        let machine = Machine::of_pmu(counterpoint_pmu::find("spr").unwrap());
        let set = EventSet::with_machine(machine, Target::AllCpus)
            .define(read_definitions("mine.metrics", &mine));
        set.metric_needs(&set.metrics().find("mine")[0]).unwrap()
    }

    const INPUTS: [SampledInput; 2] = [
        SampledInput::Count { index: 0, factor: 1.0 },
        SampledInput::Count { index: 1, factor: 1.0 },
    ];

    /// Numbers from 0 up to 1, always the same.
    struct Drawn(u64);

    impl Drawn {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 11) as f64 / (1_u64 << 53) as f64
        }
    }

    #[test]
    fn intervals_of_two_errors_have_the_ratio_in_95_of_100_cases() {
        let needs = needs("instructions / cycles");
        let mut drawn = Drawn(7);
        let mut inside = 0;
        for _ in 0..2000 {
            let mut counts = SampledCounts::default();
            for _ in 0..100 {
                let cycles = 500.0 + 1000.0 * drawn.next();
                // Twice as many instructions on average, whatever the number of cycles is.
                let instructions = cycles * (1.0 + 2.0 * drawn.next());
                counts.add(&[instructions as u64, cycles as u64]);
            }
            let ipc = needs.estimate(&counts, &INPUTS).unwrap();
            assert!(!ipc.is_sum);
            inside += u32::from((ipc.value - 2.0).abs() < 1.96 * ipc.error);
        }
        assert!((1860..=1940).contains(&inside), "{inside} of 2000");
    }

    #[test]
    fn a_metric_as_written_has_the_names_of_its_definition() {
        let machine = Machine::of_pmu(counterpoint_pmu::find("spr").unwrap());
        let set = EventSet::with_machine(machine, Target::AllCpus);
        let needs = set.metrics().find("branch_miss_ratio")[0].as_written().unwrap();
        let names: Vec<_> = needs.terms.iter().map(|term| term.name.as_str()).collect();
        assert_eq!((names, needs.factor), (vec!["PAPI_BR_MSP", "PAPI_BR_INS"], 100.0));
        assert_eq!(needs.formula.eval(&[1.0, 4.0]), 0.25);
    }

    #[test]
    fn a_sum_is_told_from_a_ratio_and_nothing_has_no_value() {
        let mut counts = SampledCounts::default();
        counts.add(&[10, 4]);
        assert_eq!(needs("instructions / cycles").estimate(&counts, &INPUTS), None);
        counts.add(&[10, 4]);
        let sum = needs("instructions + cycles").estimate(&counts, &INPUTS).unwrap();
        assert_eq!((sum.value, sum.is_sum), (28.0, true));
        let ratio = needs("instructions / cycles").estimate(&counts, &INPUTS).unwrap();
        assert_eq!((ratio.value, ratio.error, ratio.is_sum), (2.5, 0.0, false));
        let mut idle = SampledCounts::default();
        idle.add(&[10, 0]);
        idle.add(&[10, 0]);
        assert_eq!(needs("instructions / cycles").estimate(&idle, &INPUTS), None);
    }
}
