//! A formula with its value as JSON.

use crate::commands::catalog::words::formula_text;
#[cfg(test)]
use crate::schema::{Lines, schema_of};
use counterpoint::catalog::{Catalog, Metric, MetricError, MetricValue, Metrics, Source};
use counterpoint::formula::EvalErrorKind;
use counterpoint::records::Amount;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

#[cfg(test)]
pub const LINES: Lines = &[schema_of::<Line<'_>>];

/// A formula of a catalog, with its value if it was computed.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Line<'a> {
    /// The version of the format: 1.
    schema: u32,
    /// `metric`.
    record: &'static str,
    /// The number of the formula in the catalog.
    index: usize,
    /// The name.
    name: &'a str,
    /// The unit of the value.
    unit: Option<&'a str>,
    /// The formula, as the catalog spells it.
    formula: String,
    /// The formula in infix notation; null if it cannot be read.
    infix: Option<String>,
    /// What the formula needs.
    needs: Vec<Need<'a>>,
    /// True if it needs more than is listed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    needs_more: bool,
    #[serde(flatten)]
    value: Option<Computed>,
}

/// What a formula needs.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Need<'a> {
    /// The name.
    name: &'a str,
    /// `event`, `formula`, `elapsed` or `symbol`.
    source: &'static str,
}

/// A value; one that is not finite is `null`, with its IEEE name and the reason beside it.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Computed {
    /// Whether there is a value.
    ok: bool,
    /// The value.
    value: Option<Amount>,
    /// All digits of a value that is whole; null if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<Option<String>>,
    /// The result by IEEE 754: `inf`, `-inf` or `nan`.
    #[serde(skip_serializing_if = "Option::is_none")]
    ieee: Option<String>,
    /// Why there is no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Problem>,
}

/// Why there is no value.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Problem {
    /// The code of the reason.
    kind: &'static str,
    /// The reason in words.
    message: String,
    /// The bytes of the formula: the first, and the one after the last.
    span: Option<[usize; 2]>,
}

pub fn line<'a>(
    catalog: &Catalog,
    metrics: &'a Metrics<'_>,
    index: usize,
    metric: &'a Metric,
    result: Option<&Result<MetricValue, MetricError>>,
) -> Line<'a> {
    /// The most bytes of other formulas' operands that are listed with each formula: more than any real one needs.
    const LISTED: usize = 4 << 10;
    let most = if result.is_some() { usize::MAX } else { LISTED };
    let (needs, is_all) = metrics.first_needs(index, most);
    let needs = needs.into_iter();
    let needs =
        needs.map(|operand| Need { name: &operand.name, source: source(operand.source) }).collect();
    Line {
        schema: 1,
        record: "metric",
        index,
        name: &metric.name,
        unit: metric.unit.as_deref(),
        formula: formula_text(catalog, index),
        infix: metric.formula.as_ref().ok().map(|formula| formula.infix().to_string()),
        needs,
        needs_more: !is_all,
        value: result.map(Computed::new),
    }
}

impl Computed {
    pub fn new(result: &Result<MetricValue, MetricError>) -> Computed {
        let refused = |error| Computed {
            ok: false,
            value: None,
            exact: None,
            ieee: None,
            error: Some(error),
        };
        match result {
            Ok(MetricValue { number, note: None, .. }) => Computed {
                ok: true,
                value: Some(counterpoint::amount(*number)),
                exact: Some(number.as_int().map(|whole| whole.to_string())),
                ieee: None,
                error: None,
            },
            Ok(MetricValue { number, note: Some(error), .. }) => {
                let kind = match error.kind {
                    EvalErrorKind::DivisionByZero => "division-by-zero",
                    _ => "domain",
                };
                let span = Some([error.span.start, error.span.end]);
                let ieee = Some(number.as_f64().to_string().to_lowercase());
                Computed { ieee, ..refused(Problem { kind, message: error.to_string(), span }) }
            }
            Err(error) => {
                let (kind, span) = match error {
                    MetricError::Syntax(error) => (error.kind.code(), Some(error.span.clone())),
                    MetricError::Missing { span, .. } => ("missing-input", Some(span.clone())),
                    MetricError::Cycle(_) => ("cycle", None),
                    _ => ("no-text", None),
                };
                let span = span.map(|span| [span.start, span.end]);
                refused(Problem { kind, message: error.to_string(), span })
            }
        }
    }
}

fn source(source: Source) -> &'static str {
    match source {
        Source::Event(_) => "event",
        Source::Formula(_) => "formula",
        Source::Elapsed => "elapsed",
        _ => "symbol",
    }
}
