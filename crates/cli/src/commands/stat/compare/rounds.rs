//! Runs commands in turn.

use super::super::args::StatArgs;
use super::super::format::Counted;
use super::super::hooks::{Stage, interrupted};
use super::super::intervals::Intervals;
use super::super::job::Job;
use super::super::run::{Begun, Done, begin, follow, none_can_be_counted};
use super::super::summary::Summary;
use super::candidate::Candidate;
use super::side::{ELAPSED, Side};
use super::table::{Against, Design, Row, Table};
use super::why;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::supervisor::{Outcome, Supervisor};
use counterpoint::events::Resolved;
use counterpoint::perf::process::Ended;
use counterpoint::{Counters, Snapshot, environment};
use counterpoint_compare::Comparison;
use std::fs::File;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

/// Without `-r`, the fewest rounds after which an interval is believed to be narrow.
const FEWEST: usize = 10;
/// The fewest rounds after which time may be up: of less, nothing can be said.
const FEWEST_LATE: usize = 5;

/// The result of the rounds.
#[derive(Default)]
pub struct Ran {
    pub sides: Vec<Side>,
    /// Sentences about the rounds.
    pub notes: Vec<String>,
    pub exit_code: u8,
}

/// Runs the commands in turn, or one after the other if each has its own setup; `table` compares the sides.
pub fn run(
    args: &StatArgs,
    job: &Job,
    resolved: &Resolved,
    candidates: &[Candidate],
    table: &Compare<'_>,
) -> Result<Ran, Failure> {
    let turns = Turns::new(args, job, resolved)?;
    let time = Duration::from_secs(args.compare.max_time);
    match candidates {
        [_, _, ..] if args.hooks.is_once() => in_order(&turns, candidates, time),
        _ => {
            let rounds = Rounds { candidates, time, table, of: String::new() };
            // Several commands in turn have no setup.
            candidates[0].hooks.around_runs(turns.stage(), || turns.all(&rounds))
        }
    }
}

/// Runs each command as often as it takes until another like it could be compared with it.
fn in_order(turns: &Turns<'_>, candidates: &[Candidate], time: Duration) -> Result<Ran, Failure> {
    let mut ran = Ran::default();
    let table = |sides: &[Side]| Table::new(&[&sides[0], &sides[0]], Design::InOrder);
    for candidate in candidates {
        let rounds = Rounds {
            candidates: std::slice::from_ref(candidate),
            time: time / candidates.len() as u32,
            table: &table,
            of: format!(" of `{}`", candidate.title),
        };
        match candidate.hooks.around_runs(turns.stage(), || turns.all(&rounds)) {
            Ok(more) => {
                ran.sides.extend(more.sides);
                ran.notes.extend(more.notes);
                ran.exit_code = more.exit_code;
            }
            Err(failure) if ran.sides.len() > 1 => {
                let text = format!("`{}` is left out: {}.", candidate.title, failure.text);
                ran.notes.push(text);
                ran.exit_code = failure.code;
            }
            Err(failure) => return Err(failure),
        }
        if ran.exit_code != 0 {
            break;
        }
    }
    match ran.sides.len() {
        0 | 1 => Err(Failure::new(ran.notes.join(" ")).code(ran.exit_code)),
        _ => Ok(ran),
    }
}

/// Compares the sides.
type Compare<'a> = dyn Fn(&[Side]) -> Table + 'a;

/// Commands that take turns.
struct Rounds<'a> {
    candidates: &'a [Candidate],
    /// The time after which there are no more rounds.
    time: Duration,
    table: &'a Compare<'a>,
    /// The end of the words `round 3`, if there are rounds of several commands.
    of: String,
}

