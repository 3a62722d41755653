//! `counterpoint profile`: where in a program events happen.

mod args;
mod compare;
pub mod foreign;
pub mod help;
mod memory;
mod metrics;
mod own_cost;
mod recorded;
mod run;
mod sampled;
mod shown;
mod wall;

pub use args::ProfileArgs;
pub use compare::Compared;
pub use recorded::RecordArgs;

use crate::args::Attached;
use crate::begin::Begin;
use crate::commands::samples::memory::{MemoryOutput, View};
use crate::commands::samples::metrics::MetricsOutput;
use crate::commands::samples::wall::{CONTEXT_SWITCHES, WallOutput};
use crate::commands::samples::{Format, INTERVALS, Output, call_graph, sorted, with_stacks};
use crate::failure::Failure;
use crate::names::name_failure;
use crate::rank_files;
use crate::show;
use crate::supervisor::{self, Supervisor};
use args::AskedRegion;
use counterpoint::definitions::Library;
use counterpoint::events::Native;
use counterpoint::perf::Every;
use counterpoint::perf::process::{Held, Streams};
use counterpoint::profil::{BucketWidth, Flags, Histogram, Region};
use counterpoint::profile::Profile;
use counterpoint::{EventSet, Machine, Reporter, Target};
use sampled::Sampled;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;

/// The exit status is that of the command, 0 without one, and 2 if nothing can be profiled.
pub fn run(args: &ProfileArgs) -> Result<u8, Failure> {
    let host = args.machine.host()?;
    let attached = args.attach.attached(&host)?;
    args.check()?;
    let process = Reporter::this_process();
    if args.mpi {
        rank_files::check("profile", &args.output, false, &process)?;
    }
    refuse_recording(&args.command)?;
    let is_comparison = !args.compare.compare.is_empty();
    let own_command = matches!(attached, Attached::Command);
    let profile = profile(args)?;
    if !host.is_running() {
        return Err(Failure::new("a recorded machine cannot be sampled")
            .help("counterpoint list --machine DIR lists what it could count"));
    }
    if own_command && !is_comparison {
        supervisor::check(&args.command, &host)?;
    }
    let (begin, control) = (args.begin.begin()?, args.begin.control()?);
    if is_comparison {
        return compare::run(args, &|target| set_of(args, &profile, target, false));
    }
    let supervisor = Supervisor::new()?;
    let held = supervisor.hold(&args.command, Streams::default())?;
    let target = match (attached, &held) {
        (Attached::Command, Some(held)) => Target::Command(held.pid()),
        (Attached::Command, None) => {
            let text = "nothing to profile: no command, and none of -p, -t, -u, -a, -C, -G";
            return Err(Failure::new(text)
                .help("counterpoint profile -- COMMAND, or counterpoint profile -p PID"));
        }
        (Attached::To(target), _) => target,
    };
    // A target that is profiled beside a command starts with it; after a delay nothing does.
    let delayed = begin != Begin::WithCommand || !own_command && held.is_some();
    let make = |target| set_of(args, &profile, target, delayed);
    let set = make(target.clone())?;
    let sampled = Sampled { args, set, target, make: &make, begin, control };
    // The file that is there already is emptied when nothing else can be wrong.
    match args.format() {
        Format::Perf => record(sampled, held, &supervisor, &process),
        _ => report(sampled, held, &supervisor),
    }
}

/// Writes the samples to a file.
fn record(
    sampled: Sampled<'_>,
    held: Option<Held>,
    supervisor: &Supervisor,
    process: &Reporter,
) -> Result<u8, Failure> {
    let args = sampled.args;
    let name = if args.mpi { rank_files::file("perf", process) } else { "perf.data".to_string() };
    let output = if args.mpi { args.output.or(&name) } else { args.output.clone() };
    let (file, path) = output.seekable(&name)?;
    if args.mpi && process.rank == Some(0) {
        show::note(&rank_files::written("recordings", &args.output, "perf", process));
    }
    memory::note(&sampled);
    run::record(sampled, held, supervisor, file, path)
}

