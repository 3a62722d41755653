//! The values that callers pass and get: strings, buffers, places.

#![allow(unsafe_code, reason = "callers pass pointers")]

use std::ffi::{c_char, c_int};

use counterpoint_capi::{guarded, places, text};

use crate::result::{Failed, INVAL, NOTSUPP, SUCCESS};

/// Copies a text with its zero, or refuses it with this code if it does not fit.
///
/// # Safety
///
/// The buffer is null, or has as many bytes.
pub(crate) unsafe fn copy(
    name: &str,
    to: *mut c_char,
    length: usize,
    full: Failed,
) -> Result<(), Failed> {
    if to.is_null() || length == 0 {
        return Err(INVAL);
    }
    if name.len() >= length {
        return Err(full);
    }
    // SAFETY: the caller promises as many bytes, and the text with its zero is shorter.
    unsafe { std::ptr::copy_nonoverlapping(name.as_ptr(), to.cast(), name.len()) };
    // SAFETY: as above.
    unsafe { to.wrapping_add(name.len()).write(0) };
    Ok(())
}

/// Copies as much of a text as fits.
///
/// # Safety
///
/// The buffer is null, or has as many bytes.
pub(crate) unsafe fn copy_cut(name: &str, to: *mut c_char, length: usize) -> Result<(), Failed> {
    let fitting = name.get(..length.saturating_sub(1)).unwrap_or(name);
    // SAFETY: the caller promises it.
    unsafe { copy(fitting, to, length, INVAL) }
}

/// # Safety
///
/// The place is null, or one for the value.
pub(crate) unsafe fn store<T>(place: *mut T, value: T) -> Result<(), Failed> {
    // SAFETY: the caller promises it.
    unsafe { places::write(place, value) }.ok_or(INVAL)
}

/// The string of a caller.
///
/// # Safety
///
/// The pointer is null, or a C string.
pub(crate) unsafe fn string(string: *const c_char) -> Result<String, Failed> {
    // SAFETY: the caller promises it.
    let bytes = unsafe { text::bytes(string) }.ok_or(INVAL)?;
    Ok(String::from_utf8_lossy(bytes).into_owned())
}

pub(crate) fn answer(call: impl FnOnce() -> Result<(), Failed>) -> c_int {
    guarded(NOTSUPP.0, || call().map_or_else(|Failed(code)| code, |()| SUCCESS))
}
