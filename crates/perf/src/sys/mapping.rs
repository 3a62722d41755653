//! The mapping of a ring into this process.

use super::pages::{Pages, page_size};
use crate::{Errno, RingMemory};
use nix::libc;
use perf_event_open_sys::bindings::perf_event_mmap_page;
use std::mem::offset_of;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU64, Ordering};

/// A ring that the kernel writes to, mapped into this process: a page with the positions, followed by the data.
pub(crate) struct Mapping {
    pages: Pages,
    data: NonNull<u8>,
    size: usize,
}

// SAFETY: the memory belongs to the mapping, not to a thread, and is accessed only through its methods.
unsafe impl Send for Mapping {}

// Both positions are 64-bit words within a page of the smallest possible size.
const _: () = assert!(
    offset_of!(perf_event_mmap_page, data_head) == 1024
        && offset_of!(perf_event_mmap_page, data_tail) == 1032
);

impl Mapping {
    /// Maps the ring of `event`; `size` is a power of two and is raised to a page if it is smaller.
    pub(crate) fn new(event: BorrowedFd<'_>, size: usize) -> Result<Mapping, Errno> {
        let page_size = page_size()?;
        let size = size.max(page_size);
        let length = size.checked_add(page_size).ok_or(Errno::ENOMEM)?;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let pages = Pages::map(length, protection, libc::MAP_SHARED, event.as_raw_fd())?;
        // SAFETY: the mapping is `page_size + size` long, and `size` is more than 0.
        let data = unsafe { pages.start().add(page_size) };
        Ok(Mapping { pages, data, size })
    }

    /// The head, which the kernel writes, and the tail, which the kernel reads.
    fn cursors(&self) -> Option<[&AtomicU64; 2]> {
        if !self.pages.is_here() {
            return None;
        }
        let page = self.pages.start().cast::<perf_event_mmap_page>().as_ptr();
        // SAFETY: the field lies within the mapped page, which is present and at least 4096 bytes long.
        let head = unsafe { &raw mut (*page).data_head };
        // SAFETY: as above.
        let tail = unsafe { &raw mut (*page).data_tail };
        // SAFETY: a page is aligned, and so is the field at offset 1024; it is readable and writable, lives as long as `self`, and is only accessed atomically.
        let head = unsafe { AtomicU64::from_ptr(head) };
        // SAFETY: as above, at offset 1032.
        Some([head, unsafe { AtomicU64::from_ptr(tail) }])
    }
}

/// In a forked child, which does not have this memory, the ring appears empty.
impl RingMemory for Mapping {
    fn size(&self) -> usize {
        self.size
    }

    fn head(&self) -> u64 {
        self.cursors().map_or(0, |[head, _]| head.load(Ordering::Acquire))
    }

    fn tail(&self) -> u64 {
        self.cursors().map_or(0, |[_, tail]| tail.load(Ordering::Relaxed))
    }

    fn set_tail(&mut self, tail: u64) {
        if let Some([_, place]) = self.cursors() {
            place.store(tail, Ordering::Release);
        }
    }

    fn copy(&self, place: usize, into: &mut [u8]) {
        let inside = place.checked_add(into.len()).is_some_and(|end| end <= self.size);
        assert!(inside, "{} bytes at {place} of a ring of {}", into.len(), self.size);
        if !self.pages.is_here() {
            return;
        }
        // SAFETY: `place` lies within the data or at its end.
        let from = unsafe { self.data.as_ptr().add(place) };
        // SAFETY: the whole range lies within the data, and `into` is memory of this program and so not part of the ring.
        // `Ring` reads only between tail and head, where the kernel does not write until the tail is set; the rest could change at any time, but no reference to it is created.
        unsafe { ptr::copy_nonoverlapping(from, into.as_mut_ptr(), into.len()) };
    }
}
