//! The tree of metrics: which metric is a part of which.

use super::{Metrics, NamedMetric};

impl Metrics {
    /// The metric that a metric is a part of, on the same kind of core.
    pub fn parent(&self, of: &NamedMetric) -> Option<NamedMetric> {
        let parent = of.definition.metric()?.parent.as_deref()?;
        let named = self.find(parent).into_iter();
        named.into_iter().find(|named| named.core == of.core && is(named, parent))
    }

    /// The metrics that are parts of a metric, on the same kind of core.
    pub fn parts(&self, of: &NamedMetric) -> Vec<NamedMetric> {
        let name = of.definition.name();
        let is_part = |other: &NamedMetric| {
            let parent = other.definition.metric().and_then(|metric| metric.parent.as_deref());
            other.core == of.core && parent.is_some_and(|parent| parent.eq_ignore_ascii_case(name))
        };
        self.iter().filter(is_part).collect()
    }

    /// The group that requests the parts of a metric: `NAME_group`, as perf names it, if there is one.
    pub fn group_of_parts(&self, of: &NamedMetric) -> Option<String> {
        let name = format!("{}_group", of.definition.name());
        let parts = self.parts(of);
        parts.iter().any(|part| part.is_in(&name)).then_some(name)
    }
}

fn is(metric: &NamedMetric, name: &str) -> bool {
    metric.definition.name().eq_ignore_ascii_case(name)
}
