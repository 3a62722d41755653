//! The interface of a format of the result.

use super::comment::{Placed, comment};
use super::summary::Summary;
use super::topdown::Topdown;
use counterpoint::records::Row;
use counterpoint::{Report, RowPlacement};
use std::io::{self, Write};
use std::time::Duration;

/// The options that control the form of the result.
pub struct Style<'a> {
    /// The separator of the fields of a line.
    pub separator: &'a str,
    /// True if thousands are separated in numbers that people read.
    pub has_thousands: bool,
    /// True if people are shown the elapsed time of each run.
    pub has_runs: bool,
    /// The columns of the terminal on which it is read; `None` if it is not a terminal.
    pub width: Option<usize>,
}

/// A form in which the result is written.
pub trait Format {
    /// Returns true if it is read by people, to whom it says itself what is odd about the runs.
    fn is_for_people(&self) -> bool {
        false
    }

    /// Returns true if it is written to stderr, beside the output of the command; its lines do not name their process.
    fn is_on_stderr(&self) -> bool {
        self.is_for_people()
    }

    /// The beginning of a file, however many results it holds.
    fn heading(&self) -> io::Result<Vec<u8>> {
        Ok(Vec::new())
    }

    /// Writes the counts of the whole time, or of one interval.
    fn write(&mut self, out: &mut dyn Write, counted: &Counted<'_>) -> io::Result<()>;

    /// Writes what is known after all runs.
    fn end(&mut self, _out: &mut dyn Write, _summary: &Summary) -> io::Result<()> {
        Ok(())
    }
}

/// The counts of the whole time, or of one interval.
pub struct Counted<'a> {
    pub report: &'a Report,
    /// The time for which was counted: the mean, if there were several runs.
    pub length: Duration,
    /// The end of the interval, since counting began; `None` for the whole.
    pub at: Option<Duration>,
    pub summary: &'a Summary,
    /// The tree of metrics, if it was requested.
    pub topdown: Option<&'a Topdown>,
}

impl<'a> Counted<'a> {
    /// The counts of the whole time.
    pub fn whole(
        report: &'a Report,
        length: Duration,
        summary: &'a Summary,
        topdown: Option<&'a Topdown>,
    ) -> Counted<'a> {
        Counted { report, length, at: None, summary, topdown }
    }

    /// The rows of machine formats.
    pub fn records(&self) -> impl Iterator<Item = Row> {
        let placed = Placed::new(self.report);
        self.report.rows.iter().map(move |row| {
            let mut record = row.record(&self.summary.process);
            record.comment = comment(row, &placed, self.length);
            record.interval_s = self.at.map(|at| at.as_secs_f64());
            let name = self.summary.name_of(row.placement).map(str::to_string);
            match row.placement {
                RowPlacement::Thread(_) => record.location.comm = name,
                _ => record.location.cgroup = name,
            }
            record
        })
    }
}
