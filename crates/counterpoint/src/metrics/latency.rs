//! Retire latencies, which perf writes `EVENT:R`: the cycles from the retirement before that of the event. perf samples them; here
//! they are the defaults that the vendor's files have.

use crate::machine::pmus::Machine;
use crate::report::values::Reason;

/// The event whose retire latency a term of a metric is, and its PMU if the term has one; `None` if it is something else.
fn event(term: &str) -> Option<(Option<&str>, &str)> {
    if let Some(event) = term.strip_suffix(":R") {
        return Some((None, event));
    }
    let (pmu, event) = term.strip_suffix("/R")?.split_once('/')?;
    Some((Some(pmu), event))
}

/// Returns true if a term of a metric is a retire latency.
pub(super) fn is_latency(term: &str) -> bool {
    event(term).is_some()
}

/// The retire latency that a term stands for, in cycles; `None` if it is something else.
pub(super) fn latency(machine: &Machine, term: &str) -> Option<Result<f64, Reason>> {
    let (pmu, name) = event(term)?;
    let is_of = |unit: &Option<String>| {
        pmu.is_none_or(|pmu| unit.as_deref().is_none_or(|unit| unit == pmu))
    };
    let found = machine.vendor().named(name).filter(|event| is_of(&event.unit));
    let default = found.filter_map(|event| event.latency).next();
    Some(default.ok_or_else(|| {
        Reason::UnknownTerm {
            name: term.to_string(),
            problem:
                "the vendor's files have no default for this retire latency, and it is not sampled"
                    .to_string(),
        }
    }))
}
