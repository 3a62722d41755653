//! Facts of the machine that formulas of metrics ask for: they are constants, and decide which events are needed at all.

use crate::lookup::likwid_formula;
use crate::machine::Machine;
use crate::{Reason, Target};
use counterpoint_definitions::Expansion;
use counterpoint_formula::{Formula, Limits};
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

/// What a formula may ask of an event.
pub(super) trait Events {
    /// Whether the event exists.
    fn has(&mut self, event: &str) -> bool;
    /// The number of boxes whose counts are added up to that of the event.
    fn boxes(&mut self, event: &str) -> Result<usize, Reason>;
}

/// Replaces the facts of a machine in a formula; `events` answers for the events.
pub(super) fn fold(
    machine: &Machine,
    target: &Target,
    whole: Expansion,
    events: &mut impl Events,
) -> Result<Folded, Reason> {
    let mut known: HashMap<String, Formula> = HashMap::new();
    let mut unknown = HashMap::new();
    for input in whole.formula.inputs() {
        if let Some(formula) = likwid_formula(machine, input) {
            known.insert(input.to_string(), formula);
            continue;
        }
        match fact(machine, target, input, events) {
            None => {}
            Some(Ok(value)) => _ = known.insert(input.to_string(), constant(value)?),
            Some(Err(reason)) => _ = unknown.insert(input.to_string(), reason),
        }
    }
    let formula = match known.is_empty() {
        true => whole.formula,
        false => {
            let folded = whole.formula.substitute_all(&Limits::default(), |input| known.get(input));
            folded.map_err(|error| Reason::Definition(error.to_string()))?
        }
    };
    Ok(Folded { formula, unknown })
}

/// The value of a fact; `None` if the name is that of an event.
fn fact(
    machine: &Machine,
    target: &Target,
    name: &str,
    events: &mut impl Events,
) -> Option<Result<f64, Reason>> {
    if name.starts_with('#') {
        let unknown = || Reason::UnknownMachineValue {
            name: name.to_string(),
            looked_at: "the names of machine values".to_string(),
        };
        let value = machine.value_for(name, target).ok_or_else(unknown);
        return Some(value.and_then(|value| value).map(|value| value.value));
    }
    let (function, argument) = name.strip_suffix(')')?.split_once('(')?;
    Some(match function {
        "has_event" => Ok(f64::from(u8::from(events.has(argument)))),
        "source_count" => events.boxes(argument).map(|boxes| boxes as f64),
        "strcmp_cpuid_str" => cpuid_matches(machine, argument),
        _ => Err(Reason::UnknownMachineValue {
            name: name.to_string(),
            looked_at: "the functions of names that are known before counting".to_string(),
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
