//! Runs the command, or waits, while samples are taken.

use super::args::ProfileArgs;
use crate::commands::samples::{Output, Seen};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::show;
use crate::supervisor::{self, Outcome, Run, Supervisor};
use counterpoint::EventSet;
use counterpoint::perf::Host;
use counterpoint::perf::output::OutputFile;
use counterpoint::perf::process::Held;
use counterpoint::profile::{Profiled, Profiling};
use counterpoint_recording::FileRecorder;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// The time between two progress lines, and between two looks at the memory of a process.
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
    file: OutputFile,
    path: PathBuf,
) -> Result<u8, Failure> {
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let (host, words) = (args.machine.host()?, words.collect());
    let recorder = Arc::new(FileRecorder::new(file, path.clone(), host, words));
    let profiling = set.record_profiles(recorder.clone())?;
    let (outcome, profiled, _) = take(args, profiling, held, supervisor)?;
    let written = recorder.finish().and_then(|()| {
        let sum = |of: fn(&Profiled) -> u64| profiled.iter().map(of).sum::<u64>();
        let (samples, lost) = (sum(|of| of.samples), sum(|of| of.lost));
        let samples = show::grouped(samples.into());
        let path = path.to_string_lossy();
        let path = show::printable(&path);
        writeln!(show::stderr(), "counterpoint: {samples} samples, {lost} lost, written to {path}")
    });
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
