//! The events that a metric needs on a machine, and the formula over them.

use super::NamedMetric;
use super::each::of_each;
use super::latency::latency;
use super::terms::Terms;
use crate::event_set::EventSet;
use crate::machine::values::MachineValue;
use crate::names::finders::likwid::is_missing_box;
use crate::names::native::Native;
use crate::names::terms::Found;
use crate::report::values::Reason;
use crate::sources::source::Source;
use counterpoint_formula::Formula;

/// The needs of a metric on a machine; [`EventSet::metric_needs`] returns it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Needs {
    /// The formula over its terms: other metrics are expanded, and facts of the machine are constants.
    pub formula: Formula,
    /// The inputs of the formula, in their order.
    pub terms: Vec<Term>,
    /// The number by which the value is multiplied to be in the unit of the metric.
    pub factor: f64,
    /// Events of boxes above the last one of the machine, which are 0 in the formula, as likwid's formulas name the boxes
    /// of the largest processor.
    pub missing: Vec<String>,
    /// The retire latencies in the formula, in cycles, which are the defaults of the vendor's files and not measured.
    pub latencies: Vec<(String, f64)>,
}

/// A term of a metric.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Term {
    /// The term, as written.
    pub name: String,
    /// The thing for which it stands, or the reason why it stands for nothing here.
    pub meaning: Result<Meaning, Reason>,
}

/// The thing for which a term of a metric stands.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Meaning {
    /// An event to open.
    Event(Box<Native>),
    /// A source that is read beside the events, such as a time.
    Source(Source),
    /// A fact of the machine.
    Fact(MachineValue),
}

impl EventSet {
    /// The events that a metric needs, and the formula over them.
    ///
    /// # Errors
    /// Returns the reason if the metric has no value on this machine, whatever is counted.
    pub fn metric_needs(&self, metric: &NamedMetric) -> Result<Needs, Reason> {
        let none = || Reason::Definition("the metric is of another set".to_string());
        let view = self.metrics().view(metric).ok_or_else(none)?;
        let whole = view.definitions.expand(&metric.definition);
        let whole = whole.map_err(|reason| Reason::Definition(reason.to_string()))?;
        // Those of the other chips or cores differ by the number only.
        let first = of_each(self.machine(), &metric.definition, whole)?.into_iter().next();
        let Some((_, whole)) = first else { return Err(Reason::NeverRan) };
        let mut terms = Terms::new(self.machine(), self.target());
        let missing = whole.formula.inputs().filter(|input| is_missing_box(self.machine(), input));
        let missing = missing.map(str::to_string).collect();
        let latency = |input: &str| {
            let cycles = latency(self.machine(), input)?.ok()?;
            Some((input.to_string(), cycles))
        };
        let latencies = whole.formula.inputs().filter_map(latency).collect();
        let formula = terms.fold(whole, view)?;
        let mut meaning = |input: &str| {
            Ok(match terms.find(input, view).found.clone()? {
                Found::Native(native) => Meaning::Event(Box::new(native)),
                Found::Source(source) => Meaning::Source(source),
                Found::Machine(name) => {
                    let value = self.machine().value_for(name, self.target());
                    Meaning::Fact(value.ok_or(Reason::NeverRan)??)
                }
            })
        };
        let inputs = formula.inputs();
        let terms =
            inputs.map(|input| Term { name: input.to_string(), meaning: meaning(input) }).collect();
        let factor = metric.definition.metric().map_or(1.0, |metric| metric.factor);
        Ok(Needs { terms, missing, latencies, formula, factor })
    }
}
