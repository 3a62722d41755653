//! A longer list of events, in as few passes as there can be.

use super::demand::Demand;
use super::pass::Pass;
use super::search::{self, Plan};

/// Plans the fewest passes that count every event, and every unit of `together` in one pass.
///
/// A unit is a list of indices of events whose counts are only good if they were taken together: the terms of a formula.
/// Events in no unit are on their own.
///
/// The plan is the best there is, and marked so, whenever events are in no unit and claim nothing, and otherwise for as much
/// search as takes some tens of milliseconds; up to 24 events that is nearly always enough.
/// The same arguments always give the same plan.
pub fn plan(events: &[Demand], together: &[Vec<usize>]) -> Plan {
    let possible: Vec<bool> =
        (0..events.len()).map(|event| Pass::of(events, [event]).is_some()).collect();
    let impossible = (0..events.len()).filter(|&event| !possible[event]).collect();
    let mut plan = Plan { impossible, ..Plan::default() };
    let units = units(events, possible, together, &mut plan.separated);
    search::fill(&mut plan, events, &units);
    plan
}

/// The lists of events to keep together, the hardest to place first: the caller's, and each other event alone; without
/// those that are part of another one.
fn units(
    events: &[Demand],
    possible: Vec<bool>,
    together: &[Vec<usize>],
    separated: &mut Vec<usize>,
) -> Vec<Vec<usize>> {
    let mut units: Vec<Vec<usize>> = Vec::new();
    let mut alone = possible.clone();
    for (index, unit) in together.iter().enumerate() {
        let counted = |event: &usize| possible.get(*event) == Some(&true);
        let mut unit: Vec<usize> = unit.iter().copied().filter(counted).collect();
        unit.sort_by_key(|&event| (&events[event], event));
        unit.dedup();
        if Pass::of(events, unit.iter().copied()).is_some() {
            unit.iter().for_each(|&event| alone[event] = false);
            units.push(unit);
        } else {
            separated.push(index);
        }
    }
    units.extend((0..events.len()).filter(|&event| alone[event]).map(|event| vec![event]));
    units.sort_by_cached_key(|unit| {
        let demands: Vec<&Demand> = unit.iter().map(|&event| &events[event]).collect();
        let choices: u32 = demands.iter().map(|demand| demand.counters.count_ones()).sum();
        (std::cmp::Reverse(unit.len()), choices, demands)
    });
    let mut kept: Vec<Vec<usize>> = Vec::new();
    for unit in units {
        let is_part = |of: &Vec<usize>| unit.iter().all(|event| of.contains(event));
        if !unit.is_empty() && !kept.iter().any(is_part) {
            kept.push(unit);
        }
    }
    kept
}
