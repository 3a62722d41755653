//! The events that are counted, how often they are read, and how their rows are split.

use super::args::StatArgs;
use super::summary::Summary;
use super::topdown::Topdown;
use crate::args::Attached;
use crate::failure::Failure;
use counterpoint::planning::PmuPlan;
use counterpoint::{EventSet, Split};
use std::ffi::OsString;
use std::time::Duration;

pub struct Job {
    pub set: EventSet,
    pub target: Attached,
    pub command: Vec<OsString>,
    pub split: Split,
    pub delay: Option<Duration>,
    pub timeout: Option<Duration>,
    pub interval: Option<Duration>,
    /// The most intervals that are printed.
    pub interval_count: Option<u64>,
    pub repeat: u32,
    pub verbose: bool,
    /// The tree of metrics that is printed.
    pub topdown: Option<Topdown>,
    /// The PMUs whose events take turns.
    pub turns: Vec<PmuPlan>,
}

impl Job {
    /// Without an event yet, and nothing open.
    pub fn new(args: &StatArgs, set: EventSet, target: Attached) -> Result<Job, Failure> {
        let delay = delay(args);
        // A target that is counted beside a command starts with it; after a delay nothing does.
        let is_beside = matches!(target, Attached::To(_)) && !args.command.is_empty();
        Ok(Job {
            set: set.inherit(!args.no_inherit).delayed(delay.is_some() || is_beside),
            split: split(args, &target)?,
            target,
            command: args.command.clone(),
            delay,
            timeout: args.timeout.map(Duration::from_millis),
            interval: args.interval.map(Duration::from_millis),
            interval_count: args.interval_count,
            repeat: args.repeat.unwrap_or(1),
            verbose: args.verbose,
            topdown: None,
            turns: Vec::new(),
        })
    }

    /// The summary of runs that are to come.
    pub fn summary(&self) -> Summary {
        Summary::new(&self.target, &self.command, self.repeat, self.turns.clone())
    }
}

/// A delay of 0 is none: counting begins with the command.
fn delay(args: &StatArgs) -> Option<Duration> {
    args.delay.filter(|ms| *ms > 0).map(Duration::from_millis)
}

fn split(args: &StatArgs, target: &Attached) -> Result<Split, Failure> {
    let is_cpu_wide = matches!(target, Attached::To(target) if target.is_cpu_wide());
    let has_threads = !args.attach.pid.is_empty() || !args.attach.tid.is_empty();
    let (split, option) = match args {
        StatArgs { per_cpu: true, .. } => (Split::Cpu, "-A"),
        StatArgs { per_core: true, .. } => (Split::Core, "--per-core"),
        StatArgs { per_socket: true, .. } => (Split::Socket, "--per-socket"),
        StatArgs { per_thread: true, .. } if has_threads => return Ok(Split::Thread),
        StatArgs { per_thread: true, .. } => {
            return Err(Failure::new("--per-thread needs a target with threads (-p or -t)"));
        }
        _ => return Ok(Split::Total),
    };
    if is_cpu_wide {
        return Ok(split);
    }
    Err(Failure::new(format!("{option} needs a CPU-wide target (-a or -C)")).help(format!(
        "counterpoint stat -a {option} -- COMMAND counts every CPU while COMMAND runs"
    )))
}
