//! Intel's core PMUs since P6, and the cache boxes of client uncores, which are programmed alike.
//!
//! The event-select register (SDM volume 3, "Architectural Performance Monitoring") holds event, unit
//! mask, levels, edge, any thread, invert, counter mask, and since Haswell two bits for transactions.
//! A second register takes what off-core responses, load latencies and front-end events are filtered by.

use super::field::{
    ANYTHR, CMASK, EDGE, EN, Field, INT, INV, LEVELS_AND_ENABLE, OS, USR, bit, bits,
};
use super::groups::Groups;
use super::{Programmed, RAW, error, second};
use crate::encode::{Asked, Attr, Codes, EncodeError, EncodeErrorKind, Request, Words};
use crate::machine::{Context, Privilege};
use crate::modifier::{Modifier, integer, of_set, switch};
use crate::pmu::{Event, Flags};
use crate::tables::{Marks, Mask};

pub(super) static MODIFIERS: [Modifier; 10] = [
    switch(0, "k", "Count in the kernel"),
    switch(1, "u", "Count in user space"),
    switch(2, "e", "Count how often the condition begins, not how long it lasts"),
    switch(3, "i", "Count cycles below the counter mask instead of those at or above it"),
    integer(4, "c", (0, 255), "Count cycles with at least so many occurrences, 0 to 255"),
    switch(5, "t", "Count what any thread of the core does"),
    integer(6, "ldlat", (1, 65535), "Count loads that take more core cycles than this, 1 to 65535"),
    switch(7, "intx", "Count inside transactions only"),
    switch(8, "intxcp", "Do not count what an aborted transaction did"),
    integer(
        9,
        "fe_thres",
        (1, 4095),
        "Count front-end bubbles of at least so many cycles, 1 to 4095",
    ),
];

const INTX: Field = bit(32);
const INTXCP: Field = bit(33);
/// Bits 8 to 19 of the front-end register.
const FE_THRES: Field = bits(8, 12);

const LDLAT: u8 = 6;
const FE: u8 = 9;

/// Where a modifier stands in the register; the others have a register of their own.
fn field(modifier: u8) -> Option<Field> {
    Some(match modifier {
        0 => OS,
        1 => USR,
        2 => EDGE,
        3 => INV,
        4 => CMASK,
        5 => ANYTHR,
        7 => INTX,
        8 => INTXCP,
        _ => return None,
    })
}

/// What has been chosen so far.
struct State {
    register: u64,
    /// The unit masks, and what they hold above the register.
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
}

pub(super) fn program(request: &mut Request, context: &Context) -> Result<Programmed, EncodeError> {
    let event = request.event;
    let mut state = State {
        register: event.code & 0xffff_ffff,
        umask: 0,
        groups: Groups::new(&event),
        given: 0,
        wired: 0,
        needed: event.row.needs,
        overridden: None,
        load_latency: false,
        threshold: false,
        ldlat: 0,
        fe_thres: 0,
    };
    for asked in request.of_pmu() {
        state.take(&event, asked)?;
    }
    state.groups.check_required(&event)?;
    let preset = event.code >> 8 & 0xff;
    state.check_wired(preset)?;
    state.default_levels(&event, context);
    let most = state.groups.most;
    if state.groups.incomplete(&event) {
        for mask in state.groups.defaults(request)? {
            state.umask |= mask.row.code >> 8;
        }
    }
    state.groups.check_excluded(request, most)?;
    if state.needed != 0 && state.given != state.needed {
        let needed = of_set(&MODIFIERS, state.needed);
        let modifiers = needed.map(|modifier| modifier.name).collect();
        let event = event.name.to_owned();
        return Err(error(EncodeErrorKind::NeedsModifiers { event, modifiers }));
    }
    state.finish(&event, preset)
}

impl State {
    fn take(&mut self, event: &Event, asked: &Asked) -> Result<(), EncodeError> {
        match &asked.what {
            Attr::Umask(mask) => self.take_mask(event, mask, asked),
            Attr::RawUmask => {
                let width = match event.pmu.name {
                    _ if !event.row.marks.has(Marks::OFFCORE) => 8,
                    "wsm" | "wsm_dp" => 16,
                    _ => 38,
                };
                self.umask = asked.raw_umask(width)?;
                self.groups.raw();
                Ok(())
            }
            Attr::Modifier(modifier) => {
                let value = asked.in_range(modifier)?;
                match (field(modifier.index), modifier.index) {
                    (Some(field), _) => self.register = field.set(self.register, value),
                    (None, LDLAT) => self.ldlat = value,
                    (None, _) => self.fe_thres = value,
                }
                if modifier.index != LDLAT {
                    self.given |= 1 << modifier.index;
                }
                Ok(())
            }
            Attr::Perf(_) => Ok(()),
        }
    }

