//! A plan as JSON lines: an object for each event of each pass, then one for each PMU.

use super::beside::Beside;
use crate::conflicts::{clash, counter};
use crate::records::Last;
#[cfg(test)]
use crate::schema::{Lines, schema_of};
use crate::show;
use counterpoint::planning::{Known, Planning, PmuPlan, Taken};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

#[cfg(test)]
pub const LINES: Lines = &[
    schema_of::<Seated<'_>>,
    schema_of::<Last<Summary<'_>>>,
    schema_of::<Unplanned<'_>>,
    schema_of::<Tried<'_>>,
];

/// An event in a pass.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Seated<'a> {
    /// The version of the format: 1.
    schema: u32,
    /// The PMU.
    pmu: &'a str,
    /// The pass, from 1.
    pass: usize,
    /// The event, as it was written.
    event: &'a str,
    /// Its usual name.
    canonical: String,
    /// The formulas that need it.
    formulas: &'a [String],
    /// The number of the counter; null if the counters are not known.
    counter: Option<u32>,
    /// `general` or `fixed`; null if the counters are not known.
    kind: Option<&'static str>,
}

/// An event that takes part in no pass.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Unplanned<'a> {
    /// The version of the format: 1.
    schema: u32,
    /// The event, as it was written.
    event: &'a str,
    /// Null.
    pass: Option<usize>,
    /// `software` for an event that needs no counter.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    /// Why the event cannot be counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// An event that was tried beside a pass.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Tried<'a> {
    /// The version of the format: 1.
    schema: u32,
    /// The PMU.
    pmu: &'a str,
    /// The pass, from 1.
    pass: usize,
    /// The event.
    beside: &'a str,
    /// Whether it can be counted in the same pass.
    fits: bool,
    /// The number of its counter.
    counter: Option<u32>,
    /// `general` or `fixed`.
    kind: Option<&'static str>,
}

/// The plan of a PMU.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Summary<'a> {
    /// The PMU.
    pmu: &'a str,
    /// `counters`, `tried` if sets of events were opened to find out, or `nothing`.
    known: &'static str,
    /// The table that has the counters.
    table: Option<&'static str>,
    /// The number of general counters.
    general: Option<u32>,
    /// The number of fixed counters.
    fixed: Option<u32>,
    /// The counters that something else holds.
    taken: Option<Vec<TakenBy>>,
    /// The number of events.
    events: usize,
    /// The number of passes.
    passes: usize,
    /// Whether it is known that fewer passes are not possible.
    optimal: bool,
    /// The number of passes that are needed at least.
    at_least: usize,
    /// The share of the time in which each event is counted; null if no event fits a counter.
    coverage: Option<f64>,
    /// The formulas and groups whose events are in one pass.
    together: Vec<Unit<'a>>,
    /// The formulas and groups whose events are in several passes.
    apart: Vec<Unit<'a>>,
    /// Why there are several passes.
    conflict: Option<Conflict<'a>>,
    /// The events that no counter takes.
    impossible: Vec<&'a str>,
}

/// What holds counters.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct TakenBy {
    /// `nmi-watchdog` or `other-thread`.
    by: &'static str,
    /// How many counters it holds.
    counters: u32,
}

/// Events that are meaningful only if they are counted in one pass.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Unit<'a> {
    /// The formula, or the group as it was written.
    name: &'a str,
    /// Its events.
    events: Vec<&'a str>,
}

/// Events that cannot be counted at the same time.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Conflict<'a> {
    /// The events.
    events: Vec<&'a str>,
    /// Why, in words.
    reason: String,
}

pub fn write(out: &mut impl Write, planning: &Planning) -> io::Result<()> {
    for plan in &planning.pmus {
        for (number, pass) in plan.plan.passes.iter().enumerate() {
            for seat in pass {
                let event = &plan.events[seat.event];
                let place = match &plan.known {
                    Known::Counters(_) => Some(counter(seat.counter)),
                    _ => None,
                };
                let seated = Seated {
                    schema: 1,
                    pmu: &plan.pmu,
                    pass: number + 1,
                    event: &event.event,
                    canonical: event.id.to_string(),
                    formulas: &event.formulas,
                    counter: place.map(|(_, number)| number),
                    kind: place.map(|(kind, _)| kind),
                };
                show::json(out, &seated)?;
            }
        }
        show::json(out, &Last::new(summary(plan)))?;
    }
    for event in &planning.software {
        let kind = Some("software");
        show::json(out, &Unplanned { schema: 1, event, pass: None, kind, reason: None })?;
    }
    for (event, reason) in &planning.unavailable {
        let reason = Some(reason.to_string());
        show::json(out, &Unplanned { schema: 1, event, pass: None, kind: None, reason })?;
    }
    Ok(())
}

/// A line for each event that was tried beside a pass.
pub fn write_beside(out: &mut impl Write, beside: &Beside<'_>) -> io::Result<()> {
    for (event, slot) in &beside.events {
        let slot = slot.map(counter);
        let tried = Tried {
            schema: 1,
            pmu: &beside.plan.pmu,
            pass: beside.pass,
            beside: event,
            fits: slot.is_some(),
            counter: slot.map(|(_, number)| number),
            kind: slot.map(|(kind, _)| kind),
        };
        show::json(out, &tried)?;
    }
    Ok(())
}

fn summary(plan: &PmuPlan) -> Summary<'_> {
    let name = |event: &usize| plan.events[*event].event.as_str();
    let names = |events: &[usize]| events.iter().map(name).collect::<Vec<_>>();
    let conflict = (plan.plan.passes.len() > 1).then(|| plan.conflict(None)).flatten();
    let conflict = conflict.map(|conflict| Conflict {
        events: names(&conflict.events),
        reason: clash(plan, &conflict),
    });
    let units = |separated: bool| {
        let units = plan.units.iter().enumerate();
        let units = units.filter(|(index, _)| plan.plan.separated.contains(index) == separated);
        units.map(|(_, unit)| Unit { name: &unit.name, events: names(&unit.events) }).collect()
    };
    let free = match &plan.known {
        Known::Counters(free) => Some(free),
        _ => None,
    };
    let taken = free.map(|free| {
        let by = |taken: &Taken| match taken {
            Taken::NmiWatchdog { .. } => TakenBy { by: "nmi-watchdog", counters: 1 },
            other => TakenBy { by: "other-thread", counters: other.counters().count_ones() },
        };
        free.taken.iter().map(by).collect()
    });
    Summary {
        pmu: &plan.pmu,
        known: match &plan.known {
            Known::Counters(_) => "counters",
            Known::Tried => "tried",
            _ => "nothing",
        },
        table: free.map(|free| free.pmu.name),
        general: free.map(|free| free.all.general.count_ones()),
        fixed: free.map(|free| free.all.fixed.count_ones()),
        taken,
        events: plan.events.len(),
        passes: plan.plan.passes.len(),
        optimal: plan.plan.optimal,
        at_least: plan.plan.at_least,
        coverage: (!plan.plan.passes.is_empty()).then(|| plan.coverage()),
        together: units(false),
        apart: units(true),
        conflict,
        impossible: names(&plan.plan.impossible),
    }
}
