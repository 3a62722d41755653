//! The lines of `perf stat -j`, for programs that read them.

use super::comment::{Placed, comment};
use super::format::{Counted, Format};
use super::perf::{coverage, is_clock, relative_error, running_ns, unit};
use crate::show;
use counterpoint::{Row, RowPlacement, Value};
use serde::Serialize;
use std::io::{self, Write};

pub struct PerfJson;

/// The keys of a line, in the order and with the types of perf.
#[derive(Serialize, Default)]
#[serde(rename_all = "kebab-case")]
struct Line<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    interval: Option<f64>,
    #[serde(flatten)]
    place: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counter_value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cgroup: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event_runtime: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pcnt_running: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metric_value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metric_unit: Option<String>,
}

/// The part of the machine or of the target.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum Place {
    Cpu(String),
    Core(String),
    Cache(String),
    Die(String),
    Socket(String),
    Node(String),
    Thread(String),
}

impl Format for PerfJson {
    /// perf writes these lines to stderr, too.
    fn is_on_stderr(&self) -> bool {
        true
    }

    fn write(&mut self, out: &mut dyn Write, counted: &Counted<'_>) -> io::Result<()> {
        let placed = Placed::new(counted.report);
        let mut rows = counted.report.rows.iter();
        rows.try_for_each(|row| show::json(out, &line(row, &placed, counted)))
    }
}

fn line<'a>(row: &'a Row, placed: &Placed<'_>, counted: &Counted<'a>) -> Line<'a> {
    let interval = counted.at.map(|at| at.as_secs_f64());
    let name = counted.summary.name_of(row.placement);
    let place = place(row.placement, name);
    if row.metric.is_some() {
        let metric_unit = format!("{} {}", row.unit.as_deref().unwrap_or_default(), row.event);
        return Line {
            interval,
            place,
            metric_value: row.value.as_f64(),
            metric_unit: Some(metric_unit.trim_start().to_string()),
            ..Line::default()
        };
    }
    let comment = comment(row, placed, counted.length);
    Line {
        interval,
        place,
        counter_value: Some(value(row)),
        unit: Some(unit(row)),
        event: Some(&row.event),
        cgroup: name.filter(|_| matches!(row.placement, RowPlacement::Cgroup(_))),
        variance: (counted.summary.requested > 1).then(|| rounded(relative_error(row))),
        event_runtime: Some(running_ns(row)),
        pcnt_running: Some(rounded(100.0 * coverage(row))),
        metric_value: comment.as_ref().map(|comment| comment.value),
        metric_unit: comment.map(|comment| comment.unit.trim_start_matches("% ").to_string()),
    }
}

fn value(row: &Row) -> String {
    match (&row.value, row.value.as_f64()) {
        (Value::NotSupported(_), _) => "<not supported>".to_string(),
        (_, None) => "<not counted>".to_string(),
        (_, Some(ns)) if is_clock(row) => format!("{:.6}", ns / 1e6),
        (_, Some(value)) => format!("{value:.6}"),
    }
}

fn place(placement: RowPlacement, name: Option<&str>) -> Option<Place> {
    Some(match placement {
        RowPlacement::All | RowPlacement::Cgroup(_) => return None,
        RowPlacement::Cpu(cpu) => Place::Cpu(cpu.to_string()),
        RowPlacement::Core { socket, core } => Place::Core(format!("S{socket}-C{core}")),
        RowPlacement::Cache { level, cpu } => Place::Cache(format!("L{level}-ID{cpu}")),
        RowPlacement::Die { socket, die } => Place::Die(format!("S{socket}-D{die}")),
        RowPlacement::Socket(socket) => Place::Socket(format!("S{socket}")),
        RowPlacement::Node(node) => Place::Node(format!("N{node}")),
        RowPlacement::Thread(thread) => {
            Place::Thread(format!("{}-{thread}", name.unwrap_or_default()))
        }
    })
}

/// With two decimals.
fn rounded(percent: f64) -> f64 {
    (100.0 * percent).round() / 100.0
}
