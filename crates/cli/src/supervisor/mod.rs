//! Starts, follows and ends the target that is measured: a command, or processes that run already.

mod executable;

use crate::failure::Failure;
use counterpoint::perf::process::{Ended, Held, Running, Signal, Signals, Streams, children_times};
use counterpoint::perf::{Host, Readiness};
use std::ffi::OsString;
use std::io;
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

/// The time that a command may take to terminate when asked, before the result is printed without its end.
const GRACE: Duration = Duration::from_millis(1000);
const SIGTERM: i32 = 15;
/// The exit status for a command that did not terminate in time, as `timeout` has it.
const GIVEN_UP: u8 = 124;

/// Blocks the signals that end a measurement, so that [`Run::wait`] sees them.
pub struct Supervisor {
    signals: Signals,
}

impl Supervisor {
    /// To be called before anything starts a thread.
    pub fn new() -> io::Result<Supervisor> {
        Ok(Supervisor { signals: Signals::block()? })
    }

    /// The same for a command that draws on the terminal, and gives it back before it is suspended or ended.
    #[cfg(feature = "top")]
    pub fn with_terminal() -> io::Result<Supervisor> {
        Ok(Supervisor { signals: Signals::block_with_terminal()? })
    }

    /// Forks the command and stops it before its first instruction, so that events can be opened on it.
    ///
    /// Returns `None` if there is no command.
    pub fn hold(
        &self,
        command: &[OsString],
        streams: Streams<'_>,
    ) -> Result<Option<Held>, Failure> {
        if command.is_empty() {
            Ok(None)
        } else {
            Ok(Some(Held::fork_into(command, Some(&self.signals), streams)?))
        }
    }

    /// Lets the command go; without one the run is that of a target that is there already.
    pub fn start(
        &self,
        held: Option<Held>,
        command: &[OsString],
        timeout: Option<Duration>,
    ) -> Result<Run<'_>, Failure> {
        let early = self.pending()?;
        let times_before = children_times()?;
        let begun = Instant::now();
        let command = held.map(|held| executable::start(held, command)).transpose()?;
        let signals = &self.signals;
        let mut run = Run {
            signals,
            command,
            begun,
            timeout,
            interrupts: 0,
            interrupt: None,
            suspends: false,
            give_up: None,
            ended: None,
            ended_after: None,
            times_before,
        };
        // It may have come before the fork, when a terminal did not reach the command.
        for number in early {
            run.interrupt(number, false)?;
        }
        Ok(run)
    }

    /// The requests to stop that have come already.
    fn pending(&self) -> io::Result<Vec<i32>> {
        let mut numbers = Vec::new();
        while let Some(signal) = self.signals.wait(Some(Duration::ZERO))? {
            if let Signal::Stop { number, .. } = signal {
                numbers.push(number);
            }
        }
        Ok(numbers)
    }
}

/// Returns an error if the kernel would take the command's events away at its start.
pub fn check(command: &[OsString], host: &Host) -> Result<(), Failure> {
    executable::check(command, host)
}

/// The exit status of the program, where the command's own is `code`, and the result may not have been written.
pub fn exit_code(code: u8, failure: Option<&io::Error>) -> Result<u8, Failure> {
    match failure {
        Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let code = if code == 0 { 2 } else { code };
            Err(Failure::new(format!("the result cannot be written: {error}")).code(code))
        }
        _ => Ok(code),
    }
}

/// A command that runs, or a target that is followed.
///
/// The first interrupt is passed on, and the command may clean up for as long as it needs.
/// A second interrupt and the timeout terminate it; a command that has not terminated after [`GRACE`] is left running.
pub struct Run<'s> {
    signals: &'s Signals,
    command: Option<Running>,
    begun: Instant,
    timeout: Option<Duration>,
    interrupts: u32,
    /// The number of the first interrupt.
    interrupt: Option<i32>,
    /// Someone asks to suspend the program.
    suspends: bool,
    /// When the command is given up, after it was asked to terminate.
    give_up: Option<Duration>,
    ended: Option<Ended>,
    /// The time at which the end was seen.
    ended_after: Option<Duration>,
    times_before: (Duration, Duration),
}

/// The end of a run.
pub struct Outcome {
    /// The time from the start of the command until its end was seen.
    pub elapsed: Duration,
    /// The end of the command; `None` without one, and if it was given up.
    pub ended: Option<Ended>,
    /// The process of a command that was given up.
    pub left: Option<u32>,
    /// User and system time of the command, known once it has ended.
    pub times: Option<(Duration, Duration)>,
    /// True if someone interrupted the run.
    pub is_interrupted: bool,
    /// The number of the signal that did.
    #[cfg(feature = "top")]
    pub interrupt: Option<i32>,
}

