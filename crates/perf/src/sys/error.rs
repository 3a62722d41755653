//! The error of a call that has failed.

use crate::Errno;
use std::ffi::c_int;

pub(super) fn check(result: c_int) -> Result<(), Errno> {
    if result < 0 { Err(last_errno()) } else { Ok(()) }
}

pub(super) fn last_errno() -> Errno {
    Errno(std::io::Error::last_os_error().raw_os_error().unwrap_or(0))
}
