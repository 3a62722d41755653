//! Metrics to the events that they need, and the formulas over these.

use super::facts::{Events, fold};
use super::{Metrics, NamedMetric};
use crate::event_id::EventId;
use crate::lookup::View;
use crate::note::Note;
use crate::resolved::{Limit, Metric, Rule};
use crate::resolving::{Builder, Found, term_on};
use crate::{Error, Reason, Target};
use counterpoint_definitions::{Constraint, Definition, Expansion, Origin};
use counterpoint_formula::{Formula, Limits};
use counterpoint_pmu::syntax::Modifiers;
use std::collections::{HashMap, HashSet};

/// Adds the metrics that names request, each once.
pub(crate) fn resolve(
    builder: &mut Builder<'_>,
    metrics: &Metrics,
    names: &[String],
    target: &Target,
) -> Result<(), Error> {
    let mut terms = Terms { builder, target, found: HashMap::new() };
    let mut seen = HashSet::new();
    let mut limits = Vec::new();
    for name in names {
        for metric in metrics.requested(name)? {
            let Some(view) = metrics.view(&metric) else { continue };
            if !seen.insert((metric.core.clone(), metric.definition.name().to_string())) {
                continue;
            }
            let place = terms.add(&metric, view);
            if metric.definition.metric().is_some_and(|m| m.threshold.is_some()) {
                limits.push((place, metric, view));
            }
        }
    }
    // Thresholds look at other metrics too, so all events must be known.
    for (place, metric, view) in limits {
        let limit = terms.limit(&metric.definition, view);
        terms.builder.resolved.metrics[place].limit = limit;
    }
    Ok(())
}

/// The terms of formulas that were looked up, and what was found.
struct Terms<'t, 'm> {
    builder: &'t mut Builder<'m>,
    target: &'t Target,
    /// By the core PMU and the name.
    found: HashMap<(Option<String>, String), Result<Found, Reason>>,
}

/// The terms on one kind of core.
struct OnCore<'t, 'k, 'm> {
    terms: &'k mut Terms<'t, 'm>,
    view: &'k View,
}

impl Terms<'_, '_> {
    /// Adds a metric, and returns its place among all that are requested.
    fn add(&mut self, metric: &NamedMetric, view: &View) -> usize {
        let definition = &metric.definition;
        let expansion = view.definitions.expand(definition);
        let expansion = expansion.map_err(|reason| Reason::Definition(reason.to_string()));
        let rule = expansion.and_then(|whole| self.rule(&whole, view));
        let id = match &metric.core {
            Some(core) => EventId::terms(core, definition.name()),
            None => EventId::name(definition.name()),
        };
        let is_builtin = *definition.origin() == Origin::BuiltIn;
        let constraint = definition.metric().map_or(Constraint::None, |m| m.constraint);
        self.builder.resolved.metrics.push(Metric {
            definition: Some(definition.clone()),
            is_together: self.is_together(constraint),
            factor: definition.metric().map_or(1.0, |metric| metric.factor),
            note: is_builtin.then_some(Note::Generic),
            ..Metric::new(
                definition.name().to_string(),
                id,
                definition.units().map(str::to_string),
                rule.unwrap_or_else(Rule::Unavailable),
            )
        });
        self.builder.resolved.metrics.len() - 1
    }

    /// Whether the events of a metric are counted at the same time if they fit.
    fn is_together(&self, constraint: Constraint) -> bool {
        let host = self.builder.machine.host();
        let is = |file: &str| host.text(file).is_ok_and(|text| text.trim() == "1");
        match constraint {
            Constraint::NoGroup => false,
            Constraint::NoGroupNmi => !is("/proc/sys/kernel/nmi_watchdog"),
            Constraint::NoGroupSmt => !is("/sys/devices/system/cpu/smt/active"),
            _ => true,
        }
    }

    /// The formula over the events that are still needed once the facts of the machine are known.
    fn rule(&mut self, whole: &Expansion, view: &View) -> Result<Rule, Reason> {
        let formula = self.fold(whole, view)?;
        // All terms are looked up before the first is added: a metric is counted completely or not at all.
        let mut found = Vec::new();
        for input in formula.inputs() {
            found.push(self.find(input, view).clone()?);
        }
        let inputs = found.into_iter().map(|found| self.builder.input(found, &mut None)).collect();
        Ok(Rule::Derived { formula, inputs })
    }

    fn fold(&mut self, whole: &Expansion, view: &View) -> Result<Formula, Reason> {
        let (machine, target) = (self.builder.machine, self.target);
        let folded = fold(machine, target, whole, &mut OnCore { terms: self, view })?;
        folded.missing().map_or(Ok(folded.formula), Err)
    }

    fn find(&mut self, term: &str, view: &View) -> &Result<Found, Reason> {
        let core = view.core.as_ref().map(|core| core.pmu.name.clone());
        let machine = self.builder.machine;
        let found = || term_on(machine, term, view, Modifiers::default());
        self.found.entry((core, term.to_string())).or_insert_with(found)
    }

    /// The threshold of a metric, if all its events are counted for metrics anyway.
    fn limit(&mut self, definition: &Definition, view: &View) -> Option<Limit> {
        let threshold = definition.metric()?.threshold.as_ref()?;
        let mut parts: HashMap<&str, Formula> = HashMap::new();
        for input in threshold.formula.inputs() {
            let part = view.definitions.get(input)?;
            let whole = view.definitions.expand(&part).ok()?;
            parts.insert(input, self.fold(&whole, view).ok()?);
        }
        let whole = threshold.formula.substitute_all(&Limits::default(), |input| parts.get(input));
        let formula = whole.ok()?;
        let mut inputs = Vec::new();
        for input in formula.inputs() {
            let found = self.find(input, view).clone().ok()?;
            inputs.push(self.builder.known_input(&found)?);
        }
        Some(Limit { formula, inputs })
    }
}

impl Events for OnCore<'_, '_, '_> {
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