/// Shows what was asked for of the samples.
fn report(
    sampled: Sampled<'_>,
    held: Option<Held>,
    supervisor: &Supervisor,
) -> Result<u8, Failure> {
    let (args, make) = (sampled.args, sampled.make);
    let (has_command, page) = (!args.command.is_empty(), args.html.as_deref());
    let (format, output) = (args.format(), &args.output);
    if args.memory {
        let output = MemoryOutput::new(View::Memory, format, output, page, has_command)?;
        memory::note(&sampled);
        return shown::run(sampled, held, supervisor, |file, about| output.write(file, about));
    }
    if !args.metric.is_empty() {
        let metrics = metrics::metrics(args)?;
        let output = MetricsOutput::new(format, output, page, has_command)?;
        return shown::run(sampled, held, supervisor, |file, about| {
            output.write(file, about, &metrics)
        });
    }
    if args.wall {
        let output = WallOutput::new(format, output, page, has_command)?;
        return shown::run(sampled, held, supervisor, |file, about| output.write(file, about));
    }
    let output = Output::of_samples(format, output, args.append, has_command, page)?;
    let exit_code = run::run(sampled, held, supervisor, output)?;
    if args.own_cost && exit_code == 0 {
        own_cost::say(args, make, supervisor)?;
    } else if args.own_cost {
        show::note("what sampling adds is not measured, as the command failed");
    }
    Ok(exit_code)
}

/// Profiles two commands in turn, with options of `counterpoint profile`.
pub fn compared(commands: [&str; 2], options: &[&str]) -> Result<Compared, Failure> {
    #[derive(clap::Parser)]
    struct Options {
        #[command(flatten)]
        args: ProfileArgs,
    }
    let [base, other] = commands;
    let words = [&["profile", "--compare", base, other], options].concat();
    let Options { args } =
        clap::Parser::try_parse_from(words).map_err(|error| Failure::new(error.to_string()))?;
    args.check()?;
    let profile = profile(&args)?;
    compare::profiled(&args, &|target| set_of(&args, &profile, target, false))
}

/// The set of a target, with the profiles of the arguments.
fn set_of(
    args: &ProfileArgs,
    profile: &Profile,
    target: Target,
    delayed: bool,
) -> Result<EventSet, Failure> {
    let machine = args.vendor.with(Machine::new(args.machine.host()?))?;
    let definitions = args.definitions.libraries(&machine)?;
    let set = EventSet::with_machine(machine, target).inherit(!args.no_inherit);
    let set = set.delayed(delayed).domain(args.levels.levels());
    with_profiles(set, args, definitions, profile)
}

/// Refuses a file of samples in the place of a command.
fn refuse_recording(command: &[OsString]) -> Result<(), Failure> {
    let [file] = command else { return Ok(()) };
    let mut magic = [0; 8];
    let is_read = File::open(file).and_then(|mut file| file.read_exact(&mut magic)).is_ok();
    if !is_read || magic != *b"PERFILE2" {
        return Ok(());
    }
    let name = file.to_string_lossy();
    let name = show::printable(&name);
    Err(Failure::new(format!("{name} is a recording, and not a command"))
        .help(format!("counterpoint report {name}")))
}

/// The set with the events asked for, each with the profile.
fn with_profiles(
    mut set: EventSet,
    args: &ProfileArgs,
    definitions: Vec<Library>,
    profile: &Profile,
) -> Result<EventSet, Failure> {
    for library in definitions {
        set = set.define(library);
    }
    for list in &args.events {
        set = set.event(list);
    }
    let named = |error: counterpoint::Error| name_failure(error, &args.events);
    let names = if args.events.is_empty() { Vec::new() } else { names(&set).map_err(named)? };
    if !args.metric.is_empty() {
        let set = args.metric_files.define(set)?;
        return metrics::with_profiles(set, &names, args, profile);
    }
    if args.memory {
        let set = memory::with_profiles(set, &names, profile, every(args)?)?;
        return match &args.allocations {
            Some(file) => memory::with_allocations(set, file, profile),
            None => Ok(set),
        };
    }
    // In software, a value is looked at as often as a clock ticks.
    let has_rate = args.period.is_some() || args.frequency.is_some() || args.software;
    for event in &names {
        let profile = profile.clone();
        let is_each = !has_rate && is_tracepoint(&set, event).map_err(named)?;
        let profile = if is_each { profile.rate(Every::Period(1)) } else { profile };
        set.profile(event, profile).map_err(|refused| named(refused.error))?;
    }
    if args.wall {
        let stops = with_call_graph(Profile::off_cpu(), args)?;
        return wall::with_profiles(set, profile.clone(), stops);
    }
    if args.off_cpu {
        if names.iter().any(|event| event == CONTEXT_SWITCHES) {
            let text = "--off-cpu profiles context-switches, and -e does as well";
            return Err(Failure::new(text).help("leave out one of them"));
        }
        set = set.event(CONTEXT_SWITCHES);
        let off_cpu = with_call_graph(Profile::off_cpu(), args)?.keys(&sorted::apart(&args.sort));
        set.profile(CONTEXT_SWITCHES, off_cpu).map_err(|refused| named(refused.error))?;
    }
    if set.profiled().len() > 1 && !args.format().holds_several() {
        return Err(Failure::new("this format holds only one event")
            .help("profile one event, or use --format table, json or perf"));
    }
    Ok(set)
}

