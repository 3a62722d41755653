//! Models and assignments as JSON.

use super::answer;
use super::names::{cycles, instructions};
use counterpoint::pmu::libpfm3::{Assignment, DispatchError, Model, Request, dispatch, explain};
use serde_json::{Value, json};

/// The properties of a model.
pub fn facts(model: &Model) -> Value {
    json!({
        "schema": 1,
        "model": model.name(),
        "description": model.description(),
        "type": model.kind(),
        "counters": model.counters(),
        "width": model.counter_width(),
        "cycles": cycles(model),
        "instructions": instructions(model),
        "events": model.event_count(),
    })
}

/// An event of a model.
pub fn event(model: &Model, event: usize, name: &str) -> Value {
    let masks = model.mask_names(event).enumerate();
    let masks = masks.map(|(number, name)| json!({"number": number, "name": name}));
    json!({
        "schema": 1,
        "model": model.name(),
        "event": event,
        "name": name,
        "umasks": masks.collect::<Vec<_>>(),
    })
}

/// The registers for events, or which of them are in conflict.
pub fn assigned(
    model: &Model,
    request: &Request,
    result: &Result<Assignment, DispatchError>,
) -> Value {
    let mut object = match result {
        Ok(assignment) => answer::assignment(assignment),
        Err(error) => answer::refusal(error),
    };
    add_conflict(&mut object, model, request);
    object
}

/// Adds to a refusal which events are in conflict, and why.
pub fn add_conflict(answer: &mut Value, model: &Model, request: &Request) {
    let Some(conflict) = explain(model, request) else { return };
    answer["conflict"] = json!(conflict.events);
    answer["kind"] = json!(conflict.kind.name());
    answer["message"] = json!(conflict.sentence);
    if let Err(error) = dispatch(model, request) {
        answer["libpfm3"] = json!(error.as_libpfm3().name());
    }
}
