//! Reading a thread's own counters without a system call: what the kernel says of a counter stands in a page that it
//! shares, and a register of the processor holds what was counted since (`struct perf_event_mmap_page` of
//! `linux/perf_event.h` has the protocol).

use crate::{Count, UserCounter, sys};
use std::sync::atomic::{AtomicU64, Ordering, fence};
use std::time::Duration;

/// Whether a [`Group`](crate::Group) reads counters without a system call, where the kernel offers it.
///
/// It is only done in the thread that opened the group for itself, without its children ([`Setup::inherit`](crate::Setup)),
/// while all events of the group are on counters; any other read is `read(2)`, so that the numbers are the same.
///
/// On arm64 the kernel offers it when `/proc/sys/kernel/perf_user_access` is 1; while that is so, do not set it to 0 under
/// a program that counts: the processor then refuses the instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias = "rdpmc")]
pub enum UserReads {
    /// On processors where this crate's tests have seen it: arm64.
    #[default]
    WhereProven,
    /// Wherever the kernel offers it: x86-64 too, where it was written from the kernel's protocol and has not run.
    WhereOffered,
    /// Nowhere: every read is a system call.
    Never,
}

impl UserReads {
    fn are_wanted(self) -> bool {
        match self {
            UserReads::WhereProven => cfg!(target_arch = "aarch64"),
            UserReads::WhereOffered => true,
            UserReads::Never => false,
        }
    }
}

/// The first words of a `perf_event_mmap_page`, in the byte order of x86-64 and arm64.
pub(crate) type Page = [AtomicU64; 12];

/// The sequence number below, the counter's number above it.
const LOCK_AND_INDEX: usize = 1;
const OFFSET: usize = 2;
const TIME_ENABLED: usize = 3;
const TIME_RUNNING: usize = 4;
const CAPABILITIES: usize = 5;
/// From below: the counter's width, the clock's shift (16 bits each) and its multiplier (32).
const WIDTH_AND_CLOCK: usize = 6;
const TIME_OFFSET: usize = 7;
const TIME_CYCLES: usize = 10;
const TIME_MASK: usize = 11;

const CAP_USER_RDPMC: u64 = 1 << 2;
const CAP_USER_TIME: u64 = 1 << 3;
const CAP_USER_TIME_SHORT: u64 = 1 << 5;

/// How often a page is read that the kernel is writing to, before the kernel is asked.
const TRIES: usize = 16;

/// The counters of a group, for the thread whose events they count.
pub(crate) struct UserCounters {
    thread: sys::Thread,
    counters: Vec<Box<dyn UserCounter>>,
}

impl UserCounters {
    /// For the calling thread; nothing where they are not wanted, or this thread cannot be told from others.
    pub(crate) fn new(reads: UserReads) -> Option<UserCounters> {
        let thread = reads.are_wanted().then(sys::Thread::current)??;
        Some(UserCounters { thread, counters: Vec::new() })
    }

    /// With the counter of the next member, which the calling thread has opened for itself, if the kernel offers to read it.
    pub(crate) fn with(mut self, counter: Box<dyn UserCounter>) -> Option<UserCounters> {
        let needed = CAP_USER_RDPMC | CAP_USER_TIME;
        let is_offered = word(counter.page(), CAPABILITIES) & needed == needed;
        let is_same = sys::Thread::current() == Some(self.thread);
        self.counters.push(counter);
        (is_offered && is_same).then_some(self)
    }

    /// Writes the counts of the members into `out`, unless only the kernel can tell them; `false` then, and `out` holds nothing of use.
    // Out of the way of groups that the kernel reads, whose caller is inlined and short.
    #[inline(never)]
    pub(crate) fn read(&self, out: &mut [Count], lost: Option<u64>) -> bool {
        let Some(leader) = self.counters.first() else { return false };
        if sys::Thread::current() != Some(self.thread) {
            return false;
        }
        // The leader's page is written whenever the group goes to the counters or leaves them: what is read while it stays is of one time.
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

/// What `read` finds on a page while the kernel does not write to it.
#[inline]
fn settled<T>(page: &Page, mut read: impl FnMut() -> Option<T>) -> Option<T> {
    for _ in 0..TRIES {
        let before = word(page, LOCK_AND_INDEX) as u32;
        fence(Ordering::Acquire);
        let found = read();
        fence(Ordering::Acquire);
        // Odd while the kernel writes.
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

/// The count of one event: what the kernel has added up, and what stands in the register since.
#[inline]
fn value(counter: &dyn UserCounter) -> Option<u64> {
    let page = counter.page();
    settled(page, || {
        // Zero: it is stopped, waits for its turn, or may not be read.
        let index = ((word(page, LOCK_AND_INDEX) >> 32) as u32).checked_sub(1)?;
        let unused = 64_u64.checked_sub(word(page, WIDTH_AND_CLOCK) & 0xffff)?;
        if unused == 64 || word(page, CAPABILITIES) & CAP_USER_RDPMC == 0 {
            return None;
        }
        // The register has so many bits, the highest of them is its sign.
        let since = (counter.register(index)? << unused) as i64 >> unused;
        Some(word(page, OFFSET).wrapping_add_signed(since))
    })
}

/// How long an event was enabled and running: until the page was written, and since.
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
        // A clock of less than 64 bits.
        let from = word(page, TIME_CYCLES);
        ticks = from.wrapping_add(ticks.wrapping_sub(from) & word(page, TIME_MASK));
    }
    let (whole, part) = (ticks >> shift, ticks & ((1 << shift) - 1));
    let clock = whole.wrapping_mul(multiplier).wrapping_add((part * multiplier) >> shift);
    // Rounding may put the page's own time after this one.
    let since = (word(page, TIME_OFFSET).wrapping_add(clock) as i64).max(0);
    let until = |time| Duration::from_nanos(word(page, time).wrapping_add_signed(since));
    Some((until(TIME_ENABLED), until(TIME_RUNNING)))
}

impl std::fmt::Debug for UserCounters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("UserCounters").field(&self.counters.len()).finish()
    }
}
