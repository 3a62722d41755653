//! Events of the tables, PMU by PMU.

use super::wanted::Wanted;
use crate::descriptions::Words;
use counterpoint::EventSet;
use counterpoint::listing::Availability;
use counterpoint::pmu::{Attribute, AttributeKind, Event, Layer, Pmu};

/// The PMUs whose events are listed, and the words that select them.
pub struct Tables<'a> {
    pub set: &'a EventSet,
    pub words: &'a Words<'a>,
    pub wanted: &'a Wanted,
    pub pmus: &'a [&'static Pmu],
}

/// An event that is wanted, with those of its unit masks that are.
pub struct Row<'a> {
    pub event: Event,
    pub description: Option<&'a str>,
    pub masks: Vec<(Attribute, Option<&'a str>)>,
}

impl<'a> Tables<'a> {
    /// The words must be found in an event, or in an event with one of its unit masks.
    pub fn rows(&self, pmu: &'static Pmu) -> Vec<Row<'a>> {
        let row = |event: Event| {
            let description = self.words.event(&event).map(|words| words.text);
            let words = description.unwrap_or_default();
            let text = |mask: &str| format!("{}::{}{mask} {words}", pmu.name, event.name);
            let whole = self.wanted.matches(&text(""));
            let masks = event.attributes(Layer::Raw, self.set.machine().tables()).into_iter();
            let masks = masks.filter(|attribute| attribute.kind == AttributeKind::Umask);
            let described = masks.map(|mask| {
                let words = self.words.attribute(&event, &mask).map(|words| words.text);
                (mask, words)
            });
            let is_wanted = |(mask, words): &(Attribute, Option<&str>)| {
                let words = words.unwrap_or_default();
                whole || self.wanted.matches(&text(&format!(":{} {words}", mask.name)))
            };
            let masks: Vec<_> = described.filter(is_wanted).collect();
            (whole || !masks.is_empty()).then_some(Row { event, description, masks })
        };
        pmu.events().filter_map(row).collect()
    }

    /// The availability of the event on this machine; `None` for PMUs of other machines.
    pub fn availability(&self, event: &Event) -> Option<Availability> {
        if !self.set.machine().tables().pmus.contains(&event.pmu) {
            return None;
        }
        let states = self.set.availability(&format!("{}::{}", event.pmu.name, event.name));
        Some(match states {
            Ok(states) => states.into_iter().next().unwrap_or(Availability::NotRecorded),
            Err(_) => Availability::Needs(vec!["a unit mask".to_string()]),
        })
    }
}
