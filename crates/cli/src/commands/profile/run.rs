//! Runs the command, or waits, while samples are taken.

use super::ProfileArgs;
use super::output::Output;
use crate::commands::stat::program;
use crate::failure::Failure;
use crate::show;
use counterpoint::EventSet;
use counterpoint::perf::process::{Ended, Held, Running, Signal, Signals};
use counterpoint::perf::{Host, Maps};
use counterpoint::profile::Profiling;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How often the progress line is written, and the memory of a process is looked at.
const TICK: Duration = Duration::from_millis(500);
/// How long a command that was told to end may take before the profile is written without its end.
const GRACE: Duration = Duration::from_secs(2);
const SIGTERM: i32 = 15;

/// What was seen of the target beside its samples.
#[derive(Default)]
pub struct Seen {
    /// The program's file.
    pub program: Option<PathBuf>,
    /// What the process had in its memory last.
    pub maps: Maps,
}

pub fn run(
    args: &ProfileArgs,
    mut set: EventSet,
    held: Option<Held>,
    signals: &Signals,
    output: Output,
) -> Result<u8, Failure> {
    let mut profiling = set.open_profiles()?;
    let attached = args.attach.pid.first().or(args.attach.tid.first()).copied();
    let pid = attached.or(held.as_ref().map(Held::pid));
    profiling.start()?;
    let command = held.map(|held| program::start(held, &args.command)).transpose()?;
    let (seen, ended) = follow(args, &profiling, command, pid, signals)?;
    let profiled = profiling.stop()?;
    let code = ended.map_or(0, |ended| ended.code() as u8);
    match output.write(args, &profiled, &seen) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            let code = if code == 0 { 2 } else { code };
            Err(Failure::new(format!("the result cannot be written: {error}")).code(code))
        }
        _ => Ok(code),
    }
}

/// Waits for the end of the command, of the processes, or of somebody's patience.
fn follow(
    args: &ProfileArgs,
    profiling: &Profiling,
    mut command: Option<Running>,
    pid: Option<u32>,
    signals: &Signals,
) -> Result<(Seen, Option<Ended>), Failure> {
    let begun = Instant::now();
    let mut progress = Progress { shown: show::terminal().is_terminal(), width: 0 };
    let (host, mut seen) = (Host::local(), Seen::default());
    let mut stop_by = args.timeout.map(Duration::from_millis);
    let mut asked = 0;
    let ended = loop {
        if let Some(pid) = pid {
            seen.look(&host, pid);
        }
        if let Some(command) = &mut command
            && let Some(ended) = command.try_wait()?
        {
            break Some(ended);
        }
        let now = begun.elapsed();
        let gone = command.is_none() && profiling.is_finished();
        let over = stop_by.is_some_and(|by| now >= by);
        match (&command, over) {
            (Some(command), true) if asked == 0 => {
                command.kill(SIGTERM)?;
                (asked, stop_by) = (1, Some(now + GRACE));
            }
            _ if over || gone => break None,
            _ => {}
        }
        progress.show(profiling.samples(), now);
        let left = stop_by.map_or(TICK, |by| by.saturating_sub(now).min(TICK));
        if let Some(Signal::Stop { number, from_terminal }) = signals.wait(Some(left))? {
            let Some(command) = &command else { break None };
            // A terminal sends it to the command as well, which may clean up for as long as it needs.
            if !from_terminal {
                command.kill(number)?;
            }
            asked += 1;
            if asked > 1 {
                command.kill(SIGTERM)?;
                stop_by = Some(begun.elapsed() + GRACE);
            }
        }
    };
    progress.clear();
    Ok((seen, ended))
}

impl Seen {
    fn look(&mut self, host: &Host, pid: u32) {
        if let Ok(maps) = host.maps(Some(pid))
            && maps.iter().len() > 0
        {
            self.maps = maps;
        }
        self.program = std::fs::read_link(format!("/proc/{pid}/exe")).ok().or(self.program.take());
    }
}

/// One line on a terminal that is written over again and again.
struct Progress {
    shown: bool,
    width: usize,
}

impl Progress {
    fn show(&mut self, samples: u64, time: Duration) {
        if self.shown {
            let samples = show::grouped(samples.into());
            let line = format!("{:.1} s, {samples} samples", time.as_secs_f64());
            self.width = self.width.max(line.len());
            let _ = write!(show::terminal(), "\r{line:<width$}", width = self.width);
            let _ = show::terminal().flush();
        }
    }

    fn clear(&self) {
        if self.width > 0 {
            let _ = write!(show::terminal(), "\r{:width$}\r", "", width = self.width);
        }
    }
}
