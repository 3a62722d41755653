//! What was counted beside the event that criterion measured.

use counterpoint::Row;
use std::fmt;
use std::io::Write;

/// The sums of a benchmark, and criterion's estimate of the first event for one call.
pub(crate) struct Table<'a> {
    pub(crate) rows: &'a [Row],
    pub(crate) estimate: f64,
}

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // As wide as what criterion writes before its times.
        const INDENT: usize = 24;
        let Some((first, others)) = self.rows.split_first() else { return Ok(()) };
        // The calls of all samples.
        let calls = first.value.as_f64().filter(|sum| *sum > 0.0 && self.estimate > 0.0);
        let calls = calls.map(|sum| sum / self.estimate);
        let width = others.iter().map(|row| row.event.len()).max().unwrap_or(0);
        for row in others {
            let unit = row.unit.as_deref().unwrap_or_default();
            write!(f, "{:INDENT$}{:<width$}  ", "", row.event)?;
            match (row.value.as_f64(), calls, row.adds_up()) {
                (None, ..) => writeln!(f, "no number: {row}")?,
                (Some(sum), Some(calls), true) => {
                    writeln!(f, "{} a call", amount(sum / calls, unit))?
                }
                (Some(sum), None, true) => writeln!(f, "{} in all calls", amount(sum, unit))?,
                (Some(value), _, false) => writeln!(f, "{}", amount(value, unit))?,
            }
        }
        Ok(())
    }
}

fn amount(value: f64, unit: &str) -> String {
    format!("{value:.3} {unit}").trim_end().to_owned()
}

/// Writes to standard output, where criterion writes its results.
pub(crate) fn say(text: &str) {
    // Criterion ignores errors of its own output, too.
    _ = writeln!(std::io::stdout(), "{}", text.trim_end());
}
