//! The events and values for which the terms of a formula stand.

use super::candidate::{Candidate, CandidateEvent};
use super::lookup;
use super::native::Native;
use super::views::View;
use crate::error::Error;
use crate::machine::pmus::Machine;
use crate::machine::values::known_name;
use crate::names::error::NameError;
use crate::report::values::Reason;
use crate::sources::source::Source;
use counterpoint_pmu::syntax::{self, EventSpec, Modifiers};

/// The thing for which a term of a formula stands.
#[derive(Clone)]
pub(crate) enum Found {
    Native(Native),
    Source(Source),
    /// A machine value, by its usual name.
    Machine(&'static str),
}

/// Looks up a term on one kind of core: an event or a source, or else a machine value.
pub(crate) fn term_on(
    machine: &Machine,
    term: &str,
    view: &View,
    modifiers: Modifiers,
) -> Result<Found, Reason> {
    let problem = |error: Error| {
        let help = error.help().map(|help| format!("; {help}")).unwrap_or_default();
        Reason::UnknownTerm { name: term.to_string(), problem: format!("{error}{help}") }
    };
    let groups = syntax::parse(term).map_err(|error| problem(error.into()))?;
    let [syntax::Group { events, .. }] = groups.as_slice() else {
        return Err(problem(Error::from(NameError::UnknownEvent {
            name: term.to_string(),
            similar: Vec::new(),
        })));
    };
    let [spec] = events.as_slice() else {
        return Err(problem(Error::from(NameError::UnknownEvent {
            name: term.to_string(),
            similar: Vec::new(),
        })));
    };
    // The levels that a term names are part of the definition.
    let own = syntax::split_modifiers(term).1.unwrap_or_default().with(spec.modifiers);
    let modifiers = if own.user || own.kernel || own.hypervisor {
        Modifiers { user: false, kernel: false, hypervisor: false, ..modifiers }
    } else {
        modifiers
    };
    let spec = EventSpec { modifiers: spec.modifiers.with(modifiers), ..spec.clone() };
    let natives = match (lookup::first(machine, &[], &spec), known_name(term)) {
        (Ok(Candidate { events, natives, .. }), _) => match events.first() {
            Some(CandidateEvent::Source(source)) => return Ok(Found::Source(source.clone())),
            _ => natives.map_err(problem)?,
        },
        (Err(error), Some(name)) if error.is_unknown_event() => return Ok(Found::Machine(name)),
        (Err(error), _) => return Err(problem(error)),
    };
    // The count of another kind of core is not a substitute, unless the definition names its PMU.
    let is_wanted = |native: &&Native| match (&view.core, &spec.source) {
        (None, _) | (_, syntax::Source::Pmu { .. }) => true,
        (_, syntax::Source::Name(name)) if name.contains("::") && natives.len() == 1 => true,
        (Some(core), _) => native.boxes.iter().all(|b| b.cpus.is_none() || b.cpus == core.cpus),
    };
    let chosen = natives.iter().find(is_wanted).cloned();
    chosen.map(Found::Native).ok_or_else(|| {
        let core = view.core.as_ref().map_or("", |core| &core.pmu.name);
        let problem = format!("the PMU {core} has no such event");
        Reason::UnknownTerm { name: term.to_string(), problem }
    })
}
