//! The metrics of perf: expressions over events and other metrics, with the facts that `tools/perf/pmu-events` has of each.

use std::ops::Range;

use counterpoint_formula::Syntax as FormulaSyntax;

use super::reader::{Draft, Parsed, Reader, SECONDS, SYSTEM_SECONDS, USER_SECONDS, named, words};
use super::text::Text;
use crate::diagnostic::Code;
use crate::library::Library;
use crate::model::{Constraint, Each, Metric, Origin};

/// A metric in perf's terms, which is not in a file; a text is empty if the metric does not have it.
///
/// ```
/// use counterpoint_definitions::metrics::PerfMetric;
/// use counterpoint_definitions::{Origin, link};
///
/// let ratio = PerfMetric { name: "miss_ratio", expression: "misses / loads", scale: "100%", ..PerfMetric::default() };
/// let library = PerfMetric::library([ratio], Origin::Text);
/// let found = link(&[library], "skx").get("miss_ratio").unwrap();
/// assert_eq!((found.units(), found.metric().unwrap().factor), (Some("%"), 100.0));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct PerfMetric<'t> {
    /// `MetricName`
    pub name: &'t str,
    /// `MetricExpr`
    pub expression: &'t str,
    /// `ScaleUnit`
    pub scale: &'t str,
    /// `MetricGroup`, with `;` or `,` between the groups.
    pub groups: &'t str,
    /// `MetricThreshold`
    pub threshold: &'t str,
    /// `MetricConstraint`
    pub constraint: &'t str,
    /// `AggregationMode`
    pub aggregation: &'t str,
    /// The PMU to which it applies; every PMU if it is empty.
    pub pmu: &'t str,
}

impl<'t> PerfMetric<'t> {
    /// The library of metrics. Those with a mistake are left out, and reported in its diagnostics.
    pub fn library(metrics: impl IntoIterator<Item = PerfMetric<'t>>, origin: Origin) -> Library {
        let mut reader = Reader::new("");
        for metric in metrics {
            add(&mut reader, metric.into(), 0..0);
        }
        reader.finish(origin)
    }
}

impl<'t> From<PerfMetric<'t>> for Facts<'t> {
    fn from(metric: PerfMetric<'t>) -> Facts<'t> {
        let text = |text: &'t str| Some(Text::from(text)).filter(|_| !text.is_empty());
        Facts {
            name: metric.name.into(),
            expression: metric.expression.into(),
            scale: text(metric.scale),
            groups: [text(metric.groups), None],
            threshold: text(metric.threshold),
            constraint: text(metric.constraint),
            aggregation: text(metric.aggregation),
            pmu: text(metric.pmu),
            brief: None,
            public: None,
        }
    }
}

/// What is said of a metric.
pub(super) struct Facts<'t> {
    pub(super) name: Text<'t>,
    pub(super) expression: Text<'t>,
    pub(super) scale: Option<Text<'t>>,
    pub(super) groups: [Option<Text<'t>>; 2],
    pub(super) threshold: Option<Text<'t>>,
    pub(super) constraint: Option<Text<'t>>,
    pub(super) aggregation: Option<Text<'t>>,
    pub(super) pmu: Option<Text<'t>>,
    pub(super) brief: Option<Text<'t>>,
    pub(super) public: Option<Text<'t>>,
}

/// Adds a metric, which is at a place of the text.
pub(super) fn add(reader: &mut Reader<'_>, facts: Facts<'_>, place: Range<usize>) {
    let Facts { name, expression, .. } = &facts;
    let at = |range| expression.place(range);
    let syntax = FormulaSyntax::PerfMetric;
    let Some(formula) = reader.formula(&name.value, &expression.value, syntax, &at) else { return };
    let Some(value) = Parsed::new(&formula, at, term) else {
        let message = format!("the formula of {} is too large", name.value);
        return reader.report(Code::TooLarge, expression.span(), message);
    };
    let mut metric = Metric { text: expression.value.to_string(), ..Metric::default() };
    let scale = facts.scale.as_ref();
    let units = scale.map(|text| reader.scale(&mut metric, &text.value, text.span()));
    read_attributes(reader, &facts, &mut metric);
    let pmus = facts.pmu.as_ref().map(|unit| named(&unit.value, unit.span()));
    let owned = |text: &Option<Text<'_>>| text.as_ref().map(|text| text.value.to_string());
    reader.add(Draft {
        pmus: pmus.into_iter().collect(),
        name_span: name.span(),
        name: name.value.to_string(),
        value,
        metric,
        units: units.unwrap_or_default(),
        short_description: owned(&facts.brief).unwrap_or_default(),
        long_description: owned(&facts.public).unwrap_or_default(),
        notation: "MetricExpr",
        span: place,
        ..Draft::default()
    });
}

/// Reads the groups, the threshold, the constraint and the aggregation of a metric.
fn read_attributes(reader: &mut Reader<'_>, facts: &Facts<'_>, metric: &mut Metric) {
    metric.groups = facts.groups.iter().flatten().flat_map(|list| words(&list.value)).collect();
    metric.parent = metric.groups.iter().find_map(|group| part_of(group)).map(str::to_owned);
    if let Some(text) = &facts.threshold {
        let (name, at) = (&facts.name.value, |range| text.place(range));
        metric.threshold = reader.threshold(name, &text.value, FormulaSyntax::PerfMetric, &at);
    }
    if let Some(text) = &facts.constraint {
        match constraint(&text.value) {
            Some(constraint) => metric.constraint = constraint,
            None => {
                let message = format!("`{}` is not a restriction on grouping", text.value);
                reader.report(Code::UnknownConstraint, text.span(), message);
            }
        }
    }
    metric.each = match facts.aggregation.as_ref().map(|mode| &*mode.value) {
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
