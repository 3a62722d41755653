//! The candidates for a name.

use super::components::without_component;
use super::native::Native;
use super::views::View;
use crate::error::Error;
use crate::libraries::presets::Preset;
use crate::machine::pmus::Machine;
use crate::names::error::NameError;
use crate::sources::source::Source;
use counterpoint_definitions::{Definition, Expansion, Unavailable};
use counterpoint_pmu::syntax::{self, EventSpec, Modifiers, split_modifiers};
use counterpoint_pmu::{Event, kernel, sysfs};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Something that a name may stand for; [`EventSet::candidates`](crate::EventSet::candidates) returns all of them.
#[derive(Debug)]
#[non_exhaustive]
pub struct Candidate {
    /// The events: one, or one for each kind of core or box that has it.
    ///
    /// Empty for a raw code, an address, or the terms of a PMU, which have no name.
    pub events: Vec<CandidateEvent>,
    /// The native events to open, or the reason why it cannot be opened as written.
    pub(crate) natives: Result<Vec<Native>, Error>,
    /// The error of the text after the name, which is known itself.
    pub(crate) is_misspelled: bool,
}

/// A named event.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum CandidateEvent {
    /// A definition of the user or of the program, as it applies to one kind of core.
    Definition {
        /// The definition.
        definition: Definition,
        /// The definition expanded to native events, or the reason why it has no value.
        expansion: Result<Expansion, Unavailable>,
        /// The core PMU, if there are several kinds of cores.
        core: Option<String>,
    },
    /// A preset for which this processor has no event.
    Unsupported(&'static Preset),
    /// An event named by the kernel itself.
    Kernel(kernel::KernelEvent),
    /// An event named in sysfs.
    Sysfs {
        /// The PMU whose directory it is in.
        pmu: String,
        /// The event.
        event: sysfs::Event,
    },
    /// An event of the tables.
    Table(Event),
    /// A source that is read beside the events, such as a time, for which none is opened.
    Source(Source),
    /// An event of a vendor's files.
    Vendor {
        /// The PMU that counts it, without the number of its box.
        pmu: String,
        /// The event.
        event: counterpoint_pmu::vendor::Event,
    },
    /// A tracepoint, `subsystem:name`.
    Tracepoint(String),
    /// likwid's name for an event.
    Likwid {
        /// The name as written.
        name: String,
        /// The event that it stands for, as it is written without likwid's names.
        event: String,
    },
}

/// The long description of a definition, or else the short one; of a preset, that of all processors.
pub(crate) fn description(definition: &Definition) -> Option<&str> {
    let preset = Preset::find(definition.name()).filter(|_| definition.origin().is_included());
    let own = definition.long_description().or(definition.short_description());
    own.or(preset.map(|preset| preset.description))
}

impl CandidateEvent {
    /// The description of a definition, a preset, a source or a vendor's event, if there is one.
    pub fn description(&self) -> Option<&str> {
        match self {
            CandidateEvent::Definition { definition, .. } => description(definition),
            CandidateEvent::Unsupported(preset) => Some(preset.description),
            CandidateEvent::Source(source) => Some(source.description()),
            CandidateEvent::Vendor { event, .. } => {
                Some(event.brief.as_str()).filter(|brief| !brief.is_empty())
            }
            _ => None,
        }
    }

    /// The kind of the name, in one word.
    pub fn kind(&self) -> &'static str {
        match self {
            CandidateEvent::Definition { definition, .. } if definition.origin().is_included() => {
                "preset"
            }
            CandidateEvent::Definition { .. } => "definition",
            CandidateEvent::Unsupported(_) => "preset",
            CandidateEvent::Kernel(_) => "kernel",
            CandidateEvent::Sysfs { .. } => "sysfs",
            CandidateEvent::Table(_) => "table",
            CandidateEvent::Source(source) => source.kind(),
            CandidateEvent::Vendor { .. } => "vendor",
            CandidateEvent::Tracepoint(_) => "tracepoint",
            CandidateEvent::Likwid { .. } => "likwid",
        }
    }
}

