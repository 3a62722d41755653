//! The lines of `perf stat -x`, for scripts that read them.

use super::comment::{Placed, comment};
use super::format::{Counted, Format};
use crate::failure::Failure;
use crate::show::printable;
use counterpoint::formula::Number;
use counterpoint::{Row, RowPlacement, Value};
use std::io::{self, Write};
use std::time::Duration;

/// The columns of `perf-stat(1)`, section "CSV FORMAT": the time of an interval and the CPU if there are any, then value,
/// unit, event, standard error in percent of several runs, time on a counter in ns, percent of the time that it was on a
/// counter, and a value and unit that set the count in relation.
pub struct Perf {
    separator: String,
}

impl Perf {
    /// `\t` is a tab, as in perf.
    pub fn new(separator: &str) -> Result<Perf, Failure> {
        let in_fields = |c: char| c.is_ascii_alphanumeric() || c.is_control();
        if separator.is_empty() || separator != "\\t" && separator.contains(in_fields) {
            return Err(Failure::new(format!("`{separator}` cannot separate fields"))
                .help("write a character that is in no number and no name, for example -x ';'"));
        }
        Ok(Perf { separator: separator.replace("\\t", "\t") })
    }

    fn line(&self, row: &Row, placed: &Placed<'_>, counted: &Counted<'_>) -> String {
        let mut columns = Vec::new();
        if let Some(at) = counted.at {
            columns.push(format!("{:6}.{:09}", at.as_secs(), at.subsec_nanos()));
        }
        if let RowPlacement::Cpu(cpu) = row.placement {
            columns.push(format!("CPU{cpu}"));
        }
        let (value, unit) = value(row);
        columns.extend([value, unit.to_string(), printable(&row.event).into_owned()]);
        if let Some(name) = counted.summary.name_of(row.placement) {
            columns.push(printable(name).into_owned());
        }
        if counted.summary.requested > 1 {
            columns.push(format!("{:.2}%", relative_error(row)));
        }
        let running = running_ns(row);
        columns.extend([running.to_string(), format!("{:.2}", 100.0 * coverage(row))]);
        columns.extend(match comment(row, placed, counted.length) {
            Some(comment) => {
                [format!("{:.3}", comment.value), comment.unit.trim_start_matches("% ").to_string()]
            }
            None => [String::new(), String::new()],
        });
        columns.join(&self.separator)
    }
}

impl Format for Perf {
    /// perf writes these lines to stderr, too, and that is where scripts read them.
    fn is_on_stderr(&self) -> bool {
        true
    }

    fn write(&mut self, out: &mut dyn Write, counted: &Counted<'_>) -> io::Result<()> {
        let placed = Placed::new(counted.report);
        let mut rows = counted.report.rows.iter();
        rows.try_for_each(|row| writeln!(out, "{}", self.line(row, &placed, counted)))
    }
}

/// Returns true if perf has the value in milliseconds.
pub fn is_clock(row: &Row) -> bool {
    matches!(row.id.name.as_str(), "task-clock" | "cpu-clock")
}

/// The unit of the value in perf.
pub fn unit(row: &Row) -> &str {
    if is_clock(row) { "msec" } else { row.unit.as_deref().unwrap_or_default() }
}

/// The value and its unit: the clocks of software are in milliseconds.
fn value(row: &Row) -> (String, &str) {
    let (is_clock, unit) = (is_clock(row), unit(row));
    let text = match &row.value {
        Value::NotSupported(_) => "<not supported>".to_string(),
        Value::NotCounted(_) => "<not counted>".to_string(),
        value if is_clock => {
            let ns = value.as_f64().unwrap_or_default();
            format!("{:.2}", ns / Duration::from_millis(1).as_nanos() as f64)
        }
        Value::Counted(Number::Int(whole)) => whole.to_string(),
        // A counter is whole, so an estimate or a mean of it is rounded.
        value if row.raw.is_some() || row.spread.is_some() && row.metric.is_none() => {
            format!("{:.0}", value.as_f64().unwrap_or_default())
        }
        value => value.as_f64().unwrap_or_default().to_string(),
    };
    (text, unit)
}

/// The time on a counter in ns: the row has that of all runs, and perf that of one.
pub fn running_ns(row: &Row) -> u64 {
    let runs = row.spread.as_ref().map_or(1, |spread| spread.runs().max(1)) as u128;
    u64::try_from(row.running.as_nanos() / runs).unwrap_or(u64::MAX)
}

/// The share of the time for which the event was on a counter.
pub fn coverage(row: &Row) -> f64 {
    match row.value {
        Value::Estimated { coverage, .. } => coverage,
        _ => 1.0,
    }
}

/// The standard error of the mean of several runs, in percent.
pub fn relative_error(row: &Row) -> f64 {
    let mean = row.value.as_f64().filter(|mean| *mean != 0.0);
    let error = row.spread.as_ref().and_then(|spread| spread.standard_error());
    mean.zip(error).map_or(0.0, |(mean, error)| 100.0 * error / mean.abs())
}
