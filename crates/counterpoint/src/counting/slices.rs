//! Time slices of a measurement, from which the errors of its estimates follow.

use super::counters::Counters;
use super::deviations::Slice;
use super::series::{SHORTEST, Series, takes_turns};
use super::snapshot::Snapshot;
use crate::error::Error;
use counterpoint_perf::Count;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The longest time between two looks while no event takes turns.
const LONGEST_LOOK: Duration = Duration::from_secs(1);

/// Reading takes at most one part in this many of the time.
const SHARE_OF_READING: u32 = 200;

/// The time slices of a measurement whose events take turns on the counters: its estimates then have standard errors.
///
/// How much an event's rate varies from slice to slice shows how far its rate in the time that was not measured may be from the rate in the time that was.
/// The errors are those of a ratio estimate under systematic sampling, from successive differences (Wolter, *Introduction to Variance Estimation*, chapter 8): slow phases of a program, which all events see alike, add little.
/// The slices are joined in pairs as time goes on, so that there are 64 at most; with fewer than 16 there are no errors.
/// What repeats in step with the kernel's turns cannot be seen, and events of different groups are taken for independent within a turn.
///
/// ```
/// use counterpoint::{EventSet, Slices, Split, Target};
///
/// let mut counters = EventSet::new(Target::ThisThread).event("task-clock").open()?;
/// let mut slices = Slices::since(counters.zero());
/// for _ in 0..3 {
///     std::thread::sleep(slices.wait());
///     slices.read(&mut counters)?;
/// }
/// let total = slices.total(&counters.snapshot()?);
/// let report = counters.report(&total, &Split::Total);
/// assert_eq!(report.rows[0].value.standard_error(), None, "a clock needs no counter, and takes no turns");
/// # Ok::<(), counterpoint::Error>(())
/// ```
#[derive(Debug)]
pub struct Slices {
    from: Snapshot,
    /// The end of the last slice.
    last: Snapshot,
    /// The snapshot that is written again.
    now: Snapshot,
    slices: Series,
    wait: Duration,
    /// The time of the last read.
    cost: Duration,
}

impl Slices {
    /// The first slice begins at a snapshot, such as [`Counters::zero`] before counting begins.
    pub fn since(from: Snapshot) -> Slices {
        let (last, now) = (from.clone(), from.clone());
        Slices { from, last, now, slices: Series::default(), wait: SHORTEST, cost: Duration::ZERO }
    }

    /// The time after which the next slice is to be read: longer as time goes on, where no event takes turns, and where reading takes long.
    pub fn wait(&self) -> Duration {
        self.wait.max(self.cost * SHARE_OF_READING)
    }

    /// Reads the counters of which the first snapshot was, and ends a slice; others are not read.
    pub fn read(&mut self, counters: &mut Counters) -> Result<(), Error> {
        if counters.is_of(&self.from) {
            let start = Instant::now();
            counters.read_events(&mut self.now)?;
            self.cost = start.elapsed();
            self.end_slice();
        }
        Ok(())
    }

    fn end_slice(&mut self) {
        let takes_turns = |(now, from): (&Count, &Count)| takes_turns(&now.since(from));
        if !self.now.counts.iter().zip(&self.from.counts).any(takes_turns) {
            // What passed until events take turns is one slice.
            self.wait = (2 * self.wait).min(LONGEST_LOOK);
            return;
        }
        if self.slices.is_empty() {
            self.wait = SHORTEST;
        }
        if self.slices.push(slice(&self.now, &self.last)) {
            self.wait *= 2;
        }
        std::mem::swap(&mut self.last, &mut self.now);
    }

    /// The counts from the first snapshot to the last, whose estimates have errors in reports.
    pub fn total(&self, last: &Snapshot) -> Snapshot {
        let mut total = last.since(&self.from);
        if Arc::ptr_eq(&last.parts, &self.from.parts) {
            let rest = slice(last, &self.last);
            let deviations = self.slices.deviations(&rest, &total.counts, &total.parts);
            total.deviations = deviations.map(Arc::new);
        }
        total
    }
}

fn slice(now: &Snapshot, then: &Snapshot) -> Box<[Slice]> {
    let between = |(now, then): (&Count, &Count)| Slice::of(&now.since(then));
    now.counts.iter().zip(&then.counts).map(between).collect()
}
