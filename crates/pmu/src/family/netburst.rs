//! Netburst, the Pentium 4: an event-selection register (ESCR) and a counter's control register (CCCR)
//! for each event (Intel SDM volume 3, "Performance Monitoring (Processors Based on Intel NetBurst
//! Microarchitecture)").

use super::groups::no_umask;
use super::plain::{EXACT, PLAIN, RAW};
use crate::encode::codes::Codes;
use crate::encode::error::EncodeError;
use crate::encode::programmed::{Programmed, Words};
use crate::encode::request::{Attr, Request};
use crate::field::{Field, bit, bits};
use crate::modifier::{Modifiers, PerfAttribute, integer, numbered, set, switch};
use crate::pmu::{Event, Family};
use crate::privilege::Privilege;

/// The bits of the first thread; those of the second, which are set alike, follow.
const ESCR_USR: Field = bit(0);
const ESCR_OS: Field = bit(1);
const TAG_ENABLE: Field = bit(4);
const TAG: Field = bits(5, 4);
const EVENT_MASK: Field = bits(9, 16);
const EVENT_SELECT: Field = bits(25, 6);

const ENABLE: u64 = 1 << 12;
const ESCR_SELECT: Field = bits(13, 3);
const ACTIVE_THREAD: u64 = 3 << 16;
const COMPARE: Field = bit(18).of_word(1);
const COMPLEMENT: Field = bit(19).of_word(1);
const THRESHOLD: Field = bits(20, 4).of_word(1);
const EDGE: Field = bit(24).of_word(1);

const MODIFIERS: Modifiers = Modifiers::of(
    &const {
        numbered([
            switch("u", ESCR_USR, "Count in user space").level(Privilege::USER),
            switch("k", ESCR_OS, "Count in the kernel").level(Privilege::KERNEL),
            switch(
                "cmpl",
                COMPLEMENT,
                "Count cycles at or below the threshold instead of those above it",
            )
            .enabled_by(COMPARE),
            switch("e", EDGE, "Count how often the condition begins, not how long it lasts")
                .enabled_by(COMPARE),
            integer(
                "thr",
                THRESHOLD,
                (0, 15),
                "Count cycles with more occurrences than this, 0 to 15",
            )
            .enabled_by(COMPARE),
        ])
    },
);

/// The order in which libpfm prints the modifiers.
const PRINTED: [Field; 5] = [ESCR_OS, ESCR_USR, EDGE, COMPLEMENT, THRESHOLD];

pub(crate) static FAMILY: Family = Family {
    modifiers: MODIFIERS,
    left_out: |_, _, _| EXACT | set(&[PerfAttribute::Hypervisor]),
    program,
    perf: |event, _, programmed, _| Ok(Words::new(RAW, config(event, programmed))),
    // Levels too, whatever the layer.
    print: |_, _, programmed, _, string| {
        for field in PRINTED {
            let modifiers = MODIFIERS.of_set(MODIFIERS.with(field));
            modifiers.for_each(|m| string.push_value(m, m.printed.read(&programmed.printed)));
        }
    },
    ..PLAIN
};

fn program(
    event: &Event,
    request: &mut Request,
    levels: Privilege,
) -> Result<Programmed, EncodeError> {
    let mut escr = EVENT_SELECT.set(0, event.code & 0xff);
    let cccr = ESCR_SELECT.set(ENABLE | ACTIVE_THREAD, event.code >> 8);
    let (mut mask, mut named, mut given) = (0, false, 0);
    let mut words = [0, cccr];
    for asked in request.of_pmu() {
        match &asked.what {
            Attr::Umask(umask) => {
                named = true;
                match umask.row.code {
                    bit @ 0..16 => mask |= 1 << bit,
                    bit => {
                        escr = TAG.set(escr, TAG.get(escr) | 1 << (bit.min(63) - 16));
                        escr = TAG_ENABLE.set(escr, 1);
                    }
                }
            }
            Attr::RawUmask | Attr::Perf(_) => {}
            Attr::Modifier(modifier) => {
                let value = asked.in_range(modifier)?;
                given |= 1 << modifier.index;
                modifier.field.write(&mut words, value);
                if value != 0 {
                    modifier.enable.write(&mut words, 1);
                }
            }
        }
    }
    if !named {
        let default = event.defaults(0).next().ok_or_else(|| no_umask(event))?;
        request.add_default(default);
        mask = 1u64.checked_shl(default.row.code as u32).unwrap_or(0);
    }
    escr = EVENT_MASK.set(escr, mask & u64::from(event.row.keep));
    if given & MODIFIERS.levels == 0 {
        for modifier in MODIFIERS.of_set(MODIFIERS.levels) {
            words[0] |= modifier.field.set(0, levels.contains(modifier.level).into());
        }
    }
    words[0] = escr | words[0] | words[0] << 2;
    let mut codes = Codes::from(words[0]);
    codes.push(words[1]);
    Ok(Programmed { codes, printed: [words[0], words[1], 0, 0, 0] })
}

/// Both registers in one word, with the kernel's own number of the event.
fn config(event: &Event, programmed: &Programmed) -> u64 {
    let escr = EVENT_SELECT.set(programmed.word(0), event.row.perf_code.into());
    escr << 32 | programmed.word(1)
}
