//! A plan as JSON lines: an object for each event of each pass, then one for each PMU.

use super::beside::Beside;
use crate::conflicts::{clash, counter};
use counterpoint::planning::{Known, Planning, PmuPlan, Taken};
use serde_json::{Value, json};
use std::io::{self, Write};

pub fn write(out: &mut impl Write, planning: &Planning) -> io::Result<()> {
    for plan in &planning.pmus {
        for (number, pass) in plan.plan.passes.iter().enumerate() {
            for seat in pass {
                let event = &plan.events[seat.event];
                let (kind, place) = match &plan.known {
                    Known::Counters(_) => {
                        let (kind, number) = counter(seat.counter);
                        (json!(kind), json!(number))
                    }
                    _ => (Value::Null, Value::Null),
                };
                let line = json!({
                    "schema": 1,
                    "pmu": plan.pmu,
                    "pass": number + 1,
                    "event": event.event,
                    "canonical": event.id.to_string(),
                    "formulas": event.formulas,
                    "counter": place,
                    "kind": kind,
                });
                writeln!(out, "{line}")?;
            }
        }
        writeln!(out, "{}", json!({"schema": 1, "summary": summary(plan)}))?;
    }
    for event in &planning.software {
        writeln!(
            out,
            "{}",
            json!({"schema": 1, "event": event, "pass": null, "kind": "software"})
        )?;
    }
    for (event, reason) in &planning.unavailable {
        let reason = reason.to_string();
        writeln!(out, "{}", json!({"schema": 1, "event": event, "pass": null, "reason": reason}))?;
    }
    Ok(())
}

/// A line for each event that was tried beside a pass.
pub fn write_beside(out: &mut impl Write, beside: &Beside<'_>) -> io::Result<()> {
    for (event, slot) in &beside.events {
        let slot = slot.map(counter);
        let line = json!({
            "schema": 1,
            "pmu": beside.plan.pmu,
            "pass": beside.pass,
            "beside": event,
            "fits": slot.is_some(),
            "counter": slot.map(|(_, number)| number),
            "kind": slot.map(|(kind, _)| kind),
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn summary(plan: &PmuPlan) -> Value {
    let name = |event: &usize| plan.events[*event].event.as_str();
    let names = |events: &[usize]| events.iter().map(name).collect::<Vec<_>>();
    let conflict = (plan.plan.passes.len() > 1).then(|| plan.conflict(None)).flatten();
    let conflict = conflict.map(
        |conflict| json!({"events": names(&conflict.events), "reason": clash(plan, &conflict)}),
    );
    let units = |separated: bool| {
        let units = plan.units.iter().enumerate();
        let units = units.filter(|(index, _)| plan.plan.separated.contains(index) == separated);
        units
            .map(|(_, unit)| json!({"name": unit.name, "events": names(&unit.events)}))
            .collect::<Vec<_>>()
    };
    let free = match &plan.known {
        Known::Counters(free) => Some(free),
        _ => None,
    };
    let taken = free.map(|free| {
        let by = |taken: &Taken| match taken {
            Taken::NmiWatchdog { .. } => json!({"by": "nmi-watchdog", "counters": 1}),
            other => json!({"by": "other-thread", "counters": other.counters().count_ones()}),
        };
        free.taken.iter().map(by).collect::<Vec<_>>()
    });
    json!({
        "pmu": plan.pmu,
        "known": match &plan.known {
            Known::Counters(_) => "counters",
            Known::Tried => "tried",
            _ => "nothing",
        },
        "table": free.map(|free| free.pmu.name),
        "general": free.map(|free| free.all.general.count_ones()),
        "fixed": free.map(|free| free.all.fixed.count_ones()),
        "taken": taken,
        "events": plan.events.len(),
        "passes": plan.plan.passes.len(),
        "optimal": plan.plan.optimal,
        "at_least": plan.plan.at_least,
        "coverage": if plan.plan.passes.is_empty() { Value::Null } else { json!(plan.coverage()) },
        "together": units(false),
        "apart": units(true),
        "conflict": conflict,
        "impossible": names(&plan.plan.impossible),
    })
}
