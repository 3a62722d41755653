//! Forms the groups in which events are opened, following a plan.

use super::requested::{Group, GroupOrigin, Input, Metric, Requested, Rule};
use super::resolved::Resolved;
use crate::machine::pmus::Machine;
use crate::names::native::Native;
use crate::planning::{Known, PmuPlan};
use crate::planning::{Trial, trial};
use crate::report::values::Reason;
use crate::sources::source::Source;
use counterpoint_pmu::counters::TOPDOWN_SLOTS;
use counterpoint_pmu::plan::Slot;
use std::collections::VecDeque;

/// Resolved events, in the groups in which they are opened.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    pub metrics: Vec<Metric>,
    /// The events to open; an event of formulas may occur once for each of several passes.
    pub natives: Vec<Native>,
    /// The sources to read beside them.
    pub sources: Vec<Source>,
    pub groups: Vec<Group>,
    /// Events that a plan puts into one group, but that the kernel does not count together.
    pub split: Vec<usize>,
    /// Events in braces that have no counter beside the others.
    pub conflicting: Vec<(usize, Reason)>,
}

impl From<Resolved> for Schedule {
    /// The groups as requested.
    fn from(resolved: Resolved) -> Schedule {
        let Requested { metrics, natives, sources, groups } = resolved.requested;
        Schedule { metrics, natives, sources, groups, split: Vec::new(), conflicting: Vec::new() }
    }
}

impl Schedule {
    /// Finds the events that conflict with others in their braces. Joins hardware events outside braces that fit in one
    /// pass of their PMU, so that they are counted at the same time, unless each must keep a counter of its own.
    ///
    /// Braces do not change. Events that the kernel does not count together after all are split, and a note reports that.
    pub(crate) fn new(machine: &Machine, resolved: Resolved, never_shared: bool) -> Schedule {
        let conflicting = conflicting(machine, &resolved);
        let ungrouped =
            resolved.requested.groups.iter().filter(|g| g.origin == GroupOrigin::Ungrouped);
        if never_shared || ungrouped.count() < 2 {
            return Schedule { conflicting, ..Schedule::from(resolved) };
        }
        let planning = resolved.planning(machine).clone();
        let mut schedule = Schedule { conflicting, ..Schedule::from(resolved) };
        for pmu in &planning.pmus {
            if matches!(pmu.known, Known::Counters(_)) {
                schedule.join_passes(machine, pmu);
            }
        }
        schedule.groups.retain(|group| !group.members.is_empty());
        schedule
    }

    /// Joins the events outside braces that share a pass of a PMU.
    fn join_passes(&mut self, machine: &Machine, pmu: &PmuPlan) {
        let ungrouped: Vec<usize> = self
            .groups
            .iter()
            .filter(|group| group.origin == GroupOrigin::Ungrouped)
            .flat_map(|group| group.members.iter().copied())
            .collect();
        let mut left = ungrouped.clone();
        let homes: Vec<_> = self.metrics.iter().map(|metric| home(pmu, metric)).collect();
        for (index, pass) in pmu.plan.passes.iter().enumerate() {
            let mut members = Vec::new();
            for slot in pass {
                let event = &pmu.events[slot.event];
                let native = match left.iter().position(|native| *native == event.native) {
                    Some(place) => Some(left.swap_remove(place)),
                    None if ungrouped.contains(&event.native) => {
                        self.again(event.native, |metric| homes[metric] == Some(index))
                    }
                    None => None,
                };
                // The slots event must lead its group, or the kernel rejects the metrics in it.
                let is_slots = event.demand.counters >> TOPDOWN_SLOTS & 1 != 0;
                members.extend(native.map(|n| (!is_slots, n)));
            }
            members.sort_unstable();
            self.join(machine, members.into_iter().map(|(_, native)| native).collect());
        }
    }

