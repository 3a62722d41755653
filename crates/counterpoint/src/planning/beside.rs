//! Finds the events that fit in a pass in addition to its own.

use super::pmu_plan::{Known, PmuPlan};
use counterpoint_pmu::counters;
use counterpoint_pmu::plan::{Demand, Slot, place};
use counterpoint_pmu::{AttributeKind, Context, Event, Layer, Machine, encode};

impl PmuPlan {
    /// The slot of another event in a pass; `None` if it does not fit.
    pub fn beside(&self, pass: &[Slot], demand: &Demand) -> Option<u32> {
        let mut demands: Vec<Demand> =
            pass.iter().map(|slot| self.events[slot.event].demand.clone()).collect();
        demands.push(demand.clone());
        place(&demands).ok()?.pop()
    }

    /// The events of the PMU's table with their requirements; an event that needs a unit mask is listed with each that it can have.
    pub fn candidates(&self) -> Vec<(String, Demand)> {
        let Known::Counters(free) = &self.known else { return Vec::new() };
        let mut context = Context::new(Layer::Raw);
        context.machine = Machine::with(vec![free.pmu]);
        let demand = |name: &str| {
            let encoding = encode(&format!("{}::{name}", free.pmu.name), &context).ok()?;
            Some((name.to_string(), free.limit(counters::demand(&encoding)?)))
        };
        let with_masks = |event: &Event| {
            let attributes = event.attributes(Layer::Raw, &context.machine);
            let masks = attributes.into_iter().filter(|a| a.kind == AttributeKind::Umask);
            let names = masks.map(|mask| format!("{}:{}", event.name, mask.name));
            names.filter_map(|name| demand(&name)).collect::<Vec<_>>()
        };
        let of = |event: Event| match demand(event.name) {
            Some(plain) => vec![plain],
            None => with_masks(&event),
        };
        free.pmu.events().filter(|event| event.equiv.is_none()).flat_map(of).collect()
    }
}
