//! Metrics: values that are computed from events, other metrics and facts of the machine, each with a unit and groups.
//!
//! The metrics of a machine are those that are built in, and those of libraries of [`definitions::metrics`](counterpoint_definitions::metrics) that were added to a set.
//!
//! ```
//! use counterpoint::{EventSet, Target};
//!
//! let file = r#"[{"MetricName": "fault_rate", "MetricExpr": "page\\-faults / duration_time", "ScaleUnit": "1per_sec", "MetricGroup": "paging"}]"#;
//! let set = EventSet::new(Target::ThisThread).define(counterpoint::read_definitions("mine.json", file));
//! assert_eq!(set.metrics().find("paging")[0].definition.name(), "fault_rate");
//! let mut counters = set.metric("fault_rate").open()?;
//! let pages = vec![1_u8; 1 << 20];
//! let row = &counters.read()?.rows[0];
//! assert!(pages.len() > 0 && row.value.as_f64().is_some_and(|rate| rate > 0.0));
//! assert_eq!(row.unit.as_deref(), Some("per_sec"));
//! # Ok::<(), counterpoint::Error>(())
//! ```

mod each;
mod facts;
mod folders;
mod resolving;
mod saved;
pub(crate) mod tables;
mod terms;
mod tree;

use crate::Error;
use crate::event_id::EventId;
use crate::lookup::{View, views};
use crate::machine::Machine;
use counterpoint_definitions::{Definition, Library};
use counterpoint_pmu::similar;
use std::collections::{BTreeMap, HashSet};

pub use crate::likwid::likwid_folder;
pub(crate) use resolving::resolve;
pub use saved::SavedCounts;
pub use terms::{Meaning, Needs, Term};

/// The metrics of a machine, by name and by group.
#[derive(Debug)]
pub struct Metrics {
    views: Vec<View>,
}

/// A metric of a machine.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NamedMetric {
    /// Its definition, which has a [`Metric`](counterpoint_definitions::Metric).
    pub definition: Definition,
    /// The core PMU that it is about, if there are several kinds of cores.
    pub core: Option<String>,
}

impl Metrics {
    /// The metrics that are built in for a machine, and those of libraries, which hide earlier ones of the same name.
    pub(crate) fn new(machine: &Machine, libraries: &[Library]) -> Metrics {
        let mut all = tables::libraries(machine);
        all.extend_from_slice(libraries);
        Metrics { views: views(machine, &all) }
    }

    /// All metrics in the order in which they are defined, those of each kind of core together.
    pub fn iter(&self) -> impl Iterator<Item = NamedMetric> + '_ {
        self.views.iter().flat_map(|view| {
            let metrics = view.definitions.iter().filter(|d| d.metric().is_some());
            metrics.map(|definition| NamedMetric { definition, core: core(view) })
        })
    }

    /// The metric with a name, or else those of the group with this name; case is ignored, and each kind of core has its own.
    ///
    /// Empty if there are none.
    pub fn find(&self, name: &str) -> Vec<NamedMetric> {
        let named = self.views.iter().filter_map(|view| {
            let definition = view.definitions.get(name).filter(|d| d.metric().is_some())?;
            Some(NamedMetric { definition, core: core(view) })
        });
        let named: Vec<NamedMetric> = named.collect();
        match named.is_empty() {
            true => self.iter().filter(|metric| metric.is_in(name)).collect(),
            false => named,
        }
    }

    /// The groups, each with the number of its metrics; a metric of several kinds of cores counts once.
    pub fn groups(&self) -> BTreeMap<String, usize> {
        let mut groups = BTreeMap::new();
        let mut seen = HashSet::new();
        for NamedMetric { definition, .. } in self.iter() {
            for group in definition.metric().map_or(&[][..], |metric| &metric.groups) {
                if seen.insert((definition.name().to_lowercase(), group.clone())) {
                    *groups.entry(group.clone()).or_default() += 1;
                }
            }
        }
        groups
    }

    /// The metrics that a name requests.
    fn requested(&self, name: &str) -> Result<Vec<NamedMetric>, Error> {
        match self.find(name) {
            none if none.is_empty() => Err(Error::unknown_metric(name, self.near(name))),
            found => Ok(found),
        }
    }

    /// Names of metrics and groups that are similar to a name.
    fn near(&self, name: &str) -> Vec<String> {
        let mut names: Vec<String> = self.groups().into_keys().collect();
        names.extend(self.iter().map(|metric| metric.definition.name().to_string()));
        names.sort_unstable();
        names.dedup();
        similar(name, names.iter().map(String::as_str)).into_iter().map(str::to_string).collect()
    }

    /// The view of a kind of core.
    fn view(&self, of: &NamedMetric) -> Option<&View> {
        self.views.iter().find(|view| core(view) == of.core)
    }
}

impl NamedMetric {
    /// Whether it belongs to the group with a name; case is ignored.
    pub fn is_in(&self, group: &str) -> bool {
        let groups = self.definition.metric().map_or(&[][..], |metric| &metric.groups);
        groups.iter().any(|own| own.eq_ignore_ascii_case(group))
    }

    /// Its usual name, with the kind of core if there are several.
    pub fn id(&self) -> EventId {
        match &self.core {
            Some(core) => EventId::terms(core, self.definition.name()),
            None => EventId::name(self.definition.name()),
        }
    }

    /// The name to show.
    pub fn title(&self) -> &str {
        let title = self.definition.metric().and_then(|metric| metric.title.as_deref());
        title.unwrap_or(self.definition.name())
    }
}

fn core(view: &View) -> Option<String> {
    view.core.as_ref().map(|core| core.pmu.name.clone())
}
