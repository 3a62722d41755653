//! Which events can be counted together, and in how few passes all can: the events of a set against the free counters.

mod beside;
mod free;
mod tried;

use crate::event_id::EventId;
use crate::resolved::{Group, Metric};
use crate::{Machine, Native, Reason, Resolved};
use counterpoint_perf::pmu_type;
use counterpoint_pmu::plan::{self, Conflict, Demand, Plan};
use std::collections::HashSet;

pub use free::{Free, Taken};
pub(crate) use tried::{Trial, trial};

/// How events share the counters of the PMUs that count them.
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
pub struct Planning {
    /// The PMUs, each with its own counters and passes.
    pub pmus: Vec<PmuPlan>,
    /// The events that the kernel counts by itself, at all times.
    pub software: Vec<String>,
    /// What was asked for that no event counts, and why.
    pub unavailable: Vec<(String, Reason)>,
}

/// How the events of one PMU share its counters.
#[derive(Clone, Debug)]
pub struct PmuPlan {
    /// The PMU, as the kernel calls it, or as the tables do where there is no kernel.
    pub pmu: String,
    /// What is known of its counters.
    pub known: Known,
    /// Its events.
    pub events: Vec<PlannedEvent>,
    /// What is only good if it is counted in one pass: formulas, and braces.
    pub units: Vec<Unit>,
    /// The passes, by the indexes of events and units; a plan that was tried names no counters.
    pub plan: Plan,
}

/// What a plan rests on.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Known {
    /// The counters.
    Counters(Free),
    /// What the kernel said when sets of events were opened.
    Tried,
    /// Nothing: its counters stand in no table, and nothing can be opened.
    Nothing,
}

/// An event of a plan.
#[derive(Clone, Debug)]
pub struct PlannedEvent {
    /// The text that asked for it; of the term of a formula the usual name.
    pub event: String,
    /// Its usual name.
    pub id: EventId,
    /// The formulas that it is a term of.
    pub formulas: Vec<String>,
    /// What it asks of a pass.
    pub demand: Demand,
    pub(crate) native: usize,
}

/// Events whose counts are only good if they were taken together.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The formula, or the group.
    pub name: String,
    /// Its events, by their indexes.
    pub events: Vec<usize>,
    /// Whether they are counted together or not at all: they stand in braces, and are not weak.
    pub is_strict: bool,
}

