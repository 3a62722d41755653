//! Tracepoints of the kernel, `subsystem:name`.

use crate::machine::pmus::Tracepoint;
use crate::names::candidate::{Candidate, CandidateEvent, Query};
use crate::names::components::is_word;
use crate::names::ids::EventId;
use crate::names::native::{Native, PmuBox};
use counterpoint_perf::{Attr, pmu_type};
use counterpoint_pmu::syntax::split_modifiers;

pub(crate) fn find(query: &Query<'_>) -> Vec<Candidate> {
    for (name, modifiers) in query.spellings() {
        let Some((system, event)) = split(name) else { continue };
        if let Tracepoint::Id(id) = query.machine.tracepoint(system, event) {
            let boxes = vec![PmuBox::anywhere(Attr::new(pmu_type::TRACEPOINT, id))];
            let native = Native::new(EventId::name(name), modifiers, boxes);
            let event = CandidateEvent::Tracepoint(name.to_string());
            return vec![Candidate::new(vec![event], Ok(vec![native]))];
        }
    }
    Vec::new()
}

/// The subsystem and the name, if a text without its modifiers looks like a tracepoint.
pub(crate) fn tracepoint(text: &str) -> Option<(&str, &str)> {
    split(split_modifiers(text).0)
}

/// The subsystem and the name, if a text looks like a tracepoint.
pub(crate) fn split(name: &str) -> Option<(&str, &str)> {
    name.split_once(':').filter(|(system, event)| is_word(system) && is_word(event))
}
