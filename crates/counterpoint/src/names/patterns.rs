//! Names with `*`, `?` or `[…]`: the events of this machine whose names match.

use super::candidate::{Candidate, CandidateEvent};
use super::lookup::known;
use super::problems as problem;
use super::spec::spec as named;
use super::views::View;
use crate::error::Error;
use crate::machine::pmus::{Machine, Tracepoint};
use crate::names::error::NameError;
use crate::sources::kinds;
use counterpoint_pmu::kernel;
use counterpoint_pmu::syntax::{EventSpec, Source, split_modifiers};
use counterpoint_pmu::sysfs::matches_glob;
use counterpoint_pmu::{AttributeKind, Layer, PmuKind};

/// More events than this are a mistake in the pattern.
const MOST: usize = 1024;

/// Each event whose name matches, once, in the order of lookup; an event that cannot be written by its name alone is left out.
pub(crate) fn matching(
    machine: &Machine,
    views: &[View],
    spec: &EventSpec,
) -> Result<Vec<(EventSpec, Candidate)>, Error> {
    let text = match &spec.source {
        Source::Name(text) => text,
        _ => &spec.text,
    };
    let (pattern, modifiers) = match split_modifiers(text) {
        (bare, Some(_)) => (bare, &text[bare.len()..]),
        _ => (text.as_str(), ""),
    };
    let mut found: Vec<(EventSpec, Candidate)> = Vec::new();
    for name in names(machine, pattern) {
        let own = named(&format!("{name}{modifiers}"));
        let own = EventSpec { span: spec.span.clone(), modifiers: spec.modifiers, ..own };
        let Ok(Some(candidate)) = known(machine, views, &own) else { continue };
        let is_same = |other: &Candidate| are_same(&candidate, other);
        let is_new = candidate.natives.is_ok() && !found.iter().any(|(_, other)| is_same(other));
        if is_new {
            found.push((own, candidate));
        }
    }
    match found.len() {
        0 => Err(none(machine, spec, pattern)),
        number if number > MOST => {
            Err(Error::from(NameError::TooMany { pattern: text.to_string(), number, most: MOST })
                .at(spec.span.clone()))
        }
        _ => Ok(found),
    }
}

/// Returns true if a name is a pattern.
pub(crate) fn is_pattern(spec: &EventSpec) -> bool {
    let name = match &spec.source {
        Source::Name(name) => name,
        Source::Pmu { pmu, .. } if kinds::is_word(pmu) => &spec.text,
        _ => return false,
    };
    name.contains(['*', '?', '['])
}

fn are_same(a: &Candidate, b: &Candidate) -> bool {
    let source = |candidate: &Candidate| match candidate.events.first() {
        Some(CandidateEvent::Source(source)) => Some(source.clone()),
        _ => None,
    };
    if source(a).is_some() || source(b).is_some() {
        return source(a) == source(b);
    }
    let (Ok(a), Ok(b)) = (&a.natives, &b.natives) else { return false };
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_same(b))
}

/// The names of the events of this machine: the kernel's, those of sysfs and of the tables, and tracepoints.
pub(crate) fn event_names(machine: &Machine) -> Vec<String> {
    let mut names = names(machine, "*");
    names.extend(super::finders::sources::listed(machine.host()));
    for device in machine.devices() {
        let pmu = &device.pmu.name;
        names.extend(device.pmu.events.iter().map(|event| format!("{pmu}/{}/", event.name)));
    }
    names.extend(machine.tracepoints());
    names
}

/// The names that match; letter case matters for tracepoints only.
fn names(machine: &Machine, pattern: &str) -> Vec<String> {
    if pattern.contains('/') {
        let sources = super::finders::sources::names(machine.host());
        // A part of a pattern stands for a part of a name.
        let parts = |name: &str| name.matches('/').count();
        let is_match = |name: &String| parts(name) == parts(pattern) && is_like(pattern, name);
        return sources.filter(is_match).collect();
    }
    if pattern.contains(':') {
        let is_match = |name: &String| matches_glob(pattern, name);
        let tracepoints = machine.tracepoints().into_iter().filter(is_match);
        let tables = tables(machine).into_iter().filter(|name| name.contains(':'));
        return tracepoints.chain(tables.filter(|name| is_like(pattern, name))).collect();
    }
    let of_kernel = kernel::all().filter(|event| event.names().any(|name| is_like(pattern, name)));
    let mut names: Vec<String> = of_kernel.map(|event| event.name.to_string()).collect();
    let mut others = Vec::new();
    for device in machine.core_pmus() {
        others.extend(device.pmu.events.iter().map(|event| event.name.clone()));
    }
    others.extend(tables(machine));
    others.extend(machine.vendor().names().map(str::to_string));
    names.extend(others.into_iter().filter(|name| is_like(pattern, name)));
    names
}

/// The events of the tables of this machine's PMUs, with their unit masks if they have any.
fn tables(machine: &Machine) -> Vec<String> {
    let mut names = Vec::new();
    let pmus = machine.tables().pmus.iter().filter(|pmu| pmu.kind != PmuKind::OsGeneric);
    for event in pmus.flat_map(|pmu| pmu.events()) {
        let attributes = event.attributes(Layer::Raw, machine.tables());
        let masks = attributes.iter().filter(|a| a.kind == AttributeKind::Umask);
        let masks: Vec<String> =
            masks.map(|mask| format!("{}:{}", event.name, mask.name)).collect();
        if masks.is_empty() { names.push(event.name.to_string()) } else { names.extend(masks) }
    }
    names
}

fn is_like(pattern: &str, name: &str) -> bool {
    matches_glob(&pattern.to_lowercase(), &name.to_lowercase())
}

/// The error of a pattern that nothing matches, with names that are near its plain text.
fn none(machine: &Machine, spec: &EventSpec, pattern: &str) -> Error {
    let plain: String = pattern.chars().filter(|c| !"*?[]".contains(*c)).collect();
    let system = pattern.split_once(':').filter(|(system, _)| !system.is_empty());
    let error = match system.map(|(system, _)| machine.tracepoint(system, "enable")) {
        Some(Tracepoint::Unreadable) if machine.tracepoints().is_empty() => {
            Error::from(NameError::NoTracefs { name: pattern.to_string() })
        }
        _ => Error::from(NameError::NoMatch {
            pattern: pattern.to_string(),
            similar: problem::near(machine, plain.trim_end_matches([':', '_', '-', '.'])),
        }),
    };
    error.at(spec.span.clone())
}