impl Planning {
    /// Plans what was looked up; PMUs whose counters stand in no table are left at [`Known::Nothing`].
    pub(crate) fn of(machine: &Machine, resolved: &Resolved) -> Planning {
        let mut planning = Planning::default();
        for (index, native) in resolved.natives.iter().enumerate() {
            let asked = resolved.metrics.iter().find(|metric| metric.native() == Some(index));
            let event = asked.map_or_else(|| native.id.to_string(), |metric| metric.event.clone());
            if native.is_software() {
                planning.software.push(event);
                continue;
            }
            let uses = |metric: &&Metric| {
                metric.native().is_none() && metric.natives().any(|native| native == index)
            };
            let formulas = resolved.metrics.iter().filter(uses);
            let formulas: Vec<String> = formulas.map(|metric| metric.event.clone()).collect();
            let id = native.id.clone();
            let Some((pmu, known, demand)) = free::demand(machine, native) else {
                const WHY: &str = "this machine shows no PMU of its cores";
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
        // One term that cannot be counted is enough.
        let mut named = HashSet::new();
        planning.unavailable.retain(|(name, _)| named.insert(name.clone()));
        let unavailable = resolved.unavailable();
        planning.unavailable.extend(unavailable.map(|(name, why)| (name.to_string(), why.clone())));
        for plan in &mut planning.pmus {
            plan.add_units(resolved);
            if matches!(plan.known, Known::Counters(_)) {
                plan.fill();
            }
        }
        planning
    }

    /// Plans by opening sets of events what no table tells.
    pub(crate) fn try_the_rest(&mut self, machine: &Machine, natives: &[Native]) {
        for plan in &mut self.pmus {
            if matches!(plan.known, Known::Nothing) && machine.host().is_running() {
                tried::fill(plan, machine, natives);
            }
        }
    }

    /// Whether every event can be counted, in some pass.
    pub fn is_complete(&self) -> bool {
        self.unavailable.is_empty() && self.pmus.iter().all(|pmu| pmu.plan.impossible.is_empty())
    }
}

impl PmuPlan {
    fn new(pmu: String, known: Known, events: Vec<PlannedEvent>) -> PmuPlan {
        PmuPlan { pmu, known, events, units: Vec::new(), plan: Plan::default() }
    }

    /// Takes up the formulas and the braces that have several events here.
    fn add_units(&mut self, resolved: &Resolved) {
        let formulas = resolved.metrics.iter().filter(|metric| metric.native().is_none());
        let formulas =
            formulas.map(|m| (m.event.clone(), m.natives().collect::<Vec<usize>>(), false));
        let braces = resolved.groups.iter().filter(|group| group.is_braces());
        let name = |native: &usize| resolved.natives[*native].id.to_string();
        let braces = braces.map(|Group { members, .. }| {
            let names: Vec<String> = members.iter().map(name).collect();
            let is_strict = !members.iter().any(|native| resolved.natives[*native].weak);
            (format!("{{{}}}", names.join(",")), members.clone(), is_strict)
        });
        for (name, natives, is_strict) in braces.chain(formulas) {
            let place = |native: &usize| self.events.iter().position(|e| e.native == *native);
            let mut events: Vec<usize> = natives.iter().filter_map(place).collect();
            events.sort_unstable();
            events.dedup();
            if events.len() > 1 {
                self.units.push(Unit { name, events, is_strict });
            }
        }
    }

    /// Plans with the counters that are known.
    fn fill(&mut self) {
        let units: Vec<Vec<usize>> = self.units.iter().map(|unit| unit.events.clone()).collect();
        self.plan = plan::plan(&self.demands(), &units);
    }

    fn demands(&self) -> Vec<Demand> {
        self.events.iter().map(|event| event.demand.clone()).collect()
    }

    /// The share of the time for which each event is counted, when the passes take turns.
    pub fn coverage(&self) -> f64 {
        1.0 / self.plan.passes.len().max(1) as f64
    }

    /// Braces whose events cannot all be counted, because they do not fit one pass.
    pub fn conflicting(&self) -> impl Iterator<Item = &Unit> {
        let separated = self.plan.separated.iter().filter_map(|unit| self.units.get(*unit));
        separated.filter(|unit| unit.is_strict)
    }

    /// Of some of the events, or of all, those that are in each other's way: without any one of them the rest fits one pass.
    ///
    /// Nothing where all of them fit, or where the counters are not known.
    pub fn conflict(&self, among: Option<&[usize]>) -> Option<Conflict> {
        if !matches!(self.known, Known::Counters(_)) {
            return None;
        }
        let countable = |event: &usize| !self.plan.impossible.contains(event);
        let events: Vec<usize> = match among {
            Some(events) => events.iter().copied().filter(countable).collect(),
            None => (0..self.events.len()).filter(countable).collect(),
        };
        let demands: Vec<Demand> = events.iter().map(|e| self.events[*e].demand.clone()).collect();
        let mut conflict = plan::place(&demands).err()?;
        conflict.events.iter_mut().for_each(|event| *event = events[*event]);
        Some(conflict)
    }
}

/// The core PMUs' type of an event, where the kernel's own events may name one in the upper half of their code.
fn kind_of(attr: &counterpoint_perf::Attr) -> u32 {
    match attr.kind {
        pmu_type::HARDWARE | pmu_type::HW_CACHE => match (attr.config >> 32) as u32 {
            0 => pmu_type::RAW,
            kind => kind,
        },
        kind => kind,
    }
}
