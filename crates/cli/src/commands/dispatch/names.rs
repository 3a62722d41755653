//! The names of models, and of a model's events.

use counterpoint::pmu::libpfm3::Model;
use counterpoint::pmu::{named, similar};

/// The names of models that are near, or else those of the processor that is called so.
pub fn near(text: &str) -> Vec<&'static str> {
    let near = similar(text, Model::all().map(Model::name));
    if !near.is_empty() {
        return near;
    }
    let pmu = named(text);
    let is_meant = |model: &&Model| pmu.is_some_and(|pmu| model.description() == pmu.description);
    Model::all().filter(is_meant).map(Model::name).collect()
}

/// The event that counts cycles.
pub fn cycles(model: &Model) -> Option<String> {
    helper(model.cycles(), model)
}

/// The event that counts instructions.
pub fn instructions(model: &Model) -> Option<String> {
    helper(model.instructions(), model)
}

/// An event with its unit masks, as it can be typed.
fn helper(event: Option<(usize, Vec<usize>)>, model: &Model) -> Option<String> {
    event.map(|(event, masks)| full_name(model, event, &masks))
}

pub fn full_name(model: &Model, event: usize, masks: &[usize]) -> String {
    let names: Vec<&str> = model.mask_names(event).collect();
    let masks = masks.iter().filter_map(|mask| names.get(*mask).copied());
    std::iter::once(model.event_name(event).unwrap_or("?"))
        .chain(masks)
        .collect::<Vec<_>>()
        .join(":")
}
