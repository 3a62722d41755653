//! Intel's core PMUs since P6, and the cache boxes of client uncores, which are programmed alike.
//!
//! The event-select register (SDM volume 3, "Architectural Performance Monitoring") holds event, unit
//! mask, levels, edge, any thread, invert, counter mask, and since Haswell two bits for transactions.
//! A second register has the filters of off-core responses, load latencies and front-end events.

use std::ops::Range;

use super::event_select::{BELOW_MASK, COUNTER_MASK, IN_KERNEL, IN_USER_SPACE, ON_EDGE};
use super::groups::{Groups, needs};
use super::plain::{self, EXACT, PLAIN, RAW};
use crate::counters::set::{CounterSet, FIXED, METRIC, TOPDOWN_SLOTS, registers};
use crate::encode::codes::Codes;
use crate::encode::error::{EncodeError, EncodeErrorKind};
use crate::encode::programmed::{Programmed, Words};
use crate::encode::request::{Asked, Attr, Request};
use crate::encode::spelling::Spelling;
use crate::field::{ANYTHR, CMASK, EDGE, EN, Field, INT, LEVELS_AND_ENABLE, bit, bits};
use crate::layer::Layer;
use crate::modifier::{Modifiers, PerfAttribute, integer, numbered, set, switch};
use crate::plan::demand::Claim;
use crate::pmu::{Event, Family, Flags, Pmu};
use crate::privilege::Privilege;
use crate::tables::row::{Marks, Mask};

const INTX: Field = bit(32);
const INTXCP: Field = bit(33);
/// Of the second register.
const LDLAT: Field = bits(0, 16).of_word(1);
const FE_THRES: Field = bits(8, 12).of_word(1);

pub(super) const MODIFIERS: Modifiers = Modifiers::of(
    &const {
        numbered([
            IN_KERNEL,
            IN_USER_SPACE,
            ON_EDGE,
            BELOW_MASK,
            COUNTER_MASK,
            switch("t", ANYTHR, "Count what any thread of the core does"),
            integer(
                "ldlat",
                LDLAT,
                (1, 65535),
                "Count loads that take more core cycles than this, 1 to 65535",
            ),
            switch("intx", INTX, "Count inside transactions only"),
            switch("intxcp", INTXCP, "Do not count what an aborted transaction did"),
            integer(
                "fe_thres",
                FE_THRES,
                (1, 4095),
                "Count front-end bubbles of at least so many cycles, 1 to 4095",
            )
            .printed(FE_THRES.of_word(2)),
        ])
    },
);

pub(crate) static FAMILY: Family = Family {
    modifiers: MODIFIERS,
    masks_are_registers: true,
    left_out,
    program,
    perf,
    print,
    counters,
    claim,
    kernel_code,
    ..PLAIN
};

/// The attributes of perf_events that an event cannot have: those of sampling without skid where it has none, and those
/// that a PMU of Intel's has for no event.
pub(super) fn left_out(event: &Event, all: u32, _: Privilege) -> u32 {
    let exact = if all & EXACT != 0 && event.is_precise() {
        set(&[PerfAttribute::HardwareSampling])
    } else if event.pmu.flags.has(Flags::EXTPEBS) {
        set(&[PerfAttribute::Precise])
    } else {
        EXACT
    };
    left_out_of_all(event.pmu) | exact
}

/// The attributes of perf_events that a PMU of Intel's has for no event, a bit for each.
pub(super) fn left_out_of_all(pmu: &Pmu) -> u32 {
    use PerfAttribute::{Frequency, Guest, Host, Hypervisor, Kernel, Period, Precise, User};
    let mut left_out = set(&[Hypervisor]);
    if pmu.flags.has(Flags::NO_SMPL) {
        left_out |= set(&[Period, Frequency, Precise]);
    }
    if pmu.levels == 0 {
        left_out |= set(&[User, Kernel, Guest, Host]);
    }
    left_out
}

/// The registers so far.
struct State {
    register: u64,
    /// The unit masks, and their bits above the register.
    umask: u64,
    groups: Groups,
    /// Modifiers written, wired by unit masks, and needed by them or by the event.
    given: u32,
    wired: u32,
    needed: u32,
    overridden: Option<u64>,
    load_latency: bool,
    threshold: bool,
    ldlat: u64,
    fe_thres: u64,
    /// The bits that a unit mask puts into a second register, where the event's other unit masks need none.
    second: u64,
    /// Bits of the event's own unit mask that a unit mask does not have.
    cleared: u64,
}

