//! The values of one command or report, run by run.

use crate::failure::Failure;
use crate::input;
use crate::records::{Amount, Location, Row, Runs, Status};
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;

/// The name of the row of elapsed times, in seconds.
pub const ELAPSED: &str = "elapsed time";

#[derive(Clone)]
pub struct Side {
    pub title: String,
    pub series: Vec<Series>,
}

/// The values of one event at one place.
#[derive(Clone)]
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
}

/// What series of two sides have in common.
#[derive(Clone, PartialEq)]
pub struct Key {
    pub canonical: String,
    region: Option<String>,
    pub location: Location,
}

impl Side {
    pub fn new(title: String) -> Side {
        Side { title, series: Vec::new() }
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
        });
    }

    /// Adds a series, or further runs to it.
    fn push(&mut self, series: Series) {
        match self.series.iter_mut().find(|known| known.key == series.key) {
            Some(known) => known.values.extend(series.values),
            None => self.series.push(series),
        }
    }

    /// Reads the report of a file; several reports in it are runs of the same command.
    pub fn read(path: &Path) -> Result<Side, Failure> {
        let failed = |text: String| {
            Failure::new(format!("{}: {text}", path.display()))
                .help("write the report with: counterpoint stat -r 20 --json -o FILE -- COMMAND")
        };
        let text = input::text(path).map_err(|error| failed(error.to_string()))?;
        let file = path.display();
        let mut side = Side::new(file.to_string());
        let mut rank = None;
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let wrong = |what: &str| failed(format!("line {}: {what}", index + 1));
            let json = |error: serde_json::Error| wrong(&error.to_string());
            let line: Value = serde_json::from_str(line).map_err(json)?;
            if let Some(summary) = line.get("summary") {
                let times = Times::deserialize(summary).map_err(json)?;
                if !times.command.is_empty() {
                    side.title = format!("{}, from {file}", times.command.join(" "));
                }
                side.add_times(&times);
                continue;
            }
            let row = Row::deserialize(&line).map_err(json)?;
            if row.interval_s.is_some() {
                return Err(wrong("it has intervals, and not the counts of whole runs"));
            }
            if *rank.get_or_insert(row.process.rank) != row.process.rank {
                return Err(wrong("it has the values of several ranks, which are not runs"));
            }
            side.add(&row);
        }
        match side.series.is_empty() {
            true => Err(failed("it does not contain a report".to_string())),
            false => Ok(side),
        }
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
