//! The trust report as JSON lines: one for each event and kernel, and a summary.

use super::machine::Of;
#[cfg(test)]
use crate::schema::{Lines, schema_of};
use crate::show;
use counterpoint::perf::{Attr, Exclude};
use counterpoint::verify::{Asked, Measured, Trust, TrustReport, Unmeasured, Verdict, Way};
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::time::Duration;

#[cfg(test)]
pub const LINES: Lines = &[schema_of::<Verified>, schema_of::<Last>];

/// What was expected of an event, and what was measured.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Verified {
    /// The version of the format: 1.
    schema: u32,
    /// The event, preset or metric; of the way `plan` and of a group, the events with commas between them.
    event: String,
    /// How it was counted: `count`, `user-read`, `multiplexed`, `overflow` or `plan`; or what was measured, of which nothing is expected: `skid`, the instructions from the one that caused a sample to the one that it names, or the time of a read, `read-time` or `user-read-time`.
    way: String,
    /// The code with known counts that was run; `null` if none predicts the event, and of times and skids.
    kernel: Option<String>,
    /// The number that is expected; of the way `plan`, how many events are to be counted at the same time.
    expected: Option<f64>,
    /// By which share of the number a right count may differ.
    tolerance: f64,
    /// Why it may differ; empty if it may not.
    tolerance_reason: String,
    /// The numbers of the processor's errata by which the event may count wrongly, by the vendor's list.
    #[serde(default)]
    errata: String,
    /// The median of what was measured, of times in nanoseconds and of skids in instructions; `null` if nothing was.
    measured: Option<f64>,
    /// The least number of a round.
    least: Option<f64>,
    /// The greatest number of a round.
    greatest: Option<f64>,
    /// The number of rounds.
    rounds: usize,
    /// `exact`, `near`, `differs`, `measured` of times and skids, `not-supported`, `not-counted` or `no-prediction`.
    verdict: String,
    /// Why nothing was measured.
    reason: Option<String>,
    /// The events that the kernel of the system was asked for.
    attrs: Vec<AskedFor>,
    /// The error number of the kernel, such as `ENOENT`, if it did not open one of them.
    errno: Option<String>,
    /// For how long the counters that were read were enabled, in nanoseconds, in all rounds together.
    enabled_ns: u64,
    /// For how long they counted, in nanoseconds.
    running_ns: u64,
}

/// An event as the kernel is asked for it: the fields of `perf_event_attr`.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct AskedFor {
    /// The type of the PMU.
    r#type: u32,
    /// The encoding, in hexadecimal.
    config: String,
    /// More of the encoding, in hexadecimal.
    config1: String,
    /// More of the encoding, in hexadecimal.
    config2: String,
    /// The letters of the levels that are not counted: `u` user space, `k` the kernel, `h` the hypervisor; `-` for none.
    exclude: String,
}

/// The last line.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Last {
    /// The version of the format: 1.
    schema: u32,
    /// The machine and the numbers of verdicts.
    summary: Summary,
}

/// The machine and the numbers of verdicts.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Summary {
    /// The name of the processor.
    cpu: Option<String>,
    /// The release of Linux.
    kernel: Option<String>,
    /// Whether the machine says that it is virtual.
    virtual_machine: bool,
    /// Why no event of the processor was verified; `null` if they were.
    no_hardware: Option<String>,
    /// The lines whose verdict is `exact` or `near`.
    right: usize,
    /// The lines whose verdict is `differs`.
    differ: usize,
    /// The lines whose verdict is `measured`, which are times.
    #[serde(default)]
    times: usize,
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
    let times = count(&[Verdict::Measured]);
    let summary = Summary {
        cpu: machine.cpu.clone(),
        kernel: machine.kernel.clone(),
        virtual_machine: machine.virtual_machine,
        no_hardware: report.no_hardware.clone(),
        right,
        differ,
        times,
        not_measured: report.rows.len() - right - differ - times,
    };
    show::json(out, &Last { schema: 1, summary })
}

fn line(row: &Trust) -> Verified {
    let measured = row.measured.as_ref().ok();
    let is_predicted = !row.kernel.is_empty();
    let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    Verified {
        schema: 1,
        event: row.event.clone(),
        way: row.way.name().to_string(),
        kernel: is_predicted.then(|| row.kernel.clone()),
        expected: is_predicted.then_some(row.expected),
        tolerance: row.tolerance,
        tolerance_reason: row.why.clone(),
        errata: row.errata.clone(),
        measured: measured.map(|m| m.median),
        least: measured.map(|m| m.least),
        greatest: measured.map(|m| m.greatest),
        rounds: measured.map_or(0, |m| m.rounds),
        verdict: row.verdict().name().to_string(),
        reason: match &row.measured {
            Err(Unmeasured::NotSupported(why) | Unmeasured::NotCounted(why)) => Some(why.clone()),
            _ => None,
        },
        attrs: row.asked.attrs.iter().map(asked_for).collect(),
        errno: row.asked.errno.map(|errno| errno.to_string()),
        enabled_ns: nanoseconds(row.asked.enabled),
        running_ns: nanoseconds(row.asked.running),
    }
}

