//! Plans beside what the kernel of the system runs at the same time.

use super::measured::{attr, named, of};
use super::trust::{Measured, Trust, Unmeasured, Way};
use crate::event_set::EventSet;
use counterpoint_kernels::Kernel;
use counterpoint_perf::{Attr, Cause, Host, Placement, Setup};

/// Plans of 2 to 10 of the events that were counted.
pub(super) fn verify(set: &EventSet, counted: &[Trust], kernels: &mut [Kernel]) -> Vec<Trust> {
    const MOST: usize = 10;
    let Some(kernel) = named(kernels, "integers") else { return Vec::new() };
    let mut events: Vec<(&str, Attr)> = Vec::new();
    for row in counted.iter().filter(|row| row.way == Way::Count && row.measured.is_ok()) {
        let Some(attr) = attr(set, &row.event) else { continue };
        if events.iter().all(|(_, known)| *known != attr) && events.len() < MOST {
            events.push((&row.event, attr));
        }
    }
    (2..=events.len()).filter_map(|number| plan(set, &events[..number], kernel)).collect()
}

fn plan(set: &EventSet, events: &[(&str, Attr)], kernel: &mut Kernel) -> Option<Trust> {
    let names: Vec<String> = events.iter().map(|(name, _)| (*name).to_string()).collect();
    let attrs: Vec<Attr> = events.iter().map(|(_, attr)| attr.clone()).collect();
    let planning = set.plan_of(&[names.join(",")]).ok()?;
    let is_one_pass = planning.pmus.iter().all(|pmu| pmu.plan.passes.len() <= 1);
    Some(Trust {
        event: names.join(","),
        way: Way::Plan,
        kernel: kernel.name(),
        expected: if is_one_pass { events.len() as f64 } else { 0.0 },
        tolerance: 0.0,
        why: "",
        measured: together(set.machine().host(), &attrs, kernel),
    })
}

/// How many events the kernel counted all the time as one group: all or none.
fn together(host: &Host, attrs: &[Attr], kernel: &mut Kernel) -> Result<Measured, Unmeasured> {
    let not_counted = |why: String| Unmeasured::NotCounted(why);
    let setup = Setup { disabled: true, ..Setup::default() };
    let mut group = match host.open(attrs, Placement::ThisThread, setup) {
        Ok(group) => group,
        Err(error) if error.cause == Cause::GroupDoesNotFit => return of(vec![0.0]),
        Err(error) => return Err(Unmeasured::NotSupported(error.to_string())),
    };
    group.enable().map_err(|errno| not_counted(errno.to_string()))?;
    kernel.run(kernel.turns()).map_err(|error| not_counted(error.to_string()))?;
    group.disable().map_err(|errno| not_counted(errno.to_string()))?;
    let counts = group.read().map_err(|errno| not_counted(errno.to_string()))?;
    let is_whole = counts.iter().all(|c| c.running == c.enabled && !c.running.is_zero());
    of(vec![if is_whole { counts.len() as f64 } else { 0.0 }])
}
