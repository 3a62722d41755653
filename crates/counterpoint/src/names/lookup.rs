//! Looks up what an event, as written, stands for: the only module that decides names.
//!
//! [`FINDERS`] are called in order; the first candidate is counted, and hides the others.

use super::candidate::{Candidate, Finder, Query};
#[cfg(feature = "symbols")]
use super::finders::probe;
use super::finders::{code, either, kernel, likwid, named, sources, sysfs, tracepoint, vendor};
use super::native::Native;
use super::problems;
use super::views::{self, View};
use crate::error::Error;
use crate::machine::pmus::Machine;
use crate::metrics::Metrics;
use counterpoint_definitions::Library;
use counterpoint_pmu::syntax::EventSpec;
use std::cell::OnceCell;

/// The finder of each kind of name, in the order of lookup.
const FINDERS: &[Finder] = &[
    named::definitions,
    named::unsupported,
    code::find,
    #[cfg(feature = "symbols")]
    probe::find,
    sources::find,
    sysfs::terms,
    sysfs::energy,
    kernel::find,
    sysfs::find,
    vendor::before_tables,
    either::of_tables,
    tracepoint::find,
    likwid::find,
    either::of_vendor,
];

/// A machine and the definitions that apply to it, among which names are looked up.
#[derive(Debug)]
pub(crate) struct Names {
    machine: Machine,
    libraries: Vec<Library>,
    /// The presets, without libraries of the user.
    views: OnceCell<Vec<View>>,
    metrics: OnceCell<Metrics>,
}

impl Names {
    pub(crate) fn new(machine: Machine) -> Names {
        Names { machine, libraries: Vec::new(), views: OnceCell::new(), metrics: OnceCell::new() }
    }

    pub(crate) fn machine(&self) -> &Machine {
        &self.machine
    }

    pub(crate) fn libraries(&self) -> &[Library] {
        &self.libraries
    }

    /// Adds definitions, which hide earlier ones of the same names.
    pub(crate) fn define(&mut self, library: Library) {
        self.libraries.push(library);
        self.views = OnceCell::new();
        self.metrics = OnceCell::new();
    }

    /// The metrics that are built in for the machine, and those of the libraries.
    pub(crate) fn metrics(&self) -> &Metrics {
        self.metrics.get_or_init(|| Metrics::new(&self.machine, &self.libraries))
    }

    /// The definitions to which a list of events may refer.
    pub(crate) fn views_for(&self, list: &str) -> &[View] {
        if self.libraries.is_empty() && !may_be_preset(list) {
            &[]
        } else {
            self.views.get_or_init(|| views::views(&self.machine, &self.libraries))
        }
    }
}

/// Returns true if a list of events may name a preset; all presets begin alike.
pub(crate) fn may_be_preset(list: &str) -> bool {
    let begins = |word: &[u8]| word.eq_ignore_ascii_case(b"PAPI_");
    list.as_bytes().windows("PAPI_".len()).any(begins)
}

/// The first candidate for an event that fits the text as written.
///
/// `views` are the definitions; empty to look up native events only.
pub(crate) fn first(
    machine: &Machine,
    views: &[View],
    spec: &EventSpec,
) -> Result<Candidate, Error> {
    let query = Query::new(machine, views, spec, FINDERS)?;
    query.find(true)?.into_iter().next().ok_or_else(|| problems::unknown(&query))
}

/// All candidates for an event, in the order of lookup.
pub(crate) fn all(
    machine: &Machine,
    views: &[View],
    spec: &EventSpec,
) -> Result<Vec<Candidate>, Error> {
    let query = Query::new(machine, views, spec, FINDERS)?;
    match query.find(false)? {
        none if none.is_empty() => Err(problems::unknown(&query)),
        candidates => Ok(candidates),
    }
}

/// The first candidate for an event; `None` if its name is unknown, and an error if the name is known but followed by
/// invalid text.
pub(crate) fn known(
    machine: &Machine,
    views: &[View],
    spec: &EventSpec,
) -> Result<Option<Candidate>, Error> {
    Query::new(machine, views, spec, FINDERS)?.first()
}

/// The native events that an event stands for: one, or on a hybrid machine, one for each core PMU that has it.
pub(crate) fn natives(machine: &Machine, spec: &EventSpec) -> Result<Vec<Native>, Error> {
    first(machine, &[], spec)?.natives
}