    fn take_mask(&mut self, event: &Event, mask: &Mask, asked: &Asked) -> Result<(), EncodeError> {
        self.groups.take(event, mask, asked)?;
        self.load_latency |= mask.has(Marks::LDLAT);
        self.threshold |= mask.has(Marks::FETHR);
        self.umask |= mask.row.code >> 8;
        self.needed |= mask.row.needs;
        self.wired |= mask.row.wired;
        if mask.has(Marks::CODE_OVERRIDE) {
            let code = mask.row.code & 0xff;
            if self.overridden.is_some_and(|other| other != code) {
                let why = "each of them stands for another event code";
                let kind = EncodeErrorKind::Combination { umask: mask.row.name.to_owned(), why };
                return Err(EncodeError { span: asked.span.clone(), kind });
            }
            self.overridden = Some(code);
            self.register = self.register & !0xff | code;
        }
        Ok(())
    }

    /// A modifier that a unit mask sets may be repeated, but not changed.
    fn check_wired(&self, preset: u64) -> Result<(), EncodeError> {
        let wired = (preset | self.umask) << 8;
        let changed = of_set(&MODIFIERS, self.wired & self.given).find(|modifier| {
            field(modifier.index).is_some_and(|field| field.get(wired) != field.get(self.register))
        });
        match changed {
            Some(modifier) => Err(error(EncodeErrorKind::WiredModifier { name: modifier.name })),
            None => Ok(()),
        }
    }

    fn default_levels(&mut self, event: &Event, context: &Context) {
        if self.given & 0b11 != 0 {
            return;
        }
        for (field, level) in [(OS, Privilege::KERNEL), (USR, Privilege::USER)] {
            if context.privilege.contains(level) && event.pmu.privilege().contains(level) {
                self.register = field.set(self.register, 1);
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
        }
        if self.load_latency {
            if self.ldlat == 0 {
                self.ldlat = 3;
            }
            extra = Some(self.ldlat);
        } else if self.ldlat != 0 {
            let why = "no unit mask filters by latency";
            return Err(error(EncodeErrorKind::IdleModifier { name: "ldlat", why }));
        }
        self.register |= (preset | self.umask) << 8;
        self.register = INT.set(EN.set(self.register, 1), 1);
        let edge = EDGE.get(self.register) != 0 && CMASK.get(self.register) == 0;
        if edge && event.pmu.flags.has(Flags::ECMASK) {
            let why = "edges are counted of a counter mask, `c=1` or more";
            return Err(error(EncodeErrorKind::IdleModifier { name: "e", why }));
        }
        let mut codes = Codes::from(self.register);
        extra.into_iter().for_each(|code| codes.push(code));
        let mut values = [0; 24];
        for modifier in 0..10 {
            values[usize::from(modifier)] = match field(modifier) {
                Some(field) => field.get(self.register),
                None if modifier == LDLAT => self.ldlat,
                None => self.fe_thres,
            };
        }
        Ok(Programmed { codes, values })
    }

    /// The threshold is the unit mask's, or what is written, or 1.
    fn front_end(&mut self) -> Result<(), EncodeError> {
        let threshold = FE_THRES.get(self.umask);
        let given = self.given >> FE & 1 != 0;
        if threshold != 0 && given && self.wired >> FE & 1 != 0 {
            if threshold != self.fe_thres {
                return Err(error(EncodeErrorKind::WiredModifier { name: "fe_thres" }));
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

/// A device that sysfs does not show is silently the processor's own.
pub(super) fn perf(request: &Request, codes: &Codes, device: Option<u32>) -> Words {
    let code = codes.first().copied().unwrap_or(0);
    let marks = request.event.row.marks;
    let filtered = marks.has(Marks::OFFCORE | Marks::FRONTEND) || request.any_umask(Marks::LDLAT);
    let config1 = if filtered { second(codes) } else { 0 };
    (device.unwrap_or(RAW), [code & !LEVELS_AND_ENABLE, config1, 0])
}
