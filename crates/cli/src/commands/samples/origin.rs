//! The origin of samples: their machine, process and time.

use crate::page::Fact;
use crate::show::printable;
use counterpoint::perf::Host;
use counterpoint::records::{Environment, Process};
use counterpoint::{Reporter, environment};
use counterpoint_recording::Recording;
use counterpoint_recording::file::Facts;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

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
    /// The state of the machine, as far as it is known.
    pub environment: Environment,
}

impl Origin {
    /// This machine.
    pub fn here() -> Origin {
        let process = Process::from(&Reporter::this_process());
        let (command, environment) = (Vec::new(), environment(&Host::local()));
        Origin { process, command, began: None, duration: Duration::ZERO, environment }
    }

    /// The origin by the facts of a recording.
    pub fn recorded(facts: &Facts) -> Origin {
        let host = Some(facts.hostname.clone()).filter(|host| !host.is_empty());
        let (rank, size) = facts.rank.unzip();
        let size = size.filter(|size| *size > 0);
        let (rank, ranks) = (rank.map(Into::into), size.map(Into::into));
        let process = Process { host, rank, ranks, ..Process::default() };
        let times = facts.sample_time.map_or(0, |(first, last)| last.saturating_sub(first));
        let (command, duration) = (facts.command_line.clone(), Duration::from_nanos(times));
        let environment = environment_of(facts);
        Origin { process, command, began: None, duration, environment }
    }

    /// The origin of several recordings: what all have in common, and the longest duration.
    pub fn joined(recordings: &[Recording]) -> Origin {
        let mut origins = recordings.iter().map(|of| Origin::recorded(&of.facts));
        let first = origins.next().unwrap_or_else(Origin::here);
        origins.fold(first, |mut all, of| {
            all.process.rank = None;
            all.process.host =
                all.process.host.filter(|host| Some(host) == of.process.host.as_ref());
            all.process.ranks = all.process.ranks.filter(|ranks| Some(*ranks) == of.process.ranks);
            if all.environment != of.environment {
                all.environment = Environment::default();
            }
            all.duration = all.duration.max(of.duration);
            all
        })
    }

    /// What the head of a page says: each fact with its name, and the words with which this program was called.
    pub fn facts(&self) -> Vec<Fact> {
        let Environment { cpu, kernel, virtual_machine, .. } = &self.environment;
        let is_virtual = virtual_machine.as_deref() == Some("yes");
        let machine = [
            self.process.host.clone(),
            cpu.clone(),
            kernel.as_ref().map(|kernel| format!("Linux {kernel}")),
            is_virtual.then(|| "a virtual machine".to_string()),
        ];
        let machine = machine.into_iter().flatten().collect::<Vec<_>>().join(", ");
        let seconds = self.duration.as_secs_f64();
        let began = self.began.and_then(|began| began.duration_since(UNIX_EPOCH).ok());
        let texts = [
            ("Duration", (seconds > 0.0).then(|| format!("{seconds:.3} s"))),
            ("Machine", Some(machine).filter(|machine| !machine.is_empty())),
            ("Recorded by", Some(self.command.join(" ")).filter(|command| !command.is_empty())),
        ];
        let date = began.map(|began| Fact::date("Date", began.as_millis() as f64));
        let texts = texts.into_iter().filter_map(|(name, text)| Some(Fact::text(name, text?)));
        let words: Vec<_> = std::env::args_os().collect();
        let words = words.join(" ".as_ref()).to_string_lossy().into_owned();
        let options = Fact::text("Options", printable(&words));
        date.into_iter().chain(texts).chain([options]).collect()
    }
}

/// The state of the machine that recorded a file, which says little of it.
pub fn environment_of(facts: &Facts) -> Environment {
    let kernel = Some(facts.os_release.clone()).filter(|release| !release.is_empty());
    let cpus = facts.cpus.map(|(online, _)| u64::from(online));
    Environment { kernel, cpus, ..Environment::default() }
}
