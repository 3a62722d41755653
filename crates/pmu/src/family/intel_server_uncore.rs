//! The uncore boxes of Intel's servers, from Sandy Bridge EP on (their uncore performance monitoring guides).
//!
//! Each box has counters with an event-select register, and some have two registers that filter by
//! thread, core, state, node or opcode; the address filter of a home agent is a fourth word.

use super::field::{EDGE, Field, INV, bit, bits};
use super::groups::Groups;
use super::{Programmed, error};
use crate::encode::{Asked, Attr, Codes, EncodeError, EncodeErrorKind, Request, Spelling};
use crate::machine::Layer;
use crate::modifier::{Modifier, integer, of_set, switch};
use crate::pmu::{Event, Flags};
use crate::tables::{Marks, Mask};

pub(super) static MODIFIERS: [Modifier; 24] = [
    switch(0, "e", "Count how often the condition begins, not how long it lasts"),
    switch(1, "i", "Count cycles below the threshold instead of those at or above it"),
    integer(2, "t", (0, 255), "Count cycles with at least so many occurrences, 0 to 255"),
    integer(3, "t", (0, 31), "Count cycles with at least so many occurrences, 0 to 31"),
    integer(4, "tf", (0, 1), "Count for this hardware thread, 0 to 1"),
    integer(5, "cf", (0, 15), "Count for this core, 0 to 15"),
    integer(6, "nf", (1, 255), "Count for this node, 1 to 255"),
    integer(7, "ff", (0, 255), "Count at this frequency or above, in 100 MHz, 0 to 255"),
    integer(8, "addr", (0, (1 << 40) - 1), "Count for this physical address, 40 bits"),
    integer(9, "nf", (1, 255), "Count for this node, 1 to 255"),
    switch(10, "isoc", "Count isochronous requests"),
    switch(11, "nc", "Count requests that are not coherent"),
    integer(12, "cf", (0, 63), "Count for this core, 0 to 63"),
    integer(13, "tf", (0, 7), "Count for this hardware thread, 0 to 7"),
    integer(14, "cf", (0, 64), "Count for this core, 0 to 64"),
    switch(15, "loc", "Count requests to the local node"),
    switch(16, "rem", "Count requests to other nodes"),
    switch(17, "lmem", "Count requests to near memory"),
    switch(18, "rmem", "Count requests to other memory"),
    integer(19, "dnid", (0, 15), "Count for this destination node, 0 to 15"),
    integer(20, "rcsnid", (0, 15), "Count for this recycling node, 0 to 15"),
    integer(21, "t", (0, 63), "Count cycles with at least so many occurrences, 0 to 63"),
    switch(22, "occ_i", "Count cycles below the occupancy threshold"),
    switch(23, "occ_e", "Count how often the occupancy condition begins"),
];

const OCC_SEL: Field = bits(14, 2);
const TID_EN: Field = bit(19);
const THRESHOLD: Field = bits(24, 8);
const OCC_INV: Field = bit(30);
const OCC_EDGE: Field = bit(31);

/// Where a modifier's value goes.
#[derive(Clone, Copy)]
enum Place {
    Register(Field),
    Filter0(Field),
    Filter1(Field),
    /// The bits of the frequency that the event compares with.
    Frequency,
    /// Two parts of the address word.
    Address,
}

const ADDRESS_LOW: Field = bits(6, 26);
const ADDRESS_HIGH: Field = bits(32, 14);

fn place(modifier: u8, occupancy: bool) -> Place {
    use Place::*;
    match modifier {
        0 if occupancy => Register(OCC_EDGE),
        0 => Register(EDGE),
        1 if occupancy => Register(OCC_INV),
        1 => Register(INV),
        3 => Register(bits(24, 5)),
        21 => Register(bits(24, 6)),
        22 => Register(OCC_INV),
        23 => Register(OCC_EDGE),
        4 => Filter0(bit(0)),
        13 => Filter0(bits(0, 3)),
        5 => Filter0(bits(1, 3)),
        12 => Filter0(bits(1, 5)),
        14 => Filter0(bits(3, 6)),
        6 => Filter0(bits(10, 8)),
        19 => Filter0(bits(8, 4)),
        20 => Filter0(bits(14, 4)),
        7 => Frequency,
        8 => Address,
        9 => Filter1(bits(0, 16)),
        10 => Filter1(bit(31)),
        11 => Filter1(bit(30)),
        // libpfm gives `lmem` the bit of `loc`.
        15 | 17 => Filter1(bit(1)),
        16 => Filter1(bit(0)),
        18 => Filter1(bit(5)),
        _ => Register(THRESHOLD),
    }
}

