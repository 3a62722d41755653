use super::words::Words;
use crate::ReadFormat;
use std::fmt;
use std::time::Duration;

/// The counts of an event and of the other events in its group at the time of a sample.
#[derive(Clone, Copy, PartialEq)]
pub struct Values<'a> {
    /// How long the events were enabled.
    pub enabled: Duration,
    /// How long the events were on a counter.
    pub running: Duration,
    /// Id and value.
    first: Option<(u64, u64)>,
    /// For each of the other events: value, id, and the number of lost samples if requested.
    others: &'a [u8],
    /// The number of bytes per event.
    width: usize,
}

impl<'a> Values<'a> {
    pub(super) fn take(words: &mut Words<'a>, format: ReadFormat) -> Option<Values<'a>> {
        let width = 2 + usize::from(format.lost);
        let mut others: &[u8] = &[];
        let (enabled, running, first);
        if format.group {
            let count = words.next()?;
            (enabled, running) = times(words)?;
            others = words.take(count.checked_mul(width as u64)?)?;
            first = None;
        } else {
            // Without a group, the times are between the value and the id.
            let value = words.next()?;
            (enabled, running) = times(words)?;
            first = Some((words.next()?, value));
            words.take(width as u64 - 2)?;
        }
        Some(Values { enabled, running, first, others, width: width * size_of::<u64>() })
    }

    /// The events in the order in which they were opened, as pairs of id and count.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> + use<'a> {
        let others = self.others.chunks_exact(self.width).map(|entry| {
            let mut words = Words(entry);
            let value = words.next().unwrap_or_default();
            (words.next().unwrap_or_default(), value)
        });
        self.first.into_iter().chain(others)
    }
}

fn times(words: &mut Words<'_>) -> Option<(Duration, Duration)> {
    Some((Duration::from_nanos(words.next()?), Duration::from_nanos(words.next()?)))
}

impl fmt::Debug for Values<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
