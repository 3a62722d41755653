//! Finds events by likwid's names: `L1D_REPLACEMENT` of a core, `mbox0/CAS_COUNT_RD/` of one box.
//!
//! A name stands for an event that something else has: each finding is looked up by that name.
//!
//! # How likwid's names are read
//!
//! 1. `names::finders::likwid` is the last finder, so that it changes no name that means something already. It looks up another name: that of `tables/likwid/names.txt`, or the same with `:` or `.` in the place of an underscore, the longest known event first.
//! 2. `box/EVENT/` is an event of one box. `tables/likwid/boxes.txt` has the kernel's PMUs of each kind of box; `names::finders::likwid_boxes` finds the event among those of the tables, of the vendor's files and of sysfs that differ by the unit before the name only. Values are counts, without the scale of sysfs, except energies.
//! 3. In formulas, boxes above the last one of the machine are 0 if box 0 has the event (`Note::MissingBoxes`), and the levels of `tma` are their slots ÷ all slots.

use super::{kernel, likwid_boxes};
use crate::machine::pmus::Machine;
use crate::names::candidate::{Candidate, CandidateEvent, Query};
use crate::names::likwid::is_spelled;
use crate::names::likwid::{Box, core_events};
use crate::names::spec::spec;
use counterpoint_formula::Formula;
use counterpoint_pmu::syntax::{self, EventSpec, Modifiers, Source, Term};
use counterpoint_pmu::{AttributeKind, Layer, Pmu, PmuKind, similar};

/// Not more attempts are made to split a name.
const LONGEST: usize = 256;

