//! The beginning of each function: the arguments of a caller, and the answer to it.

use std::ffi::{c_char, c_int};

use counterpoint_capi::{guarded, places, text};

use crate::codes::{EBUG, EINVAL, Failed};
use crate::returned::number;

/// Calls safe code, and returns its number or that of its error.
#[inline(always)]
pub(super) fn answer(call: impl FnOnce() -> Result<c_int, Failed>) -> c_int {
    guarded(EBUG.0, || number(call()))
}

/// The same for calls that only succeed.
#[inline(always)]
pub(super) fn succeed(call: impl FnOnce() -> Result<(), Failed>) -> c_int {
    answer(|| call().map(|()| 0))
}

/// The string of a caller.
///
/// # Safety
///
/// The pointer is null or a string.
pub(super) unsafe fn string<'a>(pointer: *const c_char) -> Result<&'a str, Failed> {
    // SAFETY: as above.
    let bytes = unsafe { text::bytes(pointer) }.ok_or(EINVAL)?;
    std::str::from_utf8(bytes).map_err(|_| EINVAL)
}

/// Writes a value to a place of a caller.
///
/// # Safety
///
/// The pointer is null, or can be written.
pub(super) unsafe fn write<T>(place: *mut T, value: T) -> Result<(), Failed> {
    // SAFETY: as above.
    unsafe { places::write(place, value) }.ok_or(EINVAL)
}

/// Reads a value of a caller.
///
/// # Safety
///
/// The pointer is null, or points to a value.
pub(super) unsafe fn read<T: Copy>(place: *const T) -> Result<T, Failed> {
    // SAFETY: as above.
    unsafe { places::read(place) }.ok_or(EINVAL)
}
