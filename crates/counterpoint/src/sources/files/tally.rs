//! The count of a counter in a file, from its readings.

use crate::report::values::Reason;
use crate::sources::marks::Marks;
use std::time::{Duration, Instant};

/// The count since counting began.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub count: u64,
    pub marks: Marks,
    /// The last reading and its time; `None` while it is not counted, or not there.
    last: Option<(i128, Instant)>,
    /// True after the first reading since counting began or was resumed, also if nothing was there.
    is_counting: bool,
}

/// How a counter wraps around.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wrap {
    /// The greatest number before it begins again at zero.
    pub most: i128,
    /// The most that it can grow in a second.
    pub rate: f64,
}

/// Counters are updated now and then, so that one may grow for longer than the time between two readings.
const UPDATE: Duration = Duration::from_millis(10);

impl Tally {
    /// No count yet, with marks.
    pub(super) fn new(marks: Marks) -> Tally {
        Tally { marks, ..Tally::default() }
    }

    /// The count of a counter that was not there when counting began.
    pub(super) fn late(self) -> Tally {
        Tally { is_counting: true, ..self }
    }

    /// Adds the difference to the last reading.
    pub(super) fn note(&mut self, now: Result<i128, Reason>, at: Instant, wrap: Option<Wrap>) {
        match (self.last, &now) {
            (Some((last, then)), Ok(now)) => {
                let seconds = (at.saturating_duration_since(then) + UPDATE).as_secs_f64();
                self.advance(last, *now, wrap.filter(|_| last > *now), seconds);
            }
            (None, Ok(_)) if self.is_counting => {
                self.marks.came += 1;
                self.marks.miss(Reason::NotShown("it had just appeared when it was read".into()));
            }
            (None, Ok(_)) => {}
            (last, Err(reason)) => {
                self.marks.went += u32::from(last.is_some());
                self.marks.miss(reason.clone());
            }
        }
        self.last = now.ok().map(|now| (now, at));
        self.is_counting = true;
    }

    fn advance(&mut self, last: i128, now: i128, wrap: Option<Wrap>, seconds: f64) {
        self.marks.measured = self.marks.measured.saturating_add(1);
        let over =
            wrap.map(|Wrap { most, rate }| (most.saturating_sub(last).saturating_add(now), rate));
        let more = match over {
            _ if now >= last => now - last,
            Some((over, rate)) if over >= now && over as f64 <= rate * seconds => {
                self.marks.wraps += 1;
                over
            }
            // What it had counted before it began again at zero is not known.
            _ => {
                self.marks.resets += 1;
                now.max(0)
            }
        };
        self.count = self.count.saturating_add(u64::try_from(more).unwrap_or(u64::MAX));
    }

    /// What comes until the next reading does not count.
    pub(super) fn stop(&mut self) {
        self.last = None;
        self.is_counting = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WRAP: Wrap = Wrap { most: 100, rate: 10.0 };

    fn read(readings: &[Option<i128>], wrap: Option<Wrap>) -> (u64, Marks) {
        let (mut tally, begin) = (Tally::default(), Instant::now());
        for (second, now) in readings.iter().enumerate() {
            let at = begin + Duration::from_secs(second as u64);
            tally.note(now.ok_or(Reason::NeverRan), at, wrap);
        }
        assert_eq!(tally.marks.absent().is_none(), tally.marks.measured > 0 || readings.len() < 2);
        (tally.count, Marks { why: None, ..tally.marks })
    }

    #[test]
    fn a_counter_that_wraps_or_is_reset_or_vanishes_is_marked() {
        let marks = Marks { measured: 1, ..Marks::default() };
        assert_eq!(read(&[Some(5), Some(9)], None), (4, marks.clone()));
        let wrapped = Marks { wraps: 1, ..marks.clone() };
        assert_eq!(read(&[Some(95), Some(3)], Some(WRAP)), (8, wrapped));
        let reset = Marks { resets: 1, ..marks.clone() };
        assert_eq!(read(&[Some(95), Some(3)], None), (3, reset.clone()));
        let late = Marks { came: 1, missed: 2, ..marks.clone() };
        assert_eq!(read(&[None, Some(7), Some(9)], None), (2, late));
        let gone = Marks { measured: 2, missed: 3, came: 1, went: 1, ..marks.clone() };
        assert_eq!(read(&[Some(1), Some(4), None, None, Some(50), Some(51)], None), (4, gone));
        let half = 1_i128 << 63;
        assert_eq!(read(&[Some(half - 1), Some(half)], None), (1, marks.clone()));
        // It could not grow as much in a second as from 50 over 100 to 3, or from more than it can be.
        assert_eq!(read(&[Some(50), Some(3)], Some(WRAP)), (3, reset.clone()));
        assert_eq!(read(&[Some(200), Some(3)], Some(WRAP)), (3, reset));
    }

    /// A counter that was read once, in the middle, has counted an unknown number.
    #[test]
    fn a_counter_that_comes_and_goes_between_readings_has_no_count() {
        for readings in [vec![None, Some(7), None], vec![None, Some(7)], vec![Some(7), None]] {
            assert_eq!(read(&readings, None).1.measured, 0);
        }
    }

    proptest! {
        #[test]
        fn no_readings_panic(readings in prop::collection::vec(any::<Option<i64>>(), 1..20), most: Option<i64>) {
            let (mut tally, at) = (Tally::default(), Instant::now());
            let wrap = most.map(|most| Wrap { most: most.into(), rate: 1e9 });
            readings.iter().for_each(|now| tally.note(now.map(i128::from).ok_or(Reason::NeverRan), at, wrap));
        }
    }
}