    /// Opens an event of an earlier pass again for the formulas of this pass, whose terms are meaningful only if they are counted together.
    ///
    /// `None` if no formula needs it.
    fn again(&mut self, native: usize, is_home: impl Fn(usize) -> bool) -> Option<usize> {
        let copy = self.natives.len();
        let mut is_needed = false;
        for (index, metric) in self.metrics.iter_mut().enumerate() {
            let Rule::Derived { inputs, .. } = &mut metric.rule else { continue };
            for input in inputs.iter_mut().filter(|input| **input == Input::Native(native)) {
                if is_home(index) {
                    *input = Input::Native(copy);
                    is_needed = true;
                }
            }
        }
        is_needed.then(|| {
            self.natives.push(self.natives[native].clone());
            self.groups.push(Group { members: vec![copy], origin: GroupOrigin::Ungrouped });
            copy
        })
    }

    /// Puts events into one group, or into as few groups as the kernel can run.
    fn join(&mut self, machine: &Machine, members: Vec<usize>) {
        let mut parts = VecDeque::from([members]);
        while let Some(mut part) = parts.pop_front() {
            if part.len() < 2 {
                continue;
            }
            match trial(machine, part.iter().map(|native| &self.natives[*native])) {
                Trial::Split => {
                    self.split.extend(&part);
                    let second = part.split_off(part.len() / 2);
                    parts.extend([part, second]);
                }
                Trial::Together => self.merge(&part),
                Trial::Unknown => {}
            }
        }
    }

    /// Moves all these events to the group of the first one.
    fn merge(&mut self, members: &[usize]) {
        let is_ungrouped = |group: &&mut Group| {
            group.origin == GroupOrigin::Ungrouped
                && group.members.iter().any(|n| members.contains(n))
        };
        let mut joined = self.groups.iter_mut().filter(is_ungrouped);
        if let Some(first) = joined.next() {
            joined.for_each(|group| group.members.clear());
            *first = Group { members: members.to_vec(), origin: GroupOrigin::Planned };
        }
    }
}

/// The first pass of a PMU that holds all events of a formula that the PMU counts.
fn home(pmu: &PmuPlan, metric: &Metric) -> Option<usize> {
    let events = pmu.events.iter().enumerate();
    let of_metric = |native| metric.natives().any(|other| other == native);
    let needed: Vec<usize> =
        events.filter(|(_, event)| of_metric(event.native)).map(|(index, _)| index).collect();
    let holds = |pass: &Vec<Slot>| needed.iter().all(|n| pass.iter().any(|s| s.event == *n));
    pmu.plan.passes.iter().position(holds)
}

/// The events in braces that have no counter beside those before them: the kernel accepts some groups that it never runs.
fn conflicting(machine: &Machine, resolved: &Resolved) -> Vec<(usize, Reason)> {
    let requested = &resolved.requested;
    let is_hardware = |native: &&usize| !requested.natives[**native].is_software();
    let needs_counters = |group: &Group| {
        group.is_braces() && group.members.iter().filter(is_hardware).nth(1).is_some()
    };
    let mut conflicting = Vec::new();
    if !requested.groups.iter().any(needs_counters) {
        return conflicting;
    }
    for pmu in &resolved.planning(machine).pmus {
        for unit in pmu.conflicting() {
            let native = |event: &usize| pmu.events[*event].native;
            // The tables may have fewer counters than the machine.
            let natives = unit.events.iter().map(|e| &requested.natives[native(e)]);
            if trial(machine, natives) != Trial::Split {
                continue;
            }
            let mut fitting = Vec::new();
            for event in &unit.events {
                fitting.push(*event);
                let Some(conflict) = pmu.conflict(Some(&fitting)) else { continue };
                fitting.pop();
                let rivals = conflict.events.iter().filter(|rival| *rival != event);
                let rivals = rivals.map(|rival| pmu.events[*rival].event.clone()).collect();
                conflicting.push((native(event), Reason::Conflicting { rivals }));
            }
        }
    }
    conflicting
}
