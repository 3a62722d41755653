//! The counts in a sample.

use super::words::Words;
use std::fmt;
use std::time::Duration;

/// The counts of an event and of the other events in its group at the time of a sample.
#[derive(Clone, Copy, PartialEq)]
pub struct Values<'a> {
    /// The time for which the events were enabled; `None` if the event was opened without that time.
    pub enabled: Option<Duration>,
    /// The time for which the events were on a counter; `None` if the event was opened without that time.
    pub running: Option<Duration>,
    /// Id and value of an event without a group.
    alone: Option<(u64, u64)>,
    /// For each event of a group: value, id, and the number of lost samples if requested.
    members: &'a [u8],
    /// The number of bytes of a member.
    width: usize,
}

/// The bits of `perf_event_attr.read_format`.
pub(super) mod format {
    pub(in super::super) const ENABLED: u64 = 1 << 0;
    pub(in super::super) const RUNNING: u64 = 1 << 1;
    pub(in super::super) const ID: u64 = 1 << 2;
    pub(in super::super) const GROUP: u64 = 1 << 3;
    pub(in super::super) const LOST: u64 = 1 << 4;
}

impl<'a> Values<'a> {
    /// `format` has the bits of `perf_event_attr.read_format`.
    pub(super) fn take(words: &mut Words<'a>, format: u64) -> Option<Values<'a>> {
        let has = |bit: u64| format & bit != 0;
        let is_group = has(format::GROUP);
        // The first word is the number of members, or the only value.
        let first = words.next()?;
        let mut time = |bit| {
            if has(bit) { Some(Some(Duration::from_nanos(words.next()?))) } else { Some(None) }
        };
        let (enabled, running) = (time(format::ENABLED)?, time(format::RUNNING)?);
        let width = 1 + usize::from(has(format::ID)) + usize::from(has(format::LOST));
        if is_group {
            let members = words.take(first.checked_mul(width as u64)?)?;
            // Values without ids are of nobody knows which event.
            let members = if has(format::ID) { members } else { &[] };
            let width = width * size_of::<u64>();
            return Some(Values { enabled, running, alone: None, members, width });
        }
        let id = if has(format::ID) { Some(words.next()?) } else { None };
        words.take(u64::from(has(format::LOST)))?;
        let alone = id.map(|id| (id, first));
        Some(Values { enabled, running, alone, members: &[], width: size_of::<u64>() })
    }

    /// The events in the order in which they were opened, as pairs of id and count; none if the values have no ids.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> + use<'a> {
        let members = self.members.chunks_exact(self.width).map(|member| {
            let mut words = Words(member);
            let value = words.next().unwrap_or_default();
            (words.next().unwrap_or_default(), value)
        });
        self.alone.into_iter().chain(members)
    }
}

impl fmt::Debug for Values<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
