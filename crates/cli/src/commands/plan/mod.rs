//! `counterpoint plan`: which events can be counted together.

mod args;
mod beside;
mod json;
mod text;

pub use text::share;

use crate::failure::Failure;
use crate::names::{self, name_failure};
use crate::show;
pub use args::PlanArgs;
use counterpoint::pmu::counters::{FIXED, METRIC, registers};
use counterpoint::pmu::plan::{Conflict, Over};
use counterpoint::{EventSet, Machine, PmuPlan, Target};
use std::io::Write;

/// Exit status 1 if an event cannot be counted at all.
pub fn run(args: &PlanArgs) -> Result<u8, Failure> {
    let machine = match &args.pmu {
        Some(name) => Machine::of_pmu(names::pmu(name)?),
        None => Machine::new(args.machine.host()?),
    };
    let mut set = EventSet::with_machine(machine, Target::ThisThread);
    for text in args.definitions.texts()? {
        set = set.define(text);
    }
    let plan = |lists: &[String]| set.plan_of(lists).map_err(|error| name_failure(error, lists));
    let planning = plan(&args.events)?;
    let with = if args.with.is_empty() { None } else { Some(plan(&args.with)?) };
    let mut out = show::stdout();
    match args.json {
        true => json::write(&mut out, &planning)?,
        false => text::write(&mut out, &planning)?,
    }
    if args.beside || !args.with.is_empty() {
        beside::write(&mut out, args.json, &planning, with.as_ref())?;
    }
    out.flush()?;
    Ok(u8::from(!planning.is_complete()))
}

/// What a counter is called, and its number among those of its kind.
fn counter(bit: u32) -> (&'static str, u32) {
    match bit {
        METRIC.. => ("metric", bit - METRIC),
        FIXED.. => ("fixed", bit - FIXED),
        _ => ("general", bit),
    }
}

/// Counters by their names, such as `0 to 3 and fixed 1`.
pub fn counters(mask: u64) -> String {
    let mut names = Vec::new();
    for kind in ["general", "fixed", "metric"] {
        let of_kind = (0..64).filter(|bit| mask >> bit & 1 != 0).map(counter);
        let numbers: Vec<u32> = of_kind.filter(|(k, _)| *k == kind).map(|(_, n)| n).collect();
        let prefix = if kind == "general" { String::new() } else { format!("{kind} ") };
        for run in numbers.chunk_by(|a, b| a + 1 == *b) {
            names.push(match run {
                [one] => format!("{prefix}{one}"),
                [first, .., last] => format!("{prefix}{first} to {last}"),
                [] => continue,
            });
        }
    }
    listed(&names)
}

/// `a, b and c`.
fn listed(names: &[String]) -> String {
    match names {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        names => names.join(""),
    }
}

/// Which events are in each other's way, and why, as a sentence without its end.
pub fn clash(plan: &PmuPlan, conflict: &Conflict) -> String {
    let names: Vec<String> =
        conflict.events.iter().map(|event| plan.events[*event].event.clone()).collect();
    let names = listed(&names);
    match conflict.over {
        Over::Counters(mask) => {
            let plural = if mask.count_ones() == 1 { "" } else { "s" };
            format!(
                "{names} are {} events for {} counter{plural}, {}",
                conflict.events.len(),
                mask.count_ones(),
                counters(mask)
            )
        }
        Over::Register { register: registers::LEVELS, .. } => {
            format!(
                "{names} ask for different privilege levels, and this PMU counts all at the same"
            )
        }
        Over::Register { register, copies } => {
            let what = match register {
                registers::OFFCORE_RESPONSE => "offcore response register",
                registers::LOAD_LATENCY => "load latency register",
                registers::FRONTEND => "front-end register",
                _ => "shared register",
            };
            let plural = if copies == 1 { "" } else { "s" };
            format!("{names} need different values in {copies} {what}{plural}")
        }
        _ => format!("{names} do not fit together"),
    }
}
