//! What else fits beside the events of a pass.

use crate::conflicts::counter;
use crate::show::printable;
use counterpoint::{Known, Planning, PmuPlan};
use serde_json::json;
use std::io::{self, Write};

/// The longest line of names.
const WIDTH: usize = 100;

/// Those of `with`, or where there are none all of the PMU's table.
pub fn write(
    out: &mut impl Write,
    json: bool,
    planning: &Planning,
    with: Option<&Planning>,
) -> io::Result<()> {
    for plan in &planning.pmus {
        if !matches!(plan.known, Known::Counters(_)) {
            continue;
        }
        let others = match with {
            None => plan.candidates(),
            Some(listed) => {
                let same = listed.pmus.iter().filter(|other| other.pmu == plan.pmu);
                let events = same.flat_map(|other| other.events.clone());
                events.map(|event| (event.event, event.demand)).collect()
            }
        };
        for (number, pass) in plan.plan.passes.iter().enumerate() {
            let seats = others.iter().map(|(name, demand)| (name, plan.beside(pass, demand)));
            let seats: Vec<(&String, Option<u32>)> = seats.collect();
            match json {
                true => lines(out, plan, number + 1, &seats)?,
                false => names(out, plan, number + 1, &seats)?,
            }
        }
    }
    Ok(())
}

fn lines(
    out: &mut impl Write,
    plan: &PmuPlan,
    pass: usize,
    seats: &[(&String, Option<u32>)],
) -> io::Result<()> {
    for (event, seat) in seats {
        let seat = seat.map(counter);
        let line = json!({
            "schema": 1,
            "pmu": plan.pmu,
            "pass": pass,
            "beside": event,
            "fits": seat.is_some(),
            "counter": seat.map(|(_, number)| number),
            "kind": seat.map(|(kind, _)| kind),
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn names(
    out: &mut impl Write,
    plan: &PmuPlan,
    pass: usize,
    seats: &[(&String, Option<u32>)],
) -> io::Result<()> {
    let fitting: Vec<&str> =
        seats.iter().filter(|(_, seat)| seat.is_some()).map(|(name, _)| name.as_str()).collect();
    writeln!(
        out,
        "\nbeside pass {pass} of {}: {} of {} events fit",
        plan.pmu,
        fitting.len(),
        seats.len()
    )?;
    let mut line = String::new();
    for name in fitting {
        if !line.is_empty() && line.len() + name.len() > WIDTH {
            writeln!(out, "  {}", printable(line.trim_end()))?;
            line.clear();
        }
        line += name;
        line += "  ";
    }
    if !line.is_empty() {
        writeln!(out, "  {}", printable(line.trim_end()))?;
    }
    Ok(())
}
