//! The uncore boxes of Intel's servers, from Sandy Bridge EP on (their uncore performance monitoring guides).
//!
//! Each box has counters with an event-select register, and some have two registers that filter by
//! thread, core, state, node or opcode; the address filter of a home agent is a fourth word.

use super::event_select::ON_EDGE;
use super::groups::{Groups, needs, no_umask};
use super::intel_core::left_out_of_all;
use super::plain::{EXACT, PLAIN, found};
use crate::encode::codes::Codes;
use crate::encode::error::{EncodeError, EncodeErrorKind};
use crate::encode::programmed::{Programmed, Words};
use crate::encode::request::{Asked, Attr, Request};
use crate::encode::spelling::Spelling;
use crate::field::{EDGE, Field, INV, bit, bits};
use crate::layer::Layer;
use crate::modifier::{Modifier, Modifiers, integer, numbered, switch};
use crate::pmu::{Event, Family, Flags};
use crate::privilege::Privilege;
use crate::tables::row::{Marks, Mask};

/// Of the event-select register.
const OCC_SEL: Field = bits(14, 2);
const TID_EN: Field = bit(19);
const OCC_INV: Field = bit(30);
const OCC_EDGE: Field = bit(31);

/// A field of the first or the second filter register.
const fn filter0(field: Field) -> Field {
    field.of_word(1)
}

const fn filter1(field: Field) -> Field {
    field.of_word(2)
}

/// Each event that compares the frequency does so with its own byte.
const FREQUENCY: Field = filter0(bits(0, 8));
const NODES: Field = filter0(bits(10, 8));
const CBO_NODES: Field = filter1(bits(0, 16));
/// The parts of an address have other bits in the register than in the value.
const ADDRESS: Field = bits(0, 40).of_word(3);
const ADDRESS_LOW: Field = bits(6, 26);
const ADDRESS_HIGH: Field = bits(32, 14);

/// The number of cycles, of counters whose threshold has so many bits.
const fn threshold(width: u32, range: (u64, u64), description: &'static str) -> Modifier {
    integer("t", bits(24, width), range, description)
}

/// A hardware thread or a core: the register enables the filter, which is written even when it is 0.
const fn thread(
    name: &'static str,
    field: Field,
    range: (u64, u64),
    description: &'static str,
) -> Modifier {
    integer(name, filter0(field), range, description).enabled_by(TID_EN)
}

const MODIFIERS: Modifiers = Modifiers::of(
    &const {
        numbered([
            ON_EDGE,
            switch("i", INV, "Count cycles below the threshold instead of those at or above it"),
            threshold(8, (0, 255), "Count cycles with at least so many occurrences, 0 to 255"),
            threshold(5, (0, 31), "Count cycles with at least so many occurrences, 0 to 31"),
            // libpfm prints the bit that enables the filter.
            thread("tf", bit(0), (0, 1), "Count for this hardware thread, 0 to 1").printed(TID_EN),
            thread("cf", bits(1, 3), (0, 15), "Count for this core, 0 to 15"),
            integer("nf", NODES, (1, 255), "Count for this node, 1 to 255"),
            integer(
                "ff",
                FREQUENCY,
                (0, 255),
                "Count at this frequency or above, in 100 MHz, 0 to 255",
            ),
            integer(
                "addr",
                ADDRESS,
                (0, (1 << 40) - 1),
                "Count for this physical address, 40 bits",
            ),
            integer("nf", CBO_NODES, (1, 255), "Count for this node, 1 to 255"),
            switch("isoc", filter1(bit(31)), "Count isochronous requests"),
            // By accident its number in libpfm is that of perf_events' `hw_smpl`.
            switch("nc", filter1(bit(30)), "Count requests that are not coherent").raw_only(),
            thread("cf", bits(1, 5), (0, 63), "Count for this core, 0 to 63"),
            thread("tf", bits(0, 3), (0, 7), "Count for this hardware thread, 0 to 7"),
            thread("cf", bits(3, 6), (0, 64), "Count for this core, 0 to 64"),
            switch("loc", filter1(bit(1)), "Count requests to the local node"),
            switch("rem", filter1(bit(0)), "Count requests to other nodes"),
            // libpfm gives `lmem` the bit of `loc`.
            switch("lmem", filter1(bit(1)), "Count requests to near memory"),
            // libpfm prints the bit of `rem`.
            switch("rmem", filter1(bit(5)), "Count requests to other memory")
                .printed(filter1(bit(0))),
            integer(
                "dnid",
                filter0(bits(8, 4)),
                (0, 15),
                "Count for this destination node, 0 to 15",
            )
            .enabled_by(filter0(bit(13))),
            integer(
                "rcsnid",
                filter0(bits(14, 4)),
                (0, 15),
                "Count for this recycling node, 0 to 15",
            )
            .enabled_by(filter0(bit(18))),
            threshold(6, (0, 63), "Count cycles with at least so many occurrences, 0 to 63"),
            switch("occ_i", OCC_INV, "Count cycles below the occupancy threshold"),
            switch("occ_e", OCC_EDGE, "Count how often the occupancy condition begins"),
        ])
    },
);

