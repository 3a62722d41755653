//! A formula with its value as JSON.

use crate::commands::catalog::words::formula_text;
use counterpoint::catalog::{Catalog, Metric, MetricError, MetricValue, Metrics, Source};
use counterpoint::formula::EvalErrorKind;
use serde_json::{Value, json};

pub fn object(
    catalog: &Catalog,
    metrics: &Metrics<'_>,
    index: usize,
    metric: &Metric,
    result: Option<&Result<MetricValue, MetricError>>,
) -> Value {
    /// How many bytes of other formulas' operands are listed with each formula: more than any real one needs.
    const LISTED: usize = 4 << 10;
    let most = if result.is_some() { usize::MAX } else { LISTED };
    let (needs, is_all) = metrics.first_needs(index, most);
    let needs: Vec<Value> = needs
        .iter()
        .map(|operand| json!({"name": operand.name, "source": source(operand.source)}))
        .collect();
    let mut object = json!({
        "schema": 1,
        "record": "metric",
        "index": index,
        "name": metric.name,
        "unit": metric.unit,
        "formula": formula_text(catalog, index),
        "infix": metric.formula.as_ref().ok().map(|formula| formula.infix().to_string()),
        "needs": needs,
    });
    if let Value::Object(object) = &mut object {
        if !is_all {
            object.insert("needs_more".to_string(), json!(true));
        }
        object.extend(result.map(value_keys).unwrap_or_default());
    }
    object
}

/// A value in JSON; one that is not finite is `null`, with its IEEE name and the reason beside it.
pub fn value_keys(result: &Result<MetricValue, MetricError>) -> serde_json::Map<String, Value> {
    let keys = match result {
        Ok(MetricValue { number, note: None, .. }) => {
            let exact = number.as_int();
            let value = match exact.and_then(|whole| i64::try_from(whole).ok()) {
                Some(whole) => json!(whole),
                None => json!(number.as_f64()),
            };
            json!({"ok": true, "value": value, "exact": exact.map(|whole| whole.to_string())})
        }
        Ok(MetricValue { number, note: Some(error), .. }) => {
            let kind = match error.kind {
                EvalErrorKind::DivisionByZero => "division-by-zero",
                _ => "domain",
            };
            let span = [error.span.start, error.span.end];
            json!({
                "ok": false,
                "value": null,
                "ieee": number.as_f64().to_string().to_lowercase(),
                "error": {"kind": kind, "message": error.to_string(), "span": span},
            })
        }
        Err(error) => {
            let (kind, span) = match error {
                MetricError::Syntax(error) => (error.kind.code(), Some(error.span.clone())),
                MetricError::Missing { span, .. } => ("missing-input", Some(span.clone())),
                MetricError::Cycle(_) => ("cycle", None),
                _ => ("no-text", None),
            };
            let span = span.map(|span| [span.start, span.end]);
            json!({
                "ok": false,
                "value": null,
                "error": {"kind": kind, "message": error.to_string(), "span": span},
            })
        }
    };
    match keys {
        Value::Object(keys) => keys,
        _ => serde_json::Map::new(),
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
