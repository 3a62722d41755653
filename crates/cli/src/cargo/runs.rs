//! One run of a benchmark, and what it counts.

use super::build::Built;
use super::itself::this_program;
use crate::failure::Failure;
use counterpoint::records::{Amount, Row, SCHEMA, Status};
use counterpoint::{BENCH_REPORT, Choice};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A benchmark that is run.
pub struct Run<'a> {
    pub built: &'a Built,
    pub events: &'a [Choice],
    pub arguments: &'a [OsString],
    /// The directory for what it writes.
    pub scratch: &'a Path,
    /// The side that it is of.
    pub title: &'a str,
}

/// The way in which a benchmark says what it counted.
pub enum Kind {
    /// It writes a report, as those of `counterpoint::bench` do.
    Reports,
    /// It leaves criterion's files of these benchmarks: of the event that `counterpoint-criterion` measures.
    Measured(BTreeSet<String>),
    /// Of criterion itself: of times.
    Timed,
    /// It says nothing that is known, and is counted as a whole.
    Whole,
}

/// The variable that names the event of `counterpoint-criterion`.
const EVENT: &str = "COUNTERPOINT_BENCH";

impl Run<'_> {
    /// Runs it once, to learn of which kind it is.
    pub fn kind(&self) -> Result<Kind, Failure> {
        let reported = self.once(self.events.first())?;
        let is_criterion = || !self.criterion("", None).is_empty();
        Ok(match reported.first() {
            Some(row) if row.region.is_some() => Kind::Reports,
            Some(_) => Kind::Measured(self.listed()),
            None if is_criterion() => Kind::Timed,
            None => Kind::Whole,
        })
    }

    /// Runs it, and returns a row for each benchmark and event, with the value of one call.
    pub fn rows(&self, kind: &Kind) -> Result<Vec<Row>, Failure> {
        let mut rows = match kind {
            Kind::Reports => self.once(None)?,
            // One event at a time, so that criterion has the calls in which it was counted.
            Kind::Measured(listed) => {
                let mut rows = Vec::new();
                for event in self.events {
                    let reported = self.once(Some(event))?;
                    rows.push((event.event.as_str(), self.measured(&reported)?));
                }
                with_missing(rows, listed)
            }
            Kind::Timed => {
                self.once(None)?;
                self.criterion("time", Some("ns"))
            }
            Kind::Whole => self.whole()?,
        };
        for row in &mut rows {
            row.region = Some(match &row.region {
                Some(benchmark) => format!("{}::{benchmark}", self.built.name),
                None => self.built.name.clone(),
            });
        }
        Ok(rows)
    }

    /// Runs it, and returns what it reports.
    fn once(&self, event: Option<&Choice>) -> Result<Vec<Row>, Failure> {
        self.cleared()?;
        let mut command = Command::new(&self.built.file);
        command.args(self.arguments).arg("--bench");
        command.env(BENCH_REPORT, self.report()).env("CRITERION_HOME", self.criterion_home());
        command.envs(event.map(|event| (EVENT, &event.event)));
        self.succeed(command)?;
        match fs::read_to_string(self.report()) {
            Ok(text) => {
                Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
            }
            Err(_) => Ok(Vec::new()),
        }
    }

    /// The names of the benchmarks of criterion that the arguments select, of which those with samples that are 0 leave no file.
    fn listed(&self) -> BTreeSet<String> {
        let Built { file, folder, .. } = self.built;
        let mut command = Command::new(file);
        command.args(self.arguments).args(["--bench", "--list"]);
        command.current_dir(folder).env("CARGO_MANIFEST_DIR", folder).stdin(Stdio::null());
        let text = command.output().map(|output| output.stdout).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        text.lines().filter_map(|line| line.strip_suffix(": benchmark")).map(String::from).collect()
    }

    /// Counts a whole run, by the program `counterpoint`, which this one is too.
    fn whole(&self) -> Result<Vec<Row>, Failure> {
        #[derive(Deserialize)]
        struct Last {
            summary: Summary,
        }
        #[derive(Deserialize)]
        struct Summary {
            elapsed_s: f64,
        }
        self.cleared()?;
        let mut command = Command::new(this_program()?);
        command.args(["stat", "--json", "-o"]).arg(self.report());
        for choice in self.events {
            command.args([if choice.is_metric { "-M" } else { "-e" }, &choice.event]);
        }
        command.arg("--").arg(&self.built.file).args(self.arguments).arg("--bench");
        self.succeed(command)?;
        let text = fs::read_to_string(self.report())?;
        let (mut rows, mut elapsed) = (Vec::new(), None);
        for line in text.lines() {
            match serde_json::from_str::<Last>(line) {
                Ok(last) => elapsed = Some(last.summary.elapsed_s),
                Err(_) => rows.extend(serde_json::from_str::<Row>(line)),
            }
        }
        rows.extend(elapsed.map(|seconds| counted("elapsed time", Some("s"), None, seconds)));
        Ok(rows)
    }

    /// The benchmarks in criterion's files, with the event that was measured.
    fn measured(&self, reported: &[Row]) -> Result<Vec<Row>, Failure> {
        let Some((first, others)) = reported.split_first() else { return Ok(Vec::new()) };
        if let Some(other) = others.iter().find(|other| other.event != first.event) {
            let name = &self.built.name;
            let text = format!("the benchmark {name} measures {} and {}", first.event, other.event);
            return Err(Failure::new(format!(
                "{text}, and criterion's files do not say of which benchmark each is"
            ))
            .help("measure one event in each [[bench]]"));
        }
        Ok(self.criterion(&first.event, first.unit.as_deref()))
    }

    /// A row for each benchmark that criterion has left files of: its mean over all calls.
    fn criterion(&self, event: &str, unit: Option<&str>) -> Vec<Row> {
        #[derive(Deserialize)]
        struct Benchmark {
            full_id: String,
        }
        #[derive(Deserialize)]
        struct Sample {
            iters: Vec<f64>,
            times: Vec<f64>,
        }
        let row = |folder: &PathBuf| {
            let Benchmark { full_id } = read(&folder.join("benchmark.json"))?;
            let Sample { iters, times } = read(&folder.join("sample.json"))?;
            let calls: f64 = iters.iter().sum();
            let value = times.iter().sum::<f64>() / calls;
            (calls > 0.0).then(|| counted(event, unit, Some(full_id), value))
        };
        let mut rows: Vec<Row> = samples(&self.criterion_home()).iter().filter_map(row).collect();
        rows.sort_by(|one, other| one.region.cmp(&other.region));
        rows
    }

    fn succeed(&self, mut command: Command) -> Result<(), Failure> {
        let Built { name, folder, .. } = self.built;
        command.current_dir(folder).env("CARGO_MANIFEST_DIR", folder);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let output = command.output().map_err(|error| {
            Failure::new(format!("the benchmark {name} cannot be run: {error}"))
        })?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let said: Vec<&str> = said.lines().rev().take(3).collect();
        let said: Vec<&str> = said.into_iter().rev().collect();
        let failure = Failure::new(format!(
            "the benchmark {name} of {} failed: {}",
            self.title, output.status
        ));
        Err(if said.is_empty() { failure } else { failure.help(said.join("\n")) })
    }

    fn report(&self) -> PathBuf {
        self.scratch.join("report.jsonl")
    }

    fn criterion_home(&self) -> PathBuf {
        self.scratch.join("criterion")
    }

    /// Removes what an earlier run has left.
    fn cleared(&self) -> Result<(), Failure> {
        let _ = fs::remove_file(self.report());
        let _ = fs::remove_dir_all(self.criterion_home());
        Ok(fs::create_dir_all(self.scratch)?)
    }
}

