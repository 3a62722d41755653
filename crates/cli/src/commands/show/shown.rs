//! A name with its candidates and their attributes.

use crate::descriptions::Words;
use counterpoint::EventSet;
use counterpoint::events::{Candidate, CandidateEvent};
use counterpoint::pmu::syntax::split_modifiers;
use counterpoint::pmu::{self, Context, Event, Layer, encode};
use std::path::PathBuf;

/// A name that is shown.
pub struct Shown<'a> {
    pub set: &'a EventSet,
    pub words: &'a Words<'a>,
    /// The files of `-f`.
    pub files: &'a [PathBuf],
    /// The PMU of `--pmu`, if the set is of a machine that has it, and not of this one.
    pub absent: Option<&'a str>,
    pub layers: Vec<Layer>,
    /// The name as it was asked for, with the PMU that `--pmu` names.
    pub name: String,
    /// The candidate that is counted.
    pub first: Candidate,
    /// Those that it hides.
    pub hidden: Vec<Candidate>,
}

impl Shown<'_> {
    /// Returns true if PAPI's component stands before the name, as before that of an energy.
    pub fn is_of_component(&self) -> bool {
        self.name.contains(":::")
    }

    /// The reason why nothing can be encoded for a layer on this machine; `None` if it can.
    pub fn unsupported(&self, layer: Layer) -> Option<String> {
        let is_supported = layer == Layer::Raw || self.set.machine().tables().perf_events;
        (!is_supported).then(|| pmu::EncodeErrorKind::NotSupported.to_string())
    }

    /// The CPUs where the event is counted, if not on any.
    pub fn cpus(&self) -> Option<String> {
        let resolved = self.set.machine().resolve(&self.name).ok()?;
        let cpus = resolved.natives().iter().flat_map(|native| &native.boxes);
        cpus.filter_map(|of_box| of_box.cpumask.as_ref()).next().map(ToString::to_string)
    }

    /// Returns true if it is the same event on another box, such as the second memory controller.
    pub fn is_box_like_the_first(&self, event: &CandidateEvent) -> bool {
        match (&self.first.events[0], event) {
            (CandidateEvent::Table(first), CandidateEvent::Table(event)) => {
                first.pmu.kind == pmu::PmuKind::Uncore && first.name == event.name
            }
            (CandidateEvent::Sysfs { event: first, .. }, CandidateEvent::Sysfs { event, .. }) => {
                first == event
            }
            _ => false,
        }
    }

    /// The event in a way that encodes: as it was asked for, perhaps without perf's modifiers, or with its first unit
    /// mask.
    pub fn example(&self, event: &Event) -> Option<String> {
        let tables = self.set.machine().tables();
        let mut context = Context::new(Layer::PerfEventExt);
        context.machine = tables.clone();
        context.machine.perf_events = true;
        let attributes = match self.name.split_once("::") {
            Some((_, rest)) => rest,
            None => &self.name,
        };
        let attributes = attributes.get(attributes.find([':', '.']).unwrap_or(attributes.len())..);
        let plain = format!("{}::{}", event.pmu.name, event.name);
        let masks = event.attributes(Layer::Raw, tables).into_iter();
        let with_mask = masks.map(|mask| format!("{plain}:{}", mask.name));
        let written = format!("{plain}{}", attributes.unwrap_or_default());
        // Letters after the last colon may be perf's.
        let (bare, _) = split_modifiers(&written);
        let mut tried = vec![written.clone(), bare.to_string(), plain.clone()];
        tried.extend(with_mask);
        let works = |text: &String| match encode(text, &context) {
            Ok(_) => true,
            // The string is right where the kernel shows no such PMU.
            Err(error) => matches!(error.kind, pmu::EncodeErrorKind::NoDevice { .. }),
        };
        tried.into_iter().find(works)
    }
}
