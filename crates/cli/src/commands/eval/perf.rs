//! The inputs of perf's metric expressions in a line of a batch.

use super::json::Refusal;
use super::number::number;
use counterpoint::formula::Number;
use serde_json::Value;

/// The value of an input: an event, a literal, or a function of a name.
///
/// perf computes with doubles, so every value is one.
pub fn value(name: &str, request: &Value) -> Result<Number, Refusal> {
    let found = match call(name) {
        Some(("has_event", event)) => {
            let known = request["has_event"].as_array().map_or(&[][..], Vec::as_slice);
            return Ok(Number::Real(known.iter().any(|known| known == event).into()));
        }
        Some(("strcmp_cpuid_str", pattern)) => match request["cpuid"].get(pattern) {
            Some(Value::Bool(matches)) => return Ok(Number::Real((*matches).into())),
            found => found,
        },
        Some((function, event)) => request[function].get(event),
        None if name.starts_with('#') => literal(name, &request["literals"]),
        None => request["inputs"].get(name),
    };
    let missing =
        || Refusal::new("missing-input", format!("the formula needs a value for `{name}`"));
    Ok(Number::Real(number(name, found.ok_or_else(missing)?)?.as_f64()))
}

/// A function and its argument.
fn call(name: &str) -> Option<(&str, &str)> {
    name.strip_suffix(')')?.split_once('(')
}

/// The value of a literal, whose name is written in any case, with or without `#`.
fn literal<'v>(name: &str, literals: &'v Value) -> Option<&'v Value> {
    let bare = |name: &str| name.trim_start_matches('#').to_ascii_lowercase();
    literals.as_object()?.iter().find(|(known, _)| bare(known) == bare(name)).map(|(_, v)| v)
}
