//! `counterpoint top`: what happens now, on the whole screen.
//!
//! # How the live view is drawn
//!
//! 1. `Profiling::take` moves the counts of the last interval out of a running profile, and leaves what is known of processes. Buckets are sparse (`profil::SparseBuckets`), so that neither is a large histogram cleared nor read each second.
//! 2. A thread of `commands/top/names.rs` finds the names, so that intervals are taken and keys are obeyed while files of symbols are read. Each file is read once, and each address is looked up once. `live.rs` shows an interval when its names are known, or after 0.2 s with the names of modules in their place, and again when they are. `processes.rs` reads what the kernel keeps of the processes that had samples, and counts metrics of those that run most.
//! 3. `commands/top/live.rs` waits for signals, keys and the end of the interval at one place, `Run::wait`. Keys are read from the terminal's bytes (`keys.rs`), because a library that waits for them would wait for signals in its own way.
//! 4. `draw.rs` writes the cells of a screen of any size; `ratatui-core` finds those that have changed, and `screen.rs` writes them with `crossterm` and gives the terminal back on every way out, a panic among them.

mod args;
mod columns;
mod counted;
mod draw;
pub mod foreign;
pub mod help;
mod keys;
mod live;
mod names;
mod processes;
mod rows;
mod sampled;
mod screen;
mod state;

pub use args::TopArgs;

use crate::args::{Attached, target_title};
use crate::commands::samples::call_graph;
use crate::failure::Failure;
use crate::names::name_failure;
use crate::show::printable;
use crate::supervisor::{self, Supervisor};
use counted::Counted;
use counterpoint::perf::Host;
use counterpoint::perf::process::Streams;
use counterpoint::profil::{BucketWidth, Scale};
use counterpoint::profile::{Profile, Profiling};
use counterpoint::{EventSet, Machine, Target};
use live::Live;
use names::Finder;
use processes::Processes;
use sampled::Sampled;
use std::fs::File;
use std::os::fd::AsFd;

/// The exit status is that of the command if it ends first, otherwise 0, and 2 if nothing can be sampled.
pub fn run(args: &TopArgs) -> Result<u8, Failure> {
    let host = Host::local();
    let attached = args.attach.attached(&host)?;
    let own_command = matches!(attached, Attached::Command);
    if own_command && args.command.is_empty() {
        let text = "nothing to show: no command, and none of -p, -t, -u, -a, -C, -G";
        return Err(Failure::new(text).help("counterpoint top -a, or counterpoint top -- COMMAND"));
    }
    screen::check()?;
    args.debug.check()?;
    if own_command {
        supervisor::check(&args.command, &host)?;
    }
    let files = args.metric_files.after(&args.definitions.files);
    let machine = args.vendor.with_beside(Machine::new(host), &files)?;
    let definitions = args.definitions.libraries(&machine)?;
    let supervisor = Supervisor::with_terminal()?;
    let (nothing, output) = (File::open("/dev/null")?, args.command_output()?);
    let (input, output) = (Some(nothing.as_fd()), Some(output.as_fd()));
    let held = supervisor.hold(&args.command, Streams { input, output, error: output })?;
    let (target, title) = match (attached, &held) {
        (Attached::Command, Some(held)) => (Target::Command(held.pid()), command_title(args)),
        (Attached::Command, None) => return Err(Failure::new("no command")),
        (Attached::To(target), _) => (target.clone(), target_title(&target)),
    };
    // A target that is watched beside a command starts with it.
    let delayed = !own_command && held.is_some();
    let set = EventSet::with_machine(machine, target.clone());
    let mut set = set.inherit(!args.no_inherit).delayed(delayed);
    set = args.metric_files.define(definitions.into_iter().fold(set, EventSet::define))?;
    let profiling = open(args, &mut set)?;
    let counted = Counted::of_target(args, &set, &target)?;
    let finder = Finder::start(args.debug.directory().to_path_buf())?;
    let sampled = Sampled::new(profiling, finder, Processes::new(args, set));
    Live::new(args, printable(&title).into_owned(), sampled, counted).run(&supervisor, held)
}

/// Opens the profile of each event.
fn open(args: &TopArgs, set: &mut EventSet) -> Result<Profiling, Failure> {
    for list in &args.events {
        set.add(list)?;
    }
    let profile = Profile::every(args.every(set.machine().host())?).threads_over_time(1);
    let mut profile = profile.text(Scale::ONE_ADDRESS, BucketWidth::Bits64);
    if let Some(graph) = args.asked_graph() {
        profile = profile.call_graph(call_graph(graph)?);
    }
    let named = |error: counterpoint::Error| name_failure(error, &args.events);
    let mut names = set.resolve().map_err(named)?.names();
    names.dedup();
    for event in names {
        set.profile(&event, profile.clone()).map_err(|refused| named(refused.error))?;
    }
    Ok(set.open_profiles()?)
}

fn command_title(args: &TopArgs) -> String {
    let words: Vec<_> = args.command.iter().map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}
