//! The kinds of sources, and the open sources of a set.

use super::clock::Times;
#[cfg(feature = "files")]
use super::files::Shown;
use super::source::{Kind, Measure, Meter, Opening, Presence, Reading, Source};
use super::usage::Used;
use counterpoint_perf::Host;

/// Every kind of sources, in the order of lookup.
const KINDS: &[&dyn Kind] = &[
    &Times,
    &Used,
    #[cfg(feature = "files")]
    &Shown,
];

/// The sources of a host.
pub(crate) fn all(host: &Host) -> impl Iterator<Item = Source> {
    KINDS.iter().flat_map(|kind| kind.all(host))
}

/// The names of the sources of a host that patterns match.
pub(crate) fn names(host: &Host) -> impl Iterator<Item = String> {
    KINDS.iter().flat_map(|kind| kind.names(host))
}

/// The source with a name, whether or not a host has it; case is ignored.
pub(crate) fn find(name: &str) -> Option<Source> {
    KINDS.iter().find_map(|kind| kind.find(name))
}

/// The source that is written as `word/name/`.
pub(crate) fn find_of(word: &str, name: &str) -> Option<Source> {
    KINDS.iter().find(|kind| kind.word() == word)?.find(name)
}

/// The sources of a host that PAPI's components have, such as `net`, each with PAPI's name.
pub fn papi_sources(host: &Host) -> Vec<(String, Source)> {
    KINDS.iter().flat_map(|kind| kind.of_papi(host)).collect()
}

/// The components of the kinds, such as `net`, each with its state on a host.
pub(crate) fn components(host: &Host) -> Vec<(&'static str, Presence)> {
    KINDS.iter().flat_map(|kind| kind.components(host)).collect()
}

/// Returns true if a word is a component, which stands before the first slash in names, such as `net`.
pub(crate) fn is_word(word: &str) -> bool {
    KINDS.iter().any(|kind| kind.is_word(word))
}

/// The components that are near another word.
pub(crate) fn words_near(word: &str) -> Vec<&'static str> {
    KINDS.iter().flat_map(|kind| kind.words_near(word)).collect()
}

/// Returns true if a word of PAPI stands before `:::` in names of sources.
pub(crate) fn is_component(word: &str) -> bool {
    KINDS.iter().any(|kind| kind.is_component(word))
}

/// The open sources of a set.
#[derive(Debug)]
pub(crate) struct Meters {
    meters: Vec<Box<dyn Meter>>,
    /// The number of readings.
    sources: usize,
}

impl Meters {
    pub(crate) fn open(sources: &[Source], opening: &Opening<'_>) -> Meters {
        let mut meters = Vec::new();
        for kind in KINDS {
            let is_own = |(_, source): &(usize, &Source)| source.is_of(*kind);
            let own: Vec<_> = sources.iter().enumerate().filter(is_own).collect();
            if !own.is_empty() {
                meters.push(kind.open(&own, opening));
            }
        }
        Meters { meters, sources: sources.len() }
    }

    pub(crate) fn start(&mut self, host: &Host) {
        self.meters.iter_mut().for_each(|meter| meter.start(host));
    }

    pub(crate) fn stop(&mut self, host: &Host) {
        self.meters.iter_mut().for_each(|meter| meter.stop(host));
    }

    /// Returns true if a level is among the sources.
    pub(crate) fn has_levels(&self) -> bool {
        self.meters.iter().any(|meter| meter.has_levels())
    }

    /// Replaces the readings by the counts so far; a set without sources has none.
    #[inline]
    pub(crate) fn read(&mut self, host: &Host, readings: &mut Vec<Reading>) {
        if !self.meters.is_empty() {
            self.measure(host, readings);
        }
    }

    #[cold]
    fn measure(&mut self, host: &Host, readings: &mut Vec<Reading>) {
        readings.clear();
        readings.resize(self.sources, Ok(Measure::count(0)));
        self.meters.iter_mut().for_each(|meter| meter.read(host, readings));
    }
}
