//! An answer as a JSON line.

use super::answer::{Answer, Opened, Outcome, Refused};
use crate::show::hex;
use counterpoint::pmu::{Encoding, PerfEncoding};
use serde::{Serialize, Serializer};

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let input = self.input.as_str();
        match &self.outcome {
            Outcome::Libpfm(encoding) => {
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

#[derive(Serialize)]
struct First<'a, T> {
    input: &'a str,
    ok: bool,
    #[serde(flatten)]
    rest: T,
}

#[derive(Serialize)]
struct Behind<'a, T> {
    #[serde(flatten)]
    rest: T,
    input: &'a str,
    ok: bool,
}

#[derive(Serialize)]
struct Several<'a> {
    events: Vec<Event<'a>>,
}

#[derive(Serialize)]
struct Event<'a> {
    pmu: &'a str,
    event: &'a str,
    fully_qualified: &'a str,
    canonical: &'a str,
    codes: Vec<String>,
    counters: Option<String>,
    /// Present for an event of `stat -e` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    cpus: Option<Option<&'a str>>,
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
struct Perf {
    r#type: u32,
    config: String,
    config1: String,
    config2: String,
    exclude_user: bool,
    exclude_kernel: bool,
    exclude_hv: bool,
    exclude_host: bool,
    exclude_guest: bool,
    period: u64,
    freq: bool,
    precise_ip: u8,
    exclusive: bool,
    pinned: bool,
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

#[derive(Serialize)]
struct Error<'a> {
    error: Problem<'a>,
}

#[derive(Serialize)]
struct Problem<'a> {
    kind: &'a str,
    message: &'a str,
    span: [usize; 2],
    help: Option<&'a str>,
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
