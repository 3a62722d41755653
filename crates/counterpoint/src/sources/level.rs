//! Levels, such as a temperature: each reading is noted, and an interval has their mean over time, the least and the greatest.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The level from when counting began to a reading, or between two readings.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    /// The area below the line through the readings, in units times seconds.
    area: f64,
    seconds: f64,
    /// The last reading.
    last: i64,
    /// The numbers of the first and of the last reading.
    from: u64,
    to: u64,
    log: Arc<Log>,
}

impl Level {
    /// The mean over time; of a single reading, the reading.
    pub(crate) fn mean(&self) -> f64 {
        if self.seconds > 0.0 { self.area / self.seconds } else { self.last as f64 }
    }

    /// The last reading.
    pub(crate) fn last(&self) -> i64 {
        self.last
    }

    /// The least and the greatest reading.
    pub(crate) fn range(&self) -> (i64, i64) {
        self.log.range(self.from, self.to).unwrap_or((self.last, self.last))
    }

    /// The part after an earlier reading, which it begins with.
    pub(crate) fn subtract(&mut self, earlier: &Level) {
        self.area -= earlier.area;
        self.seconds -= earlier.seconds;
        self.from = earlier.to;
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
    /// The last reading and its time; no time while counting is stopped.
    last: Option<(i64, Option<Instant>)>,
    number: u64,
    log: Arc<Log>,
}

impl Readings {
    /// Notes a reading.
    pub(crate) fn note(&mut self, value: i64, at: Instant) {
        if let Some((before, Some(then))) = self.last {
            let seconds = at.saturating_duration_since(then).as_secs_f64();
            self.area += (before as f64 + value as f64) / 2.0 * seconds;
            self.seconds += seconds;
        }
        self.last = Some((value, Some(at)));
        self.number += 1;
        self.log.push(self.number, value);
    }

    /// The time until the next reading does not count.
    pub(crate) fn stop(&mut self) {
        if let Some((_, at)) = &mut self.last {
            *at = None;
        }
    }

    /// The level so far; `None` if there is no reading.
    pub(crate) fn level(&self) -> Option<Level> {
        Some(Level {
            area: self.area,
            seconds: self.seconds,
            last: self.last?.0,
            from: 1,
            to: self.number,
            log: self.log.clone(),
        })
    }
}

/// The least and the greatest value of the readings, in order; those that are long ago are together.
#[derive(Debug, Default)]
struct Log(Mutex<Vec<Entry>>);

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The number of the last reading in it.
    to: u64,
    least: i64,
    greatest: i64,
}

/// Of more entries, the older half is joined in pairs.
const KEPT: usize = 8192;

impl Log {
    fn push(&self, to: u64, value: i64) {
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
    fn range(&self, from: u64, to: u64) -> Option<(i64, i64)> {
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

    fn read(values: &[i64]) -> (Readings, Instant) {
        let (mut readings, begin) = (Readings::default(), Instant::now());
        for (second, value) in values.iter().enumerate() {
            readings.note(*value, begin + Duration::from_secs(second as u64));
        }
        (readings, begin)
    }

    #[test]
    fn an_interval_has_the_mean_over_time_and_the_range_of_its_own_readings() {
        let (mut readings, begin) = read(&[10, 20, 90]);
        let early = readings.level().unwrap();
        assert_eq!((early.mean(), early.range()), (35.0, (10, 90)));
        readings.note(30, begin + Duration::from_secs(12));
        let mut since = readings.level().unwrap();
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
        readings.note(50, begin + Duration::from_secs(100));
        readings.note(50, begin + Duration::from_secs(101));
        assert_eq!(readings.level().unwrap().mean(), 30.0);
    }

    #[test]
    fn the_log_of_a_long_time_stays_small_and_keeps_its_extremes() {
        let (mut readings, at) = (Readings::default(), Instant::now());
        for value in 0..100_000 {
            readings.note(value, at);
        }
        assert!(readings.log.0.lock().unwrap().len() <= KEPT);
        let level = readings.level().unwrap();
        assert_eq!((level.range(), level.mean()), ((0, 99_999), 99_999.0));
        assert_eq!(readings.log.range(99_990, 100_000), Some((99_989, 99_999)));
    }
}
