//! Regions.

use std::ffi::{c_char, c_int};
use std::sync::atomic::{AtomicBool, Ordering};

use counterpoint_capi::{at_exit, guarded};

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

/// Has the report written when the program ends.
pub(crate) fn report_at_exit() {
    extern "C" fn report() {
        guarded((), regions::report);
    }
    static IS_NOTED: AtomicBool = AtomicBool::new(false);
    if !IS_NOTED.swap(true, Ordering::Relaxed) {
        at_exit(report);
    }
}
