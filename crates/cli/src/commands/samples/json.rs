use super::named::Event;
use super::ranks::{self, json::Parallel};
use super::shown::Shown;
use super::sorted::{self, Sorted};
use super::stacks_json::{CallStacks, call_stacks};
use super::threads::{self, Thread};
#[cfg(test)]
use crate::schema::{Lines, schema_of};
use counterpoint::Note;
use counterpoint::perf::Every;
use counterpoint::profil::write::{FunctionCount, LineCount, Place, Profile, functions, lines};
use counterpoint::profil::{RegionSnapshot, Snapshot};
use counterpoint::records::{Environment, Process};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

#[cfg(test)]
pub const LINES: Lines = &[schema_of::<Line<'_>>];

/// The profile of an event in one object; addresses are texts, as JSON's numbers do not hold 64 bits.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Line<'a> {
    /// The version of the format: 1.
    schema: u32,
    /// The event that was sampled, or the derived event.
    event: &'a str,
    /// The number of events per sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    period: Option<u64>,
    /// The number of samples per second, if the period was not fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    frequency: Option<u64>,
    /// Whether the event was sampled in software, by reading its count often.
    software: bool,
    /// The native events that were sampled in the place of a derived event.
    terms: &'a [String],
    /// The number of samples.
    samples: u64,
    /// What the counts are: samples, the events that samples of different periods stand for, a weight where samples are weighted, or µs off the CPU.
    unit: &'a str,
    /// Of the time off the CPU, the µs in which the thread could have run, but another had the CPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    preempted: Option<u64>,
    /// Of the time off the CPU, the number of waits that had not ended with the profile, which are counted up to the last record.
    #[serde(skip_serializing_if = "Option::is_none")]
    unfinished: Option<u64>,
    /// The samples for which there was no room in the kernel's buffer.
    lost: u64,
    /// The samples outside all regions.
    outside: u64,
    /// The samples that belong to no bucket of their region.
    dropped: u64,
    /// How often the kernel paused sampling because the event occurred too often.
    throttled: u64,
    /// The histograms of the modules, or of the regions that were requested.
    regions: Vec<Region>,
    #[serde(flatten)]
    process: &'a Process,
    /// The state of the machine, as far as it is known.
    environment: &'a Environment,
    /// How the event was sampled, if not as requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// The samples of each function, the most frequent first.
    functions: Vec<Function>,
    /// The samples of each source line, the most frequent first.
    lines: Vec<SourceLine>,
    /// The names of the buckets, by their first addresses.
    symbols: BTreeMap<String, Symbol>,
    /// The threads, the one with the most samples first; of more than 1024, the first that had any.
    threads: Vec<Thread>,
    /// With --sort, the samples by its keys, the most frequent first.
    #[serde(skip_serializing_if = "Option::is_none")]
    sorted: Option<Vec<Sorted>>,
    #[serde(flatten)]
    call_stacks: Option<CallStacks>,
    #[serde(flatten)]
    parallel: Parallel,
}

/// The histogram of a region.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Region {
    /// The file that is mapped there.
    module: Option<String>,
    /// The first address.
    start: String,
    /// The address after the last.
    end: String,
    /// The scale, as in PAPI_profil.
    scale: u32,
    /// The bits of a bucket's count.
    width: u32,
    /// The first address and the count of each bucket that has one.
    buckets: Vec<(String, u64)>,
    /// How many counts began again at 0.
    #[serde(skip_serializing_if = "is_zero")]
    wrapped: u64,
    /// The first addresses of buckets whose count stopped at the greatest number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    saturated: Vec<String>,
}

/// The samples of a function.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Function {
    /// Its name, or its address; `[elsewhere]` for samples without an address.
    function: String,
    /// The file that contains it.
    module: Option<String>,
    /// Its samples.
    count: u64,
    /// Its share of all samples, in percent.
    percent: f64,
    /// The standard error of that share, in percent.
    error: f64,
    #[serde(flatten)]
    shared: Option<Shared>,
}

/// The samples of a source line, or of adjacent lines.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct SourceLine {
    /// The source file.
    file: String,
    /// The first line.
    line: u32,
    /// The last line.
    last_line: u32,
    /// The function.
    function: String,
    /// Its samples.
    count: u64,
    /// Its share of all samples, in percent.
    percent: f64,
    /// The standard error of that share, in percent.
    error: f64,
}

