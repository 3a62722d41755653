//! Intervals as bars, and as one line of bars at the end, for the terminal.

use super::format::{Counted, Format};
use super::html::rate;
use super::summary::Summary;
use crate::show::{decimal, printable};
use counterpoint::Row;
use counterpoint::records::Location;
use std::io::{self, Write};

/// The blocks from an eighth to a whole.
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// The same, to the right.
const PARTS: [char; 8] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];
/// The greatest width of a bar.
const BAR: usize = 30;
/// The most blocks of a line at the end, and the fewest, whatever the width of the terminal.
const LINE: usize = 60;
const SHORTEST: usize = 8;

pub struct Plot {
    /// The columns of the terminal.
    width: usize,
    /// The end of the interval before, in seconds.
    before: f64,
    events: Vec<Series>,
}

/// The values of an event at a place so far: of a count its rate, so that an interval that is shorter has no shorter bar.
struct Series {
    name: String,
    values: Vec<Option<f64>>,
    /// The least and the greatest value, as people read them.
    least: (f64, String),
    most: (f64, String),
}

impl Format for Plot {
    fn is_for_people(&self) -> bool {
        true
    }

    fn write(&mut self, out: &mut dyn Write, counted: &Counted<'_>) -> io::Result<()> {
        let seconds = counted.at.unwrap_or_default().as_secs_f64();
        let length = seconds - std::mem::replace(&mut self.before, seconds);
        for (row, record) in counted.report.rows.iter().zip(counted.records()) {
            let rate = row.value.as_f64().map(|value| match rate(&record) {
                Some((factor, unit)) => (value * factor / length, unit),
                None => (value, row.amount().1.to_string()),
            });
            let series = self.add(row, &record.location, rate.clone());
            let (value, unit) = row.amount();
            let most = series.most.0;
            let line = format!("{seconds:10.3} {value:>14} {unit:<4} {:<24} ", series.name);
            let room = self.width.saturating_sub(line.chars().count()).min(BAR);
            let bar = rate.map_or(String::new(), |(rate, _)| bar(rate, most, room));
            writeln!(out, "{}", format!("{line}{bar}").trim_end())?;
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, _summary: &Summary) -> io::Result<()> {
        let shown = self.events.iter().filter(|series| series.most.0.is_finite());
        let width = shown.clone().map(|series| series.name.chars().count()).max().unwrap_or(0);
        writeln!(out)?;
        for series in shown {
            let range = format!("{} … {}", series.least.1, series.most.1);
            let others = width + range.chars().count() + " ".len() + 2 * "  ".len();
            let room = self.width.saturating_sub(others).clamp(SHORTEST, LINE);
            let line = line(&series.values, series.most.0, room);
            writeln!(out, " {:<width$}  {line}  {range}", series.name)?;
        }
        writeln!(out)
    }
}

impl Plot {
    /// For a terminal of this width, or for a file.
    pub fn new(width: Option<usize>) -> Plot {
        Plot { width: width.unwrap_or(usize::MAX), before: 0.0, events: Vec::new() }
    }

    fn add(&mut self, row: &Row, location: &Location, value: Option<(f64, String)>) -> &Series {
        let name = match location.words() {
            place if place.is_empty() => printable(&row.event).into_owned(),
            place => format!("{} {}", printable(&place), printable(&row.event)),
        };
        let index =
            self.events.iter().position(|series| series.name == name).unwrap_or_else(|| {
                let least = (f64::INFINITY, String::new());
                let most = (f64::NEG_INFINITY, String::new());
                self.events.push(Series { name, values: Vec::new(), least, most });
                self.events.len() - 1
            });
        let series = &mut self.events[index];
        series.values.push(value.as_ref().map(|(value, _)| *value));
        if let Some((value, unit)) = value {
            let shown = format!("{} {unit}", decimal(value)).trim_end().to_string();
            if value < series.least.0 {
                series.least = (value, shown.clone());
            }
            if value > series.most.0 {
                series.most = (value, shown);
            }
        }
        series
    }
}

/// A bar whose length is the share of the greatest value so far; `room` blocks are the whole.
fn bar(value: f64, most: f64, room: usize) -> String {
    let share = if most > 0.0 { (value / most).clamp(0.0, 1.0) } else { 0.0 };
    let eighths = (share * (8 * room) as f64).round() as usize;
    let whole: String = std::iter::repeat_n(PARTS[7], eighths / 8).collect();
    match eighths % 8 {
        0 => whole,
        part => format!("{whole}{}", PARTS[part - 1]),
    }
}

/// One block for each value, or for the mean of several where there are more than `room`; a blank where there is none.
pub fn line(values: &[Option<f64>], most: f64, room: usize) -> String {
    let count = values.len().min(room);
    let block = |index: usize| {
        let part = &values[index * values.len() / count..(index + 1) * values.len() / count];
        let numbers: Vec<f64> = part.iter().flatten().copied().collect();
        if numbers.is_empty() {
            return ' ';
        }
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        let share = if most > 0.0 { (mean / most).clamp(0.0, 1.0) } else { 0.0 };
        BLOCKS[((share * 7.0).round() as usize).min(7)]
    };
    (0..count).map(block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_shares_of_the_greatest() {
        let values = [Some(0.0), Some(1.0), None, Some(7.0), Some(3.5)];
        assert_eq!(line(&values, 7.0, LINE), "▁▂ █▅");
        assert_eq!(line(&[Some(0.0)], 0.0, LINE), "▁");
        assert_eq!(line(&[], 0.0, LINE), "");
        let many: Vec<Option<f64>> = (0..600).map(|value| Some(f64::from(value))).collect();
        let line = line(&many, 599.0, LINE);
        assert_eq!(line.chars().count(), LINE);
        assert!(line.starts_with('▁') && line.ends_with('█'), "{line}");
    }

    #[test]
    fn bars_have_the_width_of_their_share() {
        assert_eq!(bar(2.0, 2.0, BAR), "█".repeat(BAR));
        assert_eq!(bar(1.0, 2.0, BAR), "█".repeat(BAR / 2));
        assert_eq!(bar(0.0, 2.0, BAR), "");
        assert_eq!(bar(0.0, 0.0, BAR), "");
        assert_eq!(bar(-1.0, 2.0, BAR), "");
    }
}
