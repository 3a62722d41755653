//! Finds definitions and presets.

use crate::libraries::presets::Preset;
use crate::names::candidate::{Candidate, CandidateEvent, Query};
use counterpoint_pmu::similar;
use counterpoint_pmu::syntax::{Source, split_modifiers};

/// The definition of a name as it applies to each kind of core, followed by the definitions that it hides.
pub(crate) fn definitions(query: &Query<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut hidden = Vec::new();
    for view in query.views {
        let definitions = &view.definitions;
        let Some(definition) = spellings(query).find_map(|name| definitions.get(name)) else {
            continue;
        };
        let core = view.core.as_ref().map(|core| core.pmu.name.clone());
        let mut is_preset = definition.origin().is_included();
        for definition in definitions.hidden(definition.name()) {
            // Presets of the program that hide each other are not shown.
            if std::mem::replace(&mut is_preset, definition.origin().is_included()) && is_preset {
                continue;
            }
            let expansion = definitions.expand(&definition);
            let core = core.clone();
            let event = CandidateEvent::Definition { definition, expansion, core };
            hidden.push(Candidate::new(vec![event], Ok(Vec::new())));
        }
        let expansion = definitions.expand(&definition);
        found.push(CandidateEvent::Definition { definition, expansion, core });
    }
    if found.is_empty() {
        return Vec::new();
    }
    std::iter::once(Candidate::new(found, Ok(Vec::new()))).chain(hidden).collect()
}

/// A preset that cannot be counted here: it is not an error, because programs request many presets and use those that
/// exist.
pub(crate) fn unsupported(query: &Query<'_>) -> Vec<Candidate> {
    let preset = spellings(query).find_map(Preset::find);
    let is_counted = || {
        query
            .views
            .iter()
            .any(|view| preset.is_some_and(|p| view.definitions.get(p.name).is_some()))
    };
    let preset = preset.filter(|_| !query.views.is_empty() && !is_counted());
    let candidate =
        |preset| Candidate::new(vec![CandidateEvent::Unsupported(preset)], Ok(Vec::new()));
    preset.map(candidate).into_iter().collect()
}

/// Names of definitions that are similar to a name.
pub(crate) fn near(query: &Query<'_>) -> Vec<String> {
    let all = query.views.iter().flat_map(|view| view.definitions.iter());
    let names: Vec<String> = all.map(|definition| definition.name().to_string()).collect();
    let near = similar(&query.spec.text, names.iter().map(String::as_str));
    near.into_iter().map(str::to_string).collect()
}

/// The name as written, and without perf's modifiers.
fn spellings<'q>(query: &'q Query<'_>) -> impl Iterator<Item = &'q str> {
    // Text that looks like a raw code may also be a name, such as `race`.
    let text = query.spec.text.as_str();
    let raw =
        matches!(query.spec.source, Source::Raw(_)).then_some([text, split_modifiers(text).0]);
    raw.into_iter().flatten().chain(query.spellings().map(|(name, _)| name))
}
