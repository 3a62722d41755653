//! The count of a counter in a file, from its readings.

use crate::sources::source::{Marks, Measure};

/// The count since counting began.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    count: u64,
    marks: Marks,
    /// The last reading; `None` while it is not counted, or not there.
    last: Option<i64>,
    /// True if there was a reading at all.
    is_known: bool,
    /// True after the first reading since counting began or was resumed, also if nothing was there.
    is_counting: bool,
}

impl Tally {
    /// The count of a counter that was not there when counting began.
    pub(super) fn late() -> Tally {
        Tally { is_counting: true, ..Tally::default() }
    }

    /// Adds the difference to the last reading.
    ///
    /// `most` is the greatest number before the counter wraps around.
    pub(super) fn note(&mut self, now: Option<i64>, most: Option<i64>) {
        match (self.last, now) {
            (Some(last), Some(now)) => self.advance(last, now, most),
            (None, Some(_)) => self.marks.came += u32::from(self.is_counting),
            (Some(_), None) => self.marks.went += 1,
            (None, None) => {}
        }
        self.last = now;
        self.is_known |= now.is_some();
        self.is_counting = true;
    }

    fn advance(&mut self, last: i64, now: i64, most: Option<i64>) {
        // The bits of numbers above the greatest signed one are compared as they are meant.
        let (before, after) = (last.cast_unsigned(), now.cast_unsigned());
        let more = match most.map(i64::cast_unsigned) {
            _ if after >= before => after - before,
            Some(most) if most >= before => {
                self.marks.wraps += 1;
                most - before + after
            }
            // What it had counted before it began again at zero is not known.
            _ => {
                self.marks.resets += 1;
                after
            }
        };
        self.count = self.count.saturating_add(more);
    }

    /// What comes until the next reading does not count.
    pub(super) fn stop(&mut self) {
        self.last = None;
        self.is_counting = false;
    }

    /// The count; `None` if it was never read.
    pub(super) fn measure(&self) -> Option<Measure> {
        self.is_known.then_some(Measure::Count(self.count, self.marks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(readings: &[Option<i64>], most: Option<i64>) -> (u64, Marks) {
        let mut tally = Tally::default();
        readings.iter().for_each(|now| tally.note(*now, most));
        let Some(Measure::Count(count, marks)) = tally.measure() else { panic!("{tally:?}") };
        (count, marks)
    }

    #[test]
    fn a_counter_that_wraps_or_is_reset_or_vanishes_is_marked() {
        let marks = Marks::default();
        assert_eq!(read(&[Some(5), Some(9)], None), (4, marks));
        assert_eq!(read(&[Some(95), Some(3)], Some(100)), (8, Marks { wraps: 1, ..marks }));
        assert_eq!(read(&[Some(95), Some(3)], None), (3, Marks { resets: 1, ..marks }));
        assert_eq!(read(&[None, Some(7), Some(9)], None), (2, Marks { came: 1, ..marks }));
        assert_eq!(
            read(&[Some(1), Some(4), None, None, Some(50), Some(51)], None),
            (4, Marks { came: 1, went: 1, ..marks })
        );
        assert_eq!(read(&[Some(i64::MAX), Some(i64::MIN)], None), (1, marks));
        assert!(Tally::default().measure().is_none());
    }

    proptest! {
        #[test]
        fn no_readings_panic(readings in prop::collection::vec(any::<Option<i64>>(), 1..20), most: Option<i64>) {
            let mut tally = Tally::default();
            readings.iter().for_each(|now| tally.note(*now, most));
        }
    }
}
