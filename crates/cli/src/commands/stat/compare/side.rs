//! The values of one command or report, run by run.

use super::super::sweep::Parameter;
use crate::failure::Failure;
use crate::input;
use crate::show;
use counterpoint::records::{Amount, Environment, Location, Row, Runs, SCHEMA, Status};
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;

/// The name of the row of elapsed times, in seconds.
pub const ELAPSED: &str = "elapsed time";

pub struct Side {
    pub title: String,
    /// Its place in a sweep.
    pub swept: Option<Swept>,
    pub series: Vec<Series>,
    /// The place of the series of a key.
    index: HashMap<Key, usize>,
    /// The reports that are complete, each of which adds runs.
    reports: usize,
    /// The command that these reports are of.
    command: Vec<String>,
    /// The state of the machine of the last report; `None` of an older version.
    pub environment: Option<Environment>,
    /// The rows of a report that has no summary yet.
    pending: Vec<Row>,
}

/// The place of a side in a sweep.
#[derive(Clone)]
pub struct Swept {
    /// The command with its parameters as they were written.
    pub template: String,
    /// The number of the command if there are several; `None` also of the reference.
    pub command: Option<usize>,
    /// Empty of the reference.
    pub parameters: Vec<Parameter>,
}

/// The values of one event at one place.
pub struct Series {
    pub key: Key,
    pub event: String,
    pub unit: Option<String>,
    /// True if it is the count of an event, and not the value of a formula.
    pub is_count: bool,
    /// In the order of the runs.
    pub values: Vec<Option<f64>>,
    /// The reason why there is no value.
    pub reason: Option<String>,
    /// The number of the report that the last values are of.
    report: usize,
}

/// The key by which series of two sides belong together.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Key {
    pub canonical: String,
    region: Option<String>,
    /// Numbers of two units are not compared.
    unit: Option<String>,
    pub location: Location,
}

impl Side {
    pub fn new(title: String, swept: Option<Swept>) -> Side {
        Side {
            title,
            swept,
            series: Vec::new(),
            index: HashMap::new(),
            reports: 0,
            command: Vec::new(),
            environment: None,
            pending: Vec::new(),
        }
    }

    /// The most runs that any event was counted in.
    pub fn runs(&self) -> usize {
        self.series.iter().map(|series| series.values.len()).max().unwrap_or(0)
    }

    /// Adds a time in seconds.
    pub fn add_time(&mut self, name: &str, values: Vec<Option<f64>>) {
        let unit = Some("s".to_string());
        let key = Key {
            canonical: name.to_string(),
            region: None,
            unit: unit.clone(),
            location: Location::default(),
        };
        self.push(Series {
            key,
            event: name.to_string(),
            unit,
            is_count: false,
            values,
            reason: None,
            report: self.reports,
        });
    }

    /// Adds the rows of a further run.
    #[cfg(feature = "cargo")]
    pub fn add_run(&mut self, rows: &[Row]) {
        rows.iter().for_each(|row| self.add(row));
        self.reports += 1;
    }

    /// Adds a row of a report, which holds the value of each run.
    pub fn add(&mut self, row: &Row) {
        let is_other = row.in_ns(Amount::Whole(1)).is_some();
        let unit = if is_other { Some("ns".to_string()) } else { row.unit.clone() };
        let real = |amount: Option<Amount>| {
            amount.map(|amount| row.in_ns(amount).unwrap_or(amount.real()))
        };
        let values = match &row.runs {
            Some(runs) => runs.values.iter().map(|value| real(*value)).collect(),
            None => vec![real(row.value)],
        };
        let event = match &row.region {
            Some(region) => format!("{region}: {}", row.event),
            None => row.event.clone(),
        };
        self.push(Series {
            key: Key {
                canonical: row.canonical.clone().unwrap_or_else(|| row.event.clone()),
                region: row.region.clone(),
                unit: unit.clone(),
                location: row.location.clone(),
            },
            event,
            unit,
            is_count: row.raw.is_some(),
            values,
            reason: match row.status {
                Status::Counted | Status::Estimated => None,
                _ => row.reason.clone(),
            },
            report: self.reports,
        });
    }

