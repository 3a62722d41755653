//! The metrics of a machine, and the groups to which they belong.

use super::tables;
use crate::error::Error;
use crate::machine::pmus::Machine;
use crate::names::error::NameError;
use crate::names::ids::EventId;
use crate::names::views::{self, View};
use counterpoint_definitions::{Definition, Library, Origin};
use counterpoint_pmu::similar;
use std::collections::{BTreeMap, HashSet};

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
        Metrics { views: views::views(machine, &all) }
    }

    /// All metrics in the order in which they are defined, with those of the vendor last, and those of each kind of core
    /// together.
    pub fn iter(&self) -> impl Iterator<Item = NamedMetric> + '_ {
        self.views.iter().flat_map(|view| {
            let metrics = view.definitions.iter().filter(|d| d.metric().is_some());
            let metrics = metrics.map(|definition| NamedMetric { definition, core: core(view) });
            let (of_vendor, own): (Vec<_>, Vec<_>) = metrics.partition(NamedMetric::is_of_vendor);
            own.into_iter().chain(of_vendor)
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
        if named.is_empty() { self.in_group(name) } else { named }
    }

    /// The metrics of a group, without those of the vendor for which the project has its own: Arm calls a part of the slots
    /// `frontend_bound`, which is `tma_frontend_bound` on every processor.
    fn in_group(&self, group: &str) -> Vec<NamedMetric> {
        let mut found: Vec<NamedMetric> =
            self.iter().filter(|metric| metric.is_in(group)).collect();
        let own = found.iter().filter(|metric| !metric.is_of_vendor());
        let own: HashSet<String> = own.map(|own| own.definition.name().to_lowercase()).collect();
        found.retain(|metric| {
            let name = metric.definition.name().to_lowercase();
            !metric.is_of_vendor() || !own.contains(&format!("tma_{name}"))
        });
        found
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
    pub(super) fn requested(&self, name: &str) -> Result<Vec<NamedMetric>, Error> {
        match self.find(name) {
            none if none.is_empty() => Err(Error::from(NameError::UnknownMetric {
                name: name.to_string(),
                similar: self.near(name),
            })),
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
    pub(super) fn view(&self, of: &NamedMetric) -> Option<&View> {
        self.views.iter().find(|view| core(view) == of.core)
    }
}

impl NamedMetric {
    /// Returns true if it belongs to the group with a name; case is ignored.
    pub fn is_in(&self, group: &str) -> bool {
        let groups = self.definition.metric().map_or(&[][..], |metric| &metric.groups);
        groups.iter().any(|own| own.eq_ignore_ascii_case(group))
    }

    fn is_of_vendor(&self) -> bool {
        matches!(self.definition.origin(), Origin::Vendor(_))
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
