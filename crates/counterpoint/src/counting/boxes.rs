//! An event that several boxes of a PMU count, with a value for each box.

use super::requested::{LimitMetric, Metric, Rule};
use super::schedule::Schedule;
use crate::machine::pmus::Machine;

impl Schedule {
    /// Reports each box of a requested event apart; formulas are computed from the sum of the boxes, as before.
    pub(crate) fn report_boxes(&mut self, machine: &Machine) {
        // The new place of each metric, to which conditions refer.
        let mut places = Vec::new();
        let mut metrics = Vec::new();
        for metric in std::mem::take(&mut self.metrics) {
            places.push(metrics.len());
            match metric.rule {
                Rule::Native(native) if self.natives[native].boxes.len() > 1 => {
                    metrics.extend(self.of_boxes(machine, &metric, native));
                }
                _ => metrics.push(metric),
            }
        }
        let limits = metrics.iter_mut().filter_map(|metric| metric.limit.as_mut());
        for metric in limits.flat_map(|limit| &mut limit.metrics) {
            if let LimitMetric::Requested(place) = metric {
                *place = places[*place];
            }
        }
        self.metrics = metrics;
    }

    /// A metric for each box, named like perf: `uncore_imc_0/cas_count_read/`, or else `EVENT [uncore_imc_0]`.
    fn of_boxes(&self, machine: &Machine, whole: &Metric, native: usize) -> Vec<Metric> {
        let metric = |number: usize| {
            let kind = self.natives[native].boxes[number].attr.kind;
            let device = machine.devices().iter().find(|device| device.pmu.kind == kind);
            let name = device.map_or(number.to_string(), |device| device.pmu.name.clone());
            let (id, event) = match whole.id.on_box(&name) {
                Some(id) => (id.clone(), id.to_string()),
                None => (whole.id.clone(), format!("{} [{name}]", whole.event)),
            };
            Metric { event, id, rule: Rule::Box { native, number }, ..whole.clone() }
        };
        (0..self.natives[native].boxes.len()).map(metric).collect()
    }
}
