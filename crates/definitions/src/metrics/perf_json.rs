//! perf's JSON of metrics: objects with `MetricName` and `MetricExpr`, as in Linux's `tools/perf/pmu-events`.

use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::json::span;
use super::perf::{Facts, add};
use super::reader::Reader;
use crate::diagnostic::Code;
use crate::library::Library;
use crate::model::Origin;
use crate::syntax::Syntax;

/// The metrics of perf's JSON; events in the same file are passed over.
pub const SYNTAX: Syntax = Syntax { name: "perf metrics", accepts, read };

fn accepts(path: &Path, text: &str) -> bool {
    let is_json = text.trim_start_matches('\u{feff}').trim_start().starts_with(['[', '{']);
    is_json && (text.contains("\"MetricExpr\"") || path.extension().is_some_and(|e| e == "json"))
}

#[derive(Deserialize)]
struct Item<'t> {
    #[serde(borrow, rename = "MetricName")]
    name: Option<&'t RawValue>,
    #[serde(borrow, rename = "MetricExpr")]
    expression: Option<&'t RawValue>,
    #[serde(borrow, rename = "ScaleUnit")]
    scale: Option<&'t RawValue>,
    #[serde(borrow, rename = "MetricGroup")]
    groups: Option<&'t RawValue>,
    #[serde(borrow, rename = "DefaultMetricgroupName")]
    default_group: Option<&'t RawValue>,
    #[serde(borrow, rename = "MetricThreshold")]
    threshold: Option<&'t RawValue>,
    #[serde(borrow, rename = "MetricConstraint")]
    constraint: Option<&'t RawValue>,
    #[serde(borrow, rename = "AggregationMode")]
    aggregation: Option<&'t RawValue>,
    #[serde(borrow, rename = "Unit")]
    unit: Option<&'t RawValue>,
    #[serde(borrow, rename = "Compat")]
    compat: Option<&'t RawValue>,
    #[serde(borrow, rename = "BriefDescription")]
    brief: Option<&'t RawValue>,
    #[serde(borrow, rename = "PublicDescription")]
    public: Option<&'t RawValue>,
}

fn read(text: &str, origin: Origin) -> Library {
    let mut reader = Reader::new(text);
    for element in reader.elements() {
        let place = span(text, element);
        match serde_json::from_str::<Item<'_>>(element.get()) {
            Ok(item) => read_item(&mut reader, &item, place),
            Err(_) => reader.report(Code::WrongShape, place, "this is not an object"),
        }
    }
    reader.finish(origin)
}

fn read_item<'t>(reader: &mut Reader<'t>, item: &Item<'t>, place: std::ops::Range<usize>) {
    let Some(expression) = reader.string("MetricExpr", item.expression) else { return };
    let Some(name) = reader.string("MetricName", item.name) else {
        // Some events have an expression, and their own name.
        if item.name.is_none() {
            reader.report(Code::MissingName, place, "a metric has no MetricName");
        }
        return;
    };
    let groups = [("MetricGroup", item.groups), ("DefaultMetricgroupName", item.default_group)];
    let unit = reader.string("Unit", item.unit);
    let facts = Facts {
        name,
        expression,
        scale: reader.string("ScaleUnit", item.scale),
        groups: groups.map(|(key, list)| reader.string(key, list)),
        threshold: reader.string("MetricThreshold", item.threshold),
        constraint: reader.string("MetricConstraint", item.constraint),
        aggregation: reader.string("AggregationMode", item.aggregation),
        pmu: unit.filter(|_| item.compat.is_some() || is_core(item.unit)),
        brief: reader.string("BriefDescription", item.brief),
        public: reader.string("PublicDescription", item.public),
    };
    add(reader, facts, place);
}

/// Returns true if the unit of a metric is one kind of core of a hybrid processor.
fn is_core(unit: Option<&RawValue>) -> bool {
    unit.is_some_and(|unit| unit.get().starts_with("\"cpu_"))
}
