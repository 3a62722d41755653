//! The numbers that functions return, of which the last error is kept.

use std::ffi::c_int;
use std::sync::atomic::{AtomicI32, Ordering};

use crate::codes::{Failed, OK};
use crate::debug;

/// The number that a function returns.
#[inline]
pub(crate) fn number(result: Result<c_int, Failed>) -> c_int {
    result.unwrap_or_else(|failed| failed.noted())
}

/// The last error of any thread, for `PAPI_perror`.
static LAST: AtomicI32 = AtomicI32::new(OK);

pub(crate) fn last() -> c_int {
    LAST.load(Ordering::Relaxed)
}

impl Failed {
    /// The code, which is the last one from now on; a program that asked for it is told.
    #[cold]
    fn noted(self) -> c_int {
        LAST.store(self.0, Ordering::Relaxed);
        debug::tell(self.0);
        self.0
    }
}
