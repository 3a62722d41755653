//! A file that is compared: the samples of each function.

use super::args::DiffArgs;
use crate::commands::samples::origin::environment_of;
use crate::commands::samples::{Counted, counted, read};
use crate::failure::Failure;
use crate::{input, show};
use counterpoint::perf::Every;
use counterpoint::profil::write::CallTree;
use counterpoint::profil::{BucketWidth, Scale};
use counterpoint::profile::Profiled;
use counterpoint::records::Environment;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// What a file has.
pub struct Side {
    pub events: Vec<Event>,
    /// The state of the machine, as far as the file tells it.
    pub environment: Option<Environment>,
}

/// The samples of an event.
pub struct Event {
    pub name: String,
    pub samples: u64,
    /// The time that a sample stands for, in seconds; `None` if the event is not a clock.
    pub each: Option<f64>,
    /// The calls, of a recording that is shown as a page.
    pub tree: Option<CallTree>,
    /// By function and module.
    pub functions: BTreeMap<Function, u64>,
}

/// A function with the file that contains it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Function {
    pub name: String,
    pub module: Option<String>,
}

/// The keys that are read of a line of `profile --format json`.
#[derive(Deserialize)]
struct Line {
    event: String,
    unit: String,
    period: Option<u64>,
    frequency: Option<u64>,
    environment: Option<Environment>,
    functions: Vec<LineFunction>,
}

#[derive(Deserialize)]
struct LineFunction {
    function: String,
    module: Option<String>,
    count: u64,
}

/// The most samples that are compared: whole numbers beyond it are not exact.
const MOST: u64 = 1 << 53;

/// The events of a file, which is JSON if it begins with a brace.
pub fn read(args: &DiffArgs, path: &Path) -> Result<Side, Failure> {
    let failed =
        |why: &str| Failure::new(format!("{}: {why}", show::printable(&path.to_string_lossy())));
    let mut first = [0];
    let mut file = File::open(path).map_err(|error| failed(&error.to_string()))?;
    let is_json = file.read_exact(&mut first).is_ok() && first == *b"{";
    if !is_json {
        return recorded(args, path);
    }
    if args.filters.is_any() {
        return Err(failed("the samples of this file are counted already, and cannot be filtered")
            .help("filter recordings of profile --format perf, or leave out the filters"));
    }
    let text = input::text(path).map_err(|error| failed(&error.to_string()))?;
    let mut side = Side { events: Vec::new(), environment: None };
    for line in text.lines() {
        let (event, environment) = of_line(line).map_err(|why| failed(&why))?;
        side.events.push(event);
        side.environment = side.environment.or(environment);
    }
    Ok(side)
}

fn of_line(line: &str) -> Result<(Event, Option<Environment>), String> {
    let line: Line = serde_json::from_str(line)
        .map_err(|error| format!("it is not of `profile --format json`: {error}"))?;
    if line.unit != "samples" {
        return Err("its samples are weighted, and their chance is not known".to_string());
    }
    let functions = line.functions.into_iter().map(|of| (of.function, of.module, of.count));
    let every = match (line.period, line.frequency) {
        (Some(period), _) => Some(Every::Period(period)),
        (None, hertz) => hertz.map(Every::Frequency),
    };
    let each = every.and_then(|every| time_of_each(&line.event, every));
    let event = event(line.event, each, functions);
    if event.samples > MOST {
        Err("it has more samples than are possible".to_string())
    } else {
        Ok((event, line.environment))
    }
}

/// The time that a sample of a clock stands for, in seconds.
fn time_of_each(event: &str, every: Every) -> Option<f64> {
    let is_clock = ["task-clock", "cpu-clock"].iter().any(|clock| event.starts_with(clock));
    match every {
        _ if !is_clock => None,
        Every::Period(ns) => Some(ns as f64 / 1e9),
        Every::Frequency(hertz) => (hertz > 0).then(|| 1.0 / hertz as f64),
    }
}

fn recorded(args: &DiffArgs, path: &Path) -> Result<Side, Failure> {
    // In buckets of one address, none is shared by functions.
    let read = read::recorded(path, &args.filters, &|profile, graph| {
        let profile = profile.text(Scale::ONE_ADDRESS, BucketWidth::Bits64);
        match args.html {
            Some(_) => profile.call_graph(graph.unwrap_or_default()),
            None => profile,
        }
    })?;
    let counted = counted(&read.profiles, args.debug.directory());
    let of = |(counted, profiled): (Counted, &Profiled)| {
        let Counted { event: name, functions, tree } = counted;
        let of_chance = samples_of(profiled);
        let each = time_of_each(&name, profiled.every).filter(|_| !profiled.by_events);
        let functions =
            functions.into_iter().map(|of| (of.function, of.module, of_chance(of.count)));
        Event { tree, ..event(name, each, functions) }
    };
    let environment = Some(environment_of(&read.facts));
    Ok(Side { events: counted.into_iter().zip(&read.profiles).map(of).collect(), environment })
}

/// The number of samples that a count stands for; where samples count as many events each, that of samples of equal weight that would be as precise.
fn samples_of(profiled: &Profiled) -> impl Fn(u64) -> u64 {
    let snapshot = &profiled.snapshot;
    let total = snapshot.total().saturating_add(snapshot.outside);
    let each = if profiled.by_events && total > 0 {
        snapshot.effective_samples() / total as f64
    } else {
        1.0
    };
    move |count| if each == 1.0 { count } else { (count as f64 * each).round() as u64 }
}

fn event(
    name: String,
    each: Option<f64>,
    counted: impl Iterator<Item = (String, Option<String>, u64)>,
) -> Event {
    let mut functions: BTreeMap<Function, u64> = BTreeMap::new();
    for (name, module, count) in counted {
        // An address of one file is nothing in the other.
        let name = if name.starts_with("0x") { "[unknown]".to_string() } else { name };
        let of = functions.entry(Function { name, module }).or_default();
        *of = of.saturating_add(count);
    }
    let samples = functions.values().fold(0, |sum: u64, count| sum.saturating_add(*count));
    Event { name, samples, each, tree: None, functions }
}
