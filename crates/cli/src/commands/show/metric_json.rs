//! A metric as JSON.

use super::metric::{planning, reason_of, source};
use counterpoint::metrics::{Meaning, NamedMetric, Needs};
use counterpoint::{EventSet, metrics};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// A metric: its formula, its place in the tree, its events, and how they fit the counters.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Line {
    /// The version of the format: 1.
    schema: u32,
    /// The name.
    name: String,
    /// The usual name, with the kind of core if there are several.
    canonical: String,
    /// `metric`.
    kind: &'static str,
    /// The PMU of the cores, if there are several kinds of cores.
    pmu: Option<String>,
    /// What it says.
    description: Option<String>,
    /// The formula, as its source spells it.
    formula: Option<String>,
    /// The formula over native events, times and facts of the machine.
    expanded: Option<String>,
    /// The unit of the value.
    unit: Option<String>,
    /// What the value of the formula is multiplied with.
    factor: Option<f64>,
    /// The groups that the metric is in.
    groups: Option<Vec<String>>,
    /// When the value is worth a look.
    threshold: Option<String>,
    /// The metric that this one is a part of.
    parent: Option<String>,
    /// The metrics that are parts of this one.
    parts: Vec<String>,
    /// The events to profile if the value is high.
    samples: Option<Vec<String>>,
    /// Where the metric is defined.
    source: String,
    /// What the terms of the formula stand for.
    needs: Option<Vec<Term>>,
    /// The terms of boxes that this machine does not have, which count 0.
    counts_0: Option<Vec<String>>,
    /// Why it has no value here.
    reason: Option<String>,
    /// In how many passes its events are counted.
    passes: Option<Vec<Passes>>,
}

/// What a term of a formula stands for: an event, a time, or a fact of the machine.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Term {
    /// The term.
    term: String,
    /// The event, by its usual name.
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<String>,
    /// The number of boxes that count the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    boxes: Option<usize>,
    /// The type of the PMU; null if no box is known, or if the machine is not here.
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<Option<u32>>,
    /// The encoding, in hexadecimal; null if no box is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    config: Option<Option<String>>,
    /// The name of the time.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    /// The value of the fact.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
    /// Where the fact is from.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    /// Why the term is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// In how many passes the events of a PMU are counted.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Passes {
    /// The PMU.
    pmu: String,
    /// The number of its events.
    events: usize,
    /// The number of passes; 0 if the counters are not known.
    passes: usize,
}

pub fn json(set: &EventSet, named: &NamedMetric) -> Line {
    let definition = &named.definition;
    let metric = definition.metric();
    let needs = set.metric_needs(named);
    let parts = set.metrics().parts(named);
    let passes = planning(set, named).map(|planning| {
        let pmus = planning.pmus.iter();
        let passes = pmus.map(|pmu| Passes {
            pmu: pmu.pmu.clone(),
            events: pmu.events.len(),
            passes: pmu.plan.passes.len(),
        });
        passes.collect()
    });
    Line {
        schema: 1,
        name: definition.name().to_string(),
        canonical: named.id().to_string(),
        kind: "metric",
        pmu: named.core.clone(),
        description: definition.short_description().map(str::to_string),
        formula: metric.map(|m| m.text.clone()),
        expanded: needs.as_ref().ok().map(|needs| needs.formula.to_string()),
        unit: definition.units().map(str::to_string),
        factor: metric.map(|m| m.factor),
        groups: metric.map(|m| m.groups.clone()),
        threshold: metric.and_then(|m| m.threshold.as_ref()).map(|t| t.text.clone()),
        parent: metric.and_then(|m| m.parent.clone()),
        parts: parts.iter().map(|part| part.definition.name().to_string()).collect(),
        samples: metric.map(|m| m.samples.clone()),
        source: source(named),
        needs: needs.as_ref().ok().map(terms),
        counts_0: needs.as_ref().ok().map(|needs| needs.missing.clone()),
        reason: needs.as_ref().err().map(ToString::to_string),
        passes,
    }
}

/// The terms of a metric, and then the retire latencies that were not measured.
fn terms(needs: &Needs) -> Vec<Term> {
    let latency = |(term, cycles): &(String, f64)| Term {
        term: term.clone(),
        value: Some(*cycles),
        source: Some("the default of the vendor's files, not measured".to_string()),
        ..Term::default()
    };
    needs.terms.iter().map(Term::new).chain(needs.latencies.iter().map(latency)).collect()
}

impl Term {
    fn new(of: &metrics::Term) -> Term {
        let term = Term { term: of.name.clone(), ..Term::default() };
        match &of.meaning {
            Ok(Meaning::Event(native)) => {
                let attr = native.boxes.first().map(|first| &first.attr);
                Term {
                    event: Some(native.id.to_string()),
                    boxes: Some(native.boxes.len()),
                    r#type: Some(native.kernel_type()),
                    config: Some(attr.map(|attr| format!("{:#x}", attr.config))),
                    ..term
                }
            }
            Ok(Meaning::Source(source)) => Term { time: Some(source.name().to_string()), ..term },
            Ok(Meaning::Fact(fact)) => {
                Term { value: Some(fact.value), source: Some(fact.source.to_string()), ..term }
            }
            Ok(_) => term,
            Err(reason) => Term { reason: Some(reason_of(reason)), ..term },
        }
    }
}
