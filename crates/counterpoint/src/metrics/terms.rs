//! What the terms of metrics stand for on a machine.

use super::NamedMetric;
use super::each::of_each;
use super::facts::{Events, Facts};
use crate::counting::resolve::{Found, term_on};
use crate::counting::resolved::Input;
use crate::counting::target::Target;
use crate::counting::tool::ToolEvent;
use crate::event_set::EventSet;
use crate::events::Native;
use crate::machine::pmus::Machine;
use crate::machine::values::MachineValue;
use crate::names::finders::likwid::is_missing_box;
use crate::names::views::View;
use crate::report::values::Reason;
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
        // Those of the other chips or cores differ by the number only.
        let first = of_each(self.machine(), &metric.definition, whole)?.into_iter().next();
        let Some((_, whole)) = first else { return Err(Reason::NeverRan) };
        let mut terms = Terms::new(self.machine(), self.target());
        let missing = whole.formula.inputs().filter(|input| is_missing_box(self.machine(), input));
        let missing = missing.map(str::to_string).collect();
        let formula = terms.fold(whole, view)?;
        let mut meaning = |input: &str| {
            Ok(match terms.find(input, view).found.clone()? {
                Found::Native(native) => Meaning::Event(Box::new(native)),
                Found::Tool(tool) => Meaning::Time(tool),
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
        Ok(Needs { terms, missing, formula, factor })
    }
}

/// The terms that were looked up: many metrics have the same terms.
pub(super) struct Terms<'t> {
    machine: &'t Machine,
    target: &'t Target,
    facts: Option<Facts<'t>>,
    cores: Vec<OfCore>,
}

/// The terms on one kind of core.
struct OfCore {
    core: Option<String>,
    places: HashMap<String, usize>,
    looked: Vec<Looked>,
}

/// What was found for a term.
pub(super) struct Looked {
    pub(super) found: Result<Found, Reason>,
    /// The input of formulas for it, once it is counted.
    pub(super) input: Option<Input>,
}

/// The events that a formula on one kind of core asks about.
struct OnCore<'t, 'k> {
    terms: &'k mut Terms<'t>,
    view: &'k View,
}

impl<'t> Terms<'t> {
    pub(super) fn new(machine: &'t Machine, target: &'t Target) -> Terms<'t> {
        Terms { machine, target, facts: None, cores: Vec::new() }
    }

    /// The formula of a definition in which the facts of the machine are constants.
    pub(super) fn fold(&mut self, whole: Expansion, view: &View) -> Result<Formula, Reason> {
        // The facts are put aside while they ask for events.
        let facts = self.facts.take();
        let mut facts = facts.unwrap_or_else(|| Facts::new(self.machine, self.target));
        let folded = facts.fold(whole, &mut OnCore { terms: self, view });
        self.facts = Some(facts);
        let folded = folded?;
        folded.missing().map_or(Ok(folded.formula), Err)
    }

    pub(super) fn find(&mut self, term: &str, view: &View) -> &mut Looked {
        let core = view.core.as_ref().map(|core| core.pmu.name.as_str());
        let place = self.cores.iter().position(|of| of.core.as_deref() == core);
        let place = place.unwrap_or_else(|| {
            let core = core.map(str::to_string);
            self.cores.push(OfCore { core, places: HashMap::new(), looked: Vec::new() });
            self.cores.len() - 1
        });
        let OfCore { places, looked, .. } = &mut self.cores[place];
        let place = places.get(term).copied().unwrap_or_else(|| {
            // On a hybrid machine, the PMU `cpu` of a metric is that of its kind of core.
            let text = match (core, term.strip_prefix("cpu/")) {
                (Some(core), Some(rest)) => Cow::Owned(format!("{core}/{rest}")),
                _ => Cow::Borrowed(term),
            };
            let found = term_on(self.machine, &text, view, Modifiers::default());
            looked.push(Looked { found, input: None });
            places.insert(term.to_string(), looked.len() - 1);
            looked.len() - 1
        });
        &mut looked[place]
    }
}

impl Events for OnCore<'_, '_> {
    fn has(&mut self, event: &str) -> bool {
        self.terms.find(event, self.view).found.is_ok()
    }

    fn boxes(&mut self, event: &str) -> Result<usize, Reason> {
        match &self.terms.find(event, self.view).found {
            Ok(Found::Native(native)) => Ok(native.boxes.len()),
            Ok(_) => Ok(1),
            Err(reason) => Err(reason.clone()),
        }
    }
}
