//! A plan for people: a line for each event, pass by pass.

use super::beside::Beside;
use crate::conflicts::{clash, counter, counters, listed, share};
use crate::show::printable;
use counterpoint::planning::{Free, Known, Planning, PmuPlan, Taken};
use std::io::{self, Write};

pub fn write(out: &mut impl Write, planning: &Planning) -> io::Result<()> {
    for (index, plan) in planning.pmus.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        pmu(out, plan)?;
    }
    if !planning.software.is_empty() {
        let names = listed(&planning.software);
        writeln!(out, "no counter needed: {}", printable(&names))?;
    }
    for (event, reason) in &planning.unavailable {
        writeln!(out, "cannot be counted: {}: {reason}", printable(event))?;
    }
    Ok(())
}

/// The longest line of names.
const WIDTH: usize = 100;

/// The names of the events that fit beside a pass.
pub fn write_beside(out: &mut impl Write, beside: &Beside<'_>) -> io::Result<()> {
    let Beside { plan, pass, events } = beside;
    let fitting = events.iter().filter(|(_, slot)| slot.is_some());
    let fitting: Vec<&str> = fitting.map(|(name, _)| name.as_str()).collect();
    writeln!(
        out,
        "\nbeside pass {pass} of {}: {} of {} events fit",
        plan.pmu,
        fitting.len(),
        events.len()
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

fn pmu(out: &mut impl Write, plan: &PmuPlan) -> io::Result<()> {
    match &plan.known {
        Known::Counters(free) => writeln!(out, "{}: {}", plan.pmu, of_counters(free))?,
        Known::Tried => {
            writeln!(
                out,
                "{}: planned by opening sets of events, because its counters are not in the tables",
                plan.pmu
            )?;
        }
        _ => {
            let names: Vec<String> = plan.events.iter().map(|e| e.event.clone()).collect();
            writeln!(
                out,
                "{}: its counters are unknown: {}",
                plan.pmu,
                printable(&listed(&names))
            )?;
            return Ok(());
        }
    }
    passes(out, plan)?;
    writeln!(out, "  {}", verdict(plan))?;
    if plan.plan.passes.len() > 1
        && let Some(conflict) = plan.conflict(None)
    {
        writeln!(out, "  conflict: {}", printable(&clash(plan, &conflict)))?;
    }
    for (index, unit) in plan.units.iter().enumerate() {
        let name = printable(&unit.name);
        if !plan.plan.separated.contains(&index) {
            writeln!(out, "  in one pass: the events of {name}")?;
            continue;
        }
        // The events of a group that is not weak do not take turns.
        let split = if unit.is_strict { "does not fit" } else { "split" };
        match plan.conflict(Some(&unit.events)) {
            Some(conflict) => {
                writeln!(out, "  {split}: {name}, because {}", printable(&clash(plan, &conflict)))?
            }
            None => writeln!(out, "  {split}: {name}")?,
        }
    }
    for event in &plan.plan.impossible {
        let name = printable(&plan.events[*event].event);
        writeln!(out, "  cannot be counted: {name}: none of the free counters can count it")?;
    }
    Ok(())
}

fn of_counters(free: &Free) -> String {
    let all = free.all;
    let mut text = format!("{}, {} counters", free.pmu.description, all.general.count_ones());
    match all.fixed.count_ones() {
        0 => {}
        1 => text += " and 1 fixed",
        fixed => text += &format!(" and {fixed} fixed"),
    }
    for taken in &free.taken {
        let which = counters(taken.counters());
        text += &match taken {
            Taken::NmiWatchdog { .. } => format!("; the NMI watchdog holds {which}"),
            Taken::OtherThread { .. } => format!("; the other thread of the core has {which}"),
            _ => format!("; {which} are in use"),
        };
    }
    text
}

fn passes(out: &mut impl Write, plan: &PmuPlan) -> io::Result<()> {
    if !plan.plan.passes.is_empty() {
        writeln!(out, "  pass  counter    event")?;
    }
    let is_known = matches!(plan.known, Known::Counters(_));
    for (number, pass) in plan.plan.passes.iter().enumerate() {
        let mut seats = pass.clone();
        // As they stand in the processor, the fixed ones last.
        seats.sort_unstable_by_key(|seat| (if is_known { seat.counter } else { 0 }, seat.event));
        for seat in seats {
            let name = match counter(seat.counter) {
                _ if !is_known => "any".to_string(),
                ("general", number) => number.to_string(),
                (kind, number) => format!("{kind} {number}"),
            };
            let planned = &plan.events[seat.event];
            let (event, formulas) = (printable(&planned.event), planned.formulas.join(", "));
            if formulas.is_empty() {
                writeln!(out, "  {:<4}  {name:<9}  {event}", number + 1)?
            } else {
                let formulas = printable(&formulas);
                writeln!(out, "  {:<4}  {name:<9}  {event} for {formulas}", number + 1)?;
            }
        }
    }
    Ok(())
}

/// The quality of the plan, in a sentence.
fn verdict(plan: &PmuPlan) -> String {
    let passes = plan.plan.passes.len();
    match (passes, plan.plan.optimal) {
        (0, _) => "nothing can be counted".to_string(),
        (1, _) => "1 pass: all events are counted at the same time".to_string(),
        (_, true) => {
            format!(
                "{passes} passes, the fewest possible; each event is counted about {} of the time",
                share(plan)
            )
        }
        (_, false) => format!(
            "{passes} passes; at least {} are needed, and no plan between was found; each event is counted about {} of the time",
            plan.plan.at_least,
            share(plan)
        ),
    }
}
