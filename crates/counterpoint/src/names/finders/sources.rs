//! Sources, which need no counter: `duration_time`, `tool/user_time/`.

use crate::error::Error;
use crate::names::candidate::{Candidate, CandidateEvent, Query};
use crate::names::error::NameError;
use crate::sources::kinds;
use crate::sources::source::Source;
use counterpoint_perf::Host;
use counterpoint_pmu::similar;
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
        return match source.or_else(|| kinds::find(&format!("{pmu}/{}/", term.name))) {
            Some(source) => vec![
                modified(query, source.clone(), &query.spec.text, '/')
                    .unwrap_or_else(|| found(source)),
            ],
            None if kinds::is_word(pmu) => vec![no_field(query)],
            None => Vec::new(),
        };
    }
    if let Some(source) = kinds::find(&query.name) {
        return vec![found(source)];
    }
    let text = &query.name;
    ['/', ':']
        .into_iter()
        .find_map(|end| {
            let bare = &text[..=text.rfind(end)?];
            let source = kinds::find(bare.strip_suffix(':').unwrap_or(bare))?;
            modified(query, source, text, end)
        })
        .into_iter()
        .collect()
}

/// The error of a source with modifiers behind the last `end` of its text; `None` if there are none. A source has no privilege levels, and cannot be sampled.
fn modified(query: &Query<'_>, source: Source, text: &str, end: char) -> Option<Candidate> {
    let letters = &text[text.rfind(end)? + 1..];
    if letters.is_empty() {
        return None;
    }
    let name = text[..text.len() - letters.len()].trim_end_matches(':').to_string();
    let error = NameError::NoModifiers { name, letters: letters.to_string() };
    let error = Error::from(error).at(query.spec.span.clone());
    Some(Candidate::misspelled(vec![CandidateEvent::Source(source)], error))
}

/// The error of a field that a component does not have, with those that are near.
fn no_field(query: &Query<'_>) -> Candidate {
    let text = &query.spec.text;
    let names: Vec<String> = names(query.machine.host()).collect();
    let similar = similar(text, names.iter().map(String::as_str));
    let similar = similar.into_iter().map(str::to_string).collect();
    let error = NameError::UnknownEvent { name: text.clone(), similar };
    Candidate::misspelled(Vec::new(), Error::from(error).at(query.spec.span.clone()))
}

/// The names that are meant by `word/field/` if the word is none, but near a component of numbers of files, or the name of its file.
pub(crate) fn meant(host: &Host, word: &str, terms: &[syntax::Term]) -> Vec<String> {
    let words = kinds::words_near(word);
    if words.is_empty() {
        return Vec::new();
    }
    let field = terms.first().map_or("", |term| term.name.as_str());
    let names: Vec<String> = names(host).collect();
    let of_word = |word: &&str| {
        let own =
            || names.iter().filter(|name| name.split('/').next() == Some(word)).map(String::as_str);
        let near = similar(&format!("{word}/{field}/"), own());
        let near = if near.is_empty() { own().take(1).collect() } else { near };
        near.into_iter().map(str::to_string).collect::<Vec<_>>()
    };
    words.iter().flat_map(of_word).take(3).collect()
}

/// The names of the sources of a host: what has numbers of CPUs has a name for each CPU, and one for all.
pub(crate) fn names(host: &Host) -> impl Iterator<Item = String> {
    kinds::names(host)
}

/// The names of the sources of a host, as they are listed.
pub(crate) fn listed(host: &Host) -> impl Iterator<Item = String> {
    kinds::all(host).map(|source| source.name().to_string())
}
