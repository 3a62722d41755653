//! Facts of the machine that formulas of metrics ask for: they are constants, and decide which events are needed at all.

use super::latency::latency;
use crate::counting::target::Target;
use crate::machine::pmus::Machine;
use crate::names::finders::likwid::formula as likwid_formula;
use crate::report::hint::Hint;
use crate::report::values::Reason;
use counterpoint_definitions::Expansion;
use counterpoint_formula::{Formula, Limits};
use counterpoint_pmu::similar;
use std::collections::HashMap;

/// A formula in which every fact of the machine that is known is a constant, and why the others have no value.
pub(super) struct Folded {
    pub(super) formula: Formula,
    unknown: HashMap<String, Reason>,
}

impl Folded {
    /// The reason why the first unknown fact has no value that the formula still needs.
    pub(super) fn missing(&self) -> Option<Reason> {
        self.formula.inputs().find_map(|input| self.unknown.get(input)).cloned()
    }
}

/// The answers to what a formula may ask of an event.
pub(super) trait Events {
    /// Returns true if the event exists.
    fn has(&mut self, event: &str) -> bool;
    /// The number of boxes whose counts are added up to that of the event.
    fn boxes(&mut self, event: &str) -> Result<usize, Reason>;
}

/// The facts of a machine that were looked up: many metrics ask for the same ones.
pub(super) struct Facts<'t> {
    machine: &'t Machine,
    target: &'t Target,
    found: HashMap<String, Result<Formula, Reason>>,
}

impl<'t> Facts<'t> {
    pub(super) fn new(machine: &'t Machine, target: &'t Target) -> Facts<'t> {
        Facts { machine, target, found: HashMap::new() }
    }

    /// Replaces the facts in a formula; `events` answers for the events.
    pub(super) fn fold(
        &mut self,
        whole: Expansion,
        events: &mut impl Events,
    ) -> Result<Folded, Reason> {
        let mut known: HashMap<String, Formula> = HashMap::new();
        let mut unknown = HashMap::new();
        for input in whole.formula.inputs() {
            match self.find(input, events) {
                None => {}
                Some(Ok(formula)) => _ = known.insert(input.to_string(), formula),
                Some(Err(reason)) => _ = unknown.insert(input.to_string(), reason),
            }
        }
        if known.is_empty() {
            return Ok(Folded { formula: whole.formula, unknown });
        }
        let folded = whole.formula.substitute_all(&Limits::default(), |input| known.get(input));
        let formula = folded.map_err(|error| Reason::Definition(error.to_string()))?;
        Ok(Folded { formula, unknown })
    }

    /// The fact for which an input stands; `None` for an event.
    fn find(&mut self, input: &str, events: &mut impl Events) -> Option<Result<Formula, Reason>> {
        if input.starts_with('#') {
            if let Some(found) = self.found.get(input) {
                return Some(found.clone());
            }
            let found = fact(self.machine, self.target, input, events)?.and_then(constant);
            self.found.insert(input.to_string(), found.clone());
            return Some(found);
        }
        if let Some(formula) = likwid_formula(self.machine, input) {
            return Some(Ok(formula));
        }
        Some(fact(self.machine, self.target, input, events)?.and_then(constant))
    }
}

/// The value of a fact; `None` if the name is that of an event.
fn fact(
    machine: &Machine,
    target: &Target,
    name: &str,
    events: &mut impl Events,
) -> Option<Result<f64, Reason>> {
    if name.starts_with('#') {
        let unknown = || {
            let near = similar(&name[1..], Machine::value_names());
            let near: Vec<String> = near.iter().map(|name| format!("#{name}")).collect();
            let help =
                Hint::did_you_mean(&near).map(|hint| format!("; {hint}")).unwrap_or_default();
            let problem = format!("no machine value has this name{help}");
            Reason::UnknownTerm { name: name.to_string(), problem }
        };
        let value = machine.value_for(name, target).ok_or_else(unknown);
        return Some(value.and_then(|value| value).map(|value| value.value));
    }
    if let Some(latency) = latency(machine, name) {
        return Some(latency);
    }
    let (function, argument) = name.strip_suffix(')')?.split_once('(')?;
    Some(match function {
        "has_event" => Ok(f64::from(u8::from(events.has(argument)))),
        "source_count" => events.boxes(argument).map(|boxes| boxes as f64),
        "strcmp_cpuid_str" => cpuid_matches(machine, argument),
        _ => Err(Reason::UnknownTerm {
            name: name.to_string(),
            problem: "this function of perf is not supported".to_string(),
        }),
    })
}

#[cfg(feature = "json")]
fn cpuid_matches(machine: &Machine, pattern: &str) -> Result<f64, Reason> {
    machine.cpuid_matches(pattern).map(|matches| f64::from(u8::from(matches)))
}

#[cfg(not(feature = "json"))]
fn cpuid_matches(_: &Machine, pattern: &str) -> Result<f64, Reason> {
    Err(Reason::UnknownMachineValue {
        name: format!("strcmp_cpuid_str({pattern})"),
        looked_at: "the feature `json`, which is off".to_string(),
    })
}

fn constant(value: f64) -> Result<Formula, Reason> {
    // Display of a double is its shortest text without an exponent.
    format!("{value}").parse().map_err(|_| Reason::Definition(format!("{value} is not a constant")))
}
