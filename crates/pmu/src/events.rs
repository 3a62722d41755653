//! The events of a PMU and their unit masks: those of its table, or of its family if that has none.

use crate::attribute::Attribute;
use crate::cpu::among;
use crate::pmu::{Event, Flags, Known, Pmu};
use crate::tables::row::{Marks, Mask, Row};

impl Pmu {
    /// The event of this name that the machine has; without a machine the first one.
    #[inline]
    pub(crate) fn find_event(
        &'static self,
        name: &str,
        known: Option<&Known<'_>>,
    ) -> Option<Event> {
        if let Some(own) = &self.family.own {
            let has = |event: &Event| known.is_none_or(|known| (own.has)(event, known));
            return (own.find)(self, name).filter(has);
        }
        let has = |row: &Row| known.is_none_or(|known| has_row(self, row, known));
        let found = self.table.find(self.variant(), name, has)?;
        Some(Event::of_table(self, found))
    }
}

impl Event {
    /// Returns true if the machine has it.
    pub(crate) fn is_on(&self, known: &Known<'_>) -> bool {
        match &self.pmu.family.own {
            Some(own) => (own.has)(self, known),
            None => has_row(self.pmu, &self.row, known),
        }
    }

    /// The unit mask of this name, in any case.
    #[inline]
    pub(crate) fn mask(&self, name: &str) -> Option<Mask> {
        match &self.pmu.family.own {
            Some(own) => {
                (own.masks)(self).into_iter().find(|mask| mask.row.name.eq_ignore_ascii_case(name))
            }
            None => self.place.mask(self.pmu.variant(), name),
        }
    }

    /// All unit masks as attributes.
    pub(crate) fn mask_attributes(&self) -> Vec<Attribute> {
        match &self.pmu.family.own {
            Some(own) => (own.masks)(self).iter().map(|mask| of_own(mask, own.describe)).collect(),
            None => self.masks().map(|mask| attribute(self, mask)).collect(),
        }
    }
}

fn of_own(mask: &Mask, describe: fn(&Mask) -> Option<&'static str>) -> Attribute {
    Attribute {
        description: describe(mask),
        group: Some(mask.row.group),
        is_alone: true,
        ..Attribute::umask(mask.row.name, mask.row.code, mask.has(Marks::DEFAULT))
    }
}

/// Returns true if the machine has the event of this row. A processor of another vendor decides nothing.
#[inline]
fn has_row(pmu: &Pmu, row: &Row, known: &Known<'_>) -> bool {
    if row.models.is_empty() {
        return true;
    }
    match known.cpu.and_then(pmu.family.model) {
        Some(model) => among(row.models, model),
        None => !row.marks.has(Marks::OPTIONAL),
    }
}

fn attribute(event: &Event, mask: Mask) -> Attribute {
    let pmu = event.pmu;
    let code = if pmu.family.masks_are_registers { of_register(pmu, &mask) } else { mask.row.code };
    let no_modifiers = mask.has(Marks::NO_MODS);
    let is_precise = mask.has(Marks::PEBS) && !no_modifiers;
    let every = pmu.flags.has(Flags(Flags::EXTPEBS.0 | Flags::UNC_CBO.0));
    let filter_info = pmu.flags.has(Flags::FILTER_INFO);
    Attribute {
        equiv: event.place.mask_alias(&mask),
        description: event.place.mask_description(&mask),
        group: Some(mask.row.group),
        is_alone: mask.has(Marks::NCOMBO),
        is_precise,
        speculative: event.speculative(),
        hardware_sampling: (is_precise || every) && !no_modifiers && !filter_info,
        no_modifiers,
        counters: (mask.row.counters != 0).then_some(mask.row.counters),
        ..Attribute::umask(mask.row.name, code, mask.has(Marks::DEFAULT))
    }
}

/// The code of a unit mask that is a register image.
fn of_register(pmu: &Pmu, mask: &Mask) -> u64 {
    let code = mask.row.code;
    let code = if mask.has(Marks::CODE_OVERRIDE) { code } else { code >> 8 };
    let filtered = code == 0 && pmu.flags.has(Flags::FILTER_INFO);
    if filtered { mask.row.filters[0] } else { code }
}
