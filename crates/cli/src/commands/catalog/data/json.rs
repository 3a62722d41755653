//! The values of a result buffer as JSON lines.

use super::report::{Report, UNKNOWN};
use crate::commands::catalog::check::json::{Finding, finding};
use crate::commands::catalog::formula::json::Computed;
#[cfg(test)]
use crate::schema::{Lines, schema_of};
use crate::show;
use counterpoint::catalog::{Diagnostic, MetricError, MetricValue, Metrics};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

#[cfg(test)]
pub const LINES: Lines = &[
    schema_of::<Buffer>,
    schema_of::<Answered>,
    schema_of::<Counted<'_>>,
    schema_of::<Formula<'_>>,
    schema_of::<Found<'_>>,
];

/// The head of the buffer.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Buffer {
    /// The version of the format: 1.
    schema: u32,
    /// `buffer`.
    record: &'static str,
    /// The version of the hypervisor's interface.
    interface_version: u8,
    /// The number of results.
    result_count: u8,
    /// The number of the request that failed.
    failing_request: u8,
    /// The return code of the hypervisor.
    return_code: u32,
    /// The number of the configuration.
    configuration: u64,
    /// The version of the catalog.
    catalog_version: u64,
}

/// The result of a request.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Answered {
    /// The version of the format: 1.
    schema: u32,
    /// `result`.
    record: &'static str,
    /// The number of the result.
    index: usize,
    /// Its first byte in the buffer.
    offset: usize,
    /// The number of the request.
    request: u8,
    /// Whether it is the whole answer: 1, or 0 if more results follow.
    complete: u8,
    /// The number of elements, as the buffer has it.
    element_count: u16,
    /// The bytes of data in each element.
    data_size: u16,
    /// The number of elements that are there.
    resolved_elements: usize,
}

/// The value of a counter.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Counted<'a> {
    /// The version of the format: 1.
    schema: u32,
    /// `value`.
    record: &'static str,
    /// The number of the domain; null if the request is not known.
    domain: Option<u8>,
    /// The logical partition.
    lpar: u16,
    /// The chip, core or virtual CPU.
    index: u16,
    /// The thread group.
    thread_group: Option<u8>,
    /// The address of the counter in its domain.
    address: u32,
    /// The bytes of the counter.
    width: u8,
    /// The value.
    value: u64,
    /// By how much it grew since the earlier buffer.
    grown: Option<u64>,
    /// The fields of schemas that are there.
    fields: &'a [String],
    /// The events that it counts.
    events: &'a [String],
}

/// The value of a formula.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Formula<'a> {
    /// The version of the format: 1.
    schema: u32,
    /// `metric`.
    record: &'static str,
    /// The name of the formula.
    name: &'a str,
    /// The unit of the value.
    unit: Option<&'a str>,
    #[serde(flatten)]
    value: Computed,
}

/// What is wrong in the buffer.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Found<'a> {
    #[serde(flatten)]
    finding: Finding<'a>,
    /// `finding`.
    record: &'static str,
}

pub fn write(out: &mut impl Write, report: &Report<'_>) -> io::Result<()> {
    let results = report.results;
    let buffer = Buffer {
        schema: 1,
        record: "buffer",
        interface_version: results.version.number(),
        result_count: results.result_count,
        failing_request: results.failing_request,
        return_code: results.return_code,
        configuration: results.configuration,
        catalog_version: results.catalog_version,
    };
    show::json(out, &buffer)?;
    for (index, result) in results.results.iter().enumerate() {
        let answered = Answered {
            schema: 1,
            record: "result",
            index,
            offset: result.offset,
            request: result.request,
            complete: result.complete,
            element_count: result.element_count,
            data_size: result.data_size,
            resolved_elements: result.elements.len(),
        };
        show::json(out, &answered)?;
    }
    for counter in report.counters.iter() {
        let (events, fields) = report.names.at_counter(counter);
        let known = counter.domain != UNKNOWN;
        let counted = Counted {
            schema: 1,
            record: "value",
            domain: known.then_some(counter.domain.0),
            lpar: counter.lpar,
            index: counter.index,
            thread_group: counter.thread_group,
            address: counter.address,
            width: counter.width,
            value: counter.value,
            grown: report.grown(counter),
            fields,
            events,
        };
        show::json(out, &counted)?;
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
        let formula = Formula {
            schema: 1,
            record: "metric",
            name: &metric.name,
            unit: metric.unit.as_deref(),
            value: Computed::new(value),
        };
        show::json(out, &formula)?;
    }
    Ok(())
}

pub fn write_finding(out: &mut impl Write, found: &Diagnostic, file: &str) -> io::Result<()> {
    show::json(out, &Found { finding: finding(found, file), record: "finding" })
}