pub(crate) static FAMILY: Family = Family {
    modifiers: MODIFIERS,
    masks_are_registers: true,
    left_out: |event, _, _| left_out_of_all(event.pmu) | EXACT,
    program,
    perf: |event, _, programmed, device| {
        let kind = found(event, device, false)?;
        Ok(Words { kind, configs: configs(event, programmed) })
    },
    print,
    ..PLAIN
};

/// The modifiers that filter by node, a bit for each.
const BY_NODE: u32 = MODIFIERS.with(NODES) | MODIFIERS.with(CBO_NODES);

/// The field of a modifier; events that count cores in a state have bits of their own for edges and inversion.
fn field(modifier: Field, occupancy: bool) -> Field {
    match modifier {
        EDGE if occupancy => OCC_EDGE,
        INV if occupancy => OCC_INV,
        field => field,
    }
}

struct State {
    /// The event-select register, the filters, and the address.
    words: [u64; 4],
    /// The unit masks, and their bits above the register.
    umask: u64,
    groups: Groups,
    given: u32,
    needed: u32,
    filter_anyway: bool,
    occupancy: bool,
}

fn program(event: &Event, request: &mut Request, _: Privilege) -> Result<Programmed, EncodeError> {
    let mut state = State {
        words: [event.code, 0, 0, 0],
        umask: event.code >> 8,
        groups: Groups::new(event),
        given: 0,
        needed: event.row.needs,
        filter_anyway: event.row.marks.has(Marks::FORCE_FILT0),
        occupancy: is_occupancy(event),
    };
    let preset = event.code >> 8;
    for asked in request.of_pmu() {
        state.take(event, asked)?;
    }
    state.groups.check_required(event)?;
    if event.masks().next().is_some() {
        state.groups.most = state.groups.most.filter(|_| state.groups.seen != 0);
        if state.groups.incomplete(event) {
            for mask in state.groups.defaults(event, request)? {
                state.add(&mask);
            }
        }
        let named = request.of_pmu().any(|asked| !matches!(&asked.what, Attr::Modifier(_)));
        if !named {
            return Err(no_umask(event));
        }
    }
    state.check_needed(event)?;
    Ok(state.finish(event, preset))
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
                self.set(event, modifier, value);
            }
            Attr::Perf(_) => {}
        }
        Ok(())
    }

    fn add(&mut self, mask: &Mask) {
        for (word, filter) in self.words[1..].iter_mut().zip(mask.row.filters) {
            *word = (*word | filter & 0xffff_ffff) & !(filter >> 32);
        }
        self.umask |= mask.row.code >> 8;
        self.needed |= mask.row.needs;
        if self.occupancy {
            OCC_SEL.write(&mut self.words, self.umask >> 6);
            self.umask = 0;
        } else {
            self.words[0] |= self.umask << 8;
        }
    }

    fn set(&mut self, event: &Event, modifier: &Modifier, value: u64) {
        match modifier.field {
            FREQUENCY => self.words[1] = value << band(event),
            ADDRESS => {
                self.words[3] = ADDRESS_LOW.set(self.words[3], value);
                self.words[3] = ADDRESS_HIGH.set(self.words[3], value >> 26);
            }
            other => field(other, self.occupancy).write(&mut self.words, value),
        }
        modifier.enable.write(&mut self.words, 1);
        self.filter_anyway |= modifier.enable == TID_EN;
        self.given |= 1 << modifier.index;
    }

    fn check_needed(&self, event: &Event) -> Result<(), EncodeError> {
        if self.given & BY_NODE & !self.needed != 0 {
            let why = "no unit mask filters by node";
            return Err(EncodeError::of_event(EncodeErrorKind::IdleModifier { name: "nf", why }));
        }
        if self.needed != 0 && self.given & self.needed == 0 {
            Err(needs(event, MODIFIERS, self.needed))
        } else {
            Ok(())
        }
    }

    fn finish(mut self, event: &Event, preset: u64) -> Programmed {
        if event.pmu.flags.has(Flags::UNC_CHA) && matches!(event.code & 0xff, 0x35 | 0x36) {
            let opcodes = bits(9, 10).get(self.words[2]) | bits(19, 10).get(self.words[2]);
            match (self.words[2], opcodes) {
                (0, _) => self.words[2] = 0x3b,
                (_, 0) => {}
                _ => self.words[2] &= !(1 << 3),
            }
        }
        self.words[0] |= (preset | self.umask) << 8;
        let [register, filter0, filter1, address] = self.words;
        let mut codes = Codes::from(register);
        if filter0 != 0 || filter1 != 0 || self.filter_anyway {
            codes.push(filter0);
        }
        [filter1, address].into_iter().filter(|word| *word != 0).for_each(|word| codes.push(word));
        let printed = [register, filter0, filter1, address, self.needed.into()];
        Programmed { codes, printed }
    }
}

