//! Pages of memory that the kernel maps.

use super::error::{check, last_errno};
use super::owner::Owner;
use crate::Errno;
use nix::libc;
use std::ffi::c_int;
use std::ptr::{self, NonNull};

/// Memory mapped into this process.
pub(super) struct Pages {
    start: NonNull<u8>,
    length: usize,
    /// The process that created the mapping; the kernel does not pass it on to a forked child.
    owner: Owner,
}

// SAFETY: the memory belongs to the mapping, not to a thread; code that reads or writes it must justify that it may.
unsafe impl Send for Pages {}
// SAFETY: as above.
unsafe impl Sync for Pages {}

impl Pages {
    /// Maps `length` bytes of the file `fd`, or anonymous memory if `fd` is -1.
    pub(super) fn map(
        length: usize,
        protection: c_int,
        flags: c_int,
        fd: c_int,
    ) -> Result<Pages, Errno> {
        // SAFETY: a new mapping at an address chosen by the kernel overlaps nothing; callers pass no flag that fixes the address.
        let start = unsafe { libc::mmap(ptr::null_mut(), length, protection, flags, fd, 0) };
        match NonNull::new(start.cast()) {
            Some(page) if start != libc::MAP_FAILED => {
                Ok(Pages { start: page, length, owner: Owner::here() })
            }
            _ => Err(last_errno()),
        }
    }

    pub(super) fn start(&self) -> NonNull<u8> {
        self.start
    }

    pub(super) fn is_here(&self) -> bool {
        self.owner.is_here()
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        if self.is_here() {
            // SAFETY: the mapping belongs to this value and to this process; references into it borrow from its owner, which ends here.
            let _ = check(unsafe { libc::munmap(self.start.as_ptr().cast(), self.length) });
        }
    }
}

/// The size of a page in bytes.
pub(super) fn page_size() -> Result<usize, Errno> {
    // SAFETY: only returns a number.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).map_err(|_| Errno::EINVAL)
}
