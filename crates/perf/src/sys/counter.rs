//! The registers and pages through which a thread reads its own counters, on the processors that this crate supports.

use super::pages::{Pages, page_size};
use crate::events::Page;
use crate::{Errno, UserCounter};
use nix::libc;
use perf_event_open_sys::bindings::perf_event_mmap_page;
use std::mem::offset_of;
use std::os::fd::{AsRawFd, BorrowedFd};

/// The page that the kernel maintains for an event. A forked child does not have it, so only the [`Thread`](super::Thread) that opened the event may read it.
pub(crate) struct CounterPage {
    pages: Pages,
}

// The offsets used by `user_read`, which reads 64-bit words.
const _: () = assert!(
    offset_of!(perf_event_mmap_page, lock) == 8
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
        && offset_of!(perf_event_mmap_page, time_mask) == 88
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
        // SAFETY: a page is aligned and longer than this, and stays mapped as long as `self` lives, in the process that created it, which is the caller's; the kernel writes it concurrently.
        // It is read-only, which relaxed 64-bit loads permit on the processors that this file is compiled for (`std::sync::atomic`, "Atomic accesses to read-only memory"), and `user_read` uses no other loads.
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

#[cfg(target_arch = "aarch64")]
mod registers {
    use std::arch::asm;

    macro_rules! register {
        ($($name:literal),+) => {{
            let value: u64;
            // SAFETY: it reads a register and changes nothing; if the kernel does not permit this thread to read it, the processor traps.
            // It is not marked `pure`, so the compiler does not move it across reads of the page.
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

    /// Event counters from 0, and 31 for the cycle counter.
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

    /// From this number on, the register contains shares of pipeline slots instead of a count.
    const METRICS: u32 = 1 << 29;
    const FIXED: u32 = 1 << 30;

    /// Programmable counters from 0, fixed counters from 2^30.
    #[inline]
    pub(super) fn counter(index: u32) -> Option<u64> {
        if (METRICS..FIXED).contains(&index) {
            return None;
        }
        let (low, high): (u32, u32);
        // SAFETY: it reads a register and changes nothing; if the kernel does not permit this thread to read it, the processor traps.
        // It is not marked `pure`, so the compiler does not move it across reads of the page.
        unsafe {
            asm!("rdpmc", in("ecx") index, out("eax") low, out("edx") high, options(nostack, preserves_flags));
        }
        Some(u64::from(high) << 32 | u64::from(low))
    }

    /// The time-stamp counter.
    #[inline]
    pub(super) fn ticks() -> u64 {
        // SAFETY: every x86-64 processor has it; if a process may not read it, the processor traps.
        unsafe { std::arch::x86_64::_rdtsc() }
    }
}
