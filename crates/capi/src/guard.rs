//! Panics end at the boundary.

#![allow(unsafe_code, reason = "`atexit` is a function of C")]

use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the call returns, or the other value if it panics: a C program cannot unwind.
#[inline(always)]
pub fn guarded<T>(on_panic: T, call: impl FnOnce() -> T) -> T {
    // What is made once is whole: `Lasting` keeps it when it is made. A set whose change panicked keeps what was changed until
    // then, and is as safe to use as any other: its places are looked up, not trusted.
    catch_unwind(AssertUnwindSafe(call)).unwrap_or(on_panic)
}

/// Has a function called when the program ends; a process that is forked inherits that.
///
/// If the program cannot note any more functions, this one is not called.
pub fn at_exit(function: extern "C" fn()) {
    unsafe extern "C" {
        fn atexit(function: extern "C" fn()) -> c_int;
    }
    // SAFETY: `atexit` may be called at any time, and the function takes nothing.
    unsafe { atexit(function) };
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn a_panic_becomes_the_error() {
        assert_eq!(guarded(-1, || 7), 7);
        assert_eq!(guarded(-1, || std::panic::resume_unwind(Box::new("a fault"))), -1);
    }
}