/// The events of the set, each once.
fn names(set: &EventSet) -> Result<Vec<String>, counterpoint::Error> {
    let mut names = set.resolve()?.names();
    names.dedup();
    Ok(names)
}

/// Returns true if each occurrence of an event is sampled, as there may be few, unless another rate was asked for.
fn is_tracepoint(set: &EventSet, event: &str) -> Result<bool, counterpoint::Error> {
    let resolved = set.resolve_list(event)?;
    let natives = resolved.natives();
    Ok(!natives.is_empty() && natives.iter().all(Native::is_tracepoint))
}

/// How often events are sampled, if that was asked for.
fn every(args: &ProfileArgs) -> Result<Option<Every>, Failure> {
    Ok(match (args.period, args.frequency) {
        (Some(0), _) => return Err(Failure::new("-c needs a number of at least 1")),
        (Some(period), _) => Some(Every::Period(period)),
        (None, None) => None,
        (None, Some(hertz)) => Some(Every::Frequency(hertz.number(&args.machine.host()?)?)),
    })
}

fn profile(args: &ProfileArgs) -> Result<Profile, Failure> {
    let every = every(args)?.unwrap_or(Every::Frequency(1000));
    let flags = Flags { random: args.random, compress: args.compress, weighted: args.weighted };
    let width = match args.bucket.as_str() {
        "16" => BucketWidth::Bits16,
        "64" => BucketWidth::Bits64,
        _ => BucketWidth::Bits32,
    };
    let mut profile = Profile::every(every).flags(flags).software(args.software);
    if let Some(term) = &args.term {
        profile = profile.term(term);
    }
    profile = with_call_graph(profile, args)?;
    let intervals = if args.html.is_some() { INTERVALS } else { 1 };
    profile = profile.threads_over_time(intervals).keys(&sorted::apart(&args.sort));
    if args.format() == Format::Perf || args.wall || args.memory || !args.metric.is_empty() {
        // The samples are in the file, and are counted to be shown as progress only.
        let all = Histogram::new(vec![Region::catch_all()], width);
        return Ok(profile.histogram(all.map_err(|e| Failure::new(e.to_string()))?));
    }
    if args.region.is_empty() {
        return Ok(profile.text(args.scale(), width));
    }
    let region = |asked: &AskedRegion| match asked {
        AskedRegion::Rest => Ok(Region::catch_all()),
        AskedRegion::Addresses(range, own) => {
            let scale = own.unwrap_or(args.scale());
            Region::exactly(range.clone(), scale)
                .map_err(|e| Failure::new(format!("--region: {e}")))
        }
    };
    let regions = args.region.iter().map(region).collect::<Result<Vec<_>, _>>()?;
    let mut scales = regions.iter().filter(|region| !region.is_catch_all()).map(|r| r.scale);
    let first = scales.next();
    if args.format() == Format::Gmon && scales.any(|other| Some(other) != first) {
        return Err(Failure::new("--format gmon has one scale for all regions")
            .help("leave out the scales of --region and use --scale, or write another format"));
    }
    let histogram = Histogram::new(regions, width).map_err(|e| Failure::new(e.to_string()))?;
    Ok(profile.histogram(histogram))
}

fn with_call_graph(profile: Profile, args: &ProfileArgs) -> Result<Profile, Failure> {
    let graph = args.asked_graph().map(call_graph).transpose()?;
    let counts_all = args.region.is_empty() && !args.random && !args.compress;
    let is_page = args.html.is_some() && counts_all;
    Ok(with_stacks(profile, graph, args.format(), is_page))
}
