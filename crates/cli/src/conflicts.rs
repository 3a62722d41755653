//! Which events are in conflict over counters, in words.

use counterpoint::planning::PmuPlan;
use counterpoint::pmu::counters::{FIXED, METRIC, registers};
use counterpoint::pmu::plan::{Conflict, Over};

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
                "{names} need different privilege levels, and this PMU counts all events at the same levels"
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

/// The share of the time for which each event is counted.
pub fn share(plan: &PmuPlan) -> String {
    format!("{:.0}%", 100.0 * plan.coverage())
}

/// The kind of a counter, and its number among those of its kind.
pub fn counter(bit: u32) -> (&'static str, u32) {
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
pub fn listed(names: &[String]) -> String {
    match names {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        names => names.join(""),
    }
}
