//! The report as JSON lines: an object for each row, then one that sums up.

use super::format::{Counted, Format};
use super::summary::Summary;
use crate::own_cost::OwnCost;
use crate::records::{self, Last};
#[cfg(test)]
use crate::schema::{Lines, schema_of};
use crate::show;
use counterpoint::perf::Host;
use counterpoint::perf::process::Ended;
use counterpoint::records::Amount;
use counterpoint::{Spread, environment};
use std::io::{self, Write};
use std::time::{Duration, UNIX_EPOCH};

#[cfg(test)]
pub const LINES: Lines = &[schema_of::<Last<records::Summary<'_>>>];

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
        let elapsed_s = mean(summary.elapsed.iter());
        let user_s = mean(summary.times.iter().map(|(user, _)| user));
        let sys_s = mean(summary.times.iter().map(|(_, system)| system));
        let runs = |mean: Option<f64>, spread: Option<Spread>| {
            Some(spread?.record(mean.map(Amount::Real)))
        };
        let [user, system] = summary.times_spread();
        let summary = records::Summary {
            process: summary.process.clone(),
            command: &summary.command,
            runs: summary.elapsed.len(),
            requested_runs: summary.requested,
            began_s: summary.began.duration_since(UNIX_EPOCH).ok().map(|since| since.as_secs_f64()),
            interrupted: summary.interrupted.is_some(),
            checkpoint: summary.is_checkpoint,
            elapsed_s,
            user_s,
            sys_s,
            elapsed_runs_s: runs(elapsed_s, summary.elapsed_spread()),
            user_runs_s: runs(user_s, user),
            sys_runs_s: runs(sys_s, system),
            failed_runs: summary.failed.len(),
            exit_status,
            signal,
            environment: environment(&Host::local()),
            multiplexed: summary.multiplexed(),
            own_cost: summary.own_cost.as_ref().map(OwnCost::record),
        };
        show::json(out, &Last::new(summary))
    }
}

/// In seconds; `None` if there is none.
fn mean<'a>(times: impl ExactSizeIterator<Item = &'a Duration>) -> Option<f64> {
    let count = times.len();
    (count > 0).then(|| times.map(Duration::as_secs_f64).sum::<f64>() / count as f64)
}
