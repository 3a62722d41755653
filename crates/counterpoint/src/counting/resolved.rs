//! The events of a list on one machine.

use super::requested::{Metric, Requested, Rule};
use crate::machine::pmus::Machine;
use crate::names::ids::EventId;
use crate::names::native::Native;
use crate::planning::Planning;
use crate::report::values::Reason;
use crate::sources::source::Source;
use std::sync::{Arc, OnceLock};

/// The events of a list on one machine: the native events to open, their groups, and the metrics to report.
#[derive(Clone, Debug, Default)]
pub struct Resolved {
    pub(crate) requested: Requested,
    /// The plan, once it is computed; clones share it.
    planning: Arc<OnceLock<Planning>>,
}

impl From<Requested> for Resolved {
    fn from(requested: Requested) -> Resolved {
        Resolved { requested, planning: Arc::default() }
    }
}

impl Resolved {
    /// The plan by which the events share the counters of the machine on which they were looked up.
    pub(crate) fn planning(&self, machine: &Machine) -> &Planning {
        self.planning.get_or_init(|| Planning::of(machine, &self.requested))
    }

    /// The events to open, each once.
    pub fn natives(&self) -> &[Native] {
        &self.requested.natives
    }

    /// The texts that requested events, in order.
    pub fn names(&self) -> Vec<String> {
        self.requested.metrics.iter().map(|metric| metric.event.clone()).collect()
    }

    /// The requested events of the kernel and of PMUs, without definitions, each with the text that requested it.
    pub fn events(&self) -> impl Iterator<Item = (&str, &Native)> {
        let native = |metric: &Metric| Some(&self.requested.natives[metric.native()?]);
        self.requested
            .metrics
            .iter()
            .filter_map(move |metric| Some((metric.event.as_str(), native(metric)?)))
    }

    /// The requested sources, such as times, for which no event is opened, each with the text that requested it.
    pub fn sources(&self) -> impl Iterator<Item = (&str, &Source)> {
        self.requested.metrics.iter().filter_map(|metric| match metric.rule {
            Rule::Source(source) => Some((&*metric.event, &self.requested.sources[source])),
            _ => None,
        })
    }

    /// The metrics that were requested by this text, or else those with this usual name; each once, however often it was requested.
    ///
    /// Several are those of the kinds of cores of a hybrid machine.
    pub(crate) fn called(&self, event: &str) -> Vec<&Metric> {
        let mut called: Vec<&Metric> =
            self.requested.metrics.iter().filter(|m| m.event == event).collect();
        if called.is_empty() {
            called.extend(self.requested.metrics.iter().filter(|m| m.id.to_string() == event));
        }
        let mut once = Vec::<&Metric>::new();
        for metric in called {
            if !once.iter().any(|known| known.rule == metric.rule) {
                once.push(metric);
            }
        }
        once
    }

    /// The usual names of what was requested, each with the reason if it cannot be counted here.
    pub fn ids(&self) -> impl Iterator<Item = (&EventId, Option<&Reason>)> {
        self.requested.metrics.iter().map(|metric| match &metric.rule {
            Rule::Unavailable(reason) => (&metric.id, Some(reason)),
            _ => (&metric.id, None),
        })
    }

    /// The texts that cannot be counted here, such as a preset for which this processor has no event, each with the reason.
    pub fn unavailable(&self) -> impl Iterator<Item = (&str, &Reason)> {
        self.requested.metrics.iter().filter_map(Metric::unavailable)
    }
}

#[cfg(test)]
mod tests {
    use crate::counting::target::Target;
    use crate::event_set::EventSet;
    use crate::machine::pmus::Machine;

    #[test]
    fn a_set_is_planned_once() {
        let pmu = counterpoint_pmu::all().next().unwrap();
        let set = EventSet::with_machine(Machine::of_pmu(pmu), Target::ThisThread);
        let set = set.event("task-clock");
        let (first, second) = (set.resolve().unwrap(), set.resolve().unwrap());
        let plan = first.planning(set.machine());
        assert!(std::ptr::eq(plan, second.planning(set.machine())));
        assert!(std::ptr::eq(plan, set.resolved().unwrap().planning(set.machine())));
    }
}
