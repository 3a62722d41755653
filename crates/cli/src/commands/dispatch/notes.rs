//! Notes about the parts of a request that no model looks at, as libpfm-3 looks at none of them.

use super::answer::Answer;
use counterpoint::pmu::libpfm3::{Model, Request};
use serde_json::Value;

/// The flags of events that gen_ia32 and Nehalem know: inverted, edges, any thread.
const EVENT_FLAGS: u32 = 7;

/// Adds a note about it, if there is anything.
pub(crate) fn add(answer: &mut Answer, model: &Model, from: &Value, request: &Request) {
    let mut notes = Vec::new();
    if number(from.get("flags")).is_some_and(|flags| flags & !1 != 0) {
        notes.push("of `flags`, only 1, a session of the whole system, is defined".to_owned());
    }
    let known = if matches!(model.family(), "gen_ia32" | "nehalem") { EVENT_FLAGS } else { 0 };
    if let Some(place) = request.events.iter().position(|event| event.flags & !known != 0) {
        notes.push(match known {
            0 => format!("`events[{place}].flags`: the model does not look at flags of events"),
            _ => format!("`events[{place}].flags`: only the bits of 7 are defined"),
        });
    }
    let unavailable = from.get("unavail").and_then(Value::as_array).into_iter().flatten();
    let strange = |pmc: &u64| !model.pmcs().any(|known| u64::from(known) == *pmc);
    if let Some(pmc) = unavailable.filter_map(|pmc| number(Some(pmc))).find(strange) {
        notes.push(format!("`unavail`: the model has no PMC {pmc}"));
    }
    if !notes.is_empty() {
        answer.note = Some(notes.join("; "));
    }
}

/// A number as requests have it, of a request that has been read.
fn number(value: Option<&Value>) -> Option<u64> {
    match value? {
        Value::String(text) => u64::from_str_radix(text.strip_prefix("0x")?, 16).ok(),
        number => number.as_u64(),
    }
}
