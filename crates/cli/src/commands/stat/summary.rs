//! The summary of all runs.

use super::turns;
use crate::args::{Attached, target_title};
use crate::records::Multiplexed;
use crate::supervisor::Outcome;
use counterpoint::perf::process::Ended;
use counterpoint::planning::PmuPlan;
use std::ffi::OsString;
use std::time::Duration;

pub struct Summary {
    /// What is counted, for people.
    pub title: String,
    pub command: Vec<String>,
    /// How long each run took.
    pub elapsed: Vec<Duration>,
    /// User and system time of each run.
    pub times: Vec<(Duration, Duration)>,
    pub ended: Option<Ended>,
    pub exit_code: u8,
    /// The PMUs whose events take turns.
    turns: Vec<PmuPlan>,
}

impl Summary {
    /// Of runs that are to come.
    pub fn new(target: &Attached, command: &[OsString], turns: Vec<PmuPlan>) -> Summary {
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
            elapsed: Vec::new(),
            times: Vec::new(),
            ended: None,
            exit_code: 0,
            turns,
        }
    }

    /// Adds a run; of several runs the first that failed is reported.
    pub fn add(&mut self, elapsed: Duration, outcome: &Outcome) {
        self.elapsed.push(elapsed);
        self.times.extend(outcome.times);
        if self.ended.is_none_or(|ended| ended.code() == 0) {
            self.ended = outcome.ended;
            self.exit_code = outcome.exit_code();
        }
    }

    /// The mean time that a run took.
    pub fn mean_elapsed(&self) -> Duration {
        self.elapsed.iter().sum::<Duration>() / self.elapsed.len().max(1) as u32
    }

    /// The PMUs whose events take turns, for programs.
    pub fn multiplexed(&self) -> Vec<Multiplexed<'_>> {
        self.turns.iter().map(turns::record).collect()
    }
}
