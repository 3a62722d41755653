//! The values of a result buffer as JSON lines.

use super::report::{Report, UNKNOWN};
use crate::commands::catalog::check;
use crate::commands::catalog::formula::json::value_keys;
use crate::show;
use counterpoint::catalog::{Diagnostic, MetricError, MetricValue, Metrics};
use serde_json::{Value, json};
use std::io::{self, Write};

pub fn write(out: &mut impl Write, report: &Report<'_>) -> io::Result<()> {
    let results = report.results;
    let buffer = json!({
        "schema": 1,
        "record": "buffer",
        "interface_version": results.version.number(),
        "result_count": results.result_count,
        "failing_request": results.failing_request,
        "return_code": results.return_code,
        "configuration": results.configuration,
        "catalog_version": results.catalog_version,
    });
    writeln!(out, "{buffer}")?;
    for (index, result) in results.results.iter().enumerate() {
        let result = json!({
            "schema": 1,
            "record": "result",
            "index": index,
            "offset": result.offset,
            "request": result.request,
            "complete": result.complete,
            "element_count": result.element_count,
            "data_size": result.data_size,
            "resolved_elements": result.elements.len(),
        });
        writeln!(out, "{result}")?;
    }
    for counter in report.counters.iter() {
        let (events, fields) = report.names.of(counter);
        let known = counter.domain != UNKNOWN;
        let value = json!({
            "schema": 1,
            "record": "value",
            "domain": known.then_some(counter.domain.0),
            "lpar": counter.lpar,
            "index": counter.index,
            "thread_group": counter.thread_group,
            "address": counter.address,
            "width": counter.width,
            "value": counter.value,
            "grown": report.grown(counter),
            "fields": fields,
            "events": events,
        });
        writeln!(out, "{value}")?;
    }
    Ok(())
}

/// The values of formulas.
pub fn write_metrics(
    out: &mut impl Write,
    metrics: &Metrics<'_>,
    values: &[Result<MetricValue, MetricError>],
) -> io::Result<()> {
    for (metric, value) in metrics.iter().zip(values) {
        let mut object =
            json!({"schema": 1, "record": "metric", "name": metric.name, "unit": metric.unit});
        if let Value::Object(object) = &mut object {
            object.extend(value_keys(value));
        }
        show::json(out, &object)?;
    }
    Ok(())
}

pub fn write_finding(out: &mut impl Write, found: &Diagnostic, file: &str) -> io::Result<()> {
    let mut object = check::json::object(found, file);
    object["record"] = json!("finding");
    show::json(out, &object)
}
