//! The summary of all runs.

use super::turns;
use crate::args::{Attached, target_title};
use crate::own_cost::OwnCost;
use crate::records::Multiplexed;
use crate::supervisor::Outcome;
use counterpoint::formula::Number;
use counterpoint::perf::process::Ended;
use counterpoint::planning::PmuPlan;
use counterpoint::records::Process;
use counterpoint::{Reporter, RowPlacement, Spread, Target, Value};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::time::{Duration, SystemTime};

/// How errors of estimates are to be read.
pub const ESTIMATES_VARY: &str =
    "± is the standard error of an estimate: in 95 of 100 cases, twice that covers the true value";

/// The elapsed time below which counting is a visible part of it: a few percent of a command of a millisecond, for opening, scheduling and closing the events.
pub const SHORT: Duration = Duration::from_millis(5);
/// The sentence about commands that take less.
pub const COUNTING_TAKES_TIME: &str = "Counting takes a part of the elapsed time of a command this short; -n counts nothing, and shows the time alone.";

/// What makes counting cost less.
const CHEAPER: &str =
    "times and rates are off by as much, which fewer events or a longer run make less";

#[derive(Clone)]
pub struct Summary {
    /// The target, for people.
    pub title: String,
    pub command: Vec<String>,
    /// The cgroups that have rows of their own.
    cgroups: Vec<String>,
    /// The names of the threads that are counted, when counting began.
    pub threads: BTreeMap<u32, String>,
    /// This process, which writes the report.
    pub process: Process,
    /// The time before the first run.
    pub began: SystemTime,
    /// True if the run is not over.
    pub is_checkpoint: bool,
    /// The elapsed time of each run.
    pub elapsed: Vec<Duration>,
    /// User and system time of each run.
    pub times: Vec<(Duration, Duration)>,
    pub ended: Option<Ended>,
    pub exit_code: u8,
    /// The number of runs that were asked for.
    pub requested: u32,
    /// The ends of the runs in which the command failed; `None` if it did not terminate.
    pub failed: Vec<Option<Ended>>,
    /// The runs that ended before counting began.
    unbegun: usize,
    /// Which run was interrupted, counted from 1.
    pub interrupted: Option<usize>,
    /// The PMUs whose events take turns.
    turns: Vec<PmuPlan>,
    /// The runs without counting, if there are any.
    pub own_cost: Option<OwnCost>,
}

impl Summary {
    /// Of runs that are to come.
    pub fn new(
        target: &Attached,
        command: &[OsString],
        requested: u32,
        turns: Vec<PmuPlan>,
    ) -> Summary {
        let command: Vec<String> =
            command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let title = match target {
            Attached::To(target) if command.is_empty() => target_title(target),
            Attached::To(target) => {
                format!("{} during '{}'", target_title(target), command.join(" "))
            }
            Attached::Command => format!("'{}'", command.join(" ")),
        };
        Summary {
            title,
            command,
            cgroups: match target {
                Attached::To(Target::Cgroups(paths)) => {
                    paths.iter().map(|path| path.display().to_string()).collect()
                }
                _ => Vec::new(),
            },
            threads: BTreeMap::new(),
            process: Process::from(&Reporter::this_process()),
            began: SystemTime::now(),
            is_checkpoint: false,
            elapsed: Vec::new(),
            times: Vec::new(),
            ended: None,
            exit_code: 0,
            requested,
            failed: Vec::new(),
            unbegun: 0,
            interrupted: None,
            turns,
            own_cost: None,
        }
    }

    /// The summary while the first run is not over.
    pub fn so_far(&self, elapsed: Duration) -> Summary {
        Summary { elapsed: vec![elapsed], is_checkpoint: true, ..self.clone() }
    }

    /// The name of the cgroup or of the thread that a row is about.
    pub fn name_of(&self, placement: RowPlacement) -> Option<&str> {
        let name = match placement {
            RowPlacement::Cgroup(number) => self.cgroups.get(number as usize),
            RowPlacement::Thread(thread) => self.threads.get(&thread),
            _ => None,
        };
        name.map(String::as_str)
    }

    /// The characters of the longest of these names.
    pub fn name_width(&self) -> usize {
        let names = self.cgroups.iter().chain(self.threads.values());
        names.map(|name| name.chars().count()).max().unwrap_or(0)
    }

