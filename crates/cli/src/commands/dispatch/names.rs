//! The names of a model's events.

use counterpoint::pmu::libpfm3::Model;

/// The event that counts cycles.
pub fn cycles(model: &Model) -> String {
    helper(model.cycles(), model)
}

/// The event that counts instructions.
pub fn instructions(model: &Model) -> String {
    helper(model.instructions(), model)
}

/// An event with its unit masks, as it can be typed; `-` for none.
fn helper(event: Option<(usize, Vec<usize>)>, model: &Model) -> String {
    event.map_or_else(|| "-".to_owned(), |(event, masks)| full_name(model, event, &masks))
}

pub fn full_name(model: &Model, event: usize, masks: &[usize]) -> String {
    let names: Vec<&str> = model.mask_names(event).collect();
    let masks = masks.iter().filter_map(|mask| names.get(*mask).copied());
    std::iter::once(model.event_name(event).unwrap_or("?"))
        .chain(masks)
        .collect::<Vec<_>>()
        .join(":")
}
