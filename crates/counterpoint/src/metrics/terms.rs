//! The terms of metrics, looked up on a machine.

use super::facts::{Events, Facts};
use crate::counting::requested::Input;
use crate::counting::target::Target;
use crate::machine::pmus::Machine;
use crate::names::terms::{Found, term_on};
use crate::names::views::View;
use crate::report::values::Reason;
use counterpoint_definitions::Expansion;
use counterpoint_formula::Formula;
use counterpoint_pmu::syntax::Modifiers;
use std::borrow::Cow;
use std::collections::HashMap;

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

/// The result of looking up a term.
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
