//! Regions.

use std::ffi::{c_char, c_int};

use super::calls::{string, succeed};
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
