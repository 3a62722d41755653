//! The origin of samples: their machine, process and time.

use crate::show;
use counterpoint::Reporter;
use counterpoint::records::Process;
use counterpoint_recording::file::Facts;
use std::time::{Duration, SystemTime};

/// The machine and the process that took the samples.
#[derive(Clone)]
pub struct Origin {
    pub process: Process,
    /// The words of the command that recorded them; none if they were just taken.
    pub command: Vec<String>,
    /// When the first sample could be taken; `None` if that is not known.
    pub began: Option<SystemTime>,
    /// The time for which samples were taken; zero if that is not known.
    pub duration: Duration,
}

impl Origin {
    /// This machine.
    pub fn here() -> Origin {
        let process = Process::from(&Reporter::this_process());
        Origin { process, command: Vec::new(), began: None, duration: Duration::ZERO }
    }

    /// The origin by the facts of a recording.
    pub fn recorded(facts: &Facts) -> Origin {
        let host = Some(facts.hostname.clone()).filter(|host| !host.is_empty());
        let process = Process { host, ..Process::default() };
        let times = facts.sample_time.map_or(0, |(first, last)| last.saturating_sub(first));
        let (command, duration) = (facts.command_line.clone(), Duration::from_nanos(times));
        Origin { process, command, began: None, duration }
    }

    /// A sentence for people; `None` if nothing is known.
    pub fn sentence(&self) -> Option<String> {
        let host = self.process.host.as_deref().map(|host| format!("on {}", show::printable(host)));
        let command = match self.command.as_slice() {
            [] => return host.map(|host| format!("Sampled {host}.")),
            words => words.join(" "),
        };
        let by = format!("by `{}`", show::printable(&command));
        let parts: Vec<String> = host.into_iter().chain([by]).collect();
        Some(format!("Recorded {}.", parts.join(" ")))
    }
}