/// The rows of each event, and one with the reason for each benchmark that has none of an event: criterion keeps no sample that is 0.
fn with_missing(of_events: Vec<(&str, Vec<Row>)>, listed: &BTreeSet<String>) -> Vec<Row> {
    let kept: BTreeSet<String> =
        of_events.iter().flat_map(|(_, rows)| rows).filter_map(|row| row.region.clone()).collect();
    let is_kept = |title: &&String| kept.iter().any(|name| is_title(title, name));
    let unkept: Vec<String> = listed.iter().filter(|title| !is_kept(title)).cloned().collect();
    let mut benchmarks: Vec<Option<String>> = kept.into_iter().chain(unkept).map(Some).collect();
    if benchmarks.is_empty() {
        benchmarks.push(None);
    }
    let mut found = Vec::new();
    for (event, rows) in of_events {
        let has = |benchmark: &Option<String>| rows.iter().any(|row| row.region == *benchmark);
        let missing = benchmarks.iter().filter(|benchmark| !has(benchmark)).map(|benchmark| Row {
            value: None,
            status: Status::NotCounted,
            reason: Some("criterion keeps no values of a benchmark with samples that are 0".into()),
            ..counted(event, None, benchmark.clone(), 0.0)
        });
        found.extend(missing.collect::<Vec<_>>());
        found.extend(rows);
    }
    found
}

