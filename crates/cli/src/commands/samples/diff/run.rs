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

/// The samples of an event.
pub struct Event {
    pub name: String,
    pub samples: u64,
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
            let of_chance = samples_of(profiled);
            let functions =
                functions.into_iter().map(|of| (of.function, of.module, of_chance(of.count)));
            let each = match profiled.off_cpu {
                Some(_) => Some(MICROSECOND),
                None if profiled.by_events => None,
                None => time_of_each(&name, profiled.every),
            };
            let is_waiting = profiled.off_cpu.is_some();
            Event { tree, is_waiting, ..Event::new(name, each, functions) }
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
        let samples = functions.values().fold(0, |sum: u64, count| sum.saturating_add(*count));
        Event { name, samples, each, is_waiting: false, tree: None, functions }
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

/// The number of samples that a count stands for; where samples count as many events each, that of samples of equal weight that would be as precise.
fn samples_of(profiled: &Profiled) -> impl Fn(u64) -> u64 {
    let snapshot = &profiled.snapshot;
    let total = snapshot.total().saturating_add(snapshot.outside);
    let each = if profiled.by_events && total > 0 {
        snapshot.effective_samples() / total as f64
    } else {
        1.0
    };
    move |count| if each == 1.0 { count } else { (count as f64 * each).round() as u64 }
}
