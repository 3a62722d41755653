//! Work at the end of a program.

#![allow(unsafe_code, reason = "`atexit` is a function of C")]

use std::ffi::c_int;

/// Registers a function to be called when the program ends. A forked process inherits it.
///
/// If the C library cannot register any more functions, this one is not called.
pub fn at_exit(function: extern "C" fn()) {
    unsafe extern "C" {
        fn atexit(function: extern "C" fn()) -> c_int;
    }
    // SAFETY: `atexit` may be called at any time, and the function takes nothing.
    unsafe { atexit(function) };
}
