//! Tool events, which are times and need no counter: `duration_time`, `tool/user_time/`.

use crate::counting::tool::ToolEvent;
use crate::error::Error;
use crate::names::candidate::{Candidate, CandidateEvent, Query};
use counterpoint_pmu::syntax::{Source, Value};

/// The PMU that perf has for them.
const PMU: &str = "tool";

pub(crate) fn find(query: &Query<'_>) -> Vec<Candidate> {
    let found = |tool| Candidate::new(vec![CandidateEvent::Tool(tool)], Ok(Vec::new()));
    if let Source::Pmu { pmu, terms, .. } = &query.spec.source {
        let [term] = terms.as_slice() else { return Vec::new() };
        let is_event = pmu == PMU && term.value == Value::Flag;
        let tool = ToolEvent::find(&term.name).filter(|_| is_event);
        return tool.map(found).into_iter().collect();
    }
    if let Some(tool) = ToolEvent::find(&query.name) {
        return vec![found(tool)];
    }
    // A time has no privilege levels, and cannot be sampled.
    let (name, letters) = query.name.rsplit_once(':').unwrap_or_default();
    let unknown = |tool| {
        let error = Error::unknown_modifier(name, letters).at(query.spec.span.clone());
        Candidate::misspelled(vec![CandidateEvent::Tool(tool)], error)
    };
    ToolEvent::find(name).map(unknown).into_iter().collect()
}

/// All names of tool events.
pub(crate) fn names() -> impl Iterator<Item = String> {
    ToolEvent::ALL.into_iter().map(|tool| tool.name().to_string())
}
