//! Metrics to the events that they need, and the formulas over these.

use super::each::of_each;
use super::latency::is_latency;
use super::terms::Terms;
use super::{Metrics, NamedMetric};
use crate::counting::builder::Builder;
use crate::counting::requested::{Limit, LimitMetric, Metric, Rule};
use crate::counting::target::Target;
use crate::error::Error;
use crate::names::finders::likwid::is_missing_box;
use crate::names::ids::EventId;
use crate::names::views::View;
use crate::report::note::Note;
use crate::report::values::Reason;
use counterpoint_definitions::{Constraint, Expansion};
use std::collections::HashMap;

/// Adds the metrics that names request, each once.
pub(crate) fn resolve(
    builder: &mut Builder<'_>,
    metrics: &Metrics,
    names: &[String],
    target: &Target,
) -> Result<(), Error> {
    let terms = Terms::new(builder.machine, target);
    let mut adding = Adding { builder, terms, places: HashMap::new() };
    let mut limits = Vec::new();
    for name in names {
        for metric in metrics.requested(name)? {
            let Some(view) = metrics.view(&metric) else { continue };
            let key = (metric.core.clone(), metric.definition.name().to_lowercase());
            if adding.places.contains_key(&key) {
                continue;
            }
            let Some(place) = adding.add(&metric, view) else { continue };
            adding.places.insert(key, place);
            if metric.definition.metric().is_some_and(|m| m.threshold.is_some()) {
                limits.push((place, metric, view));
            }
        }
    }
    // Thresholds look at other metrics too, so all events must be known.
    for (place, metric, view) in limits {
        let limit = adding.limit(&metric, view);
        adding.builder.requested.metrics[place].limit = limit;
    }
    Ok(())
}

/// Adds metrics to the events of a builder.
struct Adding<'t, 'm> {
    builder: &'t mut Builder<'m>,
    terms: Terms<'t>,
    /// The places of the metrics, by the core PMU and the name in lower case.
    places: HashMap<(Option<String>, String), usize>,
}

impl Adding<'_, '_> {
    /// Adds a metric, and returns its place among all that are requested.
    ///
    /// A definition that is the same on several kinds of cores, such as a formula over software events, has one value.
    fn add(&mut self, metric: &NamedMetric, view: &View) -> Option<usize> {
        let definition = &metric.definition;
        let whole = view.definitions.expand(definition);
        let whole = whole.map_err(|reason| Reason::Definition(reason.to_string()));
        let each = whole.and_then(|whole| of_each(self.builder.machine, definition, whole));
        let parts = match each {
            Ok(each) => each.into_iter().map(|(number, whole)| (number, Ok(whole))).collect(),
            Err(reason) => vec![(None, Err(reason))],
        };
        let places: Vec<Option<usize>> = parts
            .into_iter()
            .map(|(number, whole)| self.one(metric, view, number, whole))
            .collect();
        places.into_iter().flatten().next()
    }

    /// Adds a metric, or its value for the chip or core of this number.
    fn one(
        &mut self,
        metric: &NamedMetric,
        view: &View,
        number: Option<u32>,
        whole: Result<Expansion, Reason>,
    ) -> Option<usize> {
        let definition = &metric.definition;
        let is_missing = |input: &str| is_missing_box(self.builder.machine, input);
        let has = |is: &dyn Fn(&str) -> bool| {
            whole.as_ref().is_ok_and(|whole| whole.formula.inputs().any(is))
        };
        let note = if has(&is_missing) {
            Some(Note::MissingBoxes)
        } else {
            has(&is_latency).then_some(Note::DefaultLatencies)
        };
        let rule = whole.and_then(|whole| self.rule(whole, view)).unwrap_or_else(Rule::Unavailable);
        let is_known = |known: &&mut Metric| {
            known.definition.as_ref().is_some_and(|other| other.is_same(definition))
                && known.rule == rule
        };
        if metric.core.is_some()
            && let Some(known) = self.builder.requested.metrics.iter_mut().find(is_known)
        {
            known.id = EventId::name(definition.name());
            return None;
        }
        let suffix = number.map(|number| format!("_{number}")).unwrap_or_default();
        let name = format!("{}{suffix}", definition.name());
        let id = match &metric.core {
            Some(core) => EventId::terms(core, &name),
            None => EventId::name(&name),
        };
        let facts = definition.metric();
        self.builder.requested.metrics.push(Metric {
            definition: Some(definition.clone()),
            is_together: self.is_together(facts.map_or(Constraint::None, |m| m.constraint)),
            factor: facts.map_or(1.0, |metric| metric.factor),
            note,
            ..Metric::new(name, id, definition.units().map(str::to_string), rule)
        });
        Some(self.builder.requested.metrics.len() - 1)
    }

    /// Returns true if the events of a metric are counted at the same time if they fit.
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
    fn rule(&mut self, whole: Expansion, view: &View) -> Result<Rule, Reason> {
        let formula = self.terms.fold(whole, view)?;
        // All terms are looked up before the first is added: a metric is counted completely or not at all.
        for input in formula.inputs() {
            if let Err(reason) = &self.terms.find(input, view).found {
                return Err(reason.clone());
            }
        }
        let mut inputs = Vec::new();
        for input in formula.inputs() {
            let term = self.terms.find(input, view);
            let (Ok(found), known) = (&term.found, term.input) else { continue };
            let input = known.unwrap_or_else(|| self.builder.input(found.clone(), &mut None));
            term.input = Some(input);
            inputs.push(input);
        }
        Ok(Rule::Derived { formula, inputs })
    }

    /// The threshold of a metric, if the events of its metrics are counted anyway.
    fn limit(&mut self, metric: &NamedMetric, view: &View) -> Option<Limit> {
        let threshold = metric.definition.metric()?.threshold.as_ref()?;
        let mut metrics = Vec::new();
        for input in threshold.formula.inputs() {
            let key = (metric.core.clone(), input.to_lowercase());
            metrics.push(match self.places.get(&key) {
                Some(place) => LimitMetric::Requested(*place),
                None => self.other(input, view)?,
            });
        }
        Some(Limit { formula: threshold.formula.clone(), metrics })
    }

    /// A metric that was not requested, if its events are counted for others.
    fn other(&mut self, name: &str, view: &View) -> Option<LimitMetric> {
        let whole = view.definitions.expand(&view.definitions.get(name)?).ok()?;
        let formula = self.terms.fold(whole, view).ok()?;
        let mut inputs = Vec::new();
        for input in formula.inputs() {
            let found = self.terms.find(input, view).found.clone().ok()?;
            inputs.push(self.builder.known_input(&found)?);
        }
        Some(LimitMetric::Other(Box::new((formula, inputs))))
    }
}
