//! The groups in which events are opened, along a plan.

use super::tried::{Trial, trial};
use super::{Known, Planning, PmuPlan};
use crate::resolved::{Input, Metric, Rule};
use crate::{Machine, Reason, Resolved};
use counterpoint_pmu::counters::TOPDOWN_SLOTS;
use counterpoint_pmu::plan::Slot;
use std::collections::VecDeque;

/// Joins hardware events outside braces that fit one pass of their PMU, so that they are counted at the same time.
///
/// Braces stay as they are. What the kernel does not let count together after all stays apart, and is noted as such.
pub(crate) fn arrange(machine: &Machine, resolved: &mut Resolved) {
    if resolved.loose.len() < 2 {
        return;
    }
    let planning = Planning::of(machine, resolved);
    for pmu in &planning.pmus {
        if !matches!(pmu.known, Known::Counters(_)) {
            continue;
        }
        let loose: Vec<usize> =
            resolved.loose.iter().flat_map(|group| &resolved.groups[*group]).copied().collect();
        let mut left = loose.clone();
        let homes: Vec<_> = resolved.metrics.iter().map(|metric| home(pmu, metric)).collect();
        for (index, pass) in pmu.plan.passes.iter().enumerate() {
            let mut members = Vec::new();
            for slot in pass {
                let event = &pmu.events[slot.event];
                let native = match left.iter().position(|native| *native == event.native) {
                    Some(place) => Some(left.swap_remove(place)),
                    None if loose.contains(&event.native) => {
                        again(resolved, event.native, |metric| homes[metric] == Some(index))
                    }
                    None => None,
                };
                // The counter of slots leads its group, or else the kernel refuses the metrics beside it.
                let is_slots = event.demand.counters >> TOPDOWN_SLOTS & 1 != 0;
                members.extend(native.map(|native| (!is_slots, native)));
            }
            members.sort_unstable();
            let members = members.into_iter().map(|(_, native)| native).collect();
            join(machine, resolved, members);
        }
    }
    let is_left = |group: &usize| !resolved.groups[*group].is_empty();
    let places: Vec<usize> = (0..resolved.groups.len()).filter(is_left).collect();
    resolved.loose.retain(|group| places.contains(group));
    let place = |group: &mut usize| *group = places.partition_point(|other| other < group);
    resolved.loose.iter_mut().for_each(place);
    resolved.groups.retain(|group| !group.is_empty());
}

/// The first pass of a PMU that holds all events of a formula that the PMU counts.
fn home(pmu: &PmuPlan, metric: &Metric) -> Option<usize> {
    let slots = pmu.events.iter().enumerate();
    let of_metric = |native| metric.natives().any(|other| other == native);
    let needed: Vec<usize> =
        slots.filter(|(_, event)| of_metric(event.native)).map(|(index, _)| index).collect();
    let holds = |pass: &Vec<Slot>| needed.iter().all(|n| pass.iter().any(|s| s.event == *n));
    pmu.plan.passes.iter().position(holds)
}

/// Opens an event of an earlier pass once more, for the formulas at home in this one: their terms are good only if they were counted together.
///
/// Nothing where no formula needs it.
fn again(resolved: &mut Resolved, native: usize, is_home: impl Fn(usize) -> bool) -> Option<usize> {
    let copy = resolved.natives.len();
    let mut is_needed = false;
    for (index, metric) in resolved.metrics.iter_mut().enumerate() {
        let Rule::Derived { inputs, .. } = &mut metric.rule else { continue };
        for input in inputs.iter_mut().filter(|input| **input == Input::Native(native)) {
            if is_home(index) {
                *input = Input::Native(copy);
                is_needed = true;
            }
        }
    }
    is_needed.then(|| {
        resolved.natives.push(resolved.natives[native].clone());
        resolved.loose.push(resolved.groups.len());
        resolved.groups.push(vec![copy]);
        copy
    })
}

/// Finds the events of braces that have no counter beside those before them: the kernel takes some groups that it never runs.
pub(crate) fn refuse_crowded(machine: &Machine, resolved: &mut Resolved) {
    let is_hardware = |native: &&usize| !resolved.natives[**native].is_software();
    let is_braces = |(group, members): (usize, &Vec<usize>)| {
        members.iter().filter(is_hardware).nth(1).is_some() && !resolved.loose.contains(&group)
    };
    if !resolved.groups.iter().enumerate().any(is_braces) {
        return;
    }
    let planning = Planning::of(machine, resolved);
    for pmu in &planning.pmus {
        for unit in pmu.crowded() {
            let native = |event: &usize| pmu.events[*event].native;
            // Tables may know fewer counters than there are.
            if trial(machine, unit.events.iter().map(|e| &resolved.natives[native(e)]))
                != Trial::Apart
            {
                continue;
            }
            let mut fitting = Vec::new();
            for event in &unit.events {
                fitting.push(*event);
                let Some(conflict) = pmu.conflict(Some(&fitting)) else { continue };
                fitting.pop();
                let rivals = conflict.events.iter().filter(|rival| *rival != event);
                let rivals = rivals.map(|rival| pmu.events[*rival].event.clone()).collect();
                resolved.crowded.push((native(event), Reason::DoesNotFit { rivals }));
            }
        }
    }
}

/// Puts events into one group, or into as few as the kernel lets run.
fn join(machine: &Machine, resolved: &mut Resolved, members: Vec<usize>) {
    let mut parts = VecDeque::from([members]);
    while let Some(mut part) = parts.pop_front() {
        if part.len() < 2 {
            continue;
        }
        match trial(machine, part.iter().map(|native| &resolved.natives[*native])) {
            Trial::Apart => {
                resolved.scattered.extend(&part);
                let second = part.split_off(part.len() / 2);
                parts.extend([part, second]);
            }
            Trial::Together => merge(resolved, &part),
            Trial::Unknown => {}
        }
    }
}

/// Makes the group of the first of these events the group of all of them.
fn merge(resolved: &mut Resolved, members: &[usize]) {
    let holds = |group: &usize| resolved.groups[*group].iter().any(|n| members.contains(n));
    let of_members: Vec<usize> = resolved.loose.iter().copied().filter(holds).collect();
    for (index, group) in of_members.into_iter().enumerate() {
        resolved.groups[group] = if index == 0 { members.to_vec() } else { Vec::new() };
    }
}
