//! Plans beside what the kernel of the system runs at the same time.

use super::measured::{attr, named, not_counted, of, run};
use super::trust::{Asked, Measured, Trust, Unmeasured, Way};
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
    let mut asked = Asked::of(&attrs);
    let measured = together(set.machine().host(), &mut asked, kernel);
    Some(Trust {
        event: names.join(","),
        way: Way::Plan,
        kernel: kernel.name().to_string(),
        expected: if is_one_pass { events.len() as f64 } else { 0.0 },
        tolerance: 0.0,
        why: String::new(),
        errata: String::new(),
        measured,
        asked,
    })
}

/// How many events the kernel counted all the time as one group: all or none.
fn together(host: &Host, asked: &mut Asked, kernel: &mut Kernel) -> Result<Measured, Unmeasured> {
    let setup = Setup { disabled: true, ..Setup::default() };
    let mut group = match host.open(&asked.attrs, Placement::ThisThread, setup) {
        Ok(group) => group,
        Err(error) if error.cause == Cause::GroupDoesNotFit => return of(vec![0.0]),
        Err(error) => return Err(asked.refused(&error)),
    };
    group.enable().map_err(not_counted)?;
    run(kernel, kernel.turns())?;
    group.disable().map_err(not_counted)?;
    let counts = group.read().map_err(not_counted)?;
    asked.add(&counts);
    let is_whole = counts.iter().all(|c| c.running == c.enabled && !c.running.is_zero());
    of(vec![if is_whole { counts.len() as f64 } else { 0.0 }])
}
