//! Models and assignments as JSON.

use super::answer::{self, Answer};
use super::names::{cycles, instructions};
#[cfg(test)]
use crate::schema::{Lines, schema_of};
use counterpoint::pmu::libpfm3::{Assignment, DispatchError, Model, Request, dispatch, explain};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

#[cfg(test)]
pub const LINES: Lines = &[schema_of::<Answer>, schema_of::<Facts>, schema_of::<Event<'_>>];

/// The properties of a model.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Facts {
    /// The version of the format: 1.
    schema: u32,
    /// The name of the model.
    model: &'static str,
    /// The processors that it stands for.
    description: &'static str,
    /// The number of libpfm-3 for it.
    r#type: u32,
    /// The number of counters.
    counters: usize,
    /// The bits of a counter.
    width: u32,
    /// The event that counts cycles, if there is one.
    cycles: Option<String>,
    /// The event that counts instructions, if there is one.
    instructions: Option<String>,
    /// The number of events.
    events: usize,
}

/// An event of a model.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Event<'a> {
    /// The version of the format: 1.
    schema: u32,
    /// The name of the model.
    model: &'static str,
    /// The number of the event.
    event: usize,
    /// Its name.
    name: &'a str,
    /// Its unit masks.
    umasks: Vec<Mask>,
}

/// A unit mask.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Mask {
    /// The number of the unit mask.
    number: usize,
    /// Its name.
    name: String,
}

pub fn facts(model: &Model) -> Facts {
    Facts {
        schema: 1,
        model: model.name(),
        description: model.description(),
        r#type: model.kind(),
        counters: model.counters(),
        width: model.counter_width(),
        cycles: cycles(model),
        instructions: instructions(model),
        events: model.event_count(),
    }
}

pub fn event<'a>(model: &Model, event: usize, name: &'a str) -> Event<'a> {
    let masks = model.mask_names(event).enumerate();
    let umasks = masks.map(|(number, name)| Mask { number, name: name.to_string() }).collect();
    Event { schema: 1, model: model.name(), event, name, umasks }
}

/// The registers for events, or which of them are in conflict.
pub fn assigned(
    model: &Model,
    request: &Request,
    result: &Result<Assignment, DispatchError>,
) -> Answer {
    let mut object = match result {
        Ok(assignment) => answer::assignment(assignment),
        Err(error) => answer::refusal(error),
    };
    add_conflict(&mut object, model, request);
    object
}

/// Adds to a refusal which events are in conflict, and why.
pub fn add_conflict(answer: &mut Answer, model: &Model, request: &Request) {
    let Some(conflict) = explain(model, request) else { return };
    answer.conflict = Some(conflict.events);
    answer.kind = Some(conflict.kind.name());
    answer.message = Some(conflict.sentence);
    if let Err(error) = dispatch(model, request) {
        answer.libpfm3 = Some(error.as_libpfm3().name());
    }
}