    /// Adds a series, or further runs to it; an event that was named twice in one report is one event.
    fn push(&mut self, series: Series) {
        match self.index.get(&series.key) {
            Some(index) => {
                let known = &mut self.series[*index];
                if known.report != series.report {
                    known.report = series.report;
                    known.values.extend(series.values);
                }
            }
            None => {
                self.index.insert(series.key.clone(), self.series.len());
                self.series.push(series);
            }
        }
    }

    /// The series of this key.
    pub fn get(&self, key: &Key) -> Option<&Series> {
        self.index.get(key).map(|index| &self.series[*index])
    }

    /// Reads the reports of a file, or of standard input if it is `-`; several reports are runs of the same command.
    pub fn read(path: &Path) -> Result<Side, Failure> {
        let failed = |text: String| {
            Failure::new(format!("{}: {text}", path.display()))
                .help("write the report with: counterpoint stat -r 20 --json -o FILE -- COMMAND")
        };
        let text = input::text(path).map_err(|error| failed(error.to_string()))?;
        let mut side = Side::new(path.display().to_string(), None);
        let (mut rank, mut is_torn) = (None, false);
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let failed = |what| failed(format!("line {}: {what}", index + 1));
            match serde_json::from_str(line) {
                Ok(value) => side.read_line(&value, &mut rank).map_err(failed)?,
                Err(error) => {
                    let what = format!("not JSON from column {} on", error.column());
                    is_torn = true;
                    show::note(&failed(format!("{what}; its report is left out")).text);
                    side.pending.clear();
                }
            }
        }
        side.take_pending();
        if is_torn && side.series.is_empty() {
            return Err(failed("it does not contain a whole report".to_string()));
        }
        if side.series.is_empty() {
            Err(failed("it does not contain a report".to_string()))
        } else {
            Ok(side)
        }
    }

    /// Reads a line of a report, whose rows must all be of one rank.
    fn read_line(&mut self, line: &Value, rank: &mut Option<Option<u64>>) -> Result<(), String> {
        match line.get("schema").map(Value::as_u64) {
            Some(Some(schema)) if schema == u64::from(SCHEMA) => {}
            Some(_) => return Err("a schema that this version does not support".to_string()),
            None => return Err("not a line of a report".to_string()),
        }
        let wrong = |_| "not a line of a report of stat".to_string();
        if let Some(summary) = line.get("summary") {
            let times = Times::deserialize(summary).map_err(wrong)?;
            if self.reports > 0 && times.command != self.command {
                return Err(format!(
                    "this report is of `{}`, and the one before it of `{}`: they are not runs of one command",
                    times.command.join(" "),
                    self.command.join(" ")
                ));
            }
            if !times.command.is_empty() && self.reports == 0 {
                self.title = format!("{}, from {}", times.command.join(" "), self.title);
            }
            self.take_pending();
            self.add_times(&times);
            self.command = times.command;
            self.environment = times.environment;
            self.reports += 1;
            return Ok(());
        }
        if line.get("timeline").is_some() {
            return Ok(());
        }
        let row = Row::deserialize(line).map_err(wrong)?;
        if row.interval_s.is_some() {
            return Err("it has intervals, and not the counts of whole runs".to_string());
        }
        if *rank.get_or_insert(row.process.rank) != row.process.rank {
            return Err("it has the values of several ranks, which are not runs".to_string());
        }
        if self.pending.last().is_some_and(|last| last.process != row.process) {
            // The process before it was stopped before it had its summary.
            self.pending.clear();
        }
        self.pending.push(row);
        Ok(())
    }

    /// Adds the rows of a report that is complete.
    fn take_pending(&mut self) {
        for row in std::mem::take(&mut self.pending) {
            self.add(&row);
        }
    }

    fn add_times(&mut self, times: &Times) {
        match (&times.elapsed_runs_s, times.elapsed_s) {
            (Some(runs), _) => {
                let values = runs.values.iter().map(|value| value.map(Amount::real));
                self.add_time(ELAPSED, values.collect());
            }
            (None, Some(elapsed)) => self.add_time(ELAPSED, vec![Some(elapsed)]),
            (None, None) => {}
        }
    }
}

/// The keys that are read of the summary of a report.
#[derive(Deserialize)]
struct Times {
    #[serde(default)]
    command: Vec<String>,
    elapsed_s: Option<f64>,
    elapsed_runs_s: Option<Runs>,
    environment: Option<Environment>,
}
