//! The trust report as JSON lines: one for each event and kernel, and a summary.

use super::machine::Of;
#[cfg(test)]
use crate::schema::{Lines, schema_of};
use crate::show;
use counterpoint::verify::{Trust, TrustReport, Unmeasured, Verdict};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

#[cfg(test)]
pub const LINES: Lines = &[schema_of::<Verified<'_>>, schema_of::<Last<'_>>];

/// What was expected of an event, and what was measured.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Verified<'a> {
    /// The version of the format: 1.
    schema: u32,
    /// The event, preset or metric; of the way `plan`, the events with commas between them.
    event: &'a str,
    /// How it was counted: `count`, `user-read`, `multiplexed`, `overflow` or `plan`.
    way: &'static str,
    /// The code with known counts that was run; `null` if none predicts the event.
    kernel: Option<&'static str>,
    /// The number that is expected; of the way `plan`, how many events are to be counted at the same time.
    expected: Option<f64>,
    /// By which share of the number a right count may differ.
    tolerance: f64,
    /// Why it may differ; empty if it may not.
    tolerance_reason: &'static str,
    /// The median of what was measured; `null` if nothing was.
    measured: Option<f64>,
    /// The least number of a round.
    least: Option<f64>,
    /// The greatest number of a round.
    greatest: Option<f64>,
    /// The number of rounds.
    rounds: usize,
    /// `exact`, `near`, `differs`, `not-supported`, `not-counted` or `no-prediction`.
    verdict: &'static str,
    /// Why nothing was measured.
    reason: Option<&'a str>,
}

/// The last line.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Last<'a> {
    /// The version of the format: 1.
    schema: u32,
    /// The machine and the numbers of verdicts.
    summary: Summary<'a>,
}

/// The machine and the numbers of verdicts.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Summary<'a> {
    /// The name of the processor.
    cpu: Option<&'a str>,
    /// The release of Linux.
    kernel: Option<&'a str>,
    /// Whether the machine says that it is virtual.
    virtual_machine: bool,
    /// Why no event of the processor was verified; `null` if they were.
    no_hardware: Option<&'a str>,
    /// The lines whose verdict is `exact` or `near`.
    right: usize,
    /// The lines whose verdict is `differs`.
    differ: usize,
    /// All other lines, in which nothing was measured.
    not_measured: usize,
}

pub(super) fn write(out: &mut impl Write, machine: &Of, report: &TrustReport) -> io::Result<()> {
    for row in &report.rows {
        show::json(out, &line(row))?;
    }
    let count = |of: &[Verdict]| report.rows.iter().filter(|r| of.contains(&r.verdict())).count();
    let right = count(&[Verdict::Exact, Verdict::Near]);
    let differ = count(&[Verdict::Differs]);
    let summary = Summary {
        cpu: machine.cpu.as_deref(),
        kernel: machine.kernel.as_deref(),
        virtual_machine: machine.virtual_machine,
        no_hardware: report.no_hardware.as_deref(),
        right,
        differ,
        not_measured: report.rows.len() - right - differ,
    };
    show::json(out, &Last { schema: 1, summary })
}

fn line(row: &Trust) -> Verified<'_> {
    let measured = row.measured.as_ref().ok();
    let is_predicted = !row.kernel.is_empty();
    Verified {
        schema: 1,
        event: &row.event,
        way: row.way.name(),
        kernel: is_predicted.then_some(row.kernel),
        expected: is_predicted.then_some(row.expected),
        tolerance: row.tolerance,
        tolerance_reason: row.why,
        measured: measured.map(|m| m.median),
        least: measured.map(|m| m.least),
        greatest: measured.map(|m| m.greatest),
        rounds: measured.map_or(0, |m| m.rounds),
        verdict: row.verdict().name(),
        reason: match &row.measured {
            Err(Unmeasured::NotSupported(why) | Unmeasured::NotCounted(why)) => Some(why),
            _ => None,
        },
    }
}
