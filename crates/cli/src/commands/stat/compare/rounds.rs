//! Runs commands in turn.

use super::super::args::StatArgs;
use super::super::format::Counted;
use super::super::intervals::Intervals;
use super::super::job::Job;
use super::super::run::{self, Begun, Done};
use super::super::summary::Summary;
use super::args::CompareArgs;
use super::candidate::Candidate;
use super::side::{ELAPSED, Side};
use super::table::{Design, Table};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::supervisor::{Outcome, Supervisor};
use counterpoint::events::Resolved;
use counterpoint::perf::process::Ended;
use counterpoint::{Counters, Snapshot};
use std::ffi::OsString;
use std::fs::File;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

/// Without `-r`, the fewest rounds after which an interval is believed to be narrow.
const FEWEST: usize = 10;
/// The fewest rounds after which time may be up: of less, nothing can be said.
const FEWEST_LATE: usize = 5;

/// What the rounds found.
pub struct Ran {
    pub sides: Vec<Side>,
    pub notes: Vec<String>,
    pub exit_code: u8,
}

/// Runs each command once in every round, in an order that is random in each.
pub fn run(
    args: &StatArgs,
    job: &Job,
    resolved: &Resolved,
    candidates: &[Candidate],
    earlier: Option<&Side>,
) -> Result<Ran, Failure> {
    let turns = Turns::new(args, job, resolved)?;
    let mut all: Vec<Runs<'_>> = candidates.iter().map(|of| Runs::new(job, of)).collect();
    let mut progress = Progress::new(!args.compare.show_output);
    for _ in 0..args.compare.warmup {
        progress.show("warm-up");
        if let Some(outcome) = turns.round(&all)?.iter().find_map(interruption) {
            return Err(Failure::new("interrupted").code(outcome.exit_code()));
        }
    }
    let begun = Instant::now();
    let mut next_look = FEWEST;
    loop {
        let rounds = all[0].readings.len();
        progress.show(&format!("round {} ({} s)", rounds + 1, begun.elapsed().as_secs()));
        let done = turns.round(&all)?;
        if let Some(outcome) = done.iter().find_map(interruption) {
            if rounds == 0 {
                return Err(Failure::new("interrupted before the first round was complete")
                    .code(outcome.exit_code()));
            }
            let note = format!("Interrupted; the unfinished round {} is left out.", rounds + 1);
            let exit_code = outcome.exit_code();
            return Ok(Ran { sides: sides(&all, job), notes: vec![note], exit_code });
        }
        done.into_iter().for_each(|(index, done)| all[index].add(done));
        let rounds = rounds + 1;
        let is_late =
            rounds >= FEWEST_LATE && begun.elapsed() >= Duration::from_secs(args.compare.max_time);
        let is_enough = match args.repeat {
            Some(asked) => rounds >= asked as usize,
            None => is_late || rounds >= next_look,
        };
        if !is_enough {
            continue;
        }
        let sides = sides(&all, job);
        let wide = match args.repeat {
            Some(_) => None,
            None => widest(args, earlier, &sides),
        };
        match wide.filter(|(_, margin)| *margin > args.compare.precision) {
            None => return Ok(Ran { sides, notes: Vec::new(), exit_code: 0 }),
            Some(wide) if is_late => {
                return Ok(Ran { sides, notes: vec![too_wide(args, &wide)], exit_code: 0 });
            }
            Some(_) => next_look = rounds + rounds.div_ceil(10),
        }
    }
}

fn interruption((_, done): &(usize, Done)) -> Option<&Outcome> {
    Some(&done.outcome).filter(|outcome| outcome.is_interrupted)
}

fn too_wide(args: &StatArgs, (event, margin): &(String, f64)) -> String {
    let CompareArgs { max_time, precision, .. } = args.compare;
    format!(
        "Ended after {max_time} s: the ratio of {event} is known to within {margin:.1} %, and not {precision} %; --max-time SECONDS lets it run longer."
    )
}

/// The event with the widest interval, of those that were named or of the elapsed time, and the margin in percent.
fn widest(args: &StatArgs, earlier: Option<&Side>, sides: &[Side]) -> Option<(String, f64)> {
    let is_named = !args.events.lists.is_empty() || args.has_metrics();
    let design = if earlier.is_some() { Design::Samples } else { Design::Rounds };
    let table = Table::new(earlier.into_iter().chain(sides).cloned().collect(), design);
    let rows = table.rows.iter().filter(|row| (row.name == ELAPSED) != is_named);
    let margins = rows.flat_map(|row| {
        let ratios = row.against.iter().flatten().filter_map(|against| against.comparison.ratio);
        ratios.map(|ratio| (row.name.clone(), 100.0 * ratio.margin()))
    });
    margins.max_by(|(_, one), (_, two)| one.total_cmp(two))
}

fn sides(all: &[Runs<'_>], job: &Job) -> Vec<Side> {
    all.iter().filter_map(|runs| runs.side(job)).collect()
}

/// How a command takes its turn.
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

    /// Runs each command once; which is first is random. Ends with the first run that is interrupted.
    fn round(&self, all: &[Runs<'_>]) -> Result<Vec<(usize, Done)>, Failure> {
        let mut order: Vec<usize> = (0..all.len()).collect();
        fastrand::shuffle(&mut order);
        let mut round = Vec::new();
        for index in order {
            round.push((index, self.take(&all[index])?));
            if round.iter().any(|run| interruption(run).is_some()) {
                break;
            }
        }
        Ok(round)
    }

    fn take(&self, runs: &Runs<'_>) -> Result<Done, Failure> {
        self.prepare()?;
        let null = self.null.as_ref().map(File::as_fd);
        let words = &runs.candidate.words;
        let begun = run::begin(self.job, words, null, self.resolved, &self.supervisor)?;
        let (counting, run) = match begun {
            Begun::Counting(counting, run) => (counting, run),
            Begun::Nothing(_) => return Err(run::none_can_be_counted()),
        };
        let mut no_intervals = |_: &_, _, _| Ok(());
        let intervals = Intervals::new(self.job, &mut no_intervals);
        let done = run::follow(self.job, counting, run, intervals, &mut None)?;
        let is_failed = done.outcome.exit_code() != 0 && !done.outcome.is_interrupted;
        match is_failed && !self.args.compare.ignore_failure {
            true => Err(failed(&runs.candidate.title, done.outcome.ended)),
            false => Ok(done),
        }
    }

    fn prepare(&self) -> Result<(), Failure> {
        let Some(command) = &self.args.compare.prepare else { return Ok(()) };
        let words = ["sh", "-c", command].map(OsString::from);
        let held = self.supervisor.hold(&words, None)?;
        let mut run = self.supervisor.start(held, &words, None)?;
        while !run.is_over()? {
            run.wait(None, None)?;
        }
        let outcome = run.end()?;
        match outcome.exit_code() {
            0 => Ok(()),
            _ => Err(failed(&format!("--prepare {command}"), outcome.ended)),
        }
    }
}

fn failed(title: &str, ended: Option<Ended>) -> Failure {
    let how = match ended {
        Some(Ended::Exited(code)) => format!("exit status {code}"),
        Some(Ended::Killed(signal)) => format!("signal {signal}"),
        None => "it did not terminate".to_string(),
    };
    Failure::new(format!("`{title}` failed: {how}"))
        .help("--show-output shows what the commands print; --ignore-failure compares them anyway")
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
        let elapsed = self.summary.elapsed.iter().map(|time| Some(time.as_secs_f64()));
        side.add_elapsed(elapsed.collect());
        counted.records().for_each(|row| side.add(&row));
        Some(side)
    }
}
