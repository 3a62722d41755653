//! libpfm's PMU `perf_raw`: `rHEX`, the whole of `config`.

use super::{PerfText, Programmed};
use crate::attribute::Speculative;
use crate::pmu::{Event, Pmu};

/// The one entry that stands for all codes.
pub(super) fn events(pmu: &'static Pmu) -> impl Iterator<Item = Event> {
    std::iter::once(raw(pmu, 0))
}

/// A small `r` and hexadecimal digits, after `0x` or not. All ones is no code, nor is anything larger.
pub(super) fn event(pmu: &'static Pmu, name: &str) -> Option<Event> {
    let digits = name.strip_prefix('r')?;
    let digits = digits.strip_prefix("0x").or(digits.strip_prefix("0X")).unwrap_or(digits);
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let code = u64::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
    (code != u64::MAX).then(|| raw(pmu, code))
}

pub(super) fn program(event: &Event) -> Programmed {
    Programmed {
        codes: vec![event.code],
        event: format!("r{:x}", event.code),
        attributes: String::new(),
        perf_text: PerfText::Empty,
        perf: (event.perf_kind, [event.code, 0, 0]),
    }
}

fn raw(pmu: &'static Pmu, code: u64) -> Event {
    Event {
        pmu,
        name: "r0000",
        equiv: None,
        code,
        is_precise: false,
        speculative: Speculative::Unknown,
        description: "The event with this code, as the processor's manual has it",
        perf_kind: 4,
    }
}