pub(crate) fn find(query: &Query<'_>) -> Vec<Candidate> {
    match &query.spec.source {
        Source::Name(_) if !query.name.is_empty() => bare(query).into_iter().collect(),
        Source::Pmu { pmu, terms, .. } => match Box::of_terms(pmu, terms) {
            Some(one) => vec![likwid_boxes::candidate(query, one, terms)],
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// An event of a core, by the table of names or with an underscore for the `:` or `.` of its name; attributes and a
/// prefix of the tables are kept.
fn bare(query: &Query<'_>) -> Option<Candidate> {
    let machine = query.machine;
    let (prefix, name) = match query.name.split_once("::") {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, &*query.name),
    };
    let (head, rest) = name.split_at(name.find(':').unwrap_or(name.len()));
    let is_likwids = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if head.len() > LONGEST || !head.chars().all(is_likwids) || is_known(machine, head) {
        return None;
    }
    let is_named = |pmu: &&&Pmu| prefix.is_none_or(|prefix| pmu.name == prefix);
    let pmus: Vec<&'static Pmu> = machine.tables().pmus.iter().filter(is_named).copied().collect();
    let cores = machine.tables().pmus.iter().filter(|pmu| pmu.kind == PmuKind::Core);
    let named = cores.flat_map(|pmu| core_events(pmu.name, head)).map(str::to_string);
    let mut all = named.chain(spelled(machine, &pmus, head)).flat_map(|event| {
        // Events of the kernel and of other PMUs have no prefix.
        let is_plain = kernel::named(&event).is_some() || event.contains('/');
        let prefix = prefix.filter(|_| !is_plain).map(|prefix| format!("{prefix}::"));
        let text = format!("{}{event}{rest}", prefix.unwrap_or_default());
        // Edges are those of a comparison with the counter mask, which likwid leaves at 0.
        let with_mask = rest.contains(":e=1") && !rest.contains(":c=");
        [Some(text.clone()), with_mask.then(|| format!("{text}:c=1"))].into_iter().flatten()
    });
    all.find_map(|text| {
        let found = as_native(query, &text)?;
        let event = CandidateEvent::Likwid { name: query.name.to_string(), event: text };
        Some(Candidate::new(vec![event], found.natives))
    })
}

/// The candidate for another name, if it can be opened.
fn as_native(query: &Query<'_>, text: &str) -> Option<Candidate> {
    let spec = spec(text);
    let spec = EventSpec { modifiers: spec.modifiers.with(query.spec.modifiers), ..spec };
    let found = query.of_native(&spec).ok()?.first().ok().flatten();
    found.filter(|found| found.natives.is_ok())
}

/// Returns true if a name is one of another kind, perhaps of an event that needs more than its name.
fn is_known(machine: &Machine, name: &str) -> bool {
    let is_of_tables = || machine.tables().pmus.iter().any(|pmu| pmu.event(name).is_some());
    let is_vendors = || {
        // Vendors' names are alike whatever stands between their parts.
        machine.vendor().named(name).any(|event| event.name.eq_ignore_ascii_case(name))
    };
    kernel::named(name).is_some() || is_of_tables() || is_vendors()
}

/// The names that differ by `:` or `.` in the place of an underscore; of the tables, those with the longest event first.
fn spelled(machine: &Machine, pmus: &[&'static Pmu], head: &str) -> Vec<String> {
    let at = head.rmatch_indices('_').map(|(at, _)| at);
    let has = |pmu: &&'static Pmu, event: &str| pmu.event(event).is_some();
    let of_tables = at.filter_map(|at| {
        let (event, mask) = (&head[..at], &head[at + 1..]);
        let is_event = pmus.iter().any(|pmu| has(pmu, event));
        (is_event && !mask.is_empty()).then(|| format!("{event}:{mask}"))
    });
    let mut all: Vec<String> = of_tables.collect();
    let alike = machine.vendor().named(head).filter(|event| event.is_of_core());
    all.extend(alike.filter_map(|event| {
        let is_same = event.name.contains('.') && is_spelled(&event.name, head);
        is_same.then(|| event.name.clone())
    }));
    all
}

/// Events of the tables with which a name begins that is likwid's name of none of their unit masks, and the unit masks
/// that are similar.
pub(crate) fn near(machine: &Machine, name: &str) -> Vec<String> {
    let mut all = Vec::new();
    for event in machine.tables().pmus.iter().flat_map(|pmu| pmu.events()) {
        let start = name.get(..event.name.len() + 1).and_then(|start| start.strip_suffix('_'));
        if !start.is_some_and(|start| start.eq_ignore_ascii_case(event.name)) {
            continue;
        }
        let masks = event.attributes(Layer::Raw, machine.tables()).into_iter();
        let masks = masks.filter(|mask| mask.kind == AttributeKind::Umask);
        all.extend(masks.map(|mask| format!("{}:{}", event.name, mask.name)));
    }
    similar(name, all.iter().map(String::as_str)).into_iter().map(str::to_string).collect()
}

/// The formula that likwid's term stands for, if it is not an event: a box above the highest one of the machine counts
/// 0, as likwid has it, and the levels of top-down analysis are shares of all slots.
pub(crate) fn formula(machine: &Machine, term: &str) -> Option<Formula> {
    // Most terms are names, which cost nothing here.
    let (pmu, _) = term.split_once('/')?;
    if pmu == "tma" {
        return share(term);
    }
    is_missing_box(machine, term).then(|| "0".parse().ok())?
}

/// Returns true if a term is an event of a box above the highest one of the machine, that its first box has.
pub(crate) fn is_missing_box(machine: &Machine, term: &str) -> bool {
    let Some((one, terms)) = boxed(term) else { return false };
    likwid_boxes::is_above(machine, one) && {
        let first = Box { number: Some(0), ..one };
        let native = likwid_boxes::native(machine, first, &terms, Modifiers::default());
        native.is_ok()
    }
}

/// The box of a term, and what stands between its slashes.
fn boxed(term: &str) -> Option<(Box, Vec<Term>)> {
    let (pmu, _) = term.split_once('/')?;
    // No kind of box is called like one of the kernel's usual PMUs, of which metrics have many terms.
    if matches!(pmu, "cpu" | "msr" | "power") || pmu.contains('_') {
        return None;
    }
    let groups = syntax::parse(term).ok()?;
    let [syntax::Group { events, .. }] = groups.as_slice() else { return None };
    let [EventSpec { source: Source::Pmu { pmu, terms, .. }, .. }] = events.as_slice() else {
        return None;
    };
    Some((Box::of_terms(pmu, terms)?, terms.clone()))
}

/// The share of a level of top-down analysis: its slots ÷ all slots.
fn share(term: &str) -> Option<Formula> {
    let level = match term.strip_prefix("tma/")?.strip_suffix('/')? {
        "BAD_SPECULATION" => "BAD_SPEC",
        "FETCH_LATENCY" => "FETCH_LAT",
        "MEM_BOUND" => "MEMORY_BOUND",
        same
        @ ("BACKEND_BOUND" | "BR_MISPREDICT" | "FRONTEND_BOUND" | "HEAVY_OPS" | "RETIRING") => same,
        _ => return None,
    };
    format!("`TOPDOWN_M:{level}` / `TOPDOWN:SLOTS`").parse().ok()
}
