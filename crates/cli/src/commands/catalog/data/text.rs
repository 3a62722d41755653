//! The values of a result buffer for people.

use super::report::{Report, UNKNOWN};
use crate::commands::catalog::table::{self, Side};
use crate::show::{decimal, grouped};
use counterpoint::catalog::data::Counter;
use counterpoint::catalog::{Domain, Metric, MetricError, MetricValue, Metrics, sysfs::Unit};
use counterpoint::formula::Number;
use std::io::{self, Write};

pub fn write(out: &mut impl Write, report: &Report<'_>) -> io::Result<()> {
    let results = report.results;
    writeln!(
        out,
        "result buffer: interface {}, catalog version {}, {} of {} results",
        results.version.number(),
        results.catalog_version,
        results.results.len(),
        results.result_count
    )?;
    let counters: Vec<&Counter> = report.counters.iter().collect();
    for unit in counters.chunk_by(|a, b| a.unit() == b.unit()) {
        writeln!(out, "\n{}", unit.first().map(|first| title(first)).unwrap_or_default())?;
        write_unit(out, report, unit)?;
    }
    if counters.iter().any(|counter| counter.domain == UNKNOWN) {
        writeln!(
            out,
            "\nThe results do not hold what was requested: add --requests FILE or --name NAME."
        )?;
    }
    Ok(())
}

fn write_unit(out: &mut impl Write, report: &Report<'_>, unit: &[&Counter]) -> io::Result<()> {
    let row = |counter: &&Counter| {
        let (events, fields) = report.names.at_counter(counter);
        let grown = report.grown(counter).map(|grown| grouped(grown.into()));
        [
            format!("{:#x}", counter.address),
            grouped(counter.value.into()),
            grown.unwrap_or_default(),
            fields.join(" or "),
            events.join(" "),
        ]
    };
    let rows: Vec<[String; 5]> = unit.iter().map(row).collect();
    let [address, value, grown, field, event] = [
        ("address", Side::Right),
        ("value", Side::Right),
        ("grown by", Side::Right),
        ("field", Side::Left),
        ("event", Side::Left),
    ];
    if report.grown.is_some() {
        return table::write(out, [address, value, grown, field, event], &rows);
    }
    let rows: Vec<[String; 4]> = rows.into_iter().map(|[a, v, _, f, e]| [a, v, f, e]).collect();
    table::write(out, [address, value, field, event], &rows)
}

/// The unit that a counter belongs to: `core 3`, `vcpu 1 of partition 2 (home chip)`.
fn title(counter: &Counter) -> String {
    let thread_group = match counter.thread_group {
        Some(group) if group != 0 => format!(", thread group {group}"),
        _ => String::new(),
    };
    let (index, lpar) = (counter.index, counter.lpar);
    let place = match counter.domain {
        UNKNOWN => format!("index {index} of partition {lpar}"),
        domain @ (Domain::CHIP | Domain::CORE) => format!("{} {index}", Unit::of(domain).name()),
        domain => {
            let home = match domain {
                Domain::VCPU_HOME_CORE => "home core",
                Domain::VCPU_HOME_CHIP => "home chip",
                Domain::VCPU_HOME_NODE => "home node",
                _ => "remote node",
            };
            format!("vcpu {index} of partition {lpar} ({home})")
        }
    };
    format!("{place}{thread_group}")
}

/// The values of formulas.
pub fn write_metrics(
    out: &mut impl Write,
    metrics: &Metrics<'_>,
    values: &[Result<MetricValue, MetricError>],
) -> io::Result<()> {
    let row = |(metric, value): (&Metric, &Result<MetricValue, MetricError>)| {
        let (value, why) = match value {
            Ok(MetricValue { number, note: None, .. }) => (shown(*number), String::new()),
            Ok(MetricValue { number, note: Some(note), .. }) => {
                (number.to_string(), note.to_string())
            }
            Err(error) => ("<not counted>".to_string(), error.to_string()),
        };
        [metric.name.clone(), value, metric.unit.clone().unwrap_or_default(), why]
    };
    let rows: Vec<[String; 4]> = metrics.iter().zip(values).map(row).collect();
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let headings =
        [("formula", Side::Left), ("value", Side::Right), ("unit", Side::Left), ("", Side::Left)];
    table::write(out, headings, &rows)
}

fn shown(number: Number) -> String {
    match number {
        Number::Int(whole) => grouped(whole),
        Number::Real(real) => decimal(real),
    }
}