    /// Adds a run; of several runs the first that failed is reported.
    pub fn add(&mut self, elapsed: Duration, outcome: &Outcome, has_begun: bool) {
        self.unbegun += usize::from(!has_begun);
        self.elapsed.push(elapsed);
        self.times.extend(outcome.times);
        if outcome.exit_code() != 0 && !outcome.is_interrupted {
            self.failed.push(outcome.ended);
        }
        if self.ended.is_none_or(|ended| ended.code() == 0) {
            self.ended = outcome.ended;
            self.exit_code = outcome.exit_code();
        }
    }

    /// Notes that the next run was interrupted; the program exits like its command unless an earlier one failed.
    pub fn interrupt(&mut self, outcome: &Outcome) {
        self.interrupted = Some(self.elapsed.len() + 1);
        if self.exit_code == 0 {
            self.exit_code = outcome.exit_code();
        }
    }

    /// The remarks about the runs that a reader must know before trusting their values.
    pub fn remarks(&self) -> impl Iterator<Item = String> {
        let own_cost = self.own_cost.as_ref().map(|own| own.sentence("counting", CHEAPER));
        [self.failure(), self.delay(), self.interruption(), own_cost].into_iter().flatten()
    }

    /// The sentence about runs in which the command failed.
    fn failure(&self) -> Option<String> {
        let how = match self.failed.first()? {
            Some(Ended::Exited(code)) => format!("exit status {code}"),
            Some(Ended::Killed(signal)) => format!("signal {signal}"),
            None => "it did not terminate".to_string(),
        };
        let runs = self.elapsed.len();
        Some(match self.failed.len() {
            _ if self.requested == 1 => format!("the command failed: {how}"),
            failed => {
                let runs = if failed == runs {
                    format!("all {runs} runs")
                } else {
                    format!("{failed} of {runs} runs")
                };
                let is_same = self.failed.iter().all(|ended| ended == &self.failed[0]);
                let first = if is_same { "" } else { "first " };
                format!("the command failed in {runs}: {first}{how}")
            }
        })
    }

    /// The sentence about runs in which nothing was counted, as they were shorter than the delay.
    fn delay(&self) -> Option<String> {
        let runs = match self.unbegun {
            0 => return None,
            _ if self.requested == 1 => String::new(),
            unbegun => format!(" in {unbegun} of {} runs", self.elapsed.len()),
        };
        let who = if self.command.is_empty() { "it" } else { "the command" };
        Some(format!("nothing was counted{runs}: {who} ended before counting began"))
    }

    /// The sentence about a series that was interrupted; `None` if it was not, or was only one run.
    fn interruption(&self) -> Option<String> {
        let run = self.interrupted.filter(|_| self.requested > 1)?;
        let consequence = if run > self.elapsed.len() {
            ", which is left out"
        } else {
            "; the counts are those of this unfinished run"
        };
        Some(format!("interrupted in run {run} of {}{consequence}", self.requested))
    }

    /// The mean time that a run took.
    pub fn mean_elapsed(&self) -> Duration {
        self.elapsed.iter().sum::<Duration>() / self.elapsed.len().max(1) as u32
    }

    /// The elapsed times of several runs.
    pub fn elapsed_spread(&self) -> Option<Spread> {
        spread(self.elapsed.iter())
    }

    /// The user times of several runs, and their system times.
    pub fn times_spread(&self) -> [Option<Spread>; 2] {
        let (user, system) =
            (self.times.iter().map(|times| &times.0), self.times.iter().map(|times| &times.1));
        [spread(user), spread(system)]
    }

    /// The PMUs whose events take turns, for programs.
    pub fn multiplexed(&self) -> Vec<Multiplexed<'_>> {
        self.turns.iter().map(turns::record).collect()
    }
}

/// In seconds; `None` of fewer than two.
fn spread<'a>(times: impl ExactSizeIterator<Item = &'a Duration>) -> Option<Spread> {
    let seconds = |time: &Duration| Value::Counted(Number::Real(time.as_secs_f64()));
    (times.len() > 1).then(|| Spread::new(times.map(seconds).collect()))
}
