//! An answer as a JSON line.

use super::answer::{Answer, Opened, Outcome, Refused};
#[cfg(test)]
use crate::schema::{Lines, schema_of};
use crate::show::hex;
use counterpoint::pmu::{Encoding, PerfEncoding};
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

#[cfg(test)]
pub const LINES: Lines = &[
    schema_of::<First<'_, Event<'_>>>,
    schema_of::<First<'_, Error<'_>>>,
    schema_of::<Behind<'_, Event<'_>>>,
    schema_of::<Behind<'_, Several<'_>>>,
];

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let input = self.input.as_str();
        match &self.outcome {
            Outcome::Libpfm { encoding, .. } => {
                First { input, ok: true, rest: event(encoding) }.serialize(serializer)
            }
            Outcome::Refused(refused) => {
                First { input, ok: false, rest: error(refused) }.serialize(serializer)
            }
            // One event on one PMU is an answer by itself.
            Outcome::Opened(events) => match events.as_slice() {
                [one] => Behind { rest: opened(one), input, ok: true }.serialize(serializer),
                several => {
                    let rest = Several { events: several.iter().map(opened).collect() };
                    Behind { rest, input, ok: true }.serialize(serializer)
                }
            },
        }
    }
}

/// The answer to a string of libpfm's.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct First<'a, T> {
    /// The string.
    input: &'a str,
    /// Whether the string has an encoding.
    ok: bool,
    #[serde(flatten)]
    rest: T,
}

/// The answer to an event as `stat -e` takes it.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Behind<'a, T> {
    #[serde(flatten)]
    rest: T,
    /// The string.
    input: &'a str,
    /// Whether the string has an encoding.
    ok: bool,
}

/// Several events, or one on several PMUs.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Several<'a> {
    /// Each event on each PMU that counts it.
    events: Vec<Event<'a>>,
}

/// An event on a PMU.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Event<'a> {
    /// The PMU.
    pmu: &'a str,
    /// The event.
    event: &'a str,
    /// The event with its PMU and all attributes.
    fully_qualified: &'a str,
    /// The usual name of the event.
    canonical: &'a str,
    /// The codes of the registers, in hexadecimal.
    codes: Vec<String>,
    /// The counters that can count it, as bits in hexadecimal; null if they are not known.
    counters: Option<String>,
    /// The CPUs on which the event is counted, if not on any. Present for an event of `stat -e` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    cpus: Option<Option<&'a str>>,
    /// What the kernel is asked to open; absent if it cannot count the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    perf: Option<Perf>,
}

fn event(encoding: &Encoding) -> Event<'_> {
    Event {
        pmu: encoding.pmu,
        event: &encoding.event,
        fully_qualified: &encoding.fully_qualified,
        canonical: &encoding.canonical,
        codes: encoding.codes.iter().map(|code| hex(*code)).collect(),
        counters: encoding.counters.map(hex),
        cpus: None,
        perf: encoding.perf.as_ref().map(perf),
    }
}

fn opened(opened: &Opened) -> Event<'_> {
    Event {
        pmu: &opened.pmu,
        event: &opened.event,
        fully_qualified: &opened.canonical,
        canonical: &opened.canonical,
        codes: vec![hex(opened.perf.config)],
        counters: None,
        cpus: Some(opened.cpus.as_deref()),
        perf: Some(perf(&opened.perf)),
    }
}

/// The fields of `perf_event_attr`, with the CPU to count on: -1 is any.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Perf {
    /// The type of the PMU.
    r#type: u32,
    /// The encoding, in hexadecimal.
    config: String,
    /// More of the encoding, in hexadecimal.
    config1: String,
    /// More of the encoding, in hexadecimal.
    config2: String,
    /// Whether user space is not counted.
    exclude_user: bool,
    /// Whether the kernel is not counted.
    exclude_kernel: bool,
    /// Whether the hypervisor is not counted.
    exclude_hv: bool,
    /// Whether the host is not counted.
    exclude_host: bool,
    /// Whether guests are not counted.
    exclude_guest: bool,
    /// The number of events per sample; 0 if the event is only counted.
    period: u64,
    /// Whether the period is a number of samples per second.
    freq: bool,
    /// How precise the addresses of samples are: 0 to 3.
    precise_ip: u8,
    /// Whether the event is alone on its PMU.
    exclusive: bool,
    /// Whether the event never leaves its counter.
    pinned: bool,
    /// The CPU to count on; -1 is any.
    cpu: i64,
}

fn perf(perf: &PerfEncoding) -> Perf {
    Perf {
        r#type: perf.kind,
        config: hex(perf.config),
        config1: hex(perf.config1),
        config2: hex(perf.config2),
        exclude_user: perf.exclude_user,
        exclude_kernel: perf.exclude_kernel,
        exclude_hv: perf.exclude_hv,
        exclude_host: perf.exclude_host,
        exclude_guest: perf.exclude_guest,
        period: perf.period,
        freq: perf.freq,
        precise_ip: perf.precise_ip,
        exclusive: perf.exclusive,
        pinned: perf.pinned,
        cpu: perf.cpu.map_or(-1, i64::from),
    }
}

/// A string without an encoding.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Error<'a> {
    /// Why the string has no encoding.
    error: Problem<'a>,
}

/// Why a string has no encoding.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Problem<'a> {
    /// The code of the reason.
    kind: &'a str,
    /// The reason in words.
    message: &'a str,
    /// The bytes of the string that are wrong: the first, and the one after the last.
    span: [usize; 2],
    /// What to write instead.
    help: Option<&'a str>,
    /// Names that are like the one that is not known.
    similar: &'a [String],
}

fn error(refused: &Refused) -> Error<'_> {
    Error {
        error: Problem {
            kind: refused.code,
            message: &refused.message,
            span: [refused.span.start, refused.span.end],
            help: refused.help.as_deref(),
            similar: &refused.similar,
        },
    }
}
