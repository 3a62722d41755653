//! likwid's boxes as the kernel's PMUs: `mbox3` is `uncore_imc_3`, whose events are those of the tables, of the vendor's
//! files or of sysfs.

use super::sysfs;
use crate::error::Error;
use crate::machine::pmus::{Device, Machine};
use crate::names::candidate::{Candidate, CandidateEvent, Query};
use crate::names::error::NameError;
use crate::names::likwid::{Box, Kind, event_of, flag, is_spelled};
use crate::names::native::Native;
use counterpoint_pmu::syntax::{self, EventSpec, Modifiers, Source, Term};
use counterpoint_pmu::{AttributeKind, Layer, similar};

/// likwid's options of counters, and their names in the kernel.
const OPTIONS: [(&str, &str); 7] = [
    ("STATE", "filter_state"),
    ("OPCODE", "filter_opc"),
    ("NID", "filter_nid"),
    ("TID", "filter_tid"),
    ("e", "edge"),
    ("c", "thresh"),
    ("i", "inv"),
];

/// The event of a box, or the reason why this machine has none.
pub(crate) fn candidate(query: &Query<'_>, one: Box, terms: &[Term]) -> Candidate {
    match native(query.machine, one, terms, query.spec.modifiers) {
        Ok((text, native)) => {
            let name = query.spec.text.clone();
            let event = CandidateEvent::Likwid { name, event: text };
            Candidate::new(vec![event], Ok(vec![native]))
        }
        Err(why) => {
            let (why, similar) = why;
            let error = Error::from(NameError::UnknownBox {
                name: query.spec.text.to_string(),
                why,
                similar,
            });
            Candidate::new(Vec::new(), Err(error.at(query.spec.span.clone())))
        }
    }
}

/// A reason, and names that may be meant.
type Why = (String, Vec<String>);

/// The event of a box as it is written for the kernel's PMU, and what to open.
pub(crate) fn native(
    machine: &Machine,
    one: Box,
    terms: &[Term],
    modifiers: Modifiers,
) -> Result<(String, Native), Why> {
    let Some(first) = terms.first() else { return Err((String::new(), Vec::new())) };
    let pmu = pmu_of(machine, one).map_err(|why| (why, Vec::new()))?;
    let event = event_of(first);
    let devices = machine.boxes(&pmu);
    let Some(device) = devices.first() else { return Err((String::new(), Vec::new())) };
    for text in one.kind.events(event) {
        let (pmu, mut written) = match of_pmu(text) {
            Some(other) => other,
            None => (pmu.clone(), terms_of(machine, device, text)),
        };
        written.extend(options(first, device).map_err(|why| (why, Vec::new()))?);
        written.extend(terms[1..].iter().cloned());
        if written.is_empty() {
            continue;
        }
        if let Ok(native) = sysfs::event(machine, &pmu, &written, modifiers) {
            let shown: Vec<String> = written.iter().map(Term::to_string).collect();
            let native = if one.kind.is_scaled() {
                native
            } else {
                Native { scale: None, unit: None, ..native }
            };
            return Ok((format!("{pmu}/{}/", shown.join(",")), native));
        }
    }
    let names = names(machine, device);
    let near = similar(event, names.iter().map(String::as_str));
    let near = near.into_iter().map(|name| format!("{}/{name}/", device.pmu.name)).collect();
    Err((format!("{} has no event {event}", device.pmu.name), near))
}

/// Returns true if a box has a number above the highest one of the machine, which has box 0 of this kind.
pub(crate) fn is_above(machine: &Machine, one: Box) -> bool {
    let numbers = one.kind.devices().map(|stem| numbers(machine, stem)).find(|all| !all.is_empty());
    match (one.number, numbers) {
        (Some(number), Some(all)) => {
            all.contains(&0) && all.iter().max().is_some_and(|highest| number > *highest)
        }
        _ => false,
    }
}

