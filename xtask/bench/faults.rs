//! Page faults that are sampled, and the bare ring beside which samplers are measured.

use nix::libc;
use perf_event_open_sys::{bindings, ioctls, perf_event_open};
use std::hint::black_box;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

const PAGE: usize = 4096;
/// The bytes of a ring.
pub(crate) const RING: usize = 128 << 10;
/// The samples, each with an address alone, by which a ring becomes half full.
pub(crate) const HALF: usize = RING / 2 / 16;
const PAGE_FAULTS: u64 = 2;

/// Memory whose pages fault again and again.
pub(crate) struct Memory {
    start: *mut libc::c_void,
    pages: usize,
}

impl Memory {
    pub(crate) fn new(pages: usize) -> Memory {
        let (access, flags) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping at a place of the kernel's choice.
        let start = unsafe { libc::mmap(ptr::null_mut(), pages * PAGE, access, flags, -1, 0) };
        assert!(start != libc::MAP_FAILED);
        // SAFETY: of this mapping; huge pages would fault once for all.
        unsafe { libc::madvise(start, pages * PAGE, libc::MADV_NOHUGEPAGE) };
        Memory { start, pages }
    }

    /// Lets each page fault once.
    pub(crate) fn touch(&self) {
        // SAFETY: of this mapping, whose content nobody needs.
        unsafe { libc::madvise(self.start, self.pages * PAGE, libc::MADV_DONTNEED) };
        for page in 0..self.pages {
            // SAFETY: inside of the mapping.
            let place = unsafe { self.start.cast::<u8>().add(page * PAGE) };
            // SAFETY: it can be written.
            unsafe { place.write_volatile(1) };
        }
    }
}

/// Every page fault of this thread, sampled into a ring that is read as one would by hand.
pub(crate) struct Bare {
    fd: i32,
    page: *mut bindings::perf_event_mmap_page,
}

impl Bare {
    pub(crate) fn new() -> Bare {
        let mut attr = bindings::perf_event_attr {
            size: size_of::<bindings::perf_event_attr>() as u32,
            type_: bindings::PERF_TYPE_SOFTWARE,
            config: PAGE_FAULTS,
            sample_type: 1,
            ..Default::default()
        };
        attr.__bindgen_anon_1.sample_period = 1;
        attr.set_disabled(1);
        attr.set_exclude_kernel(1);
        attr.set_exclude_hv(1);
        attr.set_watermark(1);
        // SAFETY: a whole attribute that lives through the call.
        let fd = unsafe { perf_event_open(&mut attr, 0, -1, -1, 0) };
        assert!(fd >= 0);
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping at a place of the kernel's choice.
        let page =
            unsafe { libc::mmap(ptr::null_mut(), RING + PAGE, access, libc::MAP_SHARED, fd, 0) };
        assert!(page != libc::MAP_FAILED);
        Bare { fd, page: page.cast() }
    }

    /// Starts or stops sampling.
    pub(crate) fn switch(&self, on: bool) {
        let switch = if on { ioctls::ENABLE } else { ioctls::DISABLE };
        // SAFETY: takes a number.
        let done = unsafe { switch(self.fd, 0) };
        assert_eq!(done, 0);
    }

    /// Reads all samples, and returns their number.
    pub(crate) fn drain(&mut self) -> u64 {
        // SAFETY: the field lies in the mapped page.
        let head = unsafe { &raw mut (*self.page).data_head };
        // SAFETY: as above.
        let tail = unsafe { &raw mut (*self.page).data_tail };
        // SAFETY: it is aligned, mapped, and accessed atomically only.
        let head = unsafe { AtomicU64::from_ptr(head) };
        // SAFETY: as above.
        let tail = unsafe { AtomicU64::from_ptr(tail) };
        let end = head.load(Ordering::Acquire);
        let mut at = tail.load(Ordering::Relaxed);
        let (mut samples, mut sum) = (0, 0_u64);
        while at < end {
            // SAFETY: records of 16 bytes do not wrap around in a ring whose size is a multiple of that.
            let record = unsafe { self.page.cast::<u8>().add(PAGE + at as usize % RING) };
            // SAFETY: a header and an address, mapped and aligned.
            let [header, address] = unsafe { record.cast::<[u64; 2]>().read() };
            let (kind, size) = (header as u32, header >> 48);
            if kind == 9 {
                samples += 1;
                sum = sum.wrapping_add(address);
            }
            at += size;
        }
        tail.store(end, Ordering::Release);
        black_box(sum);
        samples
    }
}
