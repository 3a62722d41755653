//! Regions.

use std::ffi::{c_char, c_int};
use std::sync::OnceLock;

use counterpoint_capi::guarded;

use super::{string, succeed};
use crate::{rates, regions};

/// `int PAPI_hl_region_begin(const char *region)`: starts the library if it is not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_hl_region_begin(region: *const c_char) -> c_int {
    succeed(|| {
        // SAFETY: as the header says.
        let name = unsafe { string(region) }?;
        // A rate that is running counts the same thread.
        let _ = rates::stop();
        regions::begin(name)
    })
}

/// `int PAPI_hl_read(const char *region)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_hl_read(region: *const c_char) -> c_int {
    // SAFETY: as the header says.
    succeed(|| regions::note(unsafe { string(region) }?))
}

/// `int PAPI_hl_region_end(const char *region)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_hl_region_end(region: *const c_char) -> c_int {
    // SAFETY: as the header says.
    succeed(|| regions::end(unsafe { string(region) }?))
}

/// `int PAPI_hl_stop(void)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_hl_stop() -> c_int {
    succeed(regions::stop)
}

static AT_EXIT: OnceLock<fn()> = OnceLock::new();

/// Has a function called when the program ends.
pub(crate) fn at_exit(function: fn()) {
    unsafe extern "C" {
        fn atexit(function: extern "C" fn()) -> c_int;
    }
    extern "C" fn call() {
        if let Some(function) = AT_EXIT.get() {
            guarded((), function);
        }
    }
    if AT_EXIT.set(function).is_ok() {
        // SAFETY: the function may be called at any time; a program that cannot note it only has no report.
        unsafe { atexit(call) };
    }
}