/// The name of a bucket.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Symbol {
    /// The function, or the addresses and functions of a bucket that several share.
    function: String,
    /// The file that contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    module: Option<String>,
    /// The source file.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// The first line.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    /// The last line.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_line: Option<u32>,
    #[serde(flatten)]
    shared: Option<Shared>,
}

/// The addresses of a bucket that several functions share, and all of their names.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Shared {
    /// The first address of the bucket.
    start: String,
    /// The address after the last.
    end: String,
    /// The functions.
    functions: Vec<String>,
}

pub fn profile<'a>(args: &'a Shown<'_>, event: &'a Event<'a>) -> Line<'a> {
    let Event { profiled, tree, full: profile, .. } = event;
    let Snapshot { regions, outside, dropped, .. } = profile.snapshot;
    let (period, frequency) = match profiled.every {
        Every::Period(period) => (Some(period), None),
        Every::Frequency(hertz) => (None, Some(hertz)),
    };
    let module = |index: usize| profiled.modules.get(index).map(|m| m.path.display().to_string());
    Line {
        schema: 1,
        event: &profiled.event,
        period,
        frequency,
        software: profiled.software,
        terms: &profiled.terms,
        samples: profiled.samples,
        unit: profile.unit(),
        preempted: profiled.off_cpu.map(|of| of.preempted),
        unfinished: profiled.off_cpu.map(|of| of.unfinished),
        lost: profiled.lost,
        outside: *outside,
        dropped: *dropped,
        throttled: profiled.throttled,
        regions: regions.iter().enumerate().map(|(index, r)| region(r, module(index))).collect(),
        process: &args.origin.process,
        environment: &args.origin.environment,
        note: Note::sentence(&profiled.notes),
        functions: functions(profile).into_iter().map(function).collect(),
        lines: lines(profile).into_iter().map(line).collect(),
        symbols: symbols(profile),
        threads: threads::json(args, profiled),
        sorted: (!args.sort.is_empty()).then(|| {
            let rows = sorted::rows(args, profile, &profiled.parts);
            sorted::json(args.sort, rows)
        }),
        call_stacks: tree.zip(profiled.stacks.as_ref()).map(|(tree, of)| call_stacks(tree, of)),
        parallel: ranks::json::parallel(event, args.ranks),
    }
}

fn function(of: FunctionCount) -> Function {
    Function {
        shared: of.shared.as_ref().map(shared),
        function: of.function,
        module: of.module,
        count: of.count,
        percent: of.percent,
        error: of.error,
    }
}

fn line(of: LineCount) -> SourceLine {
    SourceLine {
        file: of.lines.file,
        line: of.lines.first,
        last_line: of.lines.last,
        function: of.function,
        count: of.count,
        percent: of.percent,
        error: of.error,
    }
}

fn region(snapshot: &RegionSnapshot, module: Option<String>) -> Region {
    let (start, last) = snapshot.region.span().unwrap_or((snapshot.region.start, 0));
    let saturated = snapshot.buckets.iter().filter(|bucket| bucket.saturated);
    let buckets = snapshot.buckets.iter();
    Region {
        module,
        start: hex(start),
        end: hex(last.saturating_add(1)),
        scale: snapshot.region.scale.value(),
        width: snapshot.width.bits(),
        buckets: buckets.map(|bucket| (hex(bucket.first), bucket.count)).collect(),
        wrapped: snapshot.wrapped,
        saturated: saturated.map(|bucket| hex(bucket.first)).collect(),
    }
}

fn symbols(profile: &Profile<'_>) -> BTreeMap<String, Symbol> {
    let regions = profile.snapshot.regions.iter();
    let placed = regions.filter(|region| !region.region.is_catch_all());
    let named = placed.flat_map(|region| &region.buckets).filter_map(|bucket| {
        let place = profile.place(bucket);
        if place.functions.is_empty() {
            return None;
        }
        let lines = place.lines.as_ref();
        let symbol = Symbol {
            function: place.to_string(),
            module: place.module.clone(),
            file: lines.map(|lines| lines.file.clone()),
            line: lines.map(|lines| lines.first),
            last_line: lines.map(|lines| lines.last),
            shared: place.is_shared().then(|| shared(&place)),
        };
        Some((hex(bucket.first), symbol))
    });
    named.collect()
}

fn shared(place: &Place) -> Shared {
    Shared {
        start: hex(place.first),
        end: hex(place.last.saturating_add(1)),
        functions: place.functions.clone(),
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn hex(address: u64) -> String {
    format!("{address:#x}")
}
