//! The components, as `PAPI_get_component_info` describes them.

use std::ffi::{c_char, c_int, c_uint};
use std::ptr;

use counterpoint::pmu::Pmu;
use counterpoint_capi::text;

use crate::codes::{ECMP, ECMP_DISABLED};
use crate::components::{CPU, DEVICES, ENERGIES, NAMES, NUMBERS, UNCORE};
use crate::event_codes::{Named, preset_count};
use crate::handlers;
use crate::layout::{
    ComponentFlags, ComponentInfo, ComponentInfo72, ComponentNames, ComponentNumbers, HUGE_LEN,
    Kept, put,
};
use crate::library::Library;
use crate::options::{ALL_LEVELS, KNOWN_LEVELS, MOST_MULTIPLEXED, SYSTEM, THREAD, USER};
use crate::release;

/// The bits of what a component can do.
const HARDWARE_SIGNAL: c_uint = 1;
const MULTIPLEXES: c_uint = 1 << 4;
const FAST_REAL_TIMER: c_uint = 1 << 6;
const ATTACHES: c_uint = 1 << 8 | 1 << 9;
const ATTRIBUTES: c_uint = 1 << 10;
const OF_CPU: c_uint = 1 << 11;
const INHERITS: c_uint = 1 << 12;

impl Library {
    /// The structure of 7.0 for a component.
    pub(crate) fn describe(&self, component: usize) -> &'static ComponentInfo {
        &self.described[component].get_or_make(|| Kept(info(self, component))).0
    }

    /// The structure of 7.2 and 7.3 for a component.
    pub(crate) fn describe_later(&self, component: usize) -> &'static ComponentInfo72 {
        let make = || Kept(later(info(self, component)));
        &self.described_later[usize::from(release::minor() >= 3)][component].get_or_make(make).0
    }
}

fn info(library: &Library, number: usize) -> ComponentInfo {
    let (name, short_name, description) = NAMES[number];
    let mut names = ComponentNames::EMPTY;
    put(&mut names.name, name);
    put(&mut names.short_name, short_name);
    put(&mut names.description, description);
    put(&mut names.version, env!("CARGO_PKG_VERSION"));
    let pmus = library.components.pmus(number).unwrap_or_default();
    if number != DEVICES && !library.components.has_events(number) {
        let reason = match number {
            ENERGIES => "The kernel has no PMU named power",
            _ if NUMBERS.contains(&number) => "The kernel shows no such file",
            _ => "No uncore PMUs or events found",
        };
        put(&mut names.disabled_reason, reason);
        names.disabled = ECMP.0;
    }
    if library.is_disabled(number) {
        put(&mut names.disabled_reason, "Disabled by PAPI_disable_component");
        names.disabled = ECMP_DISABLED.0;
    }
    if number == CPU && !library.context.machine.perf_events {
        put(&mut names.disabled_reason, "The kernel has no performance events");
        names.disabled = ECMP.0;
    }
    let flags =
        ComponentFlags { pmu_names: pmu_names(pmus), reserved: [0; 8], flags: flags(number) };
    ComponentInfo { names, numbers: numbers(library, number), flags }
}

fn later(info: ComponentInfo) -> ComponentInfo72 {
    ComponentInfo72 {
        names: info.names,
        partially_disabled_reason: [0; HUGE_LEN],
        partially_disabled: 0,
        numbers: info.numbers,
        flags: info.flags,
    }
}

fn pmu_names(pmus: &[&Pmu]) -> [*const c_char; 80] {
    let mut names = [ptr::null(); 80];
    for (place, pmu) in names.iter_mut().zip(pmus) {
        // The structure is kept, and with it the names.
        *place = text::owned(pmu.name).into_raw().cast_const();
    }
    names
}

fn flags(number: usize) -> c_uint {
    match number {
        CPU => {
            HARDWARE_SIGNAL
                | MULTIPLEXES
                | FAST_REAL_TIMER
                | ATTACHES
                | ATTRIBUTES
                | OF_CPU
                | INHERITS
        }
        UNCORE => ATTACHES | ATTRIBUTES | OF_CPU | INHERITS,
        _ => 0,
    }
}

fn numbers(library: &Library, number: usize) -> ComponentNumbers {
    let is_available =
        |preset: &usize| library.presets().expand(library, Named::Preset(*preset)).is_ok();
    let base = ComponentNumbers {
        initialized: 1,
        cmp_idx: number as c_int,
        num_cntrs: 0,
        num_mpx_cntrs: 0,
        num_preset_events: 0,
        num_native_events: library.components.event_count(number) as c_int,
        default_domain: 0,
        available_domains: 0,
        default_granularity: 0,
        available_granularities: 0,
        hardware_intr_sig: 0,
        component_type: 0,
    };
    match number {
        CPU => ComponentNumbers {
            num_cntrs: library.components.counters(),
            num_mpx_cntrs: MOST_MULTIPLEXED,
            num_preset_events: (0..preset_count()).filter(is_available).count() as c_int,
            default_domain: USER,
            available_domains: KNOWN_LEVELS,
            default_granularity: THREAD,
            available_granularities: THREAD | SYSTEM,
            hardware_intr_sig: handlers::signal(),
            ..base
        },
        UNCORE => ComponentNumbers {
            num_mpx_cntrs: MOST_MULTIPLEXED,
            default_domain: USER | KNOWN_LEVELS | 4,
            available_domains: KNOWN_LEVELS,
            default_granularity: SYSTEM,
            available_granularities: SYSTEM,
            ..base
        },
        _ if number == ENERGIES || NUMBERS.contains(&number) => ComponentNumbers {
            num_cntrs: base.num_native_events,
            num_mpx_cntrs: base.num_native_events,
            default_domain: ALL_LEVELS,
            available_domains: ALL_LEVELS,
            default_granularity: SYSTEM,
            available_granularities: SYSTEM,
            ..base
        },
        _ => base,
    }
}
