//! The functions, by the names of PAPI's header.
//!
//! Each checks its pointers here and leaves the rest to safe code. A panic is answered by `PAPI_EBUG`.

#![allow(unsafe_code, reason = "C programs call these functions with pointers")]
#![allow(
    clippy::missing_safety_doc,
    reason = "the promise is that of the header: strings end in zero, places can be written, arrays are as long as they are said to be"
)]

mod counting;
mod devices;
mod events;
mod fortran;
mod library;
mod options;
mod overflow;
mod rates;
mod regions;
mod sets;
mod system;
mod threads;

pub use counting::*;
pub use devices::*;
pub use events::*;
pub use fortran::*;
pub use library::*;
pub use options::*;
pub use overflow::*;
pub use rates::*;
pub use regions::*;
pub use sets::*;
pub use system::*;
pub use threads::*;

pub(crate) use events::code as event_code;
pub(crate) use regions::report_at_exit;

use std::ffi::{c_char, c_int};

use counterpoint_capi::{guarded, places, text};

use crate::codes::{EBUG, EINVAL, Failed, number};

/// Calls safe code, and returns its number or that of its error.
#[inline(always)]
fn answer(call: impl FnOnce() -> Result<c_int, Failed>) -> c_int {
    guarded(EBUG.0, || number(call()))
}

/// The same for calls that only succeed.
#[inline(always)]
fn succeed(call: impl FnOnce() -> Result<(), Failed>) -> c_int {
    answer(|| call().map(|()| 0))
}

/// The string of a caller.
///
/// # Safety
///
/// The pointer is null or a string.
unsafe fn string<'a>(pointer: *const c_char) -> Result<&'a str, Failed> {
    // SAFETY: as above.
    let bytes = unsafe { text::bytes(pointer) }.ok_or(EINVAL)?;
    std::str::from_utf8(bytes).map_err(|_| EINVAL)
}

/// Writes a value to a place of a caller.
///
/// # Safety
///
/// The pointer is null, or can be written.
unsafe fn write<T>(place: *mut T, value: T) -> Result<(), Failed> {
    // SAFETY: as above.
    unsafe { places::write(place, value) }.ok_or(EINVAL)
}

/// Reads a value of a caller.
///
/// # Safety
///
/// The pointer is null, or points to a value.
unsafe fn read<T: Copy>(place: *const T) -> Result<T, Failed> {
    // SAFETY: as above.
    unsafe { places::read(place) }.ok_or(EINVAL)
}
