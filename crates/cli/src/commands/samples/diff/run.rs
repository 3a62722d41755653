//! A run that is compared: the samples of each function.

use crate::commands::samples::{Counted, counted};
use counterpoint::perf::Every;
use counterpoint::profil::write::CallTree;
use counterpoint::profile::Profiled;
use counterpoint::records::Environment;
use counterpoint::symbols::Binaries;
use std::collections::BTreeMap;

/// What a run, or a file, has.
pub struct Run {
    pub events: Vec<Event>,
    /// The state of the machine, as far as it is known.
    pub environment: Option<Environment>,
}

/// The samples of an event, or, where each stands for as many events as its period, these.
pub struct Event {
    pub name: String,
    pub count: u64,
    /// The samples of equal weight, for each one of the count, that would be as precise; `None` if it counts samples.
    pub precision: Option<f64>,
    /// The time that a sample stands for, in seconds; `None` if the event is not a clock.
    pub each: Option<f64>,
    /// True if it is the time of waiting, in µs, and not of samples.
    pub is_waiting: bool,
    /// The calls, if they were counted.
    pub tree: Option<CallTree>,
    /// By function and module.
    pub functions: BTreeMap<Function, u64>,
}

/// A function with the file that contains it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Function {
    pub name: String,
    pub module: Option<String>,
}

impl Run {
    /// That of profiles.
    pub fn new(
        profiles: &[Profiled],
        environment: Option<Environment>,
        binaries: &Binaries,
    ) -> Run {
        let of = |(counted, profiled): (Counted, &Profiled)| {
            let Counted { event: name, functions, tree } = counted;
            let functions = functions.into_iter().map(|of| (of.function, of.module, of.count));
            let each = match profiled.off_cpu {
                Some(_) => Some(MICROSECOND),
                None if profiled.by_events => None,
                None => time_of_each(&name, profiled.every),
            };
            let is_waiting = profiled.off_cpu.is_some();
            Event {
                tree,
                is_waiting,
                precision: precision(profiled),
                ..Event::new(name, each, functions)
            }
        };
        let counted = counted(profiles, binaries);
        Run { events: counted.into_iter().zip(profiles).map(of).collect(), environment }
    }
}

/// The unit of times off the CPU, in seconds.
const MICROSECOND: f64 = 1e-6;

impl Event {
    pub fn new(
        name: String,
        each: Option<f64>,
        counted: impl Iterator<Item = (String, Option<String>, u64)>,
    ) -> Event {
        let mut functions: BTreeMap<Function, u64> = BTreeMap::new();
        for (name, module, count) in counted {
            // An address of one file is nothing in the other.
            let name = if name.starts_with("0x") { "[unknown]".to_string() } else { name };
            let of = functions.entry(Function { name, module }).or_default();
            *of = of.saturating_add(count);
        }
        let count = functions.values().fold(0, |sum: u64, count| sum.saturating_add(*count));
        Event { name, count, precision: None, each, is_waiting: false, tree: None, functions }
    }
}

/// The time that a sample of a clock stands for, in seconds.
pub fn time_of_each(event: &str, every: Every) -> Option<f64> {
    let is_clock = ["task-clock", "cpu-clock"].iter().any(|clock| event.starts_with(clock));
    match every {
        _ if !is_clock => None,
        Every::Period(ns) => Some(ns as f64 / 1e9),
        Every::Frequency(hertz) => (hertz > 0).then(|| 1.0 / hertz as f64),
    }
}

/// As [`Event::precision`].
fn precision(profiled: &Profiled) -> Option<f64> {
    let snapshot = &profiled.snapshot;
    let total = snapshot.total().saturating_add(snapshot.outside);
    let precision = snapshot.effective_samples() / total as f64;
    profiled.by_events.then(|| if total > 0 { precision.min(1.0) } else { 1.0 })
}
