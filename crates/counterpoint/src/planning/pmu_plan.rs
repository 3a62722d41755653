use super::free::Free;
use crate::counting::requested::{Group, Requested};
use crate::names::ids::EventId;
use counterpoint_pmu::plan::{self, Conflict, Demand, Plan};

/// The passes in which the events of one PMU share its counters.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PmuPlan {
    /// The name of the PMU in the kernel, or in the tables if there is no kernel.
    pub pmu: String,
    /// The knowledge of its counters, on which the plan is based.
    pub known: Known,
    /// Its events.
    pub events: Vec<PlannedEvent>,
    /// The units that are meaningful only if they are counted in one pass: formulas, and braces.
    pub units: Vec<Unit>,
    /// The passes, by the indexes of events and units; a plan that was found by opening events has no counters.
    pub plan: Plan,
}

/// The basis of a plan.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Known {
    /// The counters.
    Counters(Free),
    /// The answers of the kernel when sets of events were opened.
    Tried,
    /// None: its counters are not in the tables, and no events can be opened.
    Nothing,
}

/// An event of a plan.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlannedEvent {
    /// The text that requested the event; for a term of a formula, its usual name.
    pub event: String,
    /// Its usual name.
    pub id: EventId,
    /// The formulas of which it is a term.
    pub formulas: Vec<String>,
    /// Its requirement on a pass.
    pub demand: Demand,
    pub(crate) native: usize,
}

/// Events whose counts are meaningful only if they are counted together.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Unit {
    /// The formula, or the group.
    pub name: String,
    /// Its events, by their indexes.
    pub events: Vec<usize>,
    /// True if they are counted together or not at all: they are in braces, and not weak.
    pub is_strict: bool,
}

impl PmuPlan {
    pub(super) fn new(pmu: String, known: Known, events: Vec<PlannedEvent>) -> PmuPlan {
        PmuPlan { pmu, known, events, units: Vec::new(), plan: Plan::default() }
    }

    /// Adds the formulas and the braces that have several events on this PMU.
    pub(super) fn add_units(&mut self, requested: &Requested) {
        let formulas = requested.metrics.iter().filter(|m| m.native().is_none() && m.is_together);
        let formulas =
            formulas.map(|m| (m.event.clone(), m.natives().collect::<Vec<usize>>(), false));
        let braces = requested.groups.iter().filter(|group| group.is_braces());
        let name = |native: &usize| requested.natives[*native].id.to_string();
        let braces = braces.map(|Group { members, .. }| {
            let names: Vec<String> = members.iter().map(name).collect();
            let is_strict = !members.iter().any(|native| requested.natives[*native].weak);
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
    pub(super) fn fill(&mut self) {
        let units: Vec<Vec<usize>> = self.units.iter().map(|unit| unit.events.clone()).collect();
        self.plan = plan::plan(&self.demands(), &units);
    }

    fn demands(&self) -> Vec<Demand> {
        self.events.iter().map(|event| event.demand.clone()).collect()
    }

    /// The share of the time for which each event is counted if the passes take turns.
    pub fn coverage(&self) -> f64 {
        1.0 / self.plan.passes.len().max(1) as f64
    }

    /// Braces whose events cannot all be counted, because they do not fit one pass.
    pub fn conflicting(&self) -> impl Iterator<Item = &Unit> {
        let separated = self.plan.separated.iter().filter_map(|unit| self.units.get(*unit));
        separated.filter(|unit| unit.is_strict)
    }

    /// The conflicting events among some or all of the events: without any one of them, the others fit in one pass.
    ///
    /// Empty if all of them fit, or if the counters are not known.
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
