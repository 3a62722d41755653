//! Runs the command, or waits, while samples are taken.

use super::args::ProfileArgs;
use super::output::Output;
use super::recording::Recording;
use super::seen::Seen;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::show;
use crate::supervisor::{self, Outcome, Run, Supervisor};
use counterpoint::EventSet;
use counterpoint::perf::Host;
use counterpoint::perf::process::Held;
use counterpoint::profile::{Profiled, Profiling};
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// How often the progress line is written, and the memory of a process is looked at.
const TICK: Duration = Duration::from_millis(500);

pub fn run(
    args: &ProfileArgs,
    mut set: EventSet,
    held: Option<Held>,
    supervisor: &Supervisor,
    output: Output,
) -> Result<u8, Failure> {
    let profiling = set.open_profiles()?;
    let (began, begun) = (SystemTime::now(), Instant::now());
    let (outcome, mut profiled, seen) = take(args, profiling, held, supervisor)?;
    let mut shown = args.shown();
    shown.origin.began = Some(began);
    shown.origin.duration = begun.elapsed();
    for profiled in profiled.iter_mut().filter(|profiled| profiled.off_cpu.is_some()) {
        profiled.event = "off-cpu".to_string();
    }
    let written = match args.asked_annotation() {
        Some(asked) => output.annotate(&shown, &profiled, &seen, asked).map(|failure| {
            if let Some(failure) = failure {
                let _ = failure.report();
            }
        }),
        None => output.write(&shown, &profiled, &seen),
    };
    supervisor::exit_code(outcome.exit_code(), written.err().as_ref())
}

/// The same, with a file of the samples as the result.
pub fn record(
    args: &ProfileArgs,
    mut set: EventSet,
    held: Option<Held>,
    supervisor: &Supervisor,
    recording: Recording,
) -> Result<u8, Failure> {
    let recording = Arc::new(recording);
    let profiling = set.record_profiles(recording.clone())?;
    let (outcome, profiled, _) = take(args, profiling, held, supervisor)?;
    let written = recording.finish(&profiled);
    supervisor::exit_code(outcome.exit_code(), written.err().as_ref())
}

/// Takes samples until the run is over.
fn take(
    args: &ProfileArgs,
    mut profiling: Profiling,
    held: Option<Held>,
    supervisor: &Supervisor,
) -> Result<(Outcome, Vec<Profiled>, Seen), Failure> {
    let attached = args.attach.pid.first().or(args.attach.tid.first()).copied();
    let pid = attached.or(held.as_ref().map(Held::pid));
    profiling.start()?;
    let timeout = args.timeout.map(Duration::from_millis);
    let mut run = supervisor.start(held, &args.command, timeout)?;
    let seen = follow(&profiling, &mut run, pid)?;
    let profiled = profiling.stop()?;
    let outcome = run.end()?;
    if let Some(pid) = outcome.left {
        let text = format!("the command did not terminate and still runs as process {pid}");
        writeln!(show::stderr(), "counterpoint: {text}")?;
    }
    Ok((outcome, profiled, seen))
}

/// Waits until the run is over, or the processes have ended.
fn follow(profiling: &Profiling, run: &mut Run<'_>, pid: Option<u32>) -> Result<Seen, Failure> {
    // A command writes to the same terminal, and would write into the line.
    let mut progress = Progress::new(!run.has_command());
    let (host, mut seen) = (Host::local(), Seen::default());
    loop {
        if let Some(pid) = pid {
            seen.look(&host, pid);
        }
        if run.is_over()? || (!run.has_command() && profiling.is_finished()) {
            break;
        }
        let now = run.elapsed();
        let samples = show::grouped(profiling.samples().into());
        progress.show(&format!("{:.1} s, {samples} samples", now.as_secs_f64()));
        run.wait(Some(now + TICK), None)?;
    }
    Ok(seen)
}
