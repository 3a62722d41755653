//! The error of an event without a candidate, and similar names.

use super::candidate::Query;
use super::components as component;
use super::finders::{kernel, likwid, named, sources, table, tracepoint};
use super::views::View;
use crate::error::Error;
use crate::machine::pmus::{Machine, Tracepoint};
use crate::names::error::NameError;
use counterpoint_definitions::{Definitions, Origin};
use counterpoint_pmu::similar;
use counterpoint_pmu::syntax::{Source, split_modifiers};

/// The error of an event for which there is no candidate.
pub(crate) fn unknown(query: &Query<'_>) -> Error {
    error(query).at(query.spec.span.clone())
}

fn error(query: &Query<'_>) -> Error {
    let Source::Name(written) = &query.spec.source else {
        return no_event(&query.spec.text, Vec::new());
    };
    if component::of_rapl(written).is_some() {
        let devices = query.machine.boxes("power");
        let has = |event: &str| devices.iter().any(|device| device.pmu.event(event).is_some());
        return no_event(written, component::energies(has).collect());
    }
    let text = &*query.name;
    if let Some(error) = unreadable(query, text) {
        return Error::from(error);
    }
    if let Some(error) = table::error(query.machine, text) {
        return Error::encode(error, query.start());
    }
    let (bare, _) = split_modifiers(text);
    let defined = named::near(query);
    let near = |name: &str| {
        let mut all = defined.clone();
        all.extend(near(query.machine, name));
        all
    };
    let spelled =
        |view: &View| [text, bare].into_iter().find_map(|n| view.definitions.elsewhere(n));
    if let Some(definition) = query.views.iter().find_map(spelled) {
        return Error::from(NameError::of_others(&definition));
    }
    if !defined.is_empty() {
        return no_event(&query.spec.text, near(&query.spec.text));
    }
    let pmus = table::elsewhere(text);
    if !pmus.is_empty() {
        let name = table::event_name(text);
        return Error::from(NameError::EventOfOthers {
            text: text.to_string(),
            name: name.to_string(),
            pmus,
            similar: near(name),
        });
    }
    let Some((system, event)) = tracepoint::split(bare) else {
        return no_event(bare, near(bare));
    };
    match (query.machine.tracepoint(system, event), near(bare)) {
        (Tracepoint::Unreadable, near) if near.is_empty() => {
            Error::from(NameError::NoTracefs { name: bare.to_string() })
        }
        (_, near) => no_event(bare, near),
    }
}

fn no_event(name: &str, similar: Vec<String>) -> Error {
    Error::from(NameError::UnknownEvent { name: name.to_string(), similar })
}

/// The error of a name whose definition cannot be read.
fn unreadable(query: &Query<'_>, text: &str) -> Option<NameError> {
    // After a PMU of the tables too, where the name of a definition is not expected but may be meant.
    let alone = text.rsplit("::").next().unwrap_or(text);
    let (bare, _) = split_modifiers(alone);
    let place =
        |view: &View| [alone, bare].into_iter().find_map(|n| unreadable_in(&view.definitions, n));
    let place = query.views.iter().find_map(place)?;
    Some(NameError::UnreadableDefinition { name: bare.to_string(), place })
}

/// The place at which a definition of a name has an error: the file and the line.
fn unreadable_in(definitions: &Definitions, name: &str) -> Option<String> {
    let (origin, line) = definitions.unreadable(name)?;
    Some(match origin {
        Origin::File(path) => format!("{}:{line}", path.display()),
        _ => format!("line {line}"),
    })
}

/// Names of this machine that are similar to a name.
pub(crate) fn near(machine: &Machine, name: &str) -> Vec<String> {
    let mut known = kernel::names();
    known.extend(sources::names(machine.host()));
    for device in machine.devices() {
        known.extend(
            device.pmu.events.iter().map(|event| format!("{}/{}/", device.pmu.name, event.name)),
        );
    }
    for device in machine.core_pmus() {
        known.extend(device.pmu.events.iter().map(|event| event.name.clone()));
    }
    if name.contains(':') {
        known.extend(machine.tracepoints());
    }
    let mut near: Vec<String> =
        similar(name, known.iter().map(String::as_str)).into_iter().map(str::to_string).collect();
    let of_tables = table::near(machine, name);
    near.extend(of_tables.into_iter().filter(|event| !near.contains(event)).collect::<Vec<_>>());
    near.extend(likwid::near(machine, name));
    let of_vendor = similar(name, machine.vendor().names());
    near.extend(of_vendor.into_iter().map(str::to_string));
    near.truncate(3);
    near
}
