//! Runs the command, or waits, while samples are taken.

use super::args::ProfileArgs;
use super::sampled::{Make, Sampled, Sampling};
use crate::begin::Begin;
use crate::commands::samples::{Output, Seen};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::show;
use crate::supervisor::{self, Outcome, Run, Supervisor};
use counterpoint::perf::Host;
use counterpoint::perf::output::OutputFile;
use counterpoint::perf::process::{Held, Streams};
use counterpoint::profile::Profiled;
use counterpoint::{EventSet, Target};
use counterpoint_recording::FileRecorder;
use std::ffi::OsString;
use std::io::Write;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// The time between two progress lines, and between two looks at the memory of a process.
const TICK: Duration = Duration::from_millis(500);

pub fn run(
    sampled: Sampled<'_>,
    held: Option<Held>,
    supervisor: &Supervisor,
    output: Output,
) -> Result<u8, Failure> {
    let args = sampled.args;
    let (began, begun) = (SystemTime::now(), Instant::now());
    let sampling = Sampling::new(sampled, &EventSet::open_profiles)?;
    let (outcome, mut profiled, seen) = take(args, &args.command, sampling, held, supervisor)?;
    let mut shown = args.shown();
    shown.origin.began = Some(began);
    shown.origin.duration = begun.elapsed();
    name_off_cpu(&mut profiled);
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
    sampled: Sampled<'_>,
    held: Option<Held>,
    supervisor: &Supervisor,
    file: OutputFile,
    path: PathBuf,
) -> Result<u8, Failure> {
    let args = sampled.args;
    let (outcome, profiled, recorder) = recorded(sampled, held, supervisor, file, &path)?;
    let written = recorder.finish().and_then(|()| {
        let sum = |of: fn(&Profiled) -> u64| profiled.iter().map(of).sum::<u64>();
        let (samples, lost) = (sum(|of| of.samples), sum(|of| of.lost));
        // A thousand ranks would print a thousand lines that say the same.
        if args.mpi && lost == 0 {
            return Ok(());
        }
        let samples = show::grouped(samples.into());
        let path = path.to_string_lossy();
        let path = show::printable(&path);
        writeln!(show::stderr(), "counterpoint: {samples} samples, {lost} lost, written to {path}")
    });
    supervisor::exit_code(outcome.exit_code(), written.err().as_ref())
}

/// Takes samples into a file, which is to be finished.
pub fn recorded(
    sampled: Sampled<'_>,
    held: Option<Held>,
    supervisor: &Supervisor,
    file: OutputFile,
    path: &Path,
) -> Result<(Outcome, Vec<Profiled>, Arc<FileRecorder>), Failure> {
    let args = sampled.args;
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let (host, words) = (args.machine.host()?, words.collect());
    let recorder = Arc::new(FileRecorder::new(file, path.to_path_buf(), host, words));
    let open = |set: &mut EventSet| set.record_profiles(recorder.clone());
    let sampling = Sampling::new(sampled, &open)?;
    let (outcome, profiled, _) = take(args, &args.command, sampling, held, supervisor)?;
    Ok((outcome, profiled, recorder))
}

/// The profile of waiting has the name of what it counts, and not of the event that is sampled.
pub fn name_off_cpu(profiled: &mut [Profiled]) {
    for profiled in profiled.iter_mut().filter(|profiled| profiled.off_cpu.is_some()) {
        profiled.event = "off-cpu".to_string();
    }
}

/// Profiles a command from its beginning on; its standard output is `output`, or that of the program.
pub fn from_exec(
    args: &ProfileArgs,
    make: Make<'_>,
    supervisor: &Supervisor,
    command: &[OsString],
    output: Option<BorrowedFd<'_>>,
) -> Result<(Outcome, Vec<Profiled>), Failure> {
    let held = supervisor.hold(command, Streams { output, ..Streams::default() })?;
    let pid = held.as_ref().map(Held::pid).ok_or_else(|| Failure::new("no command"))?;
    let target = Target::Command(pid);
    let set = make(target.clone())?;
    let sampled = Sampled { args, set, target, make, begin: Begin::WithCommand, control: None };
    let sampling = Sampling::new(sampled, &EventSet::open_profiles)?;
    let (outcome, profiled, _) = take(args, command, sampling, held, supervisor)?;
    Ok((outcome, profiled))
}

/// Takes samples until the run is over.
pub fn take(
    args: &ProfileArgs,
    command: &[OsString],
    mut sampling: Sampling<'_>,
    held: Option<Held>,
    supervisor: &Supervisor,
) -> Result<(Outcome, Vec<Profiled>, Seen), Failure> {
    let attached = args.attach.pid.first().or(args.attach.tid.first()).copied();
    let pid = attached.or(held.as_ref().map(Held::pid));
    let timeout = args.timeout.map(Duration::from_millis);
    let mut run = supervisor.start(held, command, timeout)?;
    let seen = follow(&mut sampling, &mut run, pid)?;
    let profiled = sampling.stop()?;
    let outcome = run.end()?;
    if let Some(pid) = outcome.left {
        let text = format!("the command did not terminate and still runs as process {pid}");
        writeln!(show::stderr(), "counterpoint: {text}")?;
    }
    match profiled {
        Some(profiled) => Ok((outcome, profiled, seen)),
        None => {
            let text = "it ended before sampling began, and there are no samples";
            let code = outcome.exit_code();
            Err(Failure::new(text).code(if code == 0 { 2 } else { code }))
        }
    }
}

/// Waits until the run is over, or the processes have ended.
fn follow(
    sampling: &mut Sampling<'_>,
    run: &mut Run<'_>,
    pid: Option<u32>,
) -> Result<Seen, Failure> {
    // A command writes to the same terminal, and would write into the line.
    let mut progress = Progress::new(!run.has_command());
    let (host, mut seen) = (Host::local(), Seen::default());
    loop {
        if let Some(pid) = pid {
            seen.look(&host, pid);
        }
        let is_over = run.is_over()? || sampling.is_stopped;
        if is_over || (!run.has_command() && sampling.is_finished()) {
            break;
        }
        let now = run.elapsed();
        if sampling.next().is_some_and(|at| now >= at) {
            sampling.start()?;
        }
        let samples = show::grouped(sampling.samples().into());
        progress.show(&format!("{:.1} s, {samples} samples", now.as_secs_f64()));
        let wake = sampling.next().map_or(now + TICK, |at| at.min(now + TICK));
        let readiness = run.wait(Some(wake), sampling.file())?;
        sampling.obey(readiness)?;
    }
    Ok(seen)
}
