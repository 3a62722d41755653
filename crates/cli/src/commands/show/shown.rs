//! A name with its candidates and their attributes.

use crate::descriptions::Words;
use crate::failure::Failure;
use counterpoint::pmu::syntax::split_modifiers;
use counterpoint::pmu::{self, Context, EncodeError, Event, Layer, encode};
use counterpoint::{EventSet, Meaning, Meanings};

/// A name that is shown.
pub struct Shown<'a> {
    pub set: &'a EventSet,
    pub words: &'a Words,
    pub layers: Vec<Layer>,
    /// The name as it was asked for, with the PMU that `--pmu` names.
    pub name: String,
    pub meanings: Meanings,
}

impl Shown<'_> {
    /// The error if the name or its attributes are unknown; codes, addresses and terms of a PMU have no name and are valid
    /// all the same.
    pub fn unknown(&self) -> Option<Failure> {
        if !self.is_of_component() && !self.meanings.meant.is_empty() {
            let wrong = |meaning: &Meaning| match meaning {
                Meaning::Table(event) => self.wrong_attribute(event),
                _ => None,
            };
            // One kind of core may have a unit mask that another lacks.
            let errors: Option<Vec<EncodeError>> = self.meanings.meant.iter().map(wrong).collect();
            let error = errors?.swap_remove(0);
            let text = format!("{}: {error}", self.name);
            return Some(Failure { text, help: Some(error.help()), code: 1 });
        }
        let (text, help) = if !self.is_of_component() && self.name.contains("::") {
            // A prefix reaches the PMUs of other machines too.
            let mut context = Context::new(Layer::Raw);
            context.machine = self.set.machine().tables().clone();
            let error = encode(&self.name, &context).err()?;
            (error.to_string(), Some(error.help()))
        } else {
            let error = self.set.machine().resolve(&self.name).err()?;
            (error.to_string(), error.help())
        };
        let is_named = self.name.is_empty() || text.contains(&format!("`{}`", self.name));
        let text = if is_named { text } else { format!("{}: {text}", self.name) };
        Some(Failure { text, help, code: 1 })
    }

    /// Whether PAPI's component stands before the name, as before that of an energy.
    pub fn is_of_component(&self) -> bool {
        self.name.contains(":::")
    }

    /// The CPUs where the event is counted, if not on any.
    pub fn cpus(&self) -> Option<String> {
        let resolved = self.set.machine().resolve(&self.name).ok()?;
        let cpus = resolved.natives().iter().flat_map(|native| &native.boxes);
        cpus.filter_map(|of_box| of_box.cpumask.as_ref()).next().map(ToString::to_string)
    }

    /// The error in the attributes that follow the name of a table's event: an event that still needs a unit
    /// mask is shown, and letters after the last colon may be perf's.
    fn wrong_attribute(&self, event: &Event) -> Option<EncodeError> {
        let mut context = Context::new(Layer::PerfEventExt);
        context.machine = self.set.machine().tables().clone();
        context.machine.perf_events = true;
        let rest = self.name.split_once("::").map_or(self.name.as_str(), |(_, rest)| rest);
        let text = format!("{}::{rest}", event.pmu.name);
        let attributes = text.len() - rest.trim_start_matches(|c| !matches!(c, ':' | '.')).len();
        let wrong =
            |text: &str| encode(text, &context).err().filter(|error| error.span.start > attributes);
        let error = wrong(&text)?;
        match split_modifiers(&text) {
            (bare, Some(_)) if wrong(bare).is_none() => None,
            _ => Some(error),
        }
    }

    /// Whether it is the same event on another box, such as the second memory controller.
    pub fn is_box_like_the_first(&self, meaning: &Meaning) -> bool {
        match (&self.meanings.meant[0], meaning) {
            (Meaning::Table(first), Meaning::Table(event)) => {
                first.pmu.kind == pmu::PmuKind::Uncore && first.name == event.name
            }
            (Meaning::Sysfs { event: first, .. }, Meaning::Sysfs { event, .. }) => first == event,
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
