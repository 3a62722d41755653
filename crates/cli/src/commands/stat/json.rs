//! The report as JSON lines: an object for each row, then one that sums up.

use super::format::{Counted, Format};
use super::summary::Summary;
use crate::records::{self, Last};
use crate::show;
use counterpoint::perf::process::Ended;
use std::io::{self, Write};
use std::time::Duration;

pub struct Json;

impl Format for Json {
    fn write(&mut self, out: &mut dyn Write, counted: &Counted<'_>) -> io::Result<()> {
        counted.records().try_for_each(|row| show::json(out, &row))
    }

    fn end(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        let (exit_status, signal) = match summary.ended {
            Some(Ended::Exited(code)) => (Some(code), None),
            Some(Ended::Killed(signal)) => (None, Some(signal)),
            None => (None, None),
        };
        let summary = records::Summary {
            process: summary.process.clone(),
            command: &summary.command,
            runs: summary.elapsed.len(),
            requested_runs: summary.requested,
            interrupted: summary.interrupted.is_some(),
            elapsed_s: mean(summary.elapsed.iter()),
            user_s: mean(summary.times.iter().map(|(user, _)| user)),
            sys_s: mean(summary.times.iter().map(|(_, system)| system)),
            exit_status,
            signal,
            multiplexed: summary.multiplexed(),
        };
        show::json(out, &Last::new(summary))
    }
}

/// In seconds; `None` if there is none.
fn mean<'a>(times: impl ExactSizeIterator<Item = &'a Duration>) -> Option<f64> {
    let count = times.len();
    (count > 0).then(|| times.map(Duration::as_secs_f64).sum::<f64>() / count as f64)
}
