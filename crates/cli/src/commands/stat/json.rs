//! The report as JSON lines: one object an event, then one that sums up.

use super::comment::comment;
use super::output::Summary;
use counterpoint::formula::Number;
use counterpoint::perf::process::Ended;
use counterpoint::{Note, Place, Report, Row, Value as Counted};
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::time::Duration;

pub fn rows(
    out: &mut impl Write,
    report: &Report,
    at: Option<Duration>,
    length: Duration,
) -> io::Result<()> {
    for row in &report.rows {
        writeln!(out, "{}", Value::Object(object(row, report, at, length)))?;
    }
    Ok(())
}

fn object(
    row: &Row,
    report: &Report,
    at: Option<Duration>,
    length: Duration,
) -> Map<String, Value> {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_string(), value);
    put("schema", json!(1));
    put("event", json!(row.event));
    put("canonical", json!(row.canonical));
    put("value", number(&row.value));
    put("status", json!(row.value.status()));
    put("unit", json!(row.unit));
    if let Some(reason) = row.value.reason() {
        put("reason", json!(reason.to_string()));
    }
    if let Some(raw) = row.raw {
        put("raw", json!(raw));
        put("enabled_ns", json!(row.enabled.as_nanos() as u64));
        put("running_ns", json!(row.running.as_nanos() as u64));
    }
    match row.value {
        Counted::Counted(_) => put("coverage", json!(1.0)),
        Counted::Estimated { coverage, .. } => put("coverage", json!(coverage)),
        _ => None,
    };
    if let Some(note) = Note::sentence(&row.notes) {
        put("note", json!(note));
    }
    if let Some(comment) = comment(row, report, length) {
        put("comment", json!({"value": comment.value, "unit": comment.unit}));
    }
    if let Some(at) = at {
        put("interval_s", json!(at.as_secs_f64()));
    }
    match row.place {
        Place::Cpu(cpu) => _ = put("cpu", json!(cpu)),
        Place::Thread(thread) => _ = put("thread", json!(thread)),
        Place::Socket(socket) => _ = put("socket", json!(socket)),
        Place::Core { socket, core } => {
            put("socket", json!(socket));
            put("core", json!(core));
        }
        Place::All => {}
    }
    if let Some(spread) = row.spread {
        put("runs", json!(spread.runs));
        put("mean", number(&row.value));
        put("stddev", json!(spread.stddev));
    }
    object
}

/// A number as one, never as text; `null` where nothing was measured.
pub fn number(value: &Counted) -> Value {
    match value {
        Counted::Counted(Number::Int(whole)) => {
            match (u64::try_from(*whole), i64::try_from(*whole)) {
                (Ok(whole), _) => json!(whole),
                (_, Ok(whole)) => json!(whole),
                _ => json!(*whole as f64),
            }
        }
        other => json!(other.as_f64()),
    }
}

pub fn summary(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    let seconds = |times: Vec<f64>| match times.len() {
        0 => Value::Null,
        n => json!(times.iter().sum::<f64>() / n as f64),
    };
    let (exit_status, signal) = match summary.ended {
        Some(Ended::Exited(code)) => (Some(code), None),
        Some(Ended::Killed(signal)) => (None, Some(signal)),
        None => (None, None),
    };
    let line = json!({
        "schema": 1,
        "summary": {
            "command": summary.command,
            "runs": summary.elapsed.len(),
            "elapsed_s": seconds(summary.elapsed.iter().map(Duration::as_secs_f64).collect()),
            "user_s": seconds(summary.times.iter().map(|(user, _)| user.as_secs_f64()).collect()),
            "sys_s": seconds(summary.times.iter().map(|(_, system)| system.as_secs_f64()).collect()),
            "exit_status": exit_status,
            "signal": signal,
            "multiplexed": summary.turns,
        }
    });
    writeln!(out, "{line}")
}