pub(super) fn program(
    event: &Event,
    request: &mut Request,
    levels: Privilege,
) -> Result<Programmed, EncodeError> {
    let mut state = State {
        register: event.code & 0xffff_ffff,
        umask: 0,
        groups: Groups::new(event),
        given: 0,
        wired: 0,
        needed: event.row.needs,
        overridden: None,
        load_latency: false,
        threshold: false,
        ldlat: 0,
        fe_thres: 0,
        second: 0,
        cleared: 0,
    };
    for asked in request.of_pmu() {
        state.take(event, asked)?;
    }
    state.groups.check_required(event)?;
    let preset = event.code >> 8 & 0xff;
    state.check_wired(preset)?;
    state.default_levels(event, levels);
    let most = state.groups.most;
    if state.groups.incomplete(event) {
        for mask in state.groups.defaults(event, request)? {
            state.add(&mask, &(0..0))?;
        }
    }
    state.groups.check_excluded(event, request, most)?;
    if state.needed != 0 && state.given != state.needed {
        return Err(needs(event, MODIFIERS, state.needed));
    }
    state.finish(event, preset)
}

impl State {
    fn take(&mut self, event: &Event, asked: &Asked) -> Result<(), EncodeError> {
        match &asked.what {
            Attr::Umask(mask) => self.take_mask(event, mask, asked),
            Attr::RawUmask => {
                let width = if event.row.marks.has(Marks::OFFCORE) {
                    event.pmu.limits.offcore_bits.into()
                } else {
                    8
                };
                self.umask = asked.raw_umask(width)?;
                self.groups.raw();
                Ok(())
            }
            Attr::Modifier(modifier) => {
                let value = asked.in_range(modifier)?;
                match modifier.field {
                    LDLAT => {
                        self.ldlat = value;
                        return Ok(());
                    }
                    FE_THRES => self.fe_thres = value,
                    field => self.register = field.set(self.register, value),
                }
                self.given |= 1 << modifier.index;
                Ok(())
            }
            Attr::Perf(_) => Ok(()),
        }
    }

    fn take_mask(&mut self, event: &Event, mask: &Mask, asked: &Asked) -> Result<(), EncodeError> {
        self.groups.take(event, mask, asked)?;
        self.needed |= mask.row.needs;
        self.wired |= mask.row.wired;
        self.add(mask, &asked.span)
    }

    /// The effect of a unit mask, written or not.
    fn add(&mut self, mask: &Mask, span: &Range<usize>) -> Result<(), EncodeError> {
        self.load_latency |= mask.has(Marks::LDLAT);
        self.threshold |= mask.has(Marks::FETHR);
        self.umask |= mask.row.code >> 8;
        self.second |= mask.row.filters[0];
        self.cleared |= mask.row.filters[1] >> 32;
        if mask.has(Marks::CODE_OVERRIDE) {
            let code = mask.row.code & 0xff;
            if self.overridden.is_some_and(|other| other != code) {
                let why = "each of them replaces the event code by another";
                let kind = EncodeErrorKind::Combination { umask: mask.row.name.to_owned(), why };
                return Err(EncodeError { span: span.clone(), kind });
            }
            self.overridden = Some(code);
            self.register = self.register & !0xff | code;
        }
        Ok(())
    }

    /// A modifier that a unit mask sets may be repeated, but not changed.
    fn check_wired(&self, preset: u64) -> Result<(), EncodeError> {
        let wired = (preset | self.umask) << 8;
        // The threshold is compared in `front_end`.
        let both = self.wired & self.given & !MODIFIERS.with(FE_THRES);
        let changed = |field: Field| field.get(wired) != field.get(self.register);
        match MODIFIERS.of_set(both).find(|modifier| changed(modifier.field)) {
            Some(modifier) => Err(wired_to_another(modifier.name)),
            None => Ok(()),
        }
    }

    fn default_levels(&mut self, event: &Event, levels: Privilege) {
        if self.given & MODIFIERS.levels != 0 {
            return;
        }
        for modifier in MODIFIERS.of_set(MODIFIERS.levels) {
            let level = modifier.level;
            if levels.contains(level) && event.pmu.privilege().contains(level) {
                self.register = modifier.field.set(self.register, 1);
            }
        }
    }

    fn finish(mut self, event: &Event, preset: u64) -> Result<Programmed, EncodeError> {
        let marks = event.row.marks;
        if marks.has(Marks::FRONTEND) && self.threshold {
            self.front_end()?;
        }
        let mut extra = None;
        if marks.has(Marks::OFFCORE | Marks::FRONTEND) {
            extra = Some(self.umask);
            self.umask = 0;
        } else if self.second != 0 {
            extra = Some(self.second);
        }
        if self.load_latency {
            if self.ldlat == 0 {
                self.ldlat = 3;
            }
            extra = Some(self.ldlat);
        } else if self.ldlat != 0 {
            let why = "no unit mask filters by latency";
            return Err(EncodeError::of_event(EncodeErrorKind::IdleModifier {
                name: "ldlat",
                why,
            }));
        }
        self.register = (self.register | (preset | self.umask) << 8) & !self.cleared;
        self.register = INT.set(EN.set(self.register, 1), 1);
        let edge = EDGE.get(self.register) != 0 && CMASK.get(self.register) == 0;
        if edge && event.pmu.flags.has(Flags::ECMASK) {
            let why = "edges are counted of a counter mask, `c=1` or more";
            return Err(EncodeError::of_event(EncodeErrorKind::IdleModifier { name: "e", why }));
        }
        let mut codes = Codes::from(self.register);
        extra.into_iter().for_each(|code| codes.push(code));
        let threshold = FE_THRES.set(0, self.fe_thres);
        Ok(Programmed { codes, printed: [self.register, self.ldlat, threshold, 0, 0] })
    }