/// Modifiers that filter by thread or core; the filter is then written even when it is 0.
const THREADS: u32 = 1 << 4 | 1 << 5 | 1 << 12 | 1 << 13 | 1 << 14;
/// Modifiers that an event or a unit mask may need.
const NEEDED: u32 = 0x3ff | 1 << 12 | 1 << 13 | 1 << 14 | 1 << 21 | 1 << 22 | 1 << 23;
/// Modifiers that filter by node.
const NODES: u32 = 1 << 6 | 1 << 9;

struct State {
    register: u64,
    /// The unit masks, and what they hold above the register.
    umask: u64,
    filters: [u64; 2],
    address: u64,
    groups: Groups,
    given: u32,
    needed: u32,
    filter_anyway: bool,
    occupancy: bool,
}

pub(super) fn program(request: &mut Request) -> Result<Programmed, EncodeError> {
    let event = request.event;
    let mut state = State {
        register: event.code,
        umask: event.code >> 8,
        filters: [0; 2],
        address: 0,
        groups: Groups::new(&event),
        given: 0,
        needed: event.row.needs,
        filter_anyway: event.row.marks.has(Marks::FORCE_FILT0),
        occupancy: is_occupancy(&event),
    };
    let preset = event.code >> 8;
    for asked in request.of_pmu() {
        state.take(&event, asked)?;
    }
    state.groups.check_required(&event)?;
    if event.place.has_masks(event.pmu) {
        state.groups.most = state.groups.most.filter(|_| state.groups.seen != 0);
        if state.groups.incomplete(&event) {
            for mask in state.groups.defaults(request)? {
                state.add(&mask);
            }
        }
        let named = request.of_pmu().any(|asked| !matches!(&asked.what, Attr::Modifier(_)));
        if !named {
            let choices = event.place.masks(event.pmu).map(|mask| mask.row.name).collect();
            return Err(error(EncodeErrorKind::NoUmask { event: event.name.to_owned(), choices }));
        }
    }
    state.check_needed(&event)?;
    Ok(state.finish(&event, preset))
}

/// Events of the power control unit that count cores in a state.
fn is_occupancy(event: &Event) -> bool {
    event.pmu.flags.has(Flags::UNC_OCC) && event.code >> 7 & 1 != 0
}

impl State {
    fn take(&mut self, event: &Event, asked: &Asked) -> Result<(), EncodeError> {
        match &asked.what {
            Attr::Umask(mask) => {
                self.groups.take(event, mask, asked)?;
                self.add(mask);
            }
            Attr::RawUmask => {
                self.umask = asked.raw_umask(8)?;
                self.groups.raw();
            }
            Attr::Modifier(modifier) => {
                let value = asked.in_range(modifier)?;
                self.set(event, modifier.index, value);
            }
            Attr::Perf(_) => {}
        }
        Ok(())
    }

    fn add(&mut self, mask: &Mask) {
        for (word, filter) in self.filters.iter_mut().zip(mask.row.filters) {
            *word = (*word | filter & 0xffff_ffff) & !(filter >> 32);
        }
        self.umask |= mask.row.code >> 8;
        self.needed |= mask.row.needs;
        if self.occupancy {
            self.register = OCC_SEL.set(self.register, self.umask >> 6);
            self.umask = 0;
        } else {
            self.register |= self.umask << 8;
        }
    }

    fn set(&mut self, event: &Event, modifier: u8, value: u64) {
        match place(modifier, self.occupancy) {
            Place::Register(field) => self.register = field.set(self.register, value),
            Place::Filter0(field) => self.filters[0] = field.set(self.filters[0], value),
            Place::Filter1(field) => self.filters[1] = field.set(self.filters[1], value),
            Place::Frequency => self.filters[0] = value << band(event),
            Place::Address => {
                self.address = ADDRESS_LOW.set(self.address, value);
                self.address = ADDRESS_HIGH.set(self.address, value >> 26);
            }
        }
        match modifier {
            19 => self.filters[0] |= 1 << 13,
            20 => self.filters[0] |= 1 << 18,
            _ => {}
        }
        if THREADS >> modifier & 1 != 0 {
            self.register = TID_EN.set(self.register, 1);
            self.filter_anyway = true;
        }
        self.given |= 1 << modifier & NEEDED;
    }

