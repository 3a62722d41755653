//! `stat --from FILE`: metrics over the counts of an earlier report.

use super::args::StatArgs;
use super::format::Counted;
use super::output::Output;
use super::summary::Summary;
use super::topdown::Topdown;
use super::words::words;
use crate::args::Attached;
use crate::failure::Failure;
use crate::input;
use counterpoint::formula::Number;
use counterpoint::metrics::SavedCounts;
use counterpoint::records::{Amount, Location, Process, Row, Status};
use counterpoint::{EventSet, Reason, Value};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// Writes the metrics of a set over the counts of a report that `stat --json` wrote.
pub fn run(args: &StatArgs, set: &EventSet, path: &Path) -> Result<u8, Failure> {
    let saved = read(path)?;
    let report = set.report_over(&saved.counts)?;
    let mut output = Output::open(args)?;
    let mut summary = Summary::new(&Attached::Command, &[], 1, Vec::new());
    summary.title = format!("the counts in {}", path.display());
    let length = saved.elapsed.unwrap_or(Duration::ZERO);
    let topdown = args.topdown().map(|level| Topdown::new(level, set, &words(), 0));
    output.write(&Counted::whole(&report, length, &summary, topdown.as_ref()))?;
    output.end(&summary)?;
    if let Some(error) = output.failure() {
        return Err(Failure::new(error.to_string()));
    }
    if report.rows.iter().any(|row| row.value.as_f64().is_some()) {
        Ok(0)
    } else {
        Err(Failure::new("none of these metrics has a value over these counts")
            .help("`counterpoint show METRIC` lists the events that it needs"))
    }
}

struct Saved {
    counts: SavedCounts,
    elapsed: Option<Duration>,
}

/// Reads the lines of a report; rows of parts, such as CPUs, are added up.
fn read(path: &Path) -> Result<Saved, Failure> {
    let mut reader = Reader::new(path);
    let text = input::text(path).map_err(|e| reader.failure(&e.to_string()))?;
    let count = text.lines().count();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let number = index + 1;
        match serde_json::from_str(line) {
            Ok(line) => reader.line(number, &line)?,
            // A run that was broken off leaves a torn line, and the next one begins behind it.
            Err(error) if error.is_eof() && number < count => {
                let said = format!("{}: line {number}: {error}", path.display());
                let said = crate::show::printable(&said).into_owned();
                writeln!(crate::show::stderr(), "counterpoint: {said}: it is left out")?;
            }
            Err(error) => return Err(reader.unreadable(number, &error)),
        }
    }
    Ok(reader.finish())
}

/// Reads a report line by line.
struct Reader<'p> {
    path: &'p Path,
    /// The values of the events, by each of their names.
    values: BTreeMap<String, Value>,
    /// The process of the rows, from the first row on.
    process: Option<Process>,
    elapsed: Option<Duration>,
    /// True after the summary, which is the last line of a report.
    is_over: bool,
}