/// The kernel's name of a box.
fn pmu_of(machine: &Machine, one: Box) -> Result<String, String> {
    let Kind { words, .. } = one.kind;
    let stems: Vec<&str> = one.kind.devices().collect();
    if stems.is_empty() {
        return Err(words.to_string());
    }
    let Some(stem) = stems.iter().find(|stem| !machine.boxes(stem).is_empty()) else {
        let names = stems.join(" or ");
        return Err(format!("sysfs has no {names} ({words}) on this machine"));
    };
    let all = numbers(machine, stem);
    let boxes = machine.boxes(stem);
    let is_split = boxes.iter().any(|device| device.cpumask != boxes[0].cpumask);
    match one.number {
        Some(_) if is_split => {
            // likwid means the box of this number in each package.
            Err(format!("the kernel numbers the {words} of all packages in one row ({stem})"))
        }
        None => Ok((*stem).to_string()),
        Some(number) if all.contains(&number) => {
            let boxed = format!("{stem}_{number}");
            let is_numbered = machine.pmu_names().contains(&boxed);
            Ok(if is_numbered { boxed } else { (*stem).to_string() })
        }
        Some(_) => {
            let names: Vec<String> = all.iter().map(|number| format!("{stem}_{number}")).collect();
            let (count, last) = (names.len(), names.last().cloned().unwrap_or_default());
            Err(format!("this machine has {count} {words}, the last is {last}"))
        }
    }
}

/// The numbers of the boxes of a kind; a PMU without a number is box 0.
fn numbers(machine: &Machine, stem: &str) -> Vec<usize> {
    let of = |device: &&Device| match device.pmu.name.strip_prefix(stem)? {
        "" => Some(0),
        rest => rest.strip_prefix('_')?.parse().ok(),
    };
    machine.boxes(stem).iter().filter_map(of).collect()
}

/// A text that names its PMU: `power/energy-pkg/`.
fn of_pmu(text: &str) -> Option<(String, Vec<Term>)> {
    let groups = syntax::parse(text).ok()?;
    match groups.as_slice() {
        [syntax::Group { events, .. }] => match events.as_slice() {
            [EventSpec { source: Source::Pmu { pmu, terms, .. }, .. }] => {
                Some((pmu.clone(), terms.clone()))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The terms for a name of likwid, of sysfs, or for terms; none if the PMU has no such event.
fn terms_of(machine: &Machine, device: &Device, text: &str) -> Vec<Term> {
    if text.contains('=') {
        return of_pmu(&format!("{}/{text}/", device.pmu.name))
            .map(|(_, terms)| terms)
            .unwrap_or_default();
    }
    if device.pmu.event(text).is_some() {
        return vec![flag(text)];
    }
    let names = names(machine, device);
    let found = names.iter().find(|name| is_spelled(bare(name), text));
    found.map(|name| flag(name)).into_iter().collect()
}

/// The events of a PMU, each with its unit mask: those of the tables, then those of the vendor's files.
fn names(machine: &Machine, device: &Device) -> Vec<String> {
    let tables = machine.tables();
    let is_of = |known: &str| known == device.pmu.name;
    let pmus = tables.pmus.iter().filter(|pmu| pmu.devices().any(is_of));
    let events = pmus.flat_map(|pmu| pmu.events());
    let mut names: Vec<String> = events
        .flat_map(|event| {
            let masks = event.attributes(Layer::Raw, tables).into_iter();
            let masks = masks.filter(|mask| mask.kind == AttributeKind::Umask);
            let with_mask = masks.map(move |mask| format!("{}:{}", event.name, mask.name));
            std::iter::once(event.name.to_string()).chain(with_mask)
        })
        .collect();
    let of_vendor = machine.vendor().iter().filter(|event| event.is_on(&device.pmu.name, false));
    names.extend(of_vendor.map(|event| event.name.clone()));
    names
}

/// A vendor's name without its unit: `CAS_COUNT.RD` of `UNC_M_CAS_COUNT.RD`.
fn bare(name: &str) -> &str {
    let rest = name.strip_prefix("UNC_").and_then(|rest| rest.split_once('_'));
    rest.map_or(name, |(_, bare)| bare)
}

/// likwid's options of a counter, `LLC_LOOKUP_ANY:STATE=0x1`, as terms of the PMU.
fn options(first: &Term, device: &Device) -> Result<Vec<Term>, String> {
    let mut found = Vec::new();
    for option in first.name.split(':').skip(1) {
        let known = OPTIONS.iter().find(|(known, _)| *known == option).map(|(_, term)| *term);
        let Some(term) = known.filter(|term| device.pmu.format(term).is_some()) else {
            return Err(format!("{} has no option {option}", device.pmu.name));
        };
        // The value of a term follows its last option; the parser takes only one.
        found.push(Term { value: first.value.clone(), ..flag(term) });
    }
    Ok(found)
}
