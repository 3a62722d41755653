//! A PMU without rules of its own: events as they are in its table, each with its code and without modifiers.

use crate::attribute::Attribute;
use crate::cpu::among;
use crate::encode::error::{EncodeError, EncodeErrorKind};
use crate::encode::programmed::{Programmed, Words};
use crate::encode::request::Request;
use crate::encode::spelling::Spelling;
use crate::layer::Layer;
use crate::modifier::{Modifiers, PerfAttribute, set};
use crate::pmu::{Event, Family, Flags, Known, Pmu};
use crate::tables::row::{Marks, Mask, Row};

/// `perf_event_attr.type` of the events of the processor's own PMU.
pub(crate) const RAW: u32 = 4;

/// How exact samples are.
pub(super) const EXACT: u32 = set(&[PerfAttribute::Precise, PerfAttribute::HardwareSampling]);

pub(super) const PLAIN: Family = Family {
    modifiers: Modifiers::NONE,
    one_number: false,
    masks_are_registers: false,
    names_all_masks: false,
    is_raw: false,
    events: |pmu| {
        let rows = pmu.table.events(pmu.variant());
        Box::new(rows.map(move |found| Event::of_table(pmu, found)))
    },
    event,
    has: |event, known| has_row(event.pmu, &event.row, known),
    model: |_| None,
    mask: |event, name| event.place.mask(event.pmu.variant(), name),
    masks: |event| event.masks().map(|mask| attribute(event, mask)).collect(),
    left_out: |_, _, _| EXACT,
    privilege: |event, _| event.pmu.privilege(),
    program: |event, _, _| Ok(Programmed::code(event.code)),
    perf: |_, _, programmed, _| Ok(Words::new(RAW, programmed.word(0))),
    print,
    counters: |_, set, _, _| set.general,
    claim: |_, _| None,
    kernel_code: |_, _| None,
};

fn event(pmu: &'static Pmu, name: &str, known: Option<&Known<'_>>) -> Option<Event> {
    let has = |row: &Row| known.is_none_or(|known| has_row(pmu, row, known));
    pmu.table.find(pmu.variant(), name, has).map(|found| Event::of_table(pmu, found))
}

/// Whether the machine has the event of this row. A processor of another vendor decides nothing.
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
    let code = match pmu.family.masks_are_registers {
        true => of_register(pmu, &mask),
        false => mask.row.code,
    };
    let no_modifiers = mask.has(Marks::NO_MODS);
    let is_precise = mask.has(Marks::PEBS) && !no_modifiers;
    let every = pmu.flags.has(Flags(Flags::EXTPEBS.0 | Flags::UNC_CBO.0));
    let filter_info = pmu.flags.has(Flags::FILTER_INFO);
    Attribute {
        equiv: event.place.mask_alias(&mask),
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

/// All modifiers that the event has, in the order of their numbers.
pub(super) fn print(
    event: &Event,
    _: &Request,
    programmed: &Programmed,
    layer: Layer,
    string: &mut Spelling,
) {
    let family = event.pmu.family;
    for modifier in family.modifiers.of_set(family.taken(event, layer)) {
        string.push_value(modifier, programmed.values[usize::from(modifier.index)]);
    }
}

/// For a PMU that is a device of its own in sysfs: its type and the code.
pub(super) fn of_device(
    event: &Event,
    code: u64,
    device: Option<u32>,
) -> Result<Words, EncodeError> {
    Ok(Words::new(found(event, device, false)?, code))
}

/// The type of the PMU's device. Without one libpfm reports for some families that the event is not found.
pub(super) fn found(
    event: &Event,
    device: Option<u32>,
    not_found: bool,
) -> Result<u32, EncodeError> {
    let devices = || event.pmu.devices().collect();
    let missing = || EncodeErrorKind::NoDevice { devices: devices(), not_found };
    device.ok_or_else(|| EncodeError::of_event(missing()))
}

/// The type of the PMU's device, or the processor's if it has none.
pub(super) fn of_core_or_device(event: &Event, device: Option<u32>) -> Result<u32, EncodeError> {
    if event.pmu.devices.is_empty() { Ok(RAW) } else { found(event, device, false) }
}
