//! The count of an event, with its times.

use std::time::Duration;

/// The count of one event, and for how much of the time it was counted.
///
/// ```
/// use counterpoint_perf::Count;
/// use std::time::Duration;
/// let ms = Duration::from_millis;
/// let shared = Count { raw: 500, enabled: ms(10), running: ms(5), lost: None };
/// assert_eq!(shared.scaled(), Some(1000.0));
/// let never = Count { running: ms(0), raw: 0, ..shared };
/// assert_eq!(never.scaled(), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// The value of the counter.
    pub raw: u64,
    /// The time for which the event was enabled.
    #[doc(alias = "time_enabled")]
    pub enabled: Duration,
    /// The time for which it was on a counter; less than `enabled` if events were multiplexed.
    #[doc(alias = "time_running")]
    pub running: Duration,
    /// The number of samples lost for lack of space, if the kernel reports it (Linux 6.0).
    pub lost: Option<u64>,
}

impl Count {
    /// The count for the whole time enabled: exact if the event was always on a counter, otherwise an estimate; `None` if it never was.
    pub fn scaled(&self) -> Option<f64> {
        if self.running.is_zero() {
            None
        } else if self.running >= self.enabled {
            Some(self.raw as f64)
        } else {
            Some(
                self.raw as f64 * (self.enabled.as_nanos() as f64 / self.running.as_nanos() as f64),
            )
        }
    }

    /// The share of the time enabled during which the event was counted, from 0 to 1; `None` if the event was never enabled.
    pub fn coverage(&self) -> Option<f64> {
        let enabled = self.enabled.as_nanos();
        (enabled > 0).then(|| (self.running.as_nanos() as f64 / enabled as f64).min(1.0))
    }

    /// The difference from `earlier`, a count of the same event.
    pub fn since(&self, earlier: &Count) -> Count {
        Count {
            raw: self.raw.saturating_sub(earlier.raw),
            enabled: self.enabled.saturating_sub(earlier.enabled),
            running: self.running.saturating_sub(earlier.running),
            lost: self.lost.map(|lost| lost.saturating_sub(earlier.lost.unwrap_or(0))),
        }
    }
    /// The sum of two counts, such as those of two periods of time.
    pub fn plus(&self, other: &Count) -> Count {
        Count {
            raw: self.raw.saturating_add(other.raw),
            enabled: self.enabled.saturating_add(other.enabled),
            running: self.running.saturating_add(other.running),
            lost: match (self.lost, other.lost) {
                (Some(one), Some(two)) => Some(one.saturating_add(two)),
                (one, two) => one.or(two),
            },
        }
    }
}