impl Candidate {
    /// Returns true if the codes of both are the same, on cores of each kind; some kernels take the codes of a core by its
    /// own type of events and by that of raw ones.
    pub(crate) fn has_codes_of(&self, other: &Candidate) -> bool {
        let codes = |natives: &[Native]| -> BTreeSet<(u64, u64, u64)> {
            let boxes = natives.iter().flat_map(|native| &native.boxes);
            boxes.map(|one| (one.attr.config, one.attr.config1, one.attr.config2)).collect()
        };
        let natives = self.natives.as_deref().ok().zip(other.natives.as_deref().ok());
        natives.is_some_and(|(own, others)| codes(own) == codes(others))
    }

    pub(crate) fn new(
        events: Vec<CandidateEvent>,
        natives: Result<Vec<Native>, Error>,
    ) -> Candidate {
        Candidate { events, natives, is_misspelled: false }
    }

    /// A candidate whose name is known, but is followed by invalid text.
    pub(crate) fn misspelled(events: Vec<CandidateEvent>, error: Error) -> Candidate {
        Candidate { events, natives: Err(error), is_misspelled: true }
    }

    /// The native events to open.
    ///
    /// Empty for a definition, whose terms are events of their own, and for a source, which needs none.
    ///
    /// # Errors
    /// Returns the reason why it cannot be opened as written, such as a missing unit mask.
    pub fn natives(&self) -> Result<&[Native], &Error> {
        self.natives.as_ref().map(Vec::as_slice)
    }
}

/// An event as written, and the names among which it is looked up.
pub(crate) struct Query<'q> {
    pub machine: &'q Machine,
    /// The definitions for each kind of core; empty if only native events are looked up.
    pub views: &'q [View],
    pub spec: &'q EventSpec,
    /// The name without PAPI's component; empty for an event without a name.
    pub name: Cow<'q, str>,
    finders: &'q [Finder],
}

/// Finds the candidates of one kind of name.
pub(crate) type Finder = fn(&Query<'_>) -> Vec<Candidate>;

impl<'q> Query<'q> {
    /// Creates a query.
    ///
    /// # Errors
    /// Returns an error for a component of PAPI that is not supported, and for the latency of an event, which only samples have.
    pub(crate) fn new(
        machine: &'q Machine,
        views: &'q [View],
        spec: &'q EventSpec,
        finders: &'q [Finder],
    ) -> Result<Query<'q>, Error> {
        if spec.text.ends_with(":retire_latency") {
            return Err(Error::from(NameError::RetireLatency { name: spec.text.to_string() }));
        }
        let name = match &spec.source {
            syntax::Source::Name(name) => {
                without_component(name).map_err(|error| error.at(spec.span.clone()))?
            }
            _ => Cow::Borrowed(""),
        };
        Ok(Query { machine, views, spec, name, finders })
    }

    /// The same finders asked for another event, without definitions.
    pub(crate) fn of_native<'s>(&'s self, spec: &'s EventSpec) -> Result<Query<'s>, Error> {
        Query::new(self.machine, &[], spec, self.finders)
    }

    /// The first candidate; `None` if the name is unknown, and an error if the name is known but followed by invalid text.
    pub(crate) fn first(&self) -> Result<Option<Candidate>, Error> {
        Ok(self.find(true)?.into_iter().next())
    }

    /// The candidates that fit the text as written, in the order of the finders; if there are none, the error of the first
    /// one that does not fit.
    pub(crate) fn find(&self, first_only: bool) -> Result<Vec<Candidate>, Error> {
        let mut error = None;
        let mut found = Vec::new();
        for finder in self.finders {
            for candidate in finder(self) {
                match candidate.natives {
                    Err(failed) if candidate.is_misspelled => _ = error.get_or_insert(failed),
                    natives => found.push(Candidate { natives, ..candidate }),
                }
            }
            if first_only && !found.is_empty() {
                break;
            }
        }
        match error {
            Some(error) if found.is_empty() => Err(error),
            _ => Ok(found),
        }
    }

    /// The name as written, and without perf's modifiers if it has any; each with the modifiers of that reading.
    pub(crate) fn spellings(&self) -> impl Iterator<Item = (&str, Modifiers)> {
        let group = self.spec.modifiers;
        let (bare, own) = split_modifiers(&self.name);
        let bare = own.map(|own| (bare, own.with(group)));
        std::iter::once((&*self.name, group)).chain(bare).filter(|(name, _)| !name.is_empty())
    }

    /// The position of the name in the list of events.
    pub(crate) fn start(&self) -> usize {
        self.spec.span.start + self.spec.text.len().saturating_sub(self.name.len())
    }
}
