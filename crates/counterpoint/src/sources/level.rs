//! Levels, such as a temperature: each reading is noted, and an interval has their mean over time, the least and the greatest.

use super::marks::Marks;
use crate::report::values::Reason;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The level from when counting began to a reading, or between two readings.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    /// The area below the line through the readings, in units times seconds.
    area: f64,
    seconds: f64,
    /// The last reading.
    last: i128,
    /// The numbers of the first and of the last reading.
    from: u64,
    to: u64,
    /// True if the line goes on from the last reading.
    goes_on: bool,
    /// True if the greatest reading is its value.
    is_peak: bool,
    log: Arc<Log>,
}

impl Level {
    /// The mean over time; of a single reading, the reading.
    pub(crate) fn mean(&self) -> f64 {
        if self.seconds > 0.0 { self.area / self.seconds } else { self.last as f64 }
    }

    /// The last reading.
    pub(crate) fn last(&self) -> i128 {
        self.last
    }

    /// Returns true if the greatest reading is its value.
    pub(crate) fn is_peak(&self) -> bool {
        self.is_peak
    }

    /// Returns true if there is a reading.
    pub(crate) fn is_known(&self) -> bool {
        self.to > 0
    }

    /// The least and the greatest reading.
    pub(crate) fn range(&self) -> (i128, i128) {
        self.log.range(self.from, self.to).unwrap_or((self.last, self.last))
    }

    /// The part after an earlier reading, which it begins with unless the line was interrupted there.
    pub(crate) fn subtract(&mut self, earlier: &Level) {
        self.area -= earlier.area;
        self.seconds -= earlier.seconds;
        self.from = if earlier.goes_on { earlier.to } else { earlier.to + 1 };
    }

    /// Adds a later part.
    pub(crate) fn add(&mut self, later: &Level) {
        let is_same = Arc::ptr_eq(&self.log, &later.log);
        let from = if is_same { self.from.min(later.from) } else { later.from };
        let (area, seconds) = (self.area + later.area, self.seconds + later.seconds);
        *self = Level { area, seconds, from, ..later.clone() };
    }
}

/// Notes the readings of a level.
#[derive(Debug, Default)]
pub(crate) struct Readings {
    area: f64,
    seconds: f64,
    /// The last reading and its time; no time while counting is stopped, and while there is no number.
    last: Option<(i128, Option<Instant>)>,
    number: u64,
    is_peak: bool,
    /// True after the first reading since counting began or was resumed, also if nothing was there.
    is_counting: bool,
    pub(crate) marks: Marks,
    log: Arc<Log>,
}

impl Readings {
    /// No readings yet, with marks.
    pub(crate) fn new(marks: Marks) -> Readings {
        Readings { marks, ..Readings::default() }
    }

    /// The readings of a level that was not there when counting began.
    pub(crate) fn late(self) -> Readings {
        Readings { is_counting: true, ..self }
    }

    /// The same readings, of which the greatest is the value if it is a peak.
    pub(crate) fn of_peak(self, is_peak: bool) -> Readings {
        Readings { is_peak, ..self }
    }

    /// Notes a reading, or the reason why there is no number.
    pub(crate) fn note(&mut self, value: Result<i128, Reason>, at: Instant) {
        let before = self.last.and_then(|(before, at)| Some((before, at?)));
        match value {
            Ok(value) => {
                if let Some((before, then)) = before {
                    let seconds = at.saturating_duration_since(then).as_secs_f64();
                    self.area += (before as f64 + value as f64) / 2.0 * seconds;
                    self.seconds += seconds;
                } else if self.is_counting {
                    self.marks.came += 1;
                }
                self.last = Some((value, Some(at)));
                self.number += 1;
                self.log.push(self.number, value);
                self.marks.measured = self.marks.measured.saturating_add(1);
            }
            Err(reason) => {
                self.marks.went += u32::from(before.is_some());
                self.marks.miss(reason);
                self.stop();
            }
        }
        self.is_counting = true;
    }

    /// Notes that there are no more readings, as what it was of has ended.
    pub(crate) fn end(&mut self, reason: Reason) {
        self.marks.miss(reason);
        self.stop();
    }

    /// The time until the next reading does not count.
    pub(crate) fn stop(&mut self) {
        if let Some((_, at)) = &mut self.last {
            *at = None;
        }
        self.is_counting = false;
    }

    /// The level so far.
    pub(crate) fn level(&self) -> Level {
        Level {
            area: self.area,
            seconds: self.seconds,
            last: self.last.map_or(0, |(last, _)| last),
            from: 1,
            to: self.number,
            goes_on: self.last.is_some_and(|(_, at)| at.is_some()),
            is_peak: self.is_peak,
            log: self.log.clone(),
        }
    }
}

