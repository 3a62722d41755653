//! `counterpoint stat`: from arguments to events, a run, and its report.

mod args;
mod comment;
mod csv;
pub mod events;
mod json;
mod output;
pub mod program;
mod run;
mod text;
mod turns;

pub use args::StatArgs;

use crate::args::AttachArgs;
use crate::failure::Failure;
use crate::names::name_failure;
use counterpoint::perf::CpuSet;
use counterpoint::{EventSet, PmuPlan, Split, Target};
use output::Output;
use std::time::Duration;

/// What is counted, how often it is looked at, and how it is shown.
pub struct Job {
    set: EventSet,
    target: Attached,
    command: Vec<std::ffi::OsString>,
    split: Split,
    delay: Option<Duration>,
    timeout: Option<Duration>,
    interval: Option<Duration>,
    repeat: u32,
    verbose: bool,
    /// The PMUs whose events take turns.
    turns: Vec<PmuPlan>,
}

/// Whose events are counted: the command's, or something that is there already.
pub enum Attached {
    Command,
    To(Target),
}

/// The exit status is that of the command, 0 without one, and 2 if nothing can be counted.
pub fn run(args: &StatArgs) -> Result<u8, Failure> {
    let host = args.machine.host()?;
    let target = attached(&args.attach)?;
    if matches!(target, Attached::Command) && args.command.is_empty() {
        return Err(Failure::new("nothing to count: no command, and none of -p, -t, -a, -C, -G")
            .help("counterpoint stat -- COMMAND, or counterpoint stat -a --timeout 1000"));
    }
    if host.is_recording() {
        return Err(Failure::new("a recorded machine cannot count")
            .help("counterpoint list --machine DIR shows what it could count"));
    }
    let split = split(args, &target)?;
    // What is counted beside a command starts with it, and all after the delay.
    let delayed =
        delay(args).is_some() || (matches!(target, Attached::To(_)) && !args.command.is_empty());
    let mut set = EventSet::on(host, Target::ThisThread).inherit(!args.no_inherit).delayed(delayed);
    for text in args.definitions.texts()? {
        set = set.define(text);
    }
    for list in events::lists(args) {
        set = set.event(list);
    }
    let mut job = Job {
        set,
        target,
        command: args.command.clone(),
        split,
        delay: delay(args),
        timeout: args.timeout.map(Duration::from_millis),
        interval: args.interval.map(Duration::from_millis),
        repeat: args.repeat,
        verbose: args.verbose,
        turns: Vec::new(),
    };
    let resolved = job.set.resolve().map_err(|error| name_failure(error, &args.events))?;
    let plans = job.set.plan_resolved(&resolved).pmus;
    let mut output = Output::open(args)?;
    for text in plans.iter().filter_map(turns::crowding) {
        output.note(&text);
    }
    job.turns = turns::taking(plans);
    for plan in &job.turns {
        output.note(&turns::sentence(plan));
    }
    run::run(&job, &resolved, &mut output)
}

/// No delay at all is none: counting begins with the command.
fn delay(args: &StatArgs) -> Option<Duration> {
    args.delay.filter(|ms| *ms > 0).map(Duration::from_millis)
}

pub fn attached(args: &AttachArgs) -> Result<Attached, Failure> {
    Ok(if !args.pid.is_empty() {
        Attached::To(Target::Processes(args.pid.clone()))
    } else if !args.tid.is_empty() {
        Attached::To(Target::Threads(args.tid.clone()))
    } else if let Some(list) = &args.cpus {
        let cpus: CpuSet = list.parse().map_err(|e| Failure::new(format!("-C {list}: {e}")))?;
        Attached::To(if cpus.is_empty() { Target::AllCpus } else { Target::Cpus(cpus) })
    } else if let Some(cgroup) = &args.cgroup {
        Attached::To(Target::Cgroup(cgroup.clone()))
    } else if args.all_cpus {
        Attached::To(Target::AllCpus)
    } else {
        Attached::Command
    })
}

fn split(args: &StatArgs, target: &Attached) -> Result<Split, Failure> {
    let cpu_wide = matches!(target, Attached::To(target) if target.is_cpu_wide());
    let threads = !args.attach.pid.is_empty() || !args.attach.tid.is_empty();
    let (split, option) = match args {
        StatArgs { per_cpu: true, .. } => (Split::Cpu, "-A"),
        StatArgs { per_core: true, .. } => (Split::Core, "--per-core"),
        StatArgs { per_socket: true, .. } => (Split::Socket, "--per-socket"),
        StatArgs { per_thread: true, .. } if threads => return Ok(Split::Thread),
        StatArgs { per_thread: true, .. } => {
            return Err(Failure::new(
                "--per-thread needs the threads: name them with -p PID or -t TID",
            ));
        }
        _ => return Ok(Split::Total),
    };
    if cpu_wide {
        Ok(split)
    } else {
        Err(Failure::new(format!(
            "{option} tells CPUs apart, and a process is counted across them"
        ))
        .help(format!(
            "counterpoint stat -a {option} -- COMMAND counts every CPU while COMMAND runs"
        )))
    }
}
