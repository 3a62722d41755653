//! The intervals that are printed, and the checkpoints of a report that may not come to its end.

use super::job::Job;
use crate::begin::Begin;
use crate::failure::Failure;
use counterpoint::{Counters, Report, Slices};
use std::io;
use std::time::Duration;

/// Prints the report of an interval of this length that ended at this time, or of the whole time so far, which has none.
pub type Print<'a> = dyn FnMut(&Report, Duration, Option<Duration>) -> io::Result<()> + 'a;

/// The first checkpoint, and the longest time between two: each comes when as much time has passed again, so that at most half of a short run is lost.
const FIRST_CHECKPOINT: Duration = Duration::from_secs(1);
const BETWEEN_CHECKPOINTS: Duration = Duration::from_secs(60);

/// Times are those since the run began.
pub struct Intervals<'a> {
    job: &'a Job,
    to: &'a mut Print<'a>,
    pub counted_from: Duration,
    pub next: Option<Duration>,
    /// The end of the last interval, since counting began.
    printed_until: Duration,
    printed: u64,
}

impl<'a> Intervals<'a> {
    pub fn new(job: &'a Job, to: &'a mut Print<'a>) -> Intervals<'a> {
        let next = first(job).filter(|_| job.begin == Begin::WithCommand);
        let (counted_from, printed_until) = (Duration::ZERO, Duration::ZERO);
        Intervals { job, to, counted_from, next, printed_until, printed: 0 }
    }

    /// Counting begins only now.
    pub fn begin(&mut self, now: Duration) {
        self.counted_from = now;
        self.next = first(self.job).map(|every| now + every);
    }

    /// Returns true if all intervals that were requested are printed.
    pub fn are_done(&self) -> bool {
        self.job.interval_count.is_some_and(|count| self.printed >= count)
    }

    /// Returns true if an interval is over. Intervals keep their beat; those that were slept through are one.
    pub fn is_time(&mut self, now: Duration) -> bool {
        let Some(at) = self.next.filter(|at| now >= *at) else { return false };
        let Some(every) = self.job.interval else {
            self.next = Some(now + now.clamp(FIRST_CHECKPOINT, BETWEEN_CHECKPOINTS));
            return true;
        };
        self.next = Some(at + every * ((now - at).as_nanos() / every.as_nanos() + 1) as u32);
        true
    }

    /// `slices` are those of the interval, and those of the next one afterwards; without intervals, those of the run.
    pub fn print(
        &mut self,
        counting: &mut Counters,
        slices: &mut Slices,
        now: Duration,
    ) -> Result<(), Failure> {
        let now = now.saturating_sub(self.counted_from);
        let reading = counting.snapshot()?;
        let report = counting.report(&slices.total(&reading), &self.job.split);
        if self.job.interval.is_none() {
            return Ok((self.to)(&report, now, None)?);
        }
        (self.to)(&report, now.saturating_sub(self.printed_until), Some(now))?;
        *slices = Slices::since(reading);
        self.printed_until = now;
        self.printed += 1;
        if self.are_done() {
            self.next = None;
        }
        Ok(())
    }
}

/// The time until the first interval or checkpoint; `None` if there is none.
fn first(job: &Job) -> Option<Duration> {
    job.interval.or(job.has_checkpoints.then_some(FIRST_CHECKPOINT))
}
