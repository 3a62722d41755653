//! What a name may stand for.

use crate::Error;
use crate::component::without_component;
use crate::machine::Machine;
use crate::native::Native;
use crate::presets::Preset;
use counterpoint_definitions::{Definition, Expansion, Unavailable};
use counterpoint_pmu::syntax::{EventSpec, Modifiers, Source, split_modifiers};
use counterpoint_pmu::{Event, kernel, sysfs};
use std::borrow::Cow;

use super::views::View;

/// One of the things that a name may stand for; [`EventSet::candidates`](crate::EventSet::candidates) has all of them.
#[derive(Debug)]
#[non_exhaustive]
pub struct Candidate {
    /// The events: one, or one for each kind of core or box that has it.
    ///
    /// There are none for a raw code, an address, or terms of a PMU, which have no name.
    pub events: Vec<CandidateEvent>,
    /// What to open, or why it cannot be opened as it is written.
    pub(crate) natives: Result<Vec<Native>, Error>,
    /// The name is known, and what follows it is not.
    pub(super) is_misspelled: bool,
}

/// An event that has a name.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum CandidateEvent {
    /// A definition of the user's or of the program's, as one kind of core sees it.
    Definition {
        /// The definition.
        definition: Definition,
        /// The same down to native events, or why it has no value.
        expansion: Result<Expansion, Unavailable>,
        /// The PMU of the cores, where there are several kinds of them.
        core: Option<String>,
    },
    /// A preset that no event of this processor counts.
    Unsupported(&'static Preset),
    /// An event that the kernel itself names.
    Kernel(kernel::KernelEvent),
    /// An event that sysfs names.
    Sysfs {
        /// The PMU whose directory it is in.
        pmu: String,
        /// The event.
        event: sysfs::Event,
    },
    /// An event of the tables.
    Table(Event),
    /// A tracepoint, `subsystem:name`.
    Tracepoint(String),
}

impl CandidateEvent {
    /// What a definition or a preset counts, where somebody wrote it down.
    pub fn description(&self) -> Option<&str> {
        match self {
            CandidateEvent::Definition { definition, .. } => {
                let preset = Preset::find(definition.name()).map(|preset| preset.description);
                let long = definition.long_description().or(preset);
                long.or_else(|| definition.short_description())
            }
            CandidateEvent::Unsupported(preset) => Some(preset.description),
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
            CandidateEvent::Tracepoint(_) => "tracepoint",
        }
    }
}

impl Candidate {
    pub(super) fn new(
        events: Vec<CandidateEvent>,
        natives: Result<Vec<Native>, Error>,
    ) -> Candidate {
        Candidate { events, natives, is_misspelled: false }
    }

    /// A candidate of whose name is known, while what follows the name is wrong.
    pub(super) fn misspelled(events: Vec<CandidateEvent>, error: Error) -> Candidate {
        Candidate { events, natives: Err(error), is_misspelled: true }
    }

    /// What to open; the error says why it cannot be opened as it is written, such as a unit mask that is missing.
    ///
    /// There is nothing for a definition, whose terms are events of their own.
    pub fn natives(&self) -> Result<&[Native], &Error> {
        self.natives.as_ref().map(Vec::as_slice)
    }
}

/// An event as it is written, and where it is looked up.
pub(super) struct Query<'q> {
    pub machine: &'q Machine,
    /// The definitions of each kind of core; empty where only native events are wanted.
    pub views: &'q [View],
    pub spec: &'q EventSpec,
    /// The name without PAPI's component; empty for a form that has no name.
    pub name: Cow<'q, str>,
}

impl<'q> Query<'q> {
    /// The error is a component of PAPI's whose events are not counted here.
    pub(super) fn new(
        machine: &'q Machine,
        views: &'q [View],
        spec: &'q EventSpec,
    ) -> Result<Query<'q>, Error> {
        let name = match &spec.source {
            Source::Name(name) => {
                without_component(name).map_err(|error| error.at(spec.span.clone()))?
            }
            _ => Cow::Borrowed(""),
        };
        Ok(Query { machine, views, spec, name })
    }

    /// The name as it stands, and without perf's modifiers if it has any; each with the modifiers that it then has.
    pub(super) fn spellings(&self) -> impl Iterator<Item = (&str, Modifiers)> {
        let group = self.spec.modifiers;
        let (bare, own) = split_modifiers(&self.name);
        let bare = own.map(|own| (bare, own.with(group)));
        std::iter::once((&*self.name, group)).chain(bare).filter(|(name, _)| !name.is_empty())
    }

    /// Where the name begins in the list of events.
    pub(super) fn start(&self) -> usize {
        self.spec.span.start + self.spec.text.len().saturating_sub(self.name.len())
    }
}
