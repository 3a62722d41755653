//! Profiles for the Firefox Profiler, in its processed format.
//!
//! Version 55 of the format is written, in which each thread has all of its tables; the profiler reads the versions before its own.

mod code;
mod thread;

use super::named::Event;
use super::shown::Shown;
use super::threads::name;
use crate::show;
use code::{Codes, Library};
use counterpoint::profil::Stacks;
use counterpoint::profile::StackTimes;
use counterpoint::records::Environment;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use serde_json::{Number, Value, json};
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;
use std::time::UNIX_EPOCH;
use thread::{Owner, Thread};

/// The most intervals into which the time is divided: about a quarter of an hour in those of a millisecond.
pub const INTERVALS: usize = 1 << 20;

/// The name of the samples for whose stacks there was no room.
const BEYOND: &str = "[stacks beyond the limit]";

#[derive(Serialize)]
struct Profile {
    meta: Value,
    libs: Vec<Library>,
    threads: Vec<Thread>,
    pages: [(); 0],
    counters: [(); 0],
}

/// Returns true if a file of this name is compressed.
pub fn is_packed(name: &Path) -> bool {
    name.extension().is_some_and(|extension| extension == "gz")
}

/// Writes the stacks of an event, with the time of each interval, compressed or not.
pub fn write(
    out: &mut dyn Write,
    args: &Shown<'_>,
    event: &Event<'_>,
    is_packed: bool,
) -> io::Result<()> {
    let stacks = event.profiled.stacks.as_ref();
    let times = stacks.and_then(|of| Some((&of.stacks, of.times.as_ref()?)));
    let mut codes = Codes::new(event);
    let threads =
        times.map_or(Vec::new(), |(of, times)| threads(args, event, of, times, &mut codes));
    let interval = times.map_or(0.0, |(_, times)| milliseconds(times, 1));
    let meta = meta(args, event, interval);
    let profile = Profile { meta, libs: codes.libraries, threads, pages: [], counters: [] };
    if !is_packed {
        return show::json(out, &profile);
    }
    let mut packed = GzEncoder::new(out, Compression::default());
    show::json(&mut packed, &profile)?;
    packed.finish().map(drop)
}

/// So many intervals in milliseconds.
fn milliseconds(times: &StackTimes, intervals: u32) -> f64 {
    times.interval.as_nanos() as f64 * f64::from(intervals) / 1e6
}

fn threads(
    args: &Shown<'_>,
    event: &Event<'_>,
    stacks: &Stacks,
    times: &StackTimes,
    codes: &mut Codes<'_>,
) -> Vec<Thread> {
    let is_time = event.profiled.off_cpu.is_some();
    let weight_type = if is_time { "tracing-ms" } else { "samples" };
    let owners = owners(args, event, times).into_iter();
    let mut threads: Vec<Thread> = owners.map(|owner| Thread::new(owner, weight_type)).collect();
    let weight = |count: u64| {
        let milliseconds = is_time.then(|| Number::from_f64(count as f64 / 1000.0));
        milliseconds.flatten().unwrap_or(Number::from(count))
    };
    for of in &times.counts {
        let thread = &mut threads[of.thread as usize];
        let stack = thread.stack(of.frame as usize, stacks.frames(), codes);
        thread.sample(milliseconds(times, of.interval), stack, weight(of.count));
    }
    if times.beyond > 0 {
        let owner = Owner { name: BEYOND.to_string(), process: BEYOND.to_string(), pid: 0, tid: 0 };
        let mut thread = Thread::new(owner, weight_type);
        let stack = thread.label(BEYOND);
        thread.sample(0.0, stack, weight(times.beyond));
        threads.push(thread);
    }
    threads
}

/// The threads with their names, and those of their processes: the names of the first threads, if they are known.
fn owners(args: &Shown<'_>, event: &Event<'_>, times: &StackTimes) -> Vec<Owner> {
    let known = event.profiled.threads.iter().flat_map(|of| &of.threads);
    let known: HashMap<(u32, u32), String> = known
        .map(|of| ((of.pid, of.tid), of.name.clone().unwrap_or_else(|| name(of, None))))
        .collect();
    let owner = |(pid, tid): &(u32, u32)| {
        let name = known.get(&(*pid, *tid)).cloned().unwrap_or(format!("{pid}/{tid}"));
        let rank = args.ranks.and_then(|ranks| Some(ranks.name(ranks.recording(*pid)?)));
        let process = rank.or_else(|| known.get(&(*pid, *pid)).cloned()).unwrap_or(name.clone());
        Owner { name, process, pid: *pid, tid: *tid }
    };
    times.threads.iter().map(owner).collect()
}

/// What the profile is of; `interval` is the time between two samples in milliseconds.
fn meta(args: &Shown<'_>, event: &Event<'_>, interval: f64) -> Value {
    let origin = &args.origin;
    let began = origin.began.and_then(|began| began.duration_since(UNIX_EPOCH).ok());
    let Environment { cpu, cpus, kernel, .. } = &origin.environment;
    let fact = |(label, value): (&str, String)| json!({ "label": label, "format": "string", "value": value });
    let facts = [
        ("Event", event.full.event.to_string()),
        ("Unit", event.full.unit().to_string()),
        ("Samples", event.profiled.samples.to_string()),
        ("Lost", event.profiled.lost.to_string()),
        ("Host", origin.process.host.clone().unwrap_or_default()),
    ];
    json!({
        "categories": code::CATEGORIES.map(|(name, color)| {
            json!({ "name": name, "color": color, "subcategories": ["Other"] })
        }),
        "debug": false,
        "extensions": { "length": 0, "baseURL": [], "id": [], "name": [] },
        "interval": interval,
        "preprocessedProfileVersion": 55,
        "processType": 0,
        "product": if args.title.is_empty() { "Profile" } else { &args.title },
        "importedFrom": "Counterpoint",
        "stackwalk": u8::from(event.tree.is_some()),
        "startTime": began.map_or(0.0, |began| began.as_secs_f64() * 1000.0),
        "symbolicated": true,
        "pausedRanges": [],
        "version": 24,
        "usesOnlyOneStackType": true,
        "sourceCodeIsNotOnSearchfox": true,
        "markerSchema": [],
        "arguments": origin.command.join(" "),
        "oscpu": kernel.as_ref().map_or("Linux".to_string(), |kernel| format!("Linux {kernel}")),
        "CPUName": cpu,
        "logicalCPUs": cpus,
        "extra": [{ "label": "Counterpoint", "entries": facts.map(fact) }],
    })
}
