//! The values of one command or report, run by run.

use crate::failure::Failure;
use crate::input;
use crate::records::{Amount, Location, Row, Runs, SCHEMA, Status};
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;

/// The name of the row of elapsed times, in seconds.
pub const ELAPSED: &str = "elapsed time";

pub struct Side {
    pub title: String,
    pub series: Vec<Series>,
    /// Where the series of a key is.
    index: HashMap<Key, usize>,
    /// The reports that are complete, each of which adds runs.
    reports: usize,
}

/// The values of one event at one place.
pub struct Series {
    pub key: Key,
    pub event: String,
    pub unit: Option<String>,
    /// Whether it is the count of an event, and not the value of a formula.
    pub is_count: bool,
    /// In the order of the runs.
    pub values: Vec<Option<f64>>,
    /// Why there is no value.
    pub reason: Option<String>,
    /// The number of the report that the last values are of.
    report: usize,
}

/// What series of two sides have in common.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Key {
    pub canonical: String,
    region: Option<String>,
    pub location: Location,
}

impl Side {
    pub fn new(title: String) -> Side {
        Side { title, series: Vec::new(), index: HashMap::new(), reports: 0 }
    }

    /// The most runs that any event was counted in.
    pub fn runs(&self) -> usize {
        self.series.iter().map(|series| series.values.len()).max().unwrap_or(0)
    }

    pub fn add_elapsed(&mut self, values: Vec<Option<f64>>) {
        let key =
            Key { canonical: ELAPSED.to_string(), region: None, location: Location::default() };
        self.push(Series {
            key,
            event: ELAPSED.to_string(),
            unit: Some("s".to_string()),
            is_count: false,
            values,
            reason: None,
            report: self.reports,
        });
    }

    /// Adds a row of a report, which holds the value of each run.
    pub fn add(&mut self, row: &Row) {
        let real = |amount: Option<Amount>| amount.map(Amount::real);
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
                location: row.location.clone(),
            },
            event,
            unit: row.unit.clone(),
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
        let file = if path.as_os_str() == "-" { Path::new("/dev/stdin") } else { path };
        let text = input::text(file).map_err(|error| failed(error.to_string()))?;
        let mut side = Side::new(path.display().to_string());
        let mut rank = None;
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            side.read_line(line, &mut rank)
                .map_err(|what| failed(format!("line {}: {what}", index + 1)))?;
        }
        match side.series.is_empty() {
            true => Err(failed("it does not contain a report".to_string())),
            false => Ok(side),
        }
    }

    /// Reads a line of a report, whose rows must all be of one rank.
    fn read_line(&mut self, line: &str, rank: &mut Option<Option<u64>>) -> Result<(), String> {
        let line: Value = serde_json::from_str(line)
            .map_err(|error| format!("not JSON from column {} on", error.column()))?;
        match line.get("schema").map(Value::as_u64) {
            Some(Some(schema)) if schema == u64::from(SCHEMA) => {}
            Some(_) => return Err("a schema that this version does not support".to_string()),
            None => return Err("not a line of a report".to_string()),
        }
        let wrong = |_| "not a line of a report of stat".to_string();
        if let Some(summary) = line.get("summary") {
            let times = Times::deserialize(summary).map_err(wrong)?;
            if !times.command.is_empty() && self.reports == 0 {
                self.title = format!("{}, from {}", times.command.join(" "), self.title);
            }
            self.add_times(&times);
            self.reports += 1;
            return Ok(());
        }
        if line.get("timeline").is_some() {
            return Ok(());
        }
        let row = Row::deserialize(&line).map_err(wrong)?;
        if row.interval_s.is_some() {
            return Err("it has intervals, and not the counts of whole runs".to_string());
        }
        if *rank.get_or_insert(row.process.rank) != row.process.rank {
            return Err("it has the values of several ranks, which are not runs".to_string());
        }
        self.add(&row);
        Ok(())
    }

    fn add_times(&mut self, times: &Times) {
        match (&times.elapsed_runs_s, times.elapsed_s) {
            (Some(runs), _) => {
                self.add_elapsed(runs.values.iter().map(|value| value.map(Amount::real)).collect());
            }
            (None, Some(elapsed)) => self.add_elapsed(vec![Some(elapsed)]),
            (None, None) => {}
        }
    }
}

/// What the summary of a report says about its runs.
#[derive(Deserialize)]
struct Times {
    #[serde(default)]
    command: Vec<String>,
    elapsed_s: Option<f64>,
    elapsed_runs_s: Option<Runs>,
}
