//! The samples of a recording that are wanted.

use super::error::ReadError;
use counterpoint::perf::CpuSet;
use counterpoint::perf::records::Sample;
use counterpoint::profile::ThreadNames;
use std::ops::Range;

/// The samples that are wanted: those that fit all of these; an empty list admits all.
#[derive(Clone, Debug, Default)]
pub struct Filters {
    /// The names of events, with or without what is after the colon.
    pub events: Vec<String>,
    /// The ids of processes.
    pub pids: Vec<u32>,
    /// The ids of threads.
    pub tids: Vec<u32>,
    /// The names of threads.
    pub comms: Vec<String>,
    /// The CPUs.
    pub cpus: Option<CpuSet>,
    /// The times, in nanoseconds of the recording's clock.
    pub time: Option<Range<u64>>,
}

impl Filters {
    /// Refuses names that no event has.
    ///
    /// # Errors
    /// Returns an error for the first name that no event has.
    pub fn check(&self, names: &[String]) -> Result<(), ReadError> {
        let is_known = |asked: &&String| names.iter().any(|name| is_asked(name, asked));
        match self.events.iter().find(|asked| !is_known(asked)) {
            Some(asked) => {
                // An event may be there twice.
                let is_first = |(index, name): &(usize, &String)| !names[..*index].contains(name);
                let events = names.iter().enumerate().filter(is_first);
                let events = events.map(|(_, name)| name.clone()).collect();
                Err(ReadError::NoSuchEvent { name: asked.clone(), events })
            }
            None => Ok(()),
        }
    }

    /// Returns true if an event is one of those asked for.
    pub fn is_event(&self, name: &str) -> bool {
        self.events.is_empty() || self.events.iter().any(|asked| is_asked(name, asked))
    }

    /// Returns true if a sample is one of those asked for; what it does not say is not what was asked for.
    pub(crate) fn is_wanted(&self, sample: &Sample<'_>, names: &ThreadNames) -> bool {
        self.fits(sample) && (self.comms.is_empty() || self.is_named(names.of(sample)))
    }

    /// Returns true if a sample of the event `name`, of a thread that is called `comm`, is one of those asked for.
    pub fn wants(&self, name: &str, sample: &Sample<'_>, comm: Option<&str>) -> bool {
        self.is_event(name) && self.fits(sample) && (self.comms.is_empty() || self.is_named(comm))
    }

    fn is_named(&self, name: Option<&str>) -> bool {
        name.is_some_and(|name| self.comms.iter().any(|comm| comm == name))
    }

    fn fits(&self, sample: &Sample<'_>) -> bool {
        let among = |wanted: &[u32], number: Option<u32>| {
            wanted.is_empty() || number.is_some_and(|number| wanted.contains(&number))
        };
        let on_cpu = |cpus: &CpuSet| sample.cpu.is_some_and(|cpu| cpus.contains(cpu));
        let in_time = |range: &Range<u64>| sample.time.is_some_and(|time| range.contains(&time));
        among(&self.pids, sample.pid)
            && among(&self.tids, sample.tid)
            && self.cpus.as_ref().is_none_or(on_cpu)
            && self.time.as_ref().is_none_or(in_time)
    }
}

/// Returns true if this is the name of an event, with or without its modifiers.
fn is_asked(name: &str, asked: &str) -> bool {
    name.strip_prefix(asked).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}
