use super::{Level, Words};
use crate::ReadFormat;
use std::fmt;
use std::time::Duration;

/// The counts of an event and of its group at the time of a sample.
#[derive(Clone, Copy, PartialEq)]
pub struct Values<'a> {
    /// How long they were enabled.
    pub enabled: Duration,
    /// How long they were on a counter.
    pub running: Duration,
    /// Number and value.
    first: Option<(u64, u64)>,
    /// Value, number, and the number of lost samples if that was asked for; for each other event.
    others: &'a [u8],
    /// How many bytes that is.
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
            // Alone the times stand between the value and the number.
            let value = words.next()?;
            (enabled, running) = times(words)?;
            first = Some((words.next()?, value));
            words.take(width as u64 - 2)?;
        }
        Some(Values { enabled, running, first, others, width: width * size_of::<u64>() })
    }

    /// The events in the order in which they were opened: number and count.
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

/// The addresses from which something was called, the innermost first.
#[derive(Clone, Copy, PartialEq)]
pub struct Callchain<'a> {
    words: Words<'a>,
}

impl<'a> Callchain<'a> {
    pub(super) fn take(words: &mut Words<'a>) -> Option<Callchain<'a>> {
        let count = words.next()?;
        Some(Callchain { words: Words(words.take(count)?) })
    }

    /// The addresses, each with who runs there.
    #[doc(alias = "PERF_CONTEXT_USER")]
    pub fn iter(&self) -> impl Iterator<Item = (Level, u64)> + use<'a> {
        let mut words = self.words;
        let mut level = Level::Unknown;
        std::iter::from_fn(move || {
            loop {
                let word = words.next()?;
                // Between addresses stand marks, small negative numbers.
                match (word as i64).wrapping_neg() {
                    32 => level = Level::Hypervisor,
                    128 => level = Level::Kernel,
                    512 => level = Level::User,
                    2176 => level = Level::GuestKernel,
                    2560 => level = Level::GuestUser,
                    1..4096 => level = Level::Unknown,
                    _ => return Some((level, word)),
                }
            }
        })
    }
}

impl fmt::Debug for Callchain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
