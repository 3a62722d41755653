//! The meaning of a count relative to others: a rate, a ratio or a share.

use counterpoint::records::Comment;
use counterpoint::{Report, Row, RowPlacement};
use std::collections::BTreeMap;
use std::time::Duration;

/// The rows of a report by their placement, of which there may be thousands.
pub struct Placed<'r> {
    rows: BTreeMap<RowPlacement, Vec<&'r Row>>,
}

impl<'r> Placed<'r> {
    pub fn new(report: &'r Report) -> Placed<'r> {
        let mut rows: BTreeMap<RowPlacement, Vec<&Row>> = BTreeMap::new();
        report.rows.iter().for_each(|row| rows.entry(row.placement).or_default().push(row));
        Placed { rows }
    }

    /// The rows that are where this one is, with it.
    pub fn beside(&self, row: &Row) -> &[&'r Row] {
        self.rows.get(&row.placement).map_or(&[], Vec::as_slice)
    }
}

/// Returns the comment on `row`, as `perf stat` prints it, or `None` if there is none.
pub fn comment(row: &Row, placed: &Placed<'_>, elapsed: Duration) -> Option<Comment> {
    let value = row.value.as_f64().filter(|_| row.metric.is_none())?;
    let beside = placed.beside(row);
    let name = row.id.name.as_str();
    // The same event's neighbour: at the same placement, on the same PMU, with the same modifiers.
    let other = |wanted: &str| -> Option<f64> {
        let id = row.id.beside(wanted);
        beside.iter().find(|other| other.id == id)?.value.as_f64().filter(|v| *v > 0.0)
    };
    let clock = || {
        let is_clock = |r: &&&Row| matches!(r.id.name.as_str(), "task-clock" | "cpu-clock");
        beside.iter().find(is_clock)?.value.as_f64().filter(|ns| *ns > 0.0)
    };
    let share = |whole: &str, unit| Some(Comment { value: 100.0 * value / other(whole)?, unit });
    match name {
        "task-clock" | "cpu-clock" if elapsed.is_zero() => None,
        "task-clock" | "cpu-clock" => {
            Some(Comment { value: value / elapsed.as_nanos() as f64, unit: "CPUs utilized" })
        }
        "cycles" => Some(Comment { value: value / clock()?, unit: "GHz" }),
        "instructions" => match other("cycles") {
            Some(cycles) => Some(Comment { value: value / cycles, unit: "insn per cycle" }),
            None => rate(value, clock()?),
        },
        "branch-misses" => share("branches", "% of all branches"),
        "cache-misses" => share("cache-references", "% of all cache references"),
        "stalled-cycles-frontend" => share("cycles", "% frontend cycles idle"),
        "stalled-cycles-backend" => share("cycles", "% backend cycles idle"),
        _ => match name.strip_suffix("-load-misses") {
            Some(cache) => {
                share(&format!("{cache}-loads"), "% of all loads").or_else(|| rate(value, clock()?))
            }
            // A formula has its own meaning, and so has an event whose unit is in sysfs, and a number of a file.
            None if row.raw.is_none() || row.unit.is_some() || row.enabled.is_zero() => None,
            None => rate(value, clock()?),
        },
    }
}

fn rate(value: f64, clock_ns: f64) -> Option<Comment> {
    let per_second = value / (clock_ns / 1e9);
    Some(match per_second {
        1e9.. => Comment { value: per_second / 1e9, unit: "G/sec" },
        1e6.. => Comment { value: per_second / 1e6, unit: "M/sec" },
        1e3.. => Comment { value: per_second / 1e3, unit: "K/sec" },
        _ => Comment { value: per_second, unit: "/sec" },
    })
}

/// The words for a value that is worth a look, or may be within its error.
pub fn look(row: &Row) -> Option<&'static str> {
    match row.crossed {
        Some(_) if row.is_uncertain => Some("may be worth a look"),
        Some(true) => Some("worth a look"),
        _ => None,
    }
}
