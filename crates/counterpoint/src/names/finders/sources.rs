//! Sources, which need no counter: `duration_time`, `tool/user_time/`.

use crate::error::Error;
use crate::names::candidate::{Candidate, CandidateEvent, Query};
use crate::names::error::NameError;
use crate::sources::kinds;
use crate::sources::source::Source;
use counterpoint_perf::Host;
use counterpoint_pmu::syntax::{self, Value};

pub(crate) fn find(query: &Query<'_>) -> Vec<Candidate> {
    let found = |source: Source| {
        let source = source.on(query.machine.host());
        Candidate::new(vec![CandidateEvent::Source(source)], Ok(Vec::new()))
    };
    if let syntax::Source::Pmu { pmu, terms, .. } = &query.spec.source {
        let [term] = terms.as_slice() else { return Vec::new() };
        if term.value != Value::Flag || query.machine.devices().iter().any(|of| of.pmu.name == *pmu)
        {
            return Vec::new();
        }
        let source = kinds::find_of(pmu, &term.name);
        let source = source.or_else(|| kinds::find(&format!("{pmu}/{}/", term.name)));
        return source.map(found).into_iter().collect();
    }
    if let Some(source) = kinds::find(&query.name) {
        return vec![found(source)];
    }
    // A source has no privilege levels, and cannot be sampled.
    let (name, letters) = query.name.rsplit_once(':').unwrap_or_default();
    let unknown = |source: Source| {
        let error = Error::from(NameError::UnknownModifier {
            name: name.to_string(),
            letters: letters.to_string(),
        })
        .at(query.spec.span.clone());
        Candidate::misspelled(vec![CandidateEvent::Source(source)], error)
    };
    kinds::find(name).map(unknown).into_iter().collect()
}

/// The names of the sources of a host.
pub(crate) fn names(host: &Host) -> impl Iterator<Item = String> {
    kinds::all(host).map(|source| source.name().to_string())
}
