//! The samples of the target: taken by intervals, and shown with the names that are known.

use super::names::{Finder, Names};
use super::processes::{Measured, Processes};
use super::rows::Interval;
use crate::failure::Failure;
use counterpoint::profile::{Profiled, Profiling};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// The profiles, and what is known of their samples.
pub struct Sampled {
    pub profiling: Profiling,
    finder: Finder,
    processes: Processes,
    /// One for each profile.
    events: Vec<Event>,
    last: Last,
}

/// The names and losses of an event.
#[derive(Default)]
struct Event {
    names: Names,
    /// The samples that were lost since the start.
    lost: u64,
}

/// The last interval.
#[derive(Default)]
struct Last {
    profiles: Vec<Arc<Profiled>>,
    measured: HashMap<u32, Measured>,
    length: Duration,
}

impl Sampled {
    pub fn new(profiling: Profiling, finder: Finder, processes: Processes) -> Sampled {
        Sampled { profiling, finder, processes, events: Vec::new(), last: Last::default() }
    }

    /// Returns true if names are on their way.
    pub fn is_reading(&self) -> bool {
        self.events.iter().any(|event| event.names.is_reading())
    }

    /// Takes the samples since the last call; `length` is the time since then. Metrics of processes are counted if `counts` is true.
    pub fn take(&mut self, length: Duration, counts: bool) {
        let profiles = self.profiles();
        let measured = self.processes.take(&profiles, counts);
        self.last = Last { profiles, measured, length };
        // The names that are missing are asked for.
        self.intervals();
    }

    /// Does away with the samples since the last call.
    pub fn skip(&mut self) {
        let profiles = self.profiles();
        self.processes.take(&profiles, false);
    }

    fn profiles(&mut self) -> Vec<Arc<Profiled>> {
        let profiles: Vec<_> = self.profiling.take().into_iter().map(Arc::new).collect();
        self.events.resize_with(profiles.len(), Event::default);
        for (event, profiled) in self.events.iter_mut().zip(&profiles) {
            event.lost += profiled.lost;
        }
        profiles
    }

    /// Receives names of the last interval; returns true if there are any new ones.
    pub fn receive_names(&mut self) -> Result<bool, Failure> {
        let events = &mut self.events;
        self.finder.receive(|event, found| events[event].names.add(found))
    }

    /// The samples of each event in the last interval; the names that are missing are asked for.
    pub fn intervals(&mut self) -> Vec<Interval> {
        let Last { profiles, measured, length } = &self.last;
        let mut intervals = Vec::new();
        for (number, (profiled, Event { names, lost })) in
            profiles.iter().zip(&mut self.events).enumerate()
        {
            names.begin();
            let mut interval = Interval::new(profiled, names, measured);
            if names.find_unread(profiled) {
                interval = Interval::new(profiled, names, measured);
            }
            intervals.push(Interval {
                lost_before: *lost - profiled.lost,
                length: *length,
                metrics: self.processes.metrics().to_vec(),
                ..interval
            });
            self.finder.ask(number, names, profiled);
        }
        intervals
    }
}