impl Run<'_> {
    /// The time since the command started.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    pub fn has_command(&self) -> bool {
        self.command.is_some()
    }

    /// Returns true if someone asked for an end.
    pub fn is_interrupted(&self) -> bool {
        self.interrupts > 0
    }

    /// Returns true if measuring is over: the command has ended, the time is up, or someone insists.
    pub fn is_over(&mut self) -> io::Result<bool> {
        if let (Some(command), None) = (&mut self.command, self.ended) {
            self.ended = command.try_wait()?;
        }
        let now = self.elapsed();
        if self.ended.is_some() {
            self.ended_after.get_or_insert(now);
        }
        let is_past = |at: Option<Duration>| at.is_some_and(|at| now >= at);
        let is_stopped = self.interrupts > 0 && self.command.is_none();
        let is_late = is_past(self.timeout) || is_past(self.give_up);
        Ok(self.ended.is_some() || is_stopped || is_late)
    }

    /// Waits until `wake`, a time since the start, or until something happens before, or can be read from `file`; returns the state of the file.
    pub fn wait(
        &mut self,
        wake: Option<Duration>,
        file: Option<BorrowedFd<'_>>,
    ) -> io::Result<Readiness> {
        let wake = [wake, self.timeout, self.give_up].into_iter().flatten().min();
        let left = wake.map(|at| at.saturating_sub(self.elapsed()));
        let (signal, readiness) = self.signals.wait_beside(file, left)?;
        match signal {
            Some(Signal::Stop { number, from_terminal }) => {
                self.interrupt(number, from_terminal)?
            }
            Some(Signal::Suspend) => self.suspends = true,
            Some(Signal::Child) | None => {}
        }
        Ok(readiness)
    }

    /// Returns true if someone has asked to suspend the program since the last call.
    #[cfg(feature = "top")]
    pub fn takes_suspend(&mut self) -> bool {
        std::mem::take(&mut self.suspends)
    }

    fn interrupt(&mut self, number: i32, from_terminal: bool) -> io::Result<()> {
        self.interrupts += 1;
        self.interrupt.get_or_insert(number);
        let Some(command) = &self.command else { return Ok(()) };
        // A terminal sends it to the command as well.
        if !from_terminal {
            command.kill(number)?;
        }
        if self.interrupts > 1 {
            self.terminate()?;
        }
        Ok(())
    }

    fn terminate(&mut self) -> io::Result<()> {
        if let Some(command) = &self.command {
            command.kill(SIGTERM)?;
            self.give_up = Some(self.elapsed() + GRACE);
        }
        Ok(())
    }

    /// Terminates the command if it still runs, and collects it.
    pub fn end(mut self) -> io::Result<Outcome> {
        if self.ended.is_none() && self.give_up.is_none() {
            self.terminate()?;
        }
        if let (Some(command), Some(give_up)) = (&mut self.command, self.give_up) {
            while self.ended.is_none() {
                self.ended = command.try_wait()?;
                let left = give_up.saturating_sub(self.begun.elapsed());
                if self.ended.is_some() || left.is_zero() {
                    break;
                }
                if let Some(Signal::Stop { .. }) = self.signals.wait(Some(left))? {
                    self.interrupts += 1;
                }
            }
        }
        let left = self.command.as_ref().filter(|_| self.ended.is_none()).map(Running::pid);
        let times = self.ended.is_some().then(|| self.times()).transpose()?;
        let is_interrupted = self.interrupts > 0;
        Ok(Outcome {
            elapsed: self.ended_after.unwrap_or_else(|| self.elapsed()),
            ended: self.ended,
            left,
            times,
            is_interrupted,
            #[cfg(feature = "top")]
            interrupt: self.interrupt,
        })
    }

    fn times(&self) -> io::Result<(Duration, Duration)> {
        let (user, system) = children_times()?;
        let (user_before, system_before) = self.times_before;
        Ok((user.saturating_sub(user_before), system.saturating_sub(system_before)))
    }
}

impl Outcome {
    /// The exit status of the program: the command's own, 0 without a command.
    pub fn exit_code(&self) -> u8 {
        match (self.ended, self.left) {
            (Some(ended), _) => ended.code() as u8,
            (None, Some(_)) => GIVEN_UP,
            (None, None) => 0,
        }
    }

    /// The way in which the command failed; `None` if it did not.
    pub fn failure(&self) -> Option<String> {
        match self.ended {
            _ if self.is_interrupted => Some("interrupted".to_string()),
            _ if self.exit_code() == 0 => None,
            Some(Ended::Exited(code)) => Some(format!("exit status {code}")),
            Some(Ended::Killed(signal)) => Some(format!("signal {signal}")),
            None => Some("it did not terminate".to_string()),
        }
    }
}
