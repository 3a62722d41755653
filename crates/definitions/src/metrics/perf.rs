//! The metrics of perf: objects with `MetricName` and `MetricExpr` in the JSON of Linux's `tools/perf/pmu-events`.

use std::path::Path;

use counterpoint_formula::Syntax as FormulaSyntax;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::json::span;
use super::reader::{Draft, Parsed, Reader, SECONDS, SYSTEM_SECONDS, USER_SECONDS, named, words};
use crate::diagnostic::Code;
use crate::library::Library;
use crate::model::{Constraint, Each, Metric, Origin};
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
    let at = |range| expression.place(range);
    let syntax = FormulaSyntax::PerfMetric;
    let Some(formula) = reader.formula(&name.value, &expression.value, syntax, &at) else { return };
    let Some(value) = Parsed::new(&formula, at, term) else {
        let message = format!("the formula of {} is too large", name.value);
        return reader.report(Code::TooLarge, expression.span(), message);
    };
    let mut metric = Metric { text: expression.value.to_string(), ..Metric::default() };
    let scale = reader.string("ScaleUnit", item.scale);
    let units = scale.map(|text| reader.scale(&mut metric, &text.value, text.span()));
    read_attributes(reader, item, &name.value, &mut metric);
    let unit = reader.string("Unit", item.unit);
    let pmus = unit.filter(|_| item.compat.is_some() || is_core(item.unit));
    let pmus = pmus.map(|unit| named(&unit.value, unit.span()));
    let [brief, public] = [("BriefDescription", item.brief), ("PublicDescription", item.public)]
        .map(|(key, part)| reader.string(key, part).map(|text| text.value.into_owned()));
    reader.add(Draft {
        pmus: pmus.into_iter().collect(),
        name_span: name.span(),
        name: name.value.into_owned(),
        value,
        metric,
        units: units.unwrap_or_default(),
        short_description: brief.unwrap_or_default(),
        long_description: public.unwrap_or_default(),
        notation: "MetricExpr",
        span: place,
        ..Draft::default()
    });
}

/// Reads the groups, the threshold, the constraint and the aggregation of a metric.
fn read_attributes<'t>(reader: &mut Reader<'t>, item: &Item<'t>, name: &str, metric: &mut Metric) {
    for (key, list) in
        [("MetricGroup", item.groups), ("DefaultMetricgroupName", item.default_group)]
    {
        if let Some(list) = reader.string(key, list) {
            metric.groups.extend(words(&list.value));
        }
    }
    metric.parent = metric.groups.iter().find_map(|group| part_of(group)).map(str::to_owned);
    if let Some(text) = reader.string("MetricThreshold", item.threshold) {
        let at = |range| text.place(range);
        metric.threshold = reader.threshold(name, &text.value, FormulaSyntax::PerfMetric, &at);
    }
    if let Some(text) = reader.string("MetricConstraint", item.constraint) {
        match constraint(&text.value) {
            Some(constraint) => metric.constraint = constraint,
            None => {
                let message = format!("`{}` is not a restriction on grouping", text.value);
                reader.report(Code::UnknownConstraint, text.span(), message);
            }
        }
    }
    let aggregation = reader.string("AggregationMode", item.aggregation);
    metric.each = match aggregation.as_ref().map(|mode| &*mode.value) {
        Some("PerChip") => Some(Each::Chip),
        Some("PerCore") => Some(Each::Core),
        _ => None,
    };
}

/// The term for an input: an event or another metric, except that perf computes with times in seconds.
fn term(input: &str) -> String {
    let term = match input {
        "duration_time" => SECONDS,
        "user_time" => USER_SECONDS,
        "system_time" => SYSTEM_SECONDS,
        "TSC" => "msr/tsc/",
        other => other,
    };
    term.to_owned()
}

/// Returns true if the unit of a metric is one kind of core of a hybrid processor.
fn is_core(unit: Option<&RawValue>) -> bool {
    unit.is_some_and(|unit| unit.get().starts_with("\"cpu_"))
}

fn constraint(text: &str) -> Option<Constraint> {
    Some(match text {
        "NO_GROUP_EVENTS" => Constraint::NoGroup,
        // perf called it NO_NMI_WATCHDOG before Linux 6.3.
        "NO_GROUP_EVENTS_NMI" | "NO_NMI_WATCHDOG" => Constraint::NoGroupNmi,
        "NO_GROUP_EVENTS_SMT" => Constraint::NoGroupSmt,
        "NO_THRESHOLD_AND_NMI" => Constraint::NoThresholdNmi,
        _ => return None,
    })
}

/// The metric whose parts a group has: that of `NAME_group`, except `tma_L2_group`, which has all metrics of a level.
fn part_of(group: &str) -> Option<&str> {
    let name = group.strip_suffix("_group")?;
    let level = name.strip_prefix("tma_L").unwrap_or_default();
    let is_level = !level.is_empty() && level.bytes().all(|byte| byte.is_ascii_digit());
    (!is_level).then_some(name)
}
