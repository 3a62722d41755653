//! The groups in which events are opened, along a plan.

use super::tried::{Trial, trial};
use super::{Known, Planning};
use crate::{Machine, Resolved};
use counterpoint_pmu::dispatch::counters::FIXED;
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
        let mut left: Vec<usize> =
            resolved.loose.iter().flat_map(|group| &resolved.groups[*group]).copied().collect();
        for pass in &pmu.plan.passes {
            let mut members = Vec::new();
            for seat in pass {
                let event = &pmu.events[seat.event];
                // An event of several passes counts in the first.
                if let Some(place) = left.iter().position(|native| *native == event.native) {
                    members.push((event.demand.counters & SLOTS == 0, left.swap_remove(place)));
                }
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

/// Intel's counter of slots leads its group, or else the kernel refuses the metrics beside it.
const SLOTS: u64 = 1 << (FIXED + 3);

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
