//! libpfm's PMU `perf_raw`: `rHEX`, the whole of `config`.

use super::plain::{PLAIN, RAW};
use crate::pmu::{Event, Family, OsEvent, OwnEvents, Pmu};
use crate::tables::row::{Facts, Row};
use crate::tables::table::Place;

pub(crate) static FAMILY: Family = Family {
    is_raw: true,
    own: Some(OwnEvents {
        // One entry stands for all codes.
        all: |pmu| Box::new(std::iter::once(raw(pmu, 0))),
        find: event,
        has: |_, _| true,
        masks: |_| Vec::new(),
        describe: |_| None,
    }),
    left_out: |_, _, _| 0,
    ..PLAIN
};

/// A small `r` and hexadecimal digits, after `0x` or not. All ones are not a code, nor is anything larger.
fn event(pmu: &'static Pmu, name: &str) -> Option<Event> {
    let digits = name.strip_prefix('r')?;
    let digits = digits.strip_prefix("0x").or(digits.strip_prefix("0X")).unwrap_or(digits);
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let code = u64::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
    (code != u64::MAX).then(|| raw(pmu, code))
}

fn raw(pmu: &'static Pmu, code: u64) -> Event {
    let name = "r0000";
    let os = OsEvent {
        description: "The event with this code, as the processor's manual has it",
        perf_kind: RAW,
        precise: false,
    };
    let row = Row { name, code, facts: &Facts::NONE };
    Event { pmu, name, equiv: None, code, row, place: Place::NOWHERE, os: Some(os) }
}
