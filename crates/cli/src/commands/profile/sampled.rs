//! The target that is sampled, from its beginning or later.

use super::args::ProfileArgs;
use crate::begin::Begin;
use crate::control::{Command, Control};
use crate::failure::Failure;
use crate::show;
use counterpoint::perf::{Host, Readiness};
use counterpoint::profile::{Profiled, Profiling};
use counterpoint::{Error, EventSet, Target};
use std::os::fd::BorrowedFd;
use std::time::Duration;

/// Makes the set of a target.
pub type Make<'a> = &'a dyn Fn(Target) -> Result<EventSet, Failure>;

/// The events, their target, and when they are sampled.
pub struct Sampled<'a> {
    pub args: &'a ProfileArgs,
    pub set: EventSet,
    pub target: Target,
    /// The same set for another target.
    pub make: Make<'a>,
    pub begin: Begin,
    pub control: Option<Control>,
}

/// Opens the profiles of a set.
pub type Open<'a> = &'a dyn Fn(&mut EventSet) -> Result<Profiling, Error>;

/// Samples that are taken, or will be.
pub struct Sampling<'a> {
    sampled: Sampled<'a>,
    open: Open<'a>,
    /// The names of the events.
    events: Vec<String>,
    /// `None` before it begins.
    profiling: Option<Profiling>,
    is_paused: bool,
    pub is_stopped: bool,
}

impl<'a> Sampling<'a> {
    /// Opens the events; those that begin later are opened only to see that they can be, so that nothing is run in vain.
    pub fn new(mut sampled: Sampled<'a>, open: Open<'a>) -> Result<Sampling<'a>, Failure> {
        let events = sampled.set.profiled().into_iter().map(str::to_string).collect();
        let mut profiling = None;
        if sampled.begin == Begin::WithCommand {
            let mut opened = open(&mut sampled.set)?;
            opened.start()?;
            profiling = Some(opened);
        } else {
            sampled.set.open_profiles()?;
        }
        Ok(Sampling { sampled, open, events, profiling, is_paused: false, is_stopped: false })
    }

    /// When sampling begins, if it has not and a time was given.
    pub fn next(&self) -> Option<Duration> {
        match self.sampled.begin {
            Begin::After(delay) if self.profiling.is_none() => Some(delay),
            _ => None,
        }
    }

    /// Begins, or continues.
    ///
    /// The kernel reports what a program maps to events that are enabled only, so that those of a command are opened late, when its maps can be read.
    pub fn start(&mut self) -> Result<(), Failure> {
        if let Some(profiling) = &mut self.profiling {
            self.is_paused = false;
            return Ok(profiling.start()?);
        }
        let target = match &self.sampled.target {
            Target::Command(pid) => Target::Processes(descendants(&Host::local(), *pid)),
            other => other.clone(),
        };
        self.sampled.set = (self.sampled.make)(target)?;
        let mut opened = (self.open)(&mut self.sampled.set)?;
        opened.start()?;
        self.profiling = Some(opened);
        Ok(())
    }

    pub fn samples(&self) -> u64 {
        self.profiling.as_ref().map_or(0, Profiling::samples)
    }

    /// Returns true if all targets have ended.
    pub fn is_finished(&self) -> bool {
        self.profiling.as_ref().is_some_and(Profiling::is_finished)
    }

    /// The file of `--control` to wait for.
    pub fn file(&self) -> Option<BorrowedFd<'_>> {
        self.sampled.control.as_ref().and_then(Control::file)
    }

    /// Does what has been written to the file of `--control`.
    pub fn obey(&mut self, readiness: Readiness) -> Result<(), Failure> {
        let Some(mut control) = self.sampled.control.take() else { return Ok(()) };
        control.obey(readiness, &mut |command| {
            match (command, &mut self.profiling) {
                (Command::Enable, Some(_)) if !self.is_paused => {}
                (Command::Enable, _) => self.start()?,
                (Command::Disable, Some(profiling)) => {
                    profiling.pause()?;
                    self.is_paused = true;
                }
                (Command::Evlist, _) => show::note(&self.events.join(", ")),
                (Command::Stop, _) => self.is_stopped = true,
                (Command::Disable | Command::Ping, _) => {}
            }
            Ok(())
        })?;
        self.sampled.control = Some(control);
        Ok(())
    }

    /// The profiles; `None` if sampling did not begin.
    pub fn stop(self) -> Result<Option<Vec<Profiled>>, Failure> {
        Ok(self.profiling.map(Profiling::stop).transpose()?)
    }
}

/// A process with the processes that it started, as far as their parents are there.
fn descendants(host: &Host, first: u32) -> Vec<u32> {
    let parent = |pid: u32| Some((pid, host.task_stat(pid).ok()?.parent));
    let pids = host.names("/proc").into_iter().filter_map(|name| name.parse().ok());
    let parents: Vec<(u32, u32)> = pids.filter_map(parent).collect();
    let mut found = vec![first];
    let mut next = 0;
    while let Some(of) = found.get(next).copied() {
        found.extend(parents.iter().filter(|(_, parent)| *parent == of).map(|(pid, _)| *pid));
        next += 1;
    }
    found
}