    /// The threshold is the unit mask's, or the written one, or 1.
    fn front_end(&mut self) -> Result<(), EncodeError> {
        const FE: u32 = MODIFIERS.with(FE_THRES);
        let threshold = FE_THRES.get(self.umask);
        let given = self.given & FE != 0;
        if threshold != 0 && given && self.wired & FE != 0 {
            if threshold != self.fe_thres {
                return Err(wired_to_another("fe_thres"));
            }
        } else if threshold != 0 {
            self.fe_thres = threshold;
        } else if !given {
            self.fe_thres = 1;
        }
        self.umask = FE_THRES.set(self.umask, self.fe_thres);
        Ok(())
    }
}

/// A unit mask sets the modifier to another value.
fn wired_to_another(name: &'static str) -> EncodeError {
    EncodeError::of_event(EncodeErrorKind::WiredModifier { name })
}

/// A device that sysfs does not show is silently the processor's own.
fn perf(
    _: &Event,
    _: &Request,
    programmed: &Programmed,
    device: Option<u32>,
) -> Result<Words, EncodeError> {
    let config = programmed.word(0) & !LEVELS_AND_ENABLE;
    Ok(Words { kind: device.unwrap_or(RAW), configs: [config, programmed.word(1), 0] })
}

/// No modifiers after a unit mask that takes none.
pub(super) fn print(
    event: &Event,
    request: &Request,
    programmed: &Programmed,
    layer: Layer,
    string: &mut Spelling,
) {
    if !request.any_written(Marks::NO_MODS) {
        plain::print(event, request, programmed, layer, string);
    }
}

/// Edge, inversion, counter mask, and the bits of transactions: a fixed counter has none of these.
const OPTIONS: u64 = 1 << 18 | 1 << 23 | 0xff << 24 | 0b11 << 32;

fn counters(_: &Pmu, set: CounterSet, code: u64, table: Option<u64>) -> u64 {
    let fixed = |bit: u32| set.fixed & 1 << bit;
    let plain = code & OPTIONS == 0;
    match code & 0xffff {
        // Retired instructions and cycles, on any counter.
        INSTRUCTIONS if plain => set.general | fixed(FIXED),
        CYCLES if plain => set.general | fixed(FIXED + 1),
        INSTRUCTIONS | CYCLES => set.general,
        // Codes of the fixed counters alone: instructions, cycles, reference cycles, slots.
        0x0100 => fixed(FIXED),
        0x0200 => fixed(FIXED + 1),
        REFERENCE_CYCLES => fixed(FIXED + 2),
        0x0400 => fixed(TOPDOWN_SLOTS),
        metric if metric & 0x80ff == 0x8000 && fixed(TOPDOWN_SLOTS) != 0 => {
            1 << (METRIC + (metric >> 8 & 7) as u32)
        }
        _ => match table.unwrap_or(set.general) & set.general {
            0 => set.general,
            some => some,
        },
    }
}

const INSTRUCTIONS: u64 = 0x00c0;
const CYCLES: u64 = 0x003c;
const REFERENCE_CYCLES: u64 = 0x0300;

/// The second register image goes into a register that events share.
fn claim(pmu: &Pmu, codes: &[u64]) -> Option<Claim> {
    let (&[code, value] | &[code, value, ..]) = codes else { return None };
    let (register, copies) = match code & 0xff {
        0xb7 | 0xbb | 0x2a | 0x2b => (registers::OFFCORE_RESPONSE, pmu.limits.offcore.into()),
        0xcd => (registers::LOAD_LATENCY, 1),
        // Of other events too, a unit mask that has a second register has this one.
        _ => (registers::FRONTEND, 1),
    };
    (value != 0 && copies > 0).then_some(Claim { register, copies, value })
}

/// By `PERF_COUNT_HW_CPU_CYCLES` and so on.
fn kernel_code(_: &Pmu, config: u64) -> Option<u64> {
    match config {
        0 => Some(CYCLES),
        1 => Some(INSTRUCTIONS),
        9 => Some(REFERENCE_CYCLES),
        _ => None,
    }
}
