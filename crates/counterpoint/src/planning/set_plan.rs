use super::pmu_plan::{Known, PlannedEvent, PmuPlan};
use super::{free, tried};
use crate::counting::requested::{Metric, Requested};
use crate::machine::pmus::Machine;
use crate::names::native::Native;
use crate::report::values::Reason;
use counterpoint_pmu::plan::Demand;
use std::collections::HashSet;

/// The plan of a set: the passes in which its events share the counters of their PMUs.
///
/// ```
/// use counterpoint::{EventSet, Machine, Target, pmu};
///
/// // Offline, for any PMU of the tables; `EventSet::new` plans for this machine.
/// let zen4 = Machine::of_pmu(pmu::find("amd64_fam19h_zen4").unwrap());
/// let set = EventSet::with_machine(zen4, Target::ThisThread).event("cycles,instructions,PAPI_BR_MSP");
/// let plan = &set.plan()?.pmus[0].plan;
/// assert_eq!((plan.passes.len(), plan.optimal), (1, true));
/// # Ok::<(), counterpoint::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Planning {
    /// The PMUs, each with its own counters and passes.
    pub pmus: Vec<PmuPlan>,
    /// The software events, which the kernel counts at all times, events that have a register each, and the sources, such as
    /// times, for which no event is opened.
    pub software: Vec<String>,
    /// The requested names that cannot be counted, with the reasons.
    pub unavailable: Vec<(String, Reason)>,
}

impl Planning {
    /// Plans the events of metrics; PMUs whose counters are not in the tables are left at [`Known::Nothing`].
    pub(crate) fn of(machine: &Machine, requested: &Requested) -> Planning {
        let mut planning = Planning::default();
        let mut users = Users::of(requested);
        for (index, native) in requested.natives.iter().enumerate() {
            let (asked, formulas) =
                (users.asked[index], std::mem::take(&mut users.formulas[index]));
            let event = asked.map_or_else(|| native.id.to_string(), |metric| metric.event.clone());
            let first = native.boxes.first();
            if native.is_software() || first.is_some_and(|one| machine.has_own_register(&one.attr))
            {
                planning.software.push(event);
                continue;
            }
            let id = native.id.clone();
            let Some((pmu, known, demand)) = known_demand(machine, native) else {
                const WHY: &str = "no core PMU is visible on the machine";
                let asked = asked.map(|_| (event, Reason::Failed(WHY.to_string())));
                let of = |formula| (formula, Reason::Failed(format!("{id}: {WHY}")));
                planning.unavailable.extend(asked.into_iter().chain(formulas.into_iter().map(of)));
                continue;
            };
            let planned = PlannedEvent { event, id, formulas, demand, native: index };
            match planning.pmus.iter_mut().find(|plan| plan.pmu == pmu) {
                Some(plan) => plan.events.push(planned),
                None => planning.pmus.push(PmuPlan::new(pmu, known, vec![planned])),
            }
        }
        for metric in requested.metrics.iter().filter(|metric| metric.is_source()) {
            let checked =
                metric.sources().try_for_each(|own| requested.sources[own].check(machine.host()));
            match checked {
                Ok(()) => planning.software.push(metric.event.clone()),
                Err(reason) => planning.unavailable.push((metric.event.clone(), reason)),
            }
        }
        // The first term that cannot be counted is enough.
        let mut named = HashSet::new();
        planning.unavailable.retain(|(name, _)| named.insert(name.clone()));
        let unavailable = requested.metrics.iter().filter_map(Metric::unavailable);
        planning.unavailable.extend(unavailable.map(|(name, why)| (name.to_string(), why.clone())));
        for plan in &mut planning.pmus {
            plan.add_units(requested);
            if matches!(plan.known, Known::Counters(_)) {
                plan.fill();
            }
        }
        planning
    }

    /// Plans the PMUs whose counters are not in the tables by opening sets of events.
    pub(crate) fn try_the_rest(&mut self, machine: &Machine, natives: &[Native]) {
        for plan in &mut self.pmus {
            if matches!(plan.known, Known::Nothing) && machine.host().is_running() {
                tried::fill(plan, machine, natives);
            }
        }
    }

    /// Returns true if every event can be counted in some pass, those in braces in the same one.
    pub fn is_complete(&self) -> bool {
        let is_whole =
            |pmu: &PmuPlan| pmu.plan.impossible.is_empty() && pmu.conflicting().next().is_none();
        self.unavailable.is_empty() && self.pmus.iter().all(is_whole)
    }
}

/// What each event of a set is counted for.
struct Users<'r> {
    /// The first request for the event itself.
    asked: Vec<Option<&'r Metric>>,
    /// The names of the formulas that need it.
    formulas: Vec<Vec<String>>,
}

impl Users<'_> {
    fn of(requested: &Requested) -> Users<'_> {
        let count = requested.natives.len();
        let mut users = Users { asked: vec![None; count], formulas: vec![Vec::new(); count] };
        for metric in &requested.metrics {
            if let Some(native) = metric.native() {
                users.asked[native].get_or_insert(metric);
                continue;
            }
            let mut natives: Vec<usize> = metric.natives().collect();
            natives.sort_unstable();
            natives.dedup();
            for native in natives {
                users.formulas[native].push(metric.event.clone());
            }
        }
        users
    }
}

/// The PMU of an event, its counters, and the requirement of the event; `None` if the machine has no such PMU.
fn known_demand(machine: &Machine, native: &Native) -> Option<(String, Known, Demand)> {
    let (name, counters) = free::demand(machine, native)?;
    Some(match counters {
        Some((free, demand)) => (name, Known::Counters(free), demand),
        None => (name, Known::Nothing, Demand::default()),
    })
}