fn too_wide(args: &StatArgs, time: Duration, (event, margin): &(String, f64)) -> String {
    let precision = args.compare.precision;
    let seconds = decimals(time.as_secs_f64());
    let known = if margin.is_finite() {
        format!("is known to ±{margin:.1} %, and --precision is {precision} %")
    } else {
        "is not known yet".to_string()
    };
    format!(
        "Time was up after {seconds} s: the ratio of {event} {known}; --max-time SECONDS allows more rounds."
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

/// With one decimal at most.
fn decimals(number: f64) -> String {
    format!("{number:.1}").trim_end_matches(".0").to_string()
}

/// In percent of the base, or without a ratio, of the side that has more; infinite if nothing is known.
fn margin(row: &Row, against: &Against) -> f64 {
    let base = row.cells[0].as_ref().and_then(|cell| cell.mean).unwrap_or(0.0);
    let Comparison { ratio, difference, p, .. } = against.comparison;
    match ratio {
        Some(ratio) => 100.0 * ratio.margin(),
        // A difference of an event that no side ever has is known exactly.
        None if p == 1.0 => 0.0,
        // The base may have none, so that the difference is compared with the side that has more.
        None => 100.0 * difference.margin() / base.abs().max((base + difference.estimate).abs()),
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
    /// The metrics that split the time, which `--why` asks for.
    slots: Option<Vec<String>>,
}

impl<'a> Turns<'a> {
    fn new(args: &'a StatArgs, job: &'a Job, resolved: &'a Resolved) -> Result<Self, Failure> {
        let null = || File::options().write(true).open("/dev/null");
        let null = (!args.compare.show_output).then(null).transpose();
        let null = null.map_err(|error| Failure::new(format!("/dev/null: {error}")))?;
        let slots = args.compare.why.then(|| why::slots(&job.set));
        Ok(Turns { args, job, resolved, supervisor: Supervisor::new()?, null, slots })
    }

    /// How commands around the runs are run.
    fn stage(&self) -> Stage<'_> {
        Stage { supervisor: &self.supervisor, output: self.null.as_ref().map(File::as_fd) }
    }

    /// Runs each command once in every round, in an order that is random in each, until enough is known.
    fn all(&self, rounds: &Rounds<'_>) -> Result<Ran, Failure> {
        let Rounds { candidates, time, table, of } = rounds;
        let mut all: Vec<Runs<'_>> = candidates.iter().map(|of| Runs::new(self.job, of)).collect();
        let mut progress = Progress::new(!self.args.compare.show_output);
        for _ in 0..self.args.hooks.warmup.unwrap_or(1) {
            progress.show(&format!("warm-up{of}"));
            self.round(&all)?;
        }
        let sides = |all: &[Runs<'_>]| -> Vec<Side> {
            all.iter().filter_map(|of| of.side(self.job, self.slots.as_deref())).collect()
        };
        let begun = Instant::now();
        let mut next_look = FEWEST;
        for number in 1.. {
            progress.show(&format!("round {number}{of} ({} s)", begun.elapsed().as_secs()));
            match self.round(&all) {
                Ok(done) => done.into_iter().for_each(|(index, done)| all[index].add(done)),
                Err(failure) if number == 1 => return Err(failure),
                Err(failure) => {
                    let note = format!("Round {number}{of} is left out: {}.", failure.text);
                    let notes = vec![note];
                    return Ok(Ran { sides: sides(&all), notes, exit_code: failure.code });
                }
            }
            let is_late = number >= FEWEST_LATE && begun.elapsed() >= *time;
            let is_enough = match self.args.repeat {
                Some(asked) => number >= asked as usize,
                None => is_late || number >= next_look,
            };
            if !is_enough {
                continue;
            }
            let sides = sides(&all);
            let wide = self.args.repeat.is_none().then(|| widest(self.args, &table(&sides)));
            match wide.flatten().filter(|(_, margin)| *margin > self.args.compare.precision) {
                Some(_) if !is_late => next_look = number + number.div_ceil(10),
                wide => {
                    let notes = wide.map(|wide| too_wide(self.args, *time, &wide));
                    return Ok(Ran { sides, notes: notes.into_iter().collect(), exit_code: 0 });
                }
            }
        }
        Err(Failure::new("nothing was run"))
    }

    /// Runs each command once; which is first is random. Ends with the first run that fails or is interrupted.
    fn round(&self, all: &[Runs<'_>]) -> Result<Vec<(usize, Done)>, Failure> {
        let mut order: Vec<usize> = (0..all.len()).collect();
        fastrand::shuffle(&mut order);
        order.into_iter().map(|index| Ok((index, self.take(all[index].candidate)?))).collect()
    }

    fn take(&self, candidate: &Candidate) -> Result<Done, Failure> {
        candidate.hooks.around_run(self.stage(), || {
            let (words, null) = (&candidate.words, self.stage().output);
            let begun = begin(self.job, words, null, self.resolved, &self.supervisor)?;
            let (counting, run) = match begun {
                Begun::Counting(counting, run) => (counting, run),
                Begun::Nothing(_) => return Err(none_can_be_counted()),
            };
            let mut no_intervals = |_: &_, _, _| Ok(());
            let intervals = Intervals::new(self.job, &mut no_intervals);
            let done = follow(self.job, counting, run, intervals, &mut None)?;
            self.check(&done.outcome, &candidate.title)?;
            Ok(done)
        })
    }

    /// Refuses a run that does not count: it was interrupted, or failed and may not fail.
    fn check(&self, outcome: &Outcome, title: &str) -> Result<(), Failure> {
        if outcome.is_interrupted {
            return Err(interrupted(outcome));
        }
        let Some(how) = outcome.failure().filter(|_| !self.args.compare.ignore_failure) else {
            return Ok(());
        };
        let is_timeout =
            self.args.timeout.is_some() && matches!(outcome.ended, Some(Ended::Killed(_)));
        let timeout = if is_timeout { ", as --timeout ends each run" } else { "" };
        Err(Failure::new(format!("`{title}` failed: {how}{timeout}")).help(
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
        self.summary.add(done.elapsed, &done.outcome, done.has_begun);
        self.readings.push(done.reading);
        self.last = Some(done.counting);
    }

    /// `None` before the first run.
    fn side(&self, job: &Job, slots: Option<&[String]>) -> Option<Side> {
        let counting = self.last.as_ref()?;
        let report = match self.readings.as_slice() {
            [reading] => counting.report(reading, &job.split),
            readings => counting.report_runs(readings, &job.split),
        };
        let counted = Counted::whole(&report, self.summary.mean_elapsed(), &self.summary, None);
        let mut side = Side::new(self.candidate.title.clone(), self.candidate.swept.clone());
        side.environment = Some(environment(job.set.machine().host()));
        let elapsed = self.summary.elapsed.iter().map(|time| Some(time.as_secs_f64()));
        side.add_time(ELAPSED, elapsed.collect());
        counted.records().for_each(|row| side.add(&row));
        if let Some(slots) = slots {
            why::add(&mut side, slots);
        }
        Some(side)
    }
}