/// Returns true if a list of criterion's has this title for a name: its beginning if it is very long, and a number if there are several.
fn is_title(title: &str, name: &str) -> bool {
    let is_beginning =
        |of: &str| of.strip_suffix("...").is_some_and(|start| name.starts_with(start));
    let is = |title: &str| title == name || is_beginning(title);
    let unnumbered = title.rsplit_once(" #").filter(|(_, number)| number.parse::<u32>().is_ok());
    is(title) || unnumbered.is_some_and(|(title, _)| is(title))
}

fn counted(event: &str, unit: Option<&str>, region: Option<String>, value: f64) -> Row {
    Row {
        schema: SCHEMA,
        region,
        event: event.to_string(),
        value: Some(Amount::Real(value)),
        status: Status::Counted,
        unit: unit.map(str::to_string),
        ..Row::default()
    }
}

fn read<T: DeserializeOwned>(file: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(file).ok()?).ok()
}

/// The folders `new` below criterion's.
fn samples(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.file_name() {
            Some(name) if name == OsStr::new("new") => found.push(path),
            _ if path.is_dir() => found.extend(samples(&path)),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_benchmark_without_a_value_has_a_reason() {
        let row = |event, benchmark: &str| counted(event, None, Some(benchmark.to_string()), 1.0);
        let times = ("task-clock", vec![row("task-clock", "a"), row("task-clock", "b")]);
        let pages = || ("page-faults", vec![row("page-faults", "b")]);
        let missing = |rows: &[Row]| -> Vec<(String, Option<String>)> {
            let missing = rows.iter().filter(|row| row.value.is_none());
            missing.map(|row| (row.event.clone(), row.region.clone())).collect()
        };
        let rows = with_missing(vec![times, pages()], &BTreeSet::new());
        assert_eq!(missing(&rows), [("page-faults".to_string(), Some("a".to_string()))]);
        assert_eq!(rows.len(), 4);
        let listed = ["b", "never"].map(String::from).into();
        let rows = with_missing(vec![pages()], &listed);
        assert_eq!(missing(&rows), [("page-faults".to_string(), Some("never".to_string()))]);
        assert!(is_title("sum/10", "sum/10") && !is_title("sum/1", "sum/10"));
        assert!(
            is_title("sum #2", "sum")
                && is_title("sum #2", "sum #2")
                && is_title("sum...", "summary")
        );
        let nothing = with_missing(vec![("page-faults", Vec::new())], &BTreeSet::new());
        assert!(nothing[0].reason.is_some() && nothing.len() == 1);
    }
}
