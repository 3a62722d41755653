//! What the terms of metrics stand for on a machine.

use super::NamedMetric;
use super::facts::{Events, fold};
use crate::events::Native;
use crate::lookup::{View, is_missing_box};
use crate::machine::Machine;
use crate::resolving::{Found, term_on};
use crate::tool::ToolEvent;
use crate::{EventSet, MachineValue, Reason, Target};
use counterpoint_definitions::Expansion;
use counterpoint_formula::Formula;
use counterpoint_pmu::syntax::Modifiers;
use std::borrow::Cow;
use std::collections::HashMap;

/// What a metric needs on a machine; [`EventSet::metric_needs`] returns it.
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
}

/// A term of a metric.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Term {
    /// The term, as written.
    pub name: String,
    /// What it stands for, or why it stands for nothing here.
    pub meaning: Result<Meaning, Reason>,
}

/// What a term of a metric stands for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Meaning {
    /// An event to open.
    Event(Box<Native>),
    /// A time that is measured beside the events.
    Time(ToolEvent),
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
        let mut terms = Terms::new(self.machine(), self.target());
        let formula = terms.fold(&whole, view)?;
        let meaning = |input: &str| {
            Ok(match terms.find(input, view).clone()? {
                Found::Native(native) => Meaning::Event(Box::new(native)),
                Found::Tool(tool) => Meaning::Time(tool),
                Found::Machine(name) => {
                    let value = self.machine().value_for(name, self.target());
                    Meaning::Fact(value.ok_or(Reason::NeverRan)??)
                }
            })
        };
        let mut meaning = meaning;
        let inputs = formula.inputs();
        let terms =
            inputs.map(|input| Term { name: input.to_string(), meaning: meaning(input) }).collect();
        let factor = metric.definition.metric().map_or(1.0, |metric| metric.factor);
        let missing = whole.formula.inputs().filter(|input| is_missing_box(self.machine(), input));
        let missing = missing.map(str::to_string).collect();
        Ok(Needs { terms, missing, formula, factor })
    }
}

/// The terms that were looked up, and what was found: many metrics have the same terms.
pub(super) struct Terms<'t> {
    machine: &'t Machine,
    target: &'t Target,
    /// By the core PMU and the name.
    found: HashMap<(Option<String>, String), Result<Found, Reason>>,
}

/// The terms on one kind of core.
struct OnCore<'t, 'k> {
    terms: &'k mut Terms<'t>,
    view: &'k View,
}

impl<'t> Terms<'t> {
    pub(super) fn new(machine: &'t Machine, target: &'t Target) -> Terms<'t> {
        Terms { machine, target, found: HashMap::new() }
    }

    /// The formula of a definition in which the facts of the machine are constants.
    pub(super) fn fold(&mut self, whole: &Expansion, view: &View) -> Result<Formula, Reason> {
        let (machine, target) = (self.machine, self.target);
        let folded = fold(machine, target, whole, &mut OnCore { terms: self, view })?;
        folded.missing().map_or(Ok(folded.formula), Err)
    }

    pub(super) fn find(&mut self, term: &str, view: &View) -> &Result<Found, Reason> {
        let core = view.core.as_ref().map(|core| core.pmu.name.clone());
        let machine = self.machine;
        // On a hybrid machine, the PMU `cpu` of a metric is that of its kind of core.
        let of_core = match (&core, term.strip_prefix("cpu/")) {
            (Some(core), Some(rest)) => Cow::Owned(format!("{core}/{rest}")),
            _ => Cow::Borrowed(term),
        };
        let found = || term_on(machine, &of_core, view, Modifiers::default());
        self.found.entry((core, term.to_string())).or_insert_with(found)
    }
}

impl Events for OnCore<'_, '_> {
    fn has(&mut self, event: &str) -> bool {
        self.terms.find(event, self.view).is_ok()
    }

    fn boxes(&mut self, event: &str) -> Result<usize, Reason> {
        match self.terms.find(event, self.view) {
            Ok(Found::Native(native)) => Ok(native.boxes.len()),
            Ok(_) => Ok(1),
            Err(reason) => Err(reason.clone()),
        }
    }
}