/// The value of a modifier that is printed; `None` if no unit mask filters by node.
#[inline]
fn printed(event: &Event, modifier: &Modifier, words: &[u64; 5]) -> Option<u64> {
    Some(match modifier.printed {
        FREQUENCY => words[1] >> band(event) & 0xff,
        ADDRESS => ADDRESS_LOW.get(words[3]) | ADDRESS_HIGH.get(words[3]) << 26,
        NODES | CBO_NODES if words[4] >> modifier.index & 1 == 0 => return None,
        other => field(other, is_occupancy(event)).read(words),
    })
}

/// Four events compare the frequency, each with its own byte of the filter.
fn band(event: &Event) -> u64 {
    8 * (event.code & 0xff).saturating_sub(0xb).min(3)
}

/// `config` to `config2`. Filters of cache boxes share one word.
fn configs(event: &Event, programmed: &Programmed) -> [u64; 3] {
    let word = |number| programmed.word(number);
    let is_lookup = matches!(event.code & 0xff, 0x34..=0x36);
    let cbo = event.pmu.flags.has(Flags::UNC_CBO) && word(0) >> 8 & 1 != 0;
    if is_lookup && (cbo || event.pmu.flags.has(Flags::UNC_CHA)) {
        return [word(0), word(1) | word(2) << 32, 0];
    }
    [word(0), word(1), word(2)]
}

fn print(event: &Event, _: &Request, programmed: &Programmed, layer: Layer, string: &mut Spelling) {
    for modifier in MODIFIERS.of_set(FAMILY.taken(event, layer)) {
        match printed(event, modifier, &programmed.printed) {
            None => {}
            Some(value) if modifier.field == ADDRESS => string.push(&format!(":addr={value:#x}")),
            Some(value) => string.push_value(modifier, value),
        }
    }
}
