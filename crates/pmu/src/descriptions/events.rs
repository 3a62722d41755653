//! The events that files describe, by name and by code.

use std::collections::HashMap;

use super::error::DescriptionError;
use super::row::{self, Code, Description};
use crate::pmu::{Event, Pmu};
use crate::tables::row::Marks;

/// The events that files describe.
#[derive(Debug, Clone, Default)]
pub struct Descriptions {
    list: Vec<Description>,
    by_name: HashMap<String, Vec<usize>>,
    by_code: HashMap<Code, Vec<usize>>,
    standard: HashMap<String, Description>,
}

impl Descriptions {
    /// Adds the events of a file (`*_core.json`, `cache.json` …) and returns the errors in it.
    /// Events that name no unit belong to `unit`, or else to the processor's core; [`MapEntry::unit`](super::MapEntry::unit) has it.
    /// Files without events, such as those of metrics, add nothing.
    pub fn add(&mut self, file: &str, unit: Option<&str>) -> Vec<DescriptionError> {
        let mut errors = Vec::new();
        for description in row::read(file, &self.standard, &mut errors) {
            let unit = description.unit.clone().or_else(|| unit.map(str::to_owned));
            self.push(Description { unit, ..description });
        }
        errors
    }

    /// Adds the events that an architecture has in common: the files beside the map of Linux's `arm64`.
    /// The events of its processors refer to them, so that they are added first.
    pub fn add_standard(&mut self, file: &str) -> Vec<DescriptionError> {
        let mut errors = Vec::new();
        for description in row::read(file, &HashMap::new(), &mut errors) {
            self.standard.insert(row::folded(&description.name), description);
        }
        errors
    }

    fn push(&mut self, description: Description) {
        let number = self.list.len();
        self.by_name.entry(row::folded(&description.name)).or_default().push(number);
        for code in &description.codes {
            self.by_code.entry(*code).or_default().push(number);
        }
        self.list.push(description);
    }

    /// Every event, in the order of the files.
    pub fn iter(&self) -> impl Iterator<Item = &Description> {
        self.list.iter()
    }

    /// The events that can be counted by a PMU, of the processor that the files are for.
    pub fn of_pmu(&self, pmu: &'static Pmu) -> impl Iterator<Item = &Description> {
        self.list.iter().filter(move |description| description.is_for(pmu))
    }

    /// The description of an event, or of one of its unit masks: by name, or else by code. The PMU must be one
    /// of the processor that the files are for.
    pub fn of(&self, event: &Event, umask: Option<&str>) -> Option<&Description> {
        let name = match umask {
            Some(umask) => row::folded(&format!("{}.{umask}", event.name)),
            None => row::folded(event.name),
        };
        let fits = |number: &&usize| self.list[**number].is_for(event.pmu);
        let named = self.by_name.get(&name).into_iter().flatten().find(fits);
        let coded = || {
            let numbers = self.by_code.get(&code(event, umask)?)?;
            // Of several names for one code those that are not deprecated are preferred.
            let current = numbers.iter().filter(fits).find(|n| !self.list[**n].is_deprecated);
            current.or_else(|| numbers.iter().find(fits))
        };
        named.or_else(coded).map(|number| &self.list[*number])
    }
}

/// The code that files have for an event; `None` if unit masks are missing.
fn code(event: &Event, umask: Option<&str>) -> Option<Code> {
    let family = event.pmu.family;
    let is_offcore = event.row.marks.has(Marks::OFFCORE);
    let mask = match umask {
        Some(umask) => Some(event.mask(umask)?),
        None if event.masks().next().is_some() => return None,
        None => None,
    };
    let umask = mask.map_or(0, |mask| mask.row.code);
    let (event, second) = (event.code, 0);
    Some(if is_offcore {
        Code { event: event & 0xff, rest: event >> 8, second: umask >> 8 }
    } else if family.masks_are_registers {
        let overridden = mask.is_some_and(|mask| mask.has(Marks::CODE_OVERRIDE));
        let register = if overridden { event & !0xff | umask } else { event | umask };
        Code { event: register & 0xff, rest: register >> 8, second }
    } else {
        Code { event, rest: umask, second }
    })
}
