//! Successive slices of a measurement, of which there are never more than 64.

use super::deviations::{Deviations, Slice, deviations};
use super::open::Part;
use counterpoint_perf::Count;
use std::time::Duration;

/// The shortest slice: a few turns of the kernel.
pub(crate) const SHORTEST: Duration = Duration::from_millis(8);

/// When there are this many slices, they are joined in pairs.
const MOST: usize = 64;

/// With fewer slices, the errors themselves are too uncertain.
const LEAST: usize = 16;

/// The slices of a measurement, each with a slice of every part.
#[derive(Debug, Default)]
pub(crate) struct Series {
    slices: Vec<Box<[Slice]>>,
}

impl Series {
    pub(crate) fn is_empty(&self) -> bool {
        self.slices.is_empty()
    }

    /// Adds a slice; returns true if all were joined in pairs, so that the next ones are to be twice as long.
    pub(crate) fn push(&mut self, slice: Box<[Slice]>) -> bool {
        self.slices.push(slice);
        let is_full = self.slices.len() == MOST;
        if is_full {
            self.slices =
                self.slices.chunks_exact(2).map(|pair| joined(&pair[0], &pair[1])).collect();
        }
        is_full
    }

    /// The deviations of the parts that took turns; `None` if there are too few slices. `rest` is the one that has not ended.
    pub(crate) fn deviations(
        &self,
        rest: &[Slice],
        counts: &[Count],
        parts: &[Part],
    ) -> Option<Deviations> {
        let mut slices: Vec<&[Slice]> = self.slices.iter().map(|slice| &**slice).collect();
        if rest.iter().any(|slice| slice.running > 0) {
            slices.push(rest);
        }
        if slices.len() < LEAST {
            return None;
        }
        let shared = counts.iter().zip(parts).enumerate();
        let shared = shared.filter(|(_, (count, part))| takes_turns(count) && !part.snapshot);
        let of_part = |(part, (count, _)): (usize, (&Count, &Part))| {
            (part, deviations(count, slices.iter().map(|slice| slice[part])))
        };
        Some(Deviations { of_parts: shared.map(of_part).collect() })
    }
}

/// Returns true if the event was on a counter for a part of the time.
pub(crate) fn takes_turns(count: &Count) -> bool {
    !count.running.is_zero() && count.running < count.enabled
}

fn joined(one: &[Slice], two: &[Slice]) -> Box<[Slice]> {
    one.iter().zip(two).map(|(one, two)| one.plus(*two)).collect()
}