/// The least and the greatest value of the readings, in order; those that are long ago are together.
#[derive(Debug, Default)]
struct Log(Mutex<Vec<Entry>>);

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The number of the last reading in it.
    to: u64,
    least: i128,
    greatest: i128,
}

/// Of more entries, the older half is joined in pairs.
const KEPT: usize = 8192;

impl Log {
    fn push(&self, to: u64, value: i128) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.len() >= KEPT {
            let newer = entries.split_off(KEPT / 2);
            let join = |pair: &[Entry]| pair.iter().copied().reduce(Entry::with);
            let older: Vec<Entry> = entries.chunks(2).filter_map(join).collect();
            *entries = older;
            entries.extend(newer);
        }
        entries.push(Entry { to, least: value, greatest: value });
    }

    /// The least and the greatest reading from one to another, with those that are in an entry with these.
    fn range(&self, from: u64, to: u64) -> Option<(i128, i128)> {
        let entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let first = entries.partition_point(|entry| entry.to < from);
        let last =
            entries.partition_point(|entry| entry.to < to).min(entries.len().checked_sub(1)?);
        let all = entries.get(first..=last)?.iter().copied().reduce(Entry::with)?;
        Some((all.least, all.greatest))
    }
}

impl Entry {
    fn with(self, later: Entry) -> Entry {
        Entry {
            to: later.to,
            least: self.least.min(later.least),
            greatest: self.greatest.max(later.greatest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn read(values: &[i128]) -> (Readings, Instant) {
        let (mut readings, begin) = (Readings::default(), Instant::now());
        for (second, value) in values.iter().enumerate() {
            readings.note(Ok(*value), begin + Duration::from_secs(second as u64));
        }
        (readings, begin)
    }

    fn level(readings: &Readings) -> (Level, Marks) {
        (readings.level(), readings.marks.clone())
    }

    #[test]
    fn an_interval_has_the_mean_over_time_and_the_range_of_its_own_readings() {
        let (mut readings, begin) = read(&[10, 20, 90]);
        let early = level(&readings).0;
        assert_eq!((early.mean(), early.range()), (35.0, (10, 90)));
        readings.note(Ok(30), begin + Duration::from_secs(12));
        let mut since = level(&readings).0;
        since.subtract(&early);
        assert_eq!((since.mean(), since.range()), (60.0, (30, 90)));
        let mut whole = early;
        whole.add(&since);
        assert_eq!(whole.range(), (10, 90));
        assert_eq!(whole.mean(), (15.0 + 55.0 + 600.0) / 12.0);
    }

    #[test]
    fn the_time_between_stop_and_start_does_not_count() {
        let (mut readings, begin) = read(&[10, 10]);
        readings.stop();
        readings.note(Ok(50), begin + Duration::from_secs(100));
        readings.note(Ok(50), begin + Duration::from_secs(101));
        assert_eq!(level(&readings).0.mean(), 30.0);
    }

    /// The time in which there is no number does not count, and what was before it is not in a later interval.
    #[test]
    fn a_level_that_was_gone_has_no_value_until_it_is_there_again() {
        let (mut readings, begin) = read(&[10, 20]);
        let at = |second| begin + Duration::from_secs(second);
        readings.note(Err(Reason::NeverRan), at(2));
        let (early, early_marks) = level(&readings);
        assert_eq!((early.mean(), early_marks.absent(), early_marks.went), (15.0, None, 1));
        readings.note(Err(Reason::NotEnded), at(3));
        let absent = level(&readings).1.with(&early_marks, u32::saturating_sub);
        assert_eq!((absent.absent(), absent.went), (Some(&Reason::NotEnded), 0));
        readings.note(Ok(500), at(100));
        readings.note(Ok(700), at(101));
        let (mut late, marks) = level(&readings);
        late.subtract(&early);
        assert_eq!((late.mean(), late.range()), (600.0, (500, 700)));
        let late = marks.with(&early_marks, u32::saturating_sub);
        assert_eq!((late.absent(), late.came, late.went), (None, 1, 0));
    }

    #[test]
    fn the_log_of_a_long_time_stays_small_and_keeps_its_extremes() {
        let (mut readings, at) = (Readings::default(), Instant::now());
        for value in 0..100_000 {
            readings.note(Ok(value), at);
        }
        assert!(readings.log.0.lock().unwrap().len() <= KEPT);
        let level = level(&readings).0;
        assert_eq!((level.range(), level.mean()), ((0, 99_999), 99_999.0));
        assert_eq!(readings.log.range(99_990, 100_000), Some((99_989, 99_999)));
    }
}
