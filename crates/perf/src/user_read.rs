//! Reads a thread's own counters without a system call: the kernel shares a page with the state of a counter, and a register of the processor contains the count since then (the protocol is documented at `struct perf_event_mmap_page` in `linux/perf_event.h`).

use crate::events::Page;
use crate::{Count, UserCounter, UserReads, sys};
use std::sync::atomic::{Ordering, fence};
use std::time::Duration;

/// The sequence number in the lower half, the counter's index in the upper half.
const LOCK_AND_INDEX: usize = 1;
const OFFSET: usize = 2;
const TIME_ENABLED: usize = 3;
const TIME_RUNNING: usize = 4;
const CAPABILITIES: usize = 5;
/// From the low end: the counter's width and the clock's shift (16 bits each), and its multiplier (32 bits).
const WIDTH_AND_CLOCK: usize = 6;
const TIME_OFFSET: usize = 7;
const TIME_CYCLES: usize = 10;
const TIME_MASK: usize = 11;

const CAP_USER_RDPMC: u64 = 1 << 2;
const CAP_USER_TIME: u64 = 1 << 3;
const CAP_USER_TIME_SHORT: u64 = 1 << 5;

/// The number of times a page is read again that the kernel is writing, before falling back to the kernel.
const TRIES: usize = 16;

/// The counters of a group, for the thread whose events they count.
pub(crate) struct UserCounters {
    thread: sys::Thread,
    counters: Vec<Box<dyn UserCounter>>,
}

impl UserCounters {
    /// For the calling thread; `None` if they are disabled, or if the thread cannot be identified.
    pub(crate) fn new(reads: UserReads) -> Option<UserCounters> {
        let thread = reads.are_wanted().then(sys::Thread::current)??;
        Some(UserCounters { thread, counters: Vec::new() })
    }

    /// Adds the counter of the next member, opened by the calling thread for itself, if the kernel permits reading it.
    pub(crate) fn with(mut self, counter: Box<dyn UserCounter>) -> Option<UserCounters> {
        let needed = CAP_USER_RDPMC | CAP_USER_TIME;
        let is_offered = word(counter.page(), CAPABILITIES) & needed == needed;
        let is_same = sys::Thread::current() == Some(self.thread);
        self.counters.push(counter);
        (is_offered && is_same).then_some(self)
    }

    /// Writes the counts of the members to `out`; returns `false` if only the kernel can read them, in which case the contents of `out` are unspecified.
    // Kept out of line for groups that the kernel reads, whose caller is inlined and short.
    #[inline(never)]
    pub(crate) fn read(&self, out: &mut [Count], lost: Option<u64>) -> bool {
        let Some(leader) = self.counters.first() else { return false };
        if sys::Thread::current() != Some(self.thread) {
            return false;
        }
        // The leader's page is written whenever the group is put on or taken off the counters, so values read while it does not change are consistent.
        let read = settled(leader.page(), || {
            let (enabled, running) = times(&**leader)?;
            for (counter, out) in self.counters.iter().zip(&mut *out) {
                *out = Count { raw: value(&**counter)?, enabled, running, lost };
            }
            Some(())
        });
        read.is_some()
    }
}

/// The result of `read` on a page while the kernel does not write it.
#[inline]
fn settled<T>(page: &Page, mut read: impl FnMut() -> Option<T>) -> Option<T> {
    for _ in 0..TRIES {
        let before = word(page, LOCK_AND_INDEX) as u32;
        fence(Ordering::Acquire);
        let found = read();
        fence(Ordering::Acquire);
        // Odd while the kernel is writing.
        if before.is_multiple_of(2) && word(page, LOCK_AND_INDEX) as u32 == before {
            return found;
        }
        std::hint::spin_loop();
    }
    None
}

#[inline]
fn word(page: &Page, place: usize) -> u64 {
    page[place].load(Ordering::Relaxed)
}

/// The count of one event: the kernel's sum plus the register's count since then.
#[inline]
fn value(counter: &dyn UserCounter) -> Option<u64> {
    let page = counter.page();
    settled(page, || {
        // 0 if the event is stopped, is not on a counter, or may not be read.
        let index = ((word(page, LOCK_AND_INDEX) >> 32) as u32).checked_sub(1)?;
        let unused = 64_u64.checked_sub(word(page, WIDTH_AND_CLOCK) & 0xffff)?;
        if unused == 64 || word(page, CAPABILITIES) & CAP_USER_RDPMC == 0 {
            return None;
        }
        // The register has this many bits, and the highest is the sign.
        let since = (counter.register(index)? << unused) as i64 >> unused;
        Some(word(page, OFFSET).wrapping_add_signed(since))
    })
}

/// The times for which an event was enabled and running, up to the last write of the page and since then.
#[inline]
fn times(counter: &dyn UserCounter) -> Option<(Duration, Duration)> {
    let page = counter.page();
    let capabilities = word(page, CAPABILITIES);
    let (shift, multiplier) = {
        let clock = word(page, WIDTH_AND_CLOCK);
        (clock >> 16 & 0xffff, clock >> 32)
    };
    if capabilities & CAP_USER_TIME == 0 || shift > 32 {
        return None;
    }
    let mut ticks = counter.ticks();
    if capabilities & CAP_USER_TIME_SHORT != 0 {
        // A clock with less than 64 bits.
        let from = word(page, TIME_CYCLES);
        ticks = from.wrapping_add(ticks.wrapping_sub(from) & word(page, TIME_MASK));
    }
    let (whole, part) = (ticks >> shift, ticks & ((1 << shift) - 1));
    let clock = whole.wrapping_mul(multiplier).wrapping_add((part * multiplier) >> shift);
    // Rounding can make the page's own time later than this one.
    let since = (word(page, TIME_OFFSET).wrapping_add(clock) as i64).max(0);
    let until = |time| Duration::from_nanos(word(page, time).wrapping_add_signed(since));
    Some((until(TIME_ENABLED), until(TIME_RUNNING)))
}

impl std::fmt::Debug for UserCounters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("UserCounters").field(&self.counters.len()).finish()
    }
}
