//! The order in which events are listed.

use std::ffi::c_int;

use crate::codes::{EINVAL, ENOCMP, ENOEVNT, Failed};
use crate::components::{CPU, ENERGIES, Listed, NUMBERS, UNCORE};
use crate::event_codes::{NATIVE, Named, PRESET, preset_count};
use crate::library::Library;
use crate::{natives, presets, release};

/// The modifiers of `PAPI_enum_event`.
const EVENTS: c_int = 0;
const FIRST: c_int = 1;
const AVAILABLE: c_int = 2;
const CATEGORIES: std::ops::RangeInclusive<c_int> = 3..=14;
const ATTRIBUTES: c_int = 15;

/// The modifiers of a caller's release in the numbers of 7.0.
fn modifier(of_release: c_int) -> Result<c_int, Failed> {
    if !release::is_later() {
        return Ok(of_release);
    }
    // 7.2 has one more before the available presets, and two more after the categories; no component has own presets.
    match of_release {
        EVENTS | FIRST => Ok(of_release),
        2 => Err(ENOEVNT),
        3..=15 => Ok(of_release - 1),
        16 => Ok(EVENTS),
        17 => Ok(AVAILABLE),
        _ => Ok(of_release - 3),
    }
}

/// The code after a code, of all components.
pub(crate) fn next(library: &Library, code: c_int, modifier: c_int) -> Result<c_int, Failed> {
    match code as u32 & (NATIVE | PRESET) {
        0 => Err(EINVAL),
        NATIVE => {
            let known = natives::by_code(code).map(|native| native.component);
            of_component(library, code, modifier, known.unwrap_or(CPU))
        }
        _ => named(library, code, self::modifier(modifier)?),
    }
}

/// The code after a code, of one component.
pub(crate) fn next_of(
    library: &Library,
    code: c_int,
    modifier: c_int,
    component: usize,
) -> Result<c_int, Failed> {
    match code as u32 & (NATIVE | PRESET) {
        NATIVE => of_component(library, code, modifier, component),
        PRESET if component == CPU => named(library, code, self::modifier(modifier)?),
        _ => Err(EINVAL),
    }
}

/// Presets and user-defined events.
fn named(library: &Library, code: c_int, modifier: c_int) -> Result<c_int, Failed> {
    let is_user = code as u32 & NATIVE != 0;
    let count = if is_user { library.presets().user_count() } else { preset_count() };
    let place = (code as u32 & !(NATIVE | PRESET)) as usize;
    let of = |place| if is_user { Named::User(place) } else { Named::Preset(place) };
    let is_wanted = |place: usize| match modifier {
        AVAILABLE => library.presets().expand(library, of(place)).is_ok(),
        _ if CATEGORIES.contains(&modifier) && !is_user => {
            presets::categories(place) >> (modifier - *CATEGORIES.start()) & 1 != 0
        }
        _ => true,
    };
    let from = match modifier {
        FIRST => 0,
        EVENTS | AVAILABLE => place + 1,
        _ if CATEGORIES.contains(&modifier) => place + 1,
        _ => return Err(EINVAL),
    };
    (from..count).find(|place| is_wanted(*place)).map(|place| of(place).code()).ok_or(ENOEVNT)
}

fn of_component(
    library: &Library,
    code: c_int,
    modifier: c_int,
    component: usize,
) -> Result<c_int, Failed> {
    let components = &library.components;
    if component == ENERGIES {
        return energy(library, code, self::modifier(modifier)?);
    }
    if NUMBERS.contains(&component) {
        return number(library, code, self::modifier(modifier)?, component);
    }
    if component != CPU && component != UNCORE {
        return Err(EINVAL);
    }
    if components.pmus(component)?.is_empty() {
        return Err(ENOCMP);
    }
    let listed = |place| natives::listed(library, component, place).map(|native| native.code);
    match self::modifier(modifier)? {
        FIRST => listed(first(library, component, 0)?),
        EVENTS => {
            let place = natives::by_code(code)?.place(library).ok_or(ENOEVNT)?;
            let event = place.event + 1;
            if event < components.events(component, place.pmu)?.len() {
                return listed(Listed { event, attribute: None, ..place });
            }
            listed(first(library, component, place.pmu + 1)?)
        }
        ATTRIBUTES => {
            let place = natives::by_code(code)?.place(library).ok_or(ENOEVNT)?;
            let attribute = place.attribute.map_or(0, |attribute| attribute + 1);
            listed(Listed { attribute: Some(attribute), ..place })
        }
        _ => Err(EINVAL),
    }
}

/// The energies of packages.
fn energy(library: &Library, code: c_int, modifier: c_int) -> Result<c_int, Failed> {
    let place = match modifier {
        _ if library.components.energies().is_empty() => return Err(ENOCMP),
        FIRST => 0,
        EVENTS => natives::by_code(code)?.place(library).ok_or(ENOEVNT)?.event + 1,
        _ => return Err(EINVAL),
    };
    natives::energy(library, place).map(|native| native.code)
}

/// The numbers in files of a component.
fn number(
    library: &Library,
    code: c_int,
    modifier: c_int,
    component: usize,
) -> Result<c_int, Failed> {
    let place = match modifier {
        _ if library.components.numbers(component).is_empty() => return Err(ENOCMP),
        FIRST => 0,
        EVENTS => natives::by_code(code)?.place(library).ok_or(ENOEVNT)?.event + 1,
        _ => return Err(EINVAL),
    };
    natives::number(library, component, place).map(|native| native.code)
}

/// The first event of the first PMU from this one on that has events.
fn first(library: &Library, component: usize, pmu: usize) -> Result<Listed, Failed> {
    let pmus = library.components.pmus(component)?.len();
    let has_events = |pmu: &usize| {
        library.components.events(component, *pmu).is_ok_and(|events| !events.is_empty())
    };
    let pmu = (pmu..pmus).find(has_events).ok_or(EINVAL)?;
    Ok(Listed { pmu, event: 0, attribute: None })
}
