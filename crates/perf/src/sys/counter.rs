//! The registers and the pages by which a thread reads its own counters.

use super::libc;
use super::owner::mark;
use super::pages::{Pages, page_size};
use crate::user_read::Page;
use crate::{Errno, UserCounter};
use perf_event_open_sys::bindings::perf_event_mmap_page;
use std::cell::Cell;
use std::mem::offset_of;
use std::num::NonZeroU64;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::sync::atomic::{AtomicU64, Ordering};

/// The page that the kernel keeps for an event. A forked child has none: only the [`Thread`] that opened it may look.
pub(crate) struct CounterPage {
    pages: Pages,
}

// The places of `user_read`, which reads words of 64 bits.
const _: () = assert!(
    cfg!(target_endian = "big")
        || (offset_of!(perf_event_mmap_page, lock) == 8
            && offset_of!(perf_event_mmap_page, index) == 12
            && offset_of!(perf_event_mmap_page, offset) == 16
            && offset_of!(perf_event_mmap_page, time_enabled) == 24
            && offset_of!(perf_event_mmap_page, time_running) == 32
            && offset_of!(perf_event_mmap_page, __bindgen_anon_1) == 40
            && offset_of!(perf_event_mmap_page, pmc_width) == 48
            && offset_of!(perf_event_mmap_page, time_shift) == 50
            && offset_of!(perf_event_mmap_page, time_mult) == 52
            && offset_of!(perf_event_mmap_page, time_offset) == 56
            && offset_of!(perf_event_mmap_page, time_cycles) == 80
            && offset_of!(perf_event_mmap_page, time_mask) == 88)
);

impl CounterPage {
    pub(crate) fn new(event: BorrowedFd<'_>) -> Result<CounterPage, Errno> {
        let (protection, flags) = (libc::PROT_READ, libc::MAP_SHARED);
        let pages = Pages::map(page_size()?, protection, flags, event.as_raw_fd())?;
        Ok(CounterPage { pages })
    }
}

impl UserCounter for CounterPage {
    fn page(&self) -> &Page {
        // SAFETY: a page is aligned and longer than this, is mapped as long as `self` lives, and is only read, atomically.
        unsafe { self.pages.start().cast().as_ref() }
    }

    #[inline]
    fn register(&self, index: u32) -> Option<u64> {
        registers::counter(index)
    }

    #[inline]
    fn ticks(&self) -> u64 {
        registers::ticks()
    }
}

/// A thread, told apart from all others: those of a forked child too, which has the memory of its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Thread {
    process: NonZeroU64,
    number: u64,
}

impl Thread {
    /// The calling thread, without a system call; nothing where the kernel cannot wipe memory of forked children (before Linux 4.14).
    #[inline]
    pub(crate) fn current() -> Option<Thread> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        thread_local! {
            static NUMBER: Cell<u64> = const { Cell::new(0) };
        }
        let number = NUMBER.with(|number| {
            if number.get() == 0 {
                number.set(NEXT.fetch_add(1, Ordering::Relaxed));
            }
            number.get()
        });
        Some(Thread { process: mark()?, number })
    }
}

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod registers {
    use std::arch::asm;

    macro_rules! register {
        ($($name:literal),+) => {{
            let value: u64;
            // SAFETY: the page gives this register's number, so the kernel lets this thread read it; it changes nothing. It may not be moved over reads of the page.
            unsafe { asm!(concat!("mrs {}, ", $($name),+), out(reg) value, options(nostack, preserves_flags)) };
            value
        }};
    }

    macro_rules! counters {
        ($index:expr, $($n:literal)*) => {
            match $index {
                $($n => register!("pmevcntr", $n, "_el0"),)*
                31 => register!("pmccntr_el0"),
                _ => return None,
            }
        };
    }

    /// Event counters from 0, and 31, the counter of cycles.
    #[inline]
    pub(super) fn counter(index: u32) -> Option<u64> {
        Some(
            counters!(index, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30),
        )
    }

    /// The architecture's virtual timer.
    #[inline]
    pub(super) fn ticks() -> u64 {
        register!("cntvct_el0")
    }
}

#[cfg(target_arch = "x86_64")]
mod registers {
    use std::arch::asm;

    /// Beginning with this number the register holds shares of pipeline slots and not a count.
    const METRICS: u32 = 1 << 29;
    const FIXED: u32 = 1 << 30;

    /// Programmable counters from 0, fixed ones from 2^30.
    #[inline]
    pub(super) fn counter(index: u32) -> Option<u64> {
        if (METRICS..FIXED).contains(&index) {
            return None;
        }
        let (low, high): (u32, u32);
        // SAFETY: the page gives this register's number, so the kernel lets this thread read it; it changes nothing. It may not be moved over reads of the page.
        unsafe {
            asm!("rdpmc", in("ecx") index, out("eax") low, out("edx") high, options(nostack, preserves_flags));
        }
        Some(u64::from(high) << 32 | u64::from(low))
    }

    /// The time-stamp counter.
    #[inline]
    pub(super) fn ticks() -> u64 {
        // SAFETY: every x86-64 processor has it, and where a process may not read it the page does not offer it.
        unsafe { std::arch::x86_64::_rdtsc() }
    }
}

#[cfg(not(any(all(target_arch = "aarch64", target_endian = "little"), target_arch = "x86_64")))]
mod registers {
    pub(super) fn counter(_index: u32) -> Option<u64> {
        None
    }

    pub(super) fn ticks() -> u64 {
        0
    }
}