    fn check_needed(&self, event: &Event) -> Result<(), EncodeError> {
        if self.given & NODES & !self.needed != 0 {
            let why = "no unit mask filters by node";
            return Err(error(EncodeErrorKind::IdleModifier { name: "nf", why }));
        }
        if self.needed != 0 && self.given & self.needed == 0 {
            let needed = of_set(&MODIFIERS, self.needed);
            let modifiers = needed.map(|modifier| modifier.name).collect();
            let event = event.name.to_owned();
            return Err(error(EncodeErrorKind::NeedsModifiers { event, modifiers }));
        }
        Ok(())
    }

    fn finish(mut self, event: &Event, preset: u64) -> Programmed {
        if event.pmu.flags.has(Flags::UNC_CHA) && matches!(event.code & 0xff, 0x35 | 0x36) {
            let opcodes = bits(9, 10).get(self.filters[1]) | bits(19, 10).get(self.filters[1]);
            match (self.filters[1], opcodes) {
                (0, _) => self.filters[1] = 0x3b,
                (_, 0) => {}
                _ => self.filters[1] &= !(1 << 3),
            }
        }
        let register = self.register | (preset | self.umask) << 8;
        let mut codes = Codes::from(register);
        let [filter0, filter1] = self.filters;
        if filter0 != 0 || filter1 != 0 || self.filter_anyway {
            codes.push(filter0);
        }
        [filter1, self.address].into_iter().filter(|word| *word != 0).for_each(|w| codes.push(w));
        let mut values = [0; 24];
        for modifier in 0..24 {
            let printed = match place(modifier, self.occupancy) {
                // libpfm prints the bit that enables the filter.
                _ if modifier == 4 => TID_EN.get(register),
                // … and the bit of `rem`.
                _ if modifier == 18 => bit(0).get(filter1),
                Place::Register(field) => field.get(register),
                Place::Filter0(field) => field.get(filter0),
                Place::Filter1(field) => field.get(filter1),
                Place::Frequency => filter0 >> band(event) & 0xff,
                Place::Address => {
                    ADDRESS_LOW.get(self.address) | ADDRESS_HIGH.get(self.address) << 26
                }
            };
            values[usize::from(modifier)] = printed;
        }
        // Whether nodes can be filtered by is known here only; `print` needs it.
        values[6] = if self.needed >> 6 & 1 != 0 { values[6] } else { UNPRINTED };
        values[9] = if self.needed >> 9 & 1 != 0 { values[9] } else { UNPRINTED };
        Programmed { codes, values }
    }
}

/// No value of `nf`.
const UNPRINTED: u64 = u64::MAX;

/// Four events compare the frequency, each with its own byte of the filter.
fn band(event: &Event) -> u64 {
    8 * (event.code & 0xff).saturating_sub(0xb).min(3)
}

/// `config` to `config2`. Filters of cache boxes share one word.
pub(super) fn perf(event: &Event, codes: &Codes) -> [u64; 3] {
    let word = |number: usize| codes.get(number).copied().unwrap_or(0);
    let is_lookup = matches!(event.code & 0xff, 0x34..=0x36);
    let cbo = event.pmu.flags.has(Flags::UNC_CBO) && word(0) >> 8 & 1 != 0;
    if is_lookup && (cbo || event.pmu.flags.has(Flags::UNC_CHA)) {
        return [word(0), word(1) | word(2) << 32, 0];
    }
    [word(0), word(1), word(2)]
}

pub(super) fn print(
    request: &Request,
    programmed: &Programmed,
    layer: Layer,
    string: &mut Spelling,
) {
    for modifier in request.event.pmu.family.modifiers_of(&request.event, layer) {
        match programmed.values[usize::from(modifier.index)] {
            UNPRINTED => {}
            value if modifier.index == 8 => string.push(&format!(":addr={value:#x}")),
            value => string.push_value(modifier, value),
        }
    }
}
