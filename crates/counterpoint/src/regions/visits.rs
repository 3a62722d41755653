//! The slices of a region's visits, from which the errors of its estimates follow.

use crate::counting::deviations::{Deviations, Slice};
use crate::counting::open::Part;
use crate::counting::series::{SHORTEST, Series};
use counterpoint_perf::Count;
use std::time::Duration;

/// The visits of a region whose events take turns: a slice is made of as many visits as last for a few turns of the kernel, and of no less than one.
pub(super) struct Visits {
    series: Series,
    /// The visits since the last slice, and their time.
    rest: Vec<Slice>,
    time: Duration,
    /// The least time of a slice.
    least: Duration,
}

impl Visits {
    /// What was counted so far is one slice.
    pub(super) fn since(sums: &[Count]) -> Visits {
        let (series, rest) = (Series::default(), vec![Slice::default(); sums.len()]);
        let mut visits = Visits { series, rest, time: Duration::ZERO, least: SHORTEST };
        visits.add(sums.iter().copied());
        visits
    }

    /// Adds the counts of a visit.
    pub(super) fn add(&mut self, visit: impl Iterator<Item = Count>) {
        let mut time = Duration::ZERO;
        for (rest, count) in self.rest.iter_mut().zip(visit) {
            *rest = rest.plus(Slice::of(&count));
            time = time.max(count.enabled);
        }
        self.time += time;
        if self.time >= self.least {
            self.time = Duration::ZERO;
            let slice = self.rest.as_slice().into();
            self.rest.fill(Slice::default());
            if self.series.push(slice) {
                self.least *= 2;
            }
        }
    }

    /// The deviations of the sums of all visits; `None` if there are too few slices.
    pub(super) fn deviations(&self, sums: &[Count], parts: &[Part]) -> Option<Deviations> {
        self.series.deviations(&self.rest, sums, parts)
    }
}
