//! Runs commands in turn.

use super::super::args::StatArgs;
use super::super::format::Counted;
use super::super::intervals::Intervals;
use super::super::job::Job;
use super::super::run::{Begun, Done, begin, follow, none_can_be_counted};
use super::super::summary::Summary;
use super::args::CompareArgs;
use super::candidate::Candidate;
use super::side::{ELAPSED, Side};
use super::table::{Against, Row, Table};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::supervisor::{Outcome, Supervisor};
use counterpoint::events::Resolved;
use counterpoint::perf::process::{Ended, Streams};
use counterpoint::{Counters, Snapshot, environment};
use std::ffi::OsString;
use std::fs::File;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

/// Without `-r`, the fewest rounds after which an interval is believed to be narrow.
const FEWEST: usize = 10;
/// The fewest rounds after which time may be up: of less, nothing can be said.
const FEWEST_LATE: usize = 5;

/// The result of the rounds.
pub struct Ran {
    pub table: Table,
    pub exit_code: u8,
}

/// Runs each command once in every round, in an order that is random in each; `table` compares the sides.
pub fn run(
    args: &StatArgs,
    job: &Job,
    resolved: &Resolved,
    candidates: &[Candidate],
    table: &dyn Fn(&[Side]) -> Table,
) -> Result<Ran, Failure> {
    let turns = Turns::new(args, job, resolved)?;
    let mut all: Vec<Runs<'_>> = candidates.iter().map(|of| Runs::new(job, of)).collect();
    let mut progress = Progress::new(!args.compare.show_output);
    for _ in 0..args.compare.warmup {
        progress.show("warm-up");
        turns.round(&all)?;
    }
    let table =
        |all: &[Runs<'_>]| table(&all.iter().filter_map(|of| of.side(job)).collect::<Vec<_>>());
    let begun = Instant::now();
    let mut next_look = FEWEST;
    for rounds in 1.. {
        progress.show(&format!("round {rounds} ({} s)", begun.elapsed().as_secs()));
        match turns.round(&all) {
            Ok(done) => done.into_iter().for_each(|(index, done)| all[index].add(done)),
            Err(failure) if rounds == 1 => return Err(failure),
            Err(failure) => return Ok(cut_short(table(&all), rounds, failure)),
        }
        let is_late =
            rounds >= FEWEST_LATE && begun.elapsed() >= Duration::from_secs(args.compare.max_time);
        let is_enough = match args.repeat {
            Some(asked) => rounds >= asked as usize,
            None => is_late || rounds >= next_look,
        };
        if !is_enough {
            continue;
        }
        let mut table = table(&all);
        let wide = if args.repeat.is_some() { None } else { widest(args, &table) };
        match wide.filter(|(_, margin)| *margin > args.compare.precision) {
            Some(_) if !is_late => next_look = rounds + rounds.div_ceil(10),
            wide => {
                table.notes.extend(wide.map(|wide| too_wide(args, &wide)));
                return Ok(Ran { table, exit_code: 0 });
            }
        }
    }
    Err(Failure::new("nothing was run"))
}

/// The rounds before the one that did not become complete.
fn cut_short(mut table: Table, round: usize, failure: Failure) -> Ran {
    table.notes.push(format!("Round {round} is left out: {}.", failure.text));
    Ran { table, exit_code: failure.code }
}

fn too_wide(args: &StatArgs, (event, margin): &(String, f64)) -> String {
    let CompareArgs { max_time, precision, .. } = args.compare;
    let known = if margin.is_finite() {
        format!("is known to ±{margin:.1} %, and --precision is {precision} %")
    } else {
        "is not known yet".to_string()
    };
    format!(
        "Time was up after {max_time} s: the ratio of {event} {known}; --max-time SECONDS allows more rounds."
    )
}

/// The event with the widest interval, of those that were named or of the elapsed time, and the margin in percent.
fn widest(args: &StatArgs, table: &Table) -> Option<(String, f64)> {
    let is_named = !args.events.lists.is_empty() || args.has_metrics();
    let rows = table.rows.iter().filter(|row| (row.name == ELAPSED) != is_named);
    let margins = rows.flat_map(|row| {
        row.against.iter().flatten().map(move |against| (row.name.clone(), margin(row, against)))
    });
    margins.max_by(|(_, one), (_, two)| one.total_cmp(two))
}

/// In percent of the base; infinite if nothing is known.
fn margin(row: &Row, against: &Against) -> f64 {
    let base = row.cells[0].as_ref().and_then(|cell| cell.mean).unwrap_or(0.0);
    match against.comparison.ratio {
        Some(ratio) => 100.0 * ratio.margin(),
        // A difference of an event that no side ever has is known exactly.
        None if against.comparison.p == 1.0 => 0.0,
        None => 100.0 * against.comparison.difference.margin() / base.abs(),
    }
}

/// The state in which commands take their turns.
struct Turns<'a> {
    args: &'a StatArgs,
    job: &'a Job,
    resolved: &'a Resolved,
    supervisor: Supervisor,
    /// Takes the standard output of the commands.
    null: Option<File>,
}

