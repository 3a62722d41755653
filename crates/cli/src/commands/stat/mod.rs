//! `counterpoint stat`: from arguments to events, a run, and its report.

mod args;
mod comment;
mod csv;
mod events;
pub mod foreign;
mod format;
mod formats;
mod intervals;
mod job;
mod json;
mod mpi;
mod output;
mod perf;
mod run;
mod saved;
mod summary;
mod text;
mod topdown;
mod turns;

pub use args::StatArgs;

use crate::args::Attached;
use crate::failure::Failure;
use crate::names::name_failure;
use counterpoint::events::Resolved;
use counterpoint::{EventSet, Machine, Reporter, Target};
use job::Job;
use output::Output;
use std::ffi::OsString;
use topdown::Topdown;

/// The exit status is that of the command, 0 without one, and 2 if nothing can be counted.
pub fn run(args: &StatArgs) -> Result<u8, Failure> {
    let host = args.machine.host()?;
    let files = args.metrics.files.after(&args.definitions.files);
    if let Some(path) = &args.from {
        let machine = args.vendor.with_beside(Machine::new(host), &files)?;
        let set = EventSet::with_machine(machine, Target::AllCpus);
        let set = with_metrics(args, args.metrics.files.define(args.definitions.define(set)?)?)?;
        return saved::run(args, &set, path);
    }
    let process = Reporter::this_process();
    if args.mpi {
        mpi::check(args, &process)?;
    }
    let target = args.attach.attached()?;
    if matches!(target, Attached::Command) && args.command.is_empty() {
        return Err(Failure::new("nothing to count: no command, and none of -p, -t, -a, -C, -G")
            .help("counterpoint stat -- COMMAND, or counterpoint stat -a --timeout 1000"));
    }
    if !host.is_running() {
        return Err(Failure::new("a recorded machine cannot count")
            .help("counterpoint list --machine DIR lists what it could count"));
    }
    let of = match &target {
        Attached::To(target) => target.clone(),
        // A command that is yet to be started is counted like a thread: on its own, wherever it runs.
        Attached::Command => Target::ThisThread,
    };
    let machine = args.vendor.with_beside(Machine::new(host), &files)?;
    let mut job = Job::new(args, EventSet::with_machine(machine, of), target)?;
    job.set = args.metrics.files.define(args.definitions.define(job.set)?)?;
    for list in events::lists(args) {
        job.set = job.set.event(list);
    }
    job.set = with_metrics(args, job.set)?;
    if args.mpi {
        job.set = job.set.node_events(mpi::node_events(&process));
    }
    job.topdown =
        args.topdown.map(|level| Topdown::new(level, &job.set, &words(), args.command.len()));
    let resolved = match args.null {
        true => Resolved::default(),
        false => job.set.resolve().map_err(|error| name_failure(error, &args.events))?,
    };
    let plans = job.set.plan_resolved(&resolved).pmus;
    let mut output = Output::open(args, &process)?;
    if args.mpi {
        mpi::advice(args, &job, &resolved, &process).iter().for_each(|text| output.advise(text));
    }
    let deepest = |topdown: &Topdown| args.topdown.and_then(|level| topdown.note(level));
    if let Some(text) = job.topdown.as_ref().and_then(deepest) {
        output.advise(&text);
    }
    for text in plans.iter().filter_map(turns::group_note) {
        output.advise(&text);
    }
    job.turns = turns::taking(plans);
    for plan in &job.turns {
        output.advise(&turns::turns_note(plan));
    }
    run::run(&job, &resolved, &mut output)
}

/// The set with the metrics that are requested by name, by group, and by level.
fn with_metrics(args: &StatArgs, set: EventSet) -> Result<EventSet, Failure> {
    let names = args.metrics.names(&set)?.into_iter().chain(topdown::groups(args.topdown, &set));
    Ok(names.collect::<Vec<_>>().into_iter().fold(set, EventSet::metric))
}

/// The words after `stat` on the command line.
fn words() -> Vec<OsString> {
    std::env::args_os().skip(2).collect()
}
