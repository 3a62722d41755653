//! Files that are compared: recordings, and those of `profile --format json`.

use super::args::DiffArgs;
use crate::commands::samples::diff::{Event, Run, time_of_each};
use crate::commands::samples::origin::environment_of;
use crate::commands::samples::read;
use crate::failure::Failure;
use crate::{input, show};
use counterpoint::perf::Every;
use counterpoint::profil::{BucketWidth, Scale};
use counterpoint::records::Environment;
use counterpoint::symbols::Binaries;
use serde::Deserialize;
use std::fs::File;
use std::io::Read;
use std::path::Path;

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

/// The samples of a file, which is JSON if it begins with a brace.
pub fn run(args: &DiffArgs, path: &Path, binaries: &Binaries) -> Result<Run, Failure> {
    let failed =
        |why: &str| Failure::new(format!("{}: {why}", show::printable(&path.to_string_lossy())));
    let mut first = [0];
    let mut file = File::open(path).map_err(|error| failed(&error.to_string()))?;
    let is_json = file.read_exact(&mut first).is_ok() && first == *b"{";
    if !is_json {
        return recorded(args, path, binaries);
    }
    if args.filters.is_any() {
        return Err(failed("the samples of this file are counted already, and cannot be filtered")
            .help("filter recordings of profile --format perf, or leave out the filters"));
    }
    let text = input::text(path).map_err(|error| failed(&error.to_string()))?;
    let mut run = Run { events: Vec::new(), environment: None };
    for line in text.lines() {
        let (event, environment) = of_line(line).map_err(|why| failed(&why))?;
        run.events.push(event);
        run.environment = run.environment.or(environment);
    }
    Ok(run)
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
    let event = Event::new(line.event, each, functions);
    if event.count > MOST {
        Err("it has more samples than are possible".to_string())
    } else {
        Ok((event, line.environment))
    }
}

fn recorded(args: &DiffArgs, path: &Path, binaries: &Binaries) -> Result<Run, Failure> {
    // In buckets of one address, none is shared by functions.
    let read = read::recorded(path, &args.filters, &|profile, graph| {
        let profile = profile.text(Scale::ONE_ADDRESS, BucketWidth::Bits64);
        match args.html {
            Some(_) => profile.call_graph(graph.unwrap_or_default()),
            None => profile,
        }
    })?;
    let environment = Some(environment_of(&read.facts));
    Ok(Run::new(&read.profiles, environment, binaries))
}
