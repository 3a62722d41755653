//! Memory in small pages that nobody used before.

#![allow(unsafe_code, reason = "the memory of an allocator may be in large pages, and is not new")]

use nix::sys::mman::{MapFlags, MmapAdvise, ProtFlags, madvise, mmap_anonymous, munmap};
use nix::unistd::{SysconfVar, sysconf};
use std::ffi::c_void;
use std::io;
use std::num::NonZeroUsize;
use std::ptr::NonNull;

/// Memory of zeros, whose pages are there when they are first written to.
#[derive(Debug)]
pub(crate) struct Memory {
    start: NonNull<c_void>,
    bytes: NonZeroUsize,
}

impl Memory {
    /// At least one byte.
    pub(crate) fn new(bytes: usize) -> io::Result<Memory> {
        let bytes = NonZeroUsize::new(bytes).unwrap_or(NonZeroUsize::MIN);
        let access = ProtFlags::PROT_READ | ProtFlags::PROT_WRITE;
        // SAFETY: a new mapping overlaps nothing.
        let start = unsafe { mmap_anonymous(None, bytes, access, MapFlags::MAP_PRIVATE) }?;
        // SAFETY: the advice is about this mapping and changes no byte. A kernel without large pages refuses it.
        let _ = unsafe { madvise(start, bytes.get(), MmapAdvise::MADV_NOHUGEPAGE) };
        Ok(Memory { start, bytes })
    }

    /// All whole words.
    pub(crate) fn words(&mut self) -> &mut [usize] {
        let words = self.bytes.get() / size_of::<usize>();
        // SAFETY: the mapping has so many words, begins with a page, is initialized with zeros, and is borrowed with `self`.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr().cast(), words) }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the mapping is this value's, and nothing borrows it any more.
        let _ = unsafe { munmap(self.start, self.bytes.get()) };
    }
}

/// The size of a page.
pub(crate) fn page() -> usize {
    let page = sysconf(SysconfVar::PAGE_SIZE).ok().flatten();
    page.and_then(|page| usize::try_from(page).ok()).unwrap_or(4096)
}
