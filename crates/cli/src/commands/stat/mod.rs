//! `counterpoint stat`: from arguments to events, a run, and its report.

mod args;
mod comment;
pub mod compare;
mod csv;
mod event_args;
mod events;
pub mod foreign;
mod format;
mod formats;
pub mod help;
mod hooks;
mod html;
mod intervals;
mod job;
pub mod json;
mod mpi;
mod output;
mod perf;
mod perf_json;
mod perfetto;
mod place;
pub mod plot;
mod run;
mod saved;
mod summary;
mod sweep;
mod target;
mod text;
mod topdown;
mod turns;
mod words;

pub use args::StatArgs;

use crate::args::Attached;
use crate::failure::Failure;
use crate::names::name_failure;
use crate::rank_files;
use crate::supervisor;
use compare::StatAction;
use counterpoint::events::Resolved;
use counterpoint::{EventSet, Machine, Reporter, Target};
use job::Job;
use output::Output;
use topdown::Topdown;
use words::words;

/// The exit status is that of the command, 0 without one, and 2 if nothing can be counted.
pub fn run(args: &StatArgs) -> Result<u8, Failure> {
    if let Some(StatAction::Diff(args)) = &args.action {
        return compare::diff(args);
    }
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
        rank_files::check("stat", &args.output, args.append, &process)?;
    }
    let target = target::attached(args, &host)?;
    if !host.is_running() {
        return Err(Failure::new("a recorded machine cannot count")
            .help("counterpoint list --machine DIR lists what it could count"));
    }
    let machine = args.vendor.with_beside(Machine::new(host), &files)?;
    let mut control = args.begin.control()?;
    let mut job = job(args, machine, target, &process)?;
    let resolved = if args.null {
        Resolved::default()
    } else {
        let failure = |error| mpi::once(args, &process, name_failure(error, &args.events.lists));
        job.set.resolve().map_err(failure)?
    };
    let many = patterns_note(args, resolved.names().len());
    let plans = job.set.plan_resolved(&resolved).pmus;
    let note = |text: String| mpi::note(args, &process, &text);
    let deepest = |topdown: &Topdown| args.topdown().and_then(|level| topdown.note(level));
    many.into_iter().for_each(note);
    job.topdown.as_ref().and_then(deepest).into_iter().for_each(note);
    plans.iter().filter_map(turns::group_note).for_each(note);
    job.turns = turns::taking(plans);
    job.turns.iter().map(turns::turns_note).for_each(note);
    if args.mpi {
        mpi::advice(args, &job, &resolved, &process).into_iter().for_each(note);
    }
    if args.is_comparison() {
        return compare::run(args, &job, &resolved);
    }
    check_hooks(args)?;
    if matches!(job.target, Attached::Command) {
        supervisor::check(&job.command, job.set.machine().host())?;
    }
    run::run(&job, &resolved, &mut control, &mut Output::open(args)?)
}

/// Refuses what is done around the runs of a command if there is none, or only one.
fn check_hooks(args: &StatArgs) -> Result<(), Failure> {
    if args.command.is_empty() && args.hooks.is_any() {
        return Err(Failure::new(
            "there is no command that --warmup, --prepare and so on belong to",
        )
        .help("counterpoint stat -r 5 --warmup 3 --prepare 'COMMAND' -- COMMAND"));
    }
    args.hooks.check(1)
}

/// The job of the arguments, with its events and metrics.
fn job(
    args: &StatArgs,
    machine: Machine,
    target: Attached,
    process: &Reporter,
) -> Result<Job, Failure> {
    let of = match &target {
        Attached::To(target) => target.clone(),
        // A command that is yet to be started is counted like a thread: on its own, wherever it runs.
        Attached::Command => Target::ThisThread,
    };
    let mut job = Job::new(args, EventSet::with_machine(machine, of), target)?;
    job.set = args.metrics.files.define(args.definitions.define(job.set)?)?;
    job.set = with_events(args, job.set)?;
    if args.compare.why {
        job.set = compare::why::RUNNING.into_iter().fold(job.set, EventSet::event);
    }
    job.set = with_metrics(args, job.set)?;
    if args.mpi {
        job.set = job.set.node_events(mpi::node_events(process));
    }
    job.topdown =
        args.topdown().map(|level| Topdown::new(level, &job.set, &words(), args.command.len()));
    Ok(job)
}

/// The note about a pattern that stands for many events.
fn patterns_note(args: &StatArgs, events: usize) -> Option<String> {
    const MANY: usize = 32;
    let pattern = args.events.lists.iter().find(|list| list.contains(['*', '?', '[']))?;
    (events > MANY).then(|| {
        format!("`{pattern}` stands for {events} events; hardware events among them take turns")
    })
}

/// The set with the events, each with the filters that follow it.
fn with_events(args: &StatArgs, mut set: EventSet) -> Result<EventSet, Failure> {
    let lists = events::lists(args).into_iter().map(Some);
    for (number, list) in std::iter::once(None).chain(lists).enumerate() {
        if let Some(list) = list {
            set = set.event(list);
        }
        for (_, filter) in args.events.filters.iter().filter(|(before, _)| *before == number) {
            set = set.filter(filter)?;
        }
    }
    Ok(set)
}

/// The set with the metrics that are requested by name, by group, and by level.
fn with_metrics(args: &StatArgs, set: EventSet) -> Result<EventSet, Failure> {
    let slots = if args.compare.why { compare::why::slots(&set) } else { Vec::new() };
    let levels = crate::topdown::groups(args.topdown(), &set);
    let names = args.metrics.names(&set)?.into_iter().chain(levels).chain(slots);
    Ok(names.collect::<Vec<_>>().into_iter().fold(set, EventSet::metric))
}