impl<'p> Reader<'p> {
    fn new(path: &'p Path) -> Reader<'p> {
        let values = BTreeMap::new();
        Reader { path, values, process: None, elapsed: None, is_over: false }
    }

    fn line(&mut self, number: usize, line: &serde_json::Value) -> Result<(), Failure> {
        if self.is_over {
            return Err(self.failure(&format!("line {number}: another report begins")).help(
                "give the report of one run: write each to a file of its own, without --append",
            ));
        }
        if let Some(summary) = line.get("summary") {
            self.is_over = true;
            let seconds = summary.get("elapsed_s").and_then(serde_json::Value::as_f64);
            self.elapsed = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            return Ok(());
        }
        let row = Row::deserialize(line).map_err(|error| self.unreadable(number, &error))?;
        self.check(number, &row)?;
        self.add(&row);
        Ok(())
    }

    /// Refuses a row that is not one of a whole run of one process.
    fn check(&mut self, number: usize, row: &Row) -> Result<(), Failure> {
        if row.interval_s.is_some() {
            return Err(self.failure("it has intervals, and not the counts of a whole run"));
        }
        // The value of a formula may be negative, and that of a counter is not.
        if row.raw.is_some() && row.value.is_some_and(|amount| amount.real() < 0.0) {
            let text = format!("line {number}: the count of {} is negative", row.event);
            return Err(self.failure(&text));
        }
        if *self.process.get_or_insert_with(|| row.process.clone()) != row.process {
            return Err(self
                .failure(&format!("line {number}: it is of another process"))
                .help("give the report of one process; `counterpoint merge` adds several up"));
        }
        if row.region.is_some() {
            return Err(self
                .failure(&format!("line {number}: it is of a region"))
                .help("give the report of a whole run"));
        }
        Ok(())
    }

    fn add(&mut self, row: &Row) {
        let is_part = row.location != Location::default();
        let value = value(row);
        for name in row.canonical.iter().chain([&row.event]) {
            match self.values.get_mut(name).filter(|_| is_part) {
                Some(sum) => add(sum, &value),
                None => _ = self.values.insert(name.clone(), value.clone()),
            }
            // A row has its name once if both are the same.
            if row.canonical.as_ref() == Some(&row.event) {
                break;
            }
        }
    }

    fn finish(mut self) -> Saved {
        if let Some(elapsed) = self.elapsed {
            let time = Value::Counted(Number::Int(elapsed.as_nanos() as i128));
            self.values.entry("duration_time".to_string()).or_insert(time);
        }
        let mut counts = SavedCounts::default();
        self.values.into_iter().for_each(|(name, value)| counts.insert(name, value));
        Saved { counts, elapsed: self.elapsed }
    }

    fn failure(&self, text: &str) -> Failure {
        Failure::new(format!("{}: {text}", self.path.display()))
    }

    /// The failure of a line that is not JSON, or not a row.
    fn unreadable(&self, number: usize, error: &serde_json::Error) -> Failure {
        self.failure(&format!("line {number}: {error}"))
            .help("write the report with: counterpoint stat --json -o FILE")
    }
}

fn value(row: &Row) -> Value {
    let reason =
        || Reason::Failed(row.reason.clone().unwrap_or_else(|| "it was not counted".to_string()));
    match (row.status, row.value) {
        (Status::Counted, Some(amount)) => Value::Counted(match (row.in_ns(amount), amount) {
            (Some(ns), _) | (None, Amount::Real(ns)) => Number::Real(ns),
            (None, Amount::Whole(whole)) => Number::Int(whole),
        }),
        (Status::Estimated, Some(amount)) => {
            let value = row.in_ns(amount).unwrap_or(amount.real());
            Value::Estimated {
                value,
                coverage: row.coverage.unwrap_or(0.0),
                standard_error: row.estimate_error,
            }
        }
        (Status::NotSupported, _) => Value::NotSupported(reason()),
        _ => Value::NotCounted(reason()),
    }
}

/// Adds the value of another part; without one of them there is no sum.
fn add(sum: &mut Value, part: &Value) {
    *sum = match (&*sum, part) {
        (Value::Counted(a), Value::Counted(b)) => Value::Counted(match (a, b) {
            (Number::Int(a), Number::Int(b)) => Number::Int(a + b),
            (a, b) => Number::Real(a.as_f64() + b.as_f64()),
        }),
        (a, b) => match (a.as_f64(), b.as_f64()) {
            (Some(x), Some(y)) => Value::Estimated {
                value: x + y,
                coverage: coverage(a).min(coverage(b)),
                // CPUs may be in the same phase of a program, and then differ alike.
                standard_error: error(a).zip(error(b)).map(|(a, b)| a + b),
            },
            (None, _) => a.clone(),
            (_, None) => b.clone(),
        },
    };
}

fn error(value: &Value) -> Option<f64> {
    match value {
        Value::Counted(_) => Some(0.0),
        value => value.standard_error(),
    }
}

fn coverage(value: &Value) -> f64 {
    match value {
        Value::Estimated { coverage, .. } => *coverage,
        _ => 1.0,
    }
}