impl<'a> Turns<'a> {
    fn new(args: &'a StatArgs, job: &'a Job, resolved: &'a Resolved) -> Result<Self, Failure> {
        let null = || File::options().write(true).open("/dev/null");
        let null = (!args.compare.show_output).then(null).transpose();
        let null = null.map_err(|error| Failure::new(format!("/dev/null: {error}")))?;
        Ok(Turns { args, job, resolved, supervisor: Supervisor::new()?, null })
    }

    /// Runs each command once; which is first is random. Ends with the first run that fails or is interrupted.
    fn round(&self, all: &[Runs<'_>]) -> Result<Vec<(usize, Done)>, Failure> {
        let mut order: Vec<usize> = (0..all.len()).collect();
        fastrand::shuffle(&mut order);
        order.into_iter().map(|index| Ok((index, self.take(&all[index])?))).collect()
    }

    fn take(&self, runs: &Runs<'_>) -> Result<Done, Failure> {
        self.prepare()?;
        let null = self.null.as_ref().map(File::as_fd);
        let words = &runs.candidate.words;
        let begun = begin(self.job, words, null, self.resolved, &self.supervisor)?;
        let (counting, run) = match begun {
            Begun::Counting(counting, run) => (counting, run),
            Begun::Nothing(_) => return Err(none_can_be_counted()),
        };
        let mut no_intervals = |_: &_, _, _| Ok(());
        let intervals = Intervals::new(self.job, &mut no_intervals);
        let done = follow(self.job, counting, run, intervals, &mut None)?;
        self.check(&done.outcome, &runs.candidate.title, self.args.compare.ignore_failure)?;
        Ok(done)
    }

    fn prepare(&self) -> Result<(), Failure> {
        let Some(command) = &self.args.compare.prepare else { return Ok(()) };
        let words = ["sh", "-c", command].map(OsString::from);
        let held = self.supervisor.hold(&words, Streams::default())?;
        let mut run = self.supervisor.start(held, &words, None)?;
        while !run.is_over()? {
            run.wait(None, None)?;
        }
        self.check(&run.end()?, &format!("--prepare {command}"), false)
    }

    /// Refuses a run that does not count: it was interrupted, or failed and may not fail.
    fn check(&self, outcome: &Outcome, title: &str, may_fail: bool) -> Result<(), Failure> {
        let code = outcome.exit_code();
        let how = match outcome.ended {
            _ if outcome.is_interrupted => return Err(Failure::new("interrupted").code(code)),
            _ if code == 0 || may_fail => return Ok(()),
            Some(Ended::Exited(code)) => format!("exit status {code}"),
            Some(Ended::Killed(signal)) if self.args.timeout.is_some() => {
                format!("signal {signal}, as --timeout ends each run")
            }
            Some(Ended::Killed(signal)) => format!("signal {signal}"),
            None => "it did not terminate".to_string(),
        };
        Err(Failure::new(format!("`{title}` failed: {how}")).help(
            "--show-output shows what the commands print; --ignore-failure compares them anyway",
        ))
    }
}

/// The runs of a command so far.
struct Runs<'a> {
    candidate: &'a Candidate,
    readings: Vec<Snapshot>,
    last: Option<Counters>,
    summary: Summary,
}

impl<'a> Runs<'a> {
    fn new(job: &Job, candidate: &'a Candidate) -> Runs<'a> {
        Runs { candidate, readings: Vec::new(), last: None, summary: job.summary() }
    }

    fn add(&mut self, done: Done) {
        self.summary.add(done.elapsed, &done.outcome);
        self.readings.push(done.reading);
        self.last = Some(done.counting);
    }

    /// `None` before the first run.
    fn side(&self, job: &Job) -> Option<Side> {
        let counting = self.last.as_ref()?;
        let report = match self.readings.as_slice() {
            [reading] => counting.report(reading, &job.split),
            readings => counting.report_runs(readings, &job.split),
        };
        let counted = Counted::whole(&report, self.summary.mean_elapsed(), &self.summary, None);
        let mut side = Side::new(self.candidate.title.clone());
        side.environment = Some(environment(job.set.machine().host()));
        let elapsed = self.summary.elapsed.iter().map(|time| Some(time.as_secs_f64()));
        side.add_elapsed(elapsed.collect());
        counted.records().for_each(|row| side.add(&row));
        Some(side)
    }
}