fn asked_for(attr: &Attr) -> AskedFor {
    let hex = |word: u64| format!("{word:#x}");
    AskedFor {
        r#type: attr.kind,
        config: hex(attr.config),
        config1: hex(attr.config1),
        config2: hex(attr.config2),
        exclude: attr.exclude.letters(),
    }
}

/// Reads the lines that [`write`] wrote; the error is the number of a line, from 1, and what is wrong with it.
pub(super) fn read(lines: &str) -> Result<(Of, TrustReport), (usize, String)> {
    let mut report = TrustReport { no_hardware: None, rows: Vec::new() };
    let (mut last, mut summary): (usize, Option<Summary>) = (1, None);
    for (number, line) in (1..).zip(lines.lines()) {
        last = number;
        if summary.is_some() {
            return Err((number, "there is more after the summary".to_string()));
        }
        let failed = |error: serde_json::Error| (number, error.to_string());
        let value: serde_json::Value = serde_json::from_str(line).map_err(failed)?;
        if value.get("schema").and_then(serde_json::Value::as_u64) != Some(1) {
            return Err((number, "not a line of a report of this version".to_string()));
        }
        if value.get("summary").is_none() {
            let verified: Verified = serde_json::from_value(value).map_err(failed)?;
            report.rows.push(trust(verified).map_err(|what| (number, what))?);
            continue;
        }
        let Last { summary: read, .. } = serde_json::from_value(value).map_err(failed)?;
        summary = Some(read);
    }
    let Some(summary) = summary else {
        return Err((last, "the report ends without its summary".to_string()));
    };
    let lines = summary.right + summary.differ + summary.times + summary.not_measured;
    if lines != report.rows.len() {
        let what = format!("the summary is of {lines} lines, and there are {}", report.rows.len());
        return Err((last, what));
    }
    let Summary { cpu, kernel, virtual_machine, .. } = summary;
    report.no_hardware = summary.no_hardware;
    Ok((Of { cpu, kernel, virtual_machine }, report))
}

fn trust(line: Verified) -> Result<Trust, String> {
    let way = Way::ALL.into_iter().find(|way| way.name() == line.way);
    let reason = line.reason.unwrap_or_default();
    let measured = match (line.measured, line.least, line.greatest, line.verdict.as_str()) {
        (Some(median), Some(least), Some(greatest), _) => {
            Ok(Measured { median, least, greatest, rounds: line.rounds })
        }
        (.., "not-supported") => Err(Unmeasured::NotSupported(reason)),
        (.., "not-counted") => Err(Unmeasured::NotCounted(reason)),
        (.., "no-prediction") => Err(Unmeasured::NoPrediction),
        (.., verdict) => return Err(format!("verdict `{verdict}` has no numbers")),
    };
    let errno = line.errno.map(|name| name.parse().map_err(|_| format!("unknown errno `{name}`")));
    Ok(Trust {
        event: line.event,
        way: way.ok_or_else(|| format!("unknown way `{}`", line.way))?,
        kernel: line.kernel.unwrap_or_default(),
        expected: line.expected.unwrap_or_default(),
        tolerance: line.tolerance,
        why: line.tolerance_reason,
        errata: line.errata,
        measured,
        asked: Asked {
            attrs: line.attrs.iter().map(attr).collect::<Result<_, _>>()?,
            errno: errno.transpose()?,
            enabled: Duration::from_nanos(line.enabled_ns),
            running: Duration::from_nanos(line.running_ns),
        },
    })
}

fn attr(asked: &AskedFor) -> Result<Attr, String> {
    let hex = |text: &str| {
        let digits = text.strip_prefix("0x").map(|digits| u64::from_str_radix(digits, 16));
        digits.and_then(Result::ok).ok_or_else(|| format!("`{text}` is not hexadecimal"))
    };
    let exclude = Exclude::from_letters(&asked.exclude);
    Ok(Attr {
        kind: asked.r#type,
        config: hex(&asked.config)?,
        config1: hex(&asked.config1)?,
        config2: hex(&asked.config2)?,
        exclude: exclude.ok_or_else(|| format!("unknown levels `{}`", asked.exclude))?,
        ..Attr::default()
    })
}
