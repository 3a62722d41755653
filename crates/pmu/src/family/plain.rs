//! A PMU without rules of its own: events as they are in its table, each with its code and without modifiers.

use crate::encode::error::{EncodeError, EncodeErrorKind};
use crate::encode::programmed::{Programmed, Words};
use crate::encode::request::Request;
use crate::encode::spelling::Spelling;
use crate::layer::Layer;
use crate::modifier::{Modifiers, PerfAttribute, set};
use crate::pmu::{Event, Family};

/// `perf_event_attr.type` of the events of the processor's own PMU.
pub(crate) const RAW: u32 = 4;

/// The exactness of samples.
pub(super) const EXACT: u32 = set(&[PerfAttribute::Precise, PerfAttribute::HardwareSampling]);

pub(super) const PLAIN: Family = Family {
    modifiers: Modifiers::NONE,
    one_number: false,
    masks_are_registers: false,
    names_all_masks: false,
    is_raw: false,
    model: |_| None,
    own: None,
    left_out: |_, _, _| EXACT,
    has_all_levels: false,
    program: |event, _, _| Ok(Programmed::code(event.code)),
    perf: |_, _, programmed, _| Ok(Words::new(RAW, programmed.word(0))),
    print,
    counters: |_, set, _, _| set.general,
    claim: |_, _| None,
    kernel_code: |_, _| None,
};

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
        string.push_value(modifier, modifier.printed.read(&programmed.printed));
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
