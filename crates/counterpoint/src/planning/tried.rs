//! Tests whether events can be counted together by opening them.

use super::pmu_plan::{Known, PmuPlan};
use crate::machine::pmus::{Machine, probe_placement};
use crate::names::native::{Native, counts_every_level};
use counterpoint_perf::{Attr, Cause, Group, Placement, Setup};
use counterpoint_pmu::plan::{Plan, Slot};

/// The result of opening events as one group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trial {
    Together,
    /// The kernel rejects the group, or accepts it but never runs it.
    Split,
    /// One of the events cannot be opened here, even alone.
    Unknown,
}

/// Opens events as one group, lets it run for a moment, and closes it.
///
/// A group that the kernel accepts may still never run: arm64 leaves a stopped leader out of its check, and counters that
/// others have pinned are not checked at all. The enabled and running times show whether it ran.
pub(crate) fn trial<'n>(machine: &Machine, natives: impl Iterator<Item = &'n Native>) -> Trial {
    let mut group: Option<Group> = None;
    let mut is_here = true;
    for native in natives {
        let Some(first) = native.boxes.first() else { return Trial::Unknown };
        let placement = probe_placement(first.cpumask.as_ref());
        // On a hybrid machine, this thread may be on the other kind of core.
        is_here &= !matches!(placement, Placement::ThisThread)
            || first.cpus.as_ref().is_none_or(|cpus| {
                machine.host().online_cpus().iter().all(|cpu| cpus.contains(cpu))
            });
        let disabled = Setup { disabled: true, ..Setup::default() };
        let group = group.get_or_insert_with(|| machine.host().group(placement, disabled));
        match add(group, &first.attr) {
            Ok(()) => {}
            Err(Cause::GroupDoesNotFit) => return Trial::Split,
            Err(_) => return Trial::Unknown,
        }
    }
    let Some(mut group) = group else { return Trial::Unknown };
    let mut counts = vec![counterpoint_perf::Count::default(); group.len()];
    if group.enable().is_err() || group.read_into(&mut counts).is_err() {
        return Trial::Unknown;
    }
    let waits = counts.iter().any(|count| !count.enabled.is_zero() && count.running.is_zero());
    if is_here && waits { Trial::Split } else { Trial::Together }
}

/// Adds an event, in user space only if this user may not count the kernel; it needs the same counter.
fn add(group: &mut Group, attr: &Attr) -> Result<(), Cause> {
    let Err(error) = group.add(attr) else { return Ok(()) };
    match error.cause {
        Cause::Permission { .. } if counts_every_level(attr) => {
            group.add(&attr.user_only()).map(|_| ()).map_err(|second| second.cause)
        }
        cause => Err(cause),
    }
}

/// Plans a PMU whose counters are unknown: puts each unit, in the order of the request, into the first pass that it fits.
pub(super) fn fill(pmu: &mut PmuPlan, machine: &Machine, natives: &[Native]) {
    let fits = |pmu: &PmuPlan, events: &[usize]| {
        let natives = events.iter().map(|event| &natives[pmu.events[*event].native]);
        trial(machine, natives)
    };
    let mut plan = Plan::default();
    let mut units = Vec::new();
    for (index, unit) in pmu.units.iter().enumerate() {
        match fits(pmu, &unit.events) {
            Trial::Together => units.push(unit.events.clone()),
            Trial::Split => plan.separated.push(index),
            Trial::Unknown => {}
        }
    }
    for event in 0..pmu.events.len() {
        match fits(pmu, &[event]) {
            Trial::Together if units.iter().any(|unit| unit.contains(&event)) => {}
            Trial::Together => units.push(vec![event]),
            // An event that cannot be opened at all shows nothing about counters; its reason is reported when it is counted.
            Trial::Split | Trial::Unknown => return,
        }
    }
    let mut passes: Vec<Vec<usize>> = Vec::new();
    for unit in units {
        let with = |pass: &[usize]| {
            let more = unit.iter().filter(|event| !pass.contains(event));
            pass.iter().chain(more).copied().collect::<Vec<usize>>()
        };
        let taking = passes.iter_mut().find(|pass| fits(pmu, &with(pass)) == Trial::Together);
        match taking {
            Some(pass) => *pass = with(pass),
            None => passes.push(unit.clone()),
        }
    }
    plan.at_least = 1;
    plan.optimal = passes.len() == 1;
    let slots = |pass: Vec<usize>| pass.into_iter().map(|event| Slot { event, counter: 0 });
    plan.passes = passes.into_iter().map(|pass| slots(pass).collect()).collect();
    (pmu.plan, pmu.known) = (plan, Known::Tried);
}
