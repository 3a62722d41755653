//! Other events that fit beside those of a pass.

use counterpoint::planning::{Known, Planning, PmuPlan};

/// The events that were tried beside a pass, and the counter of each that fits.
pub struct Beside<'a> {
    pub plan: &'a PmuPlan,
    /// From 1.
    pub pass: usize,
    pub events: Vec<(String, Option<u32>)>,
}

/// The events of `with` beside each pass; without it all of the PMU's table.
pub fn beside<'a>(planning: &'a Planning, with: Option<&Planning>) -> Vec<Beside<'a>> {
    let known = planning.pmus.iter().filter(|plan| matches!(plan.known, Known::Counters(_)));
    known.flat_map(|plan| of_pmu(plan, with)).collect()
}

fn of_pmu<'a>(plan: &'a PmuPlan, with: Option<&Planning>) -> Vec<Beside<'a>> {
    let others = match with {
        None => plan.candidates(),
        Some(listed) => {
            let same = listed.pmus.iter().filter(|other| other.pmu == plan.pmu);
            let events = same.flat_map(|other| other.events.clone());
            events.map(|event| (event.event, event.demand)).collect()
        }
    };
    let passes = plan.plan.passes.iter().enumerate();
    let of_pass = passes.map(|(number, pass)| {
        let events = others.iter().map(|(name, demand)| (name.clone(), plan.beside(pass, demand)));
        Beside { plan, pass: number + 1, events: events.collect() }
    });
    of_pass.collect()
}
