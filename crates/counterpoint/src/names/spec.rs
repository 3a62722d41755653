//! The specification of an event from its name.

use counterpoint_pmu::syntax::{self, EventSpec, Modifiers, Source};

/// An event with a name and without modifiers.
pub(crate) fn spec(name: &str) -> EventSpec {
    let groups = syntax::parse(name).unwrap_or_default();
    match groups.as_slice() {
        [syntax::Group { events, .. }] if events.len() == 1 => events[0].clone(),
        _ => EventSpec {
            text: name.to_string(),
            span: 0..name.len(),
            source: Source::Name(name.to_string()),
            modifiers: Modifiers::default(),
        },
    }
}
