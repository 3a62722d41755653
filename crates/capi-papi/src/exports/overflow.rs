//! Overflows and histograms.

use std::ffi::{c_int, c_uint, c_void};
use std::slice;

use super::calls::{read, succeed, write};
use super::sets::used;
use crate::codes::{EINVAL, ENOEVNT, Failed};
use crate::handlers::{Action, Handler};
use crate::layout::ProfileRegion;
use crate::overflow::Overflow;
use crate::profile::Profile;

/// `int PAPI_overflow(int set, int code, int threshold, int flags, PAPI_overflow_handler_t handler)`: 0 ends it.
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_overflow(
    handle: c_int,
    event: c_int,
    threshold: c_int,
    _flags: c_int,
    handler: Option<Handler>,
) -> c_int {
    succeed(|| set(handle, event, threshold, || handler.map(Action::Call).ok_or(EINVAL)))
}

/// Sets or clears what is done at overflows of an event.
fn set(
    handle: c_int,
    event: c_int,
    threshold: c_int,
    action: impl FnOnce() -> Result<Action, Failed>,
) -> Result<(), Failed> {
    let (_, mut used) = used(handle)?;
    let set = used.set()?.stopped()?;
    let native = set.check_overflow(event)?.code;
    if threshold < 0 {
        return Err(EINVAL);
    }
    if threshold == 0 {
        return set.clear_overflow(event);
    }
    set.set_overflow(Overflow::new(event, native, threshold, action()?)?)
}

/// `int PAPI_profil(void *buffer, unsigned size, vptr_t offset, unsigned scale, int set, int code, int threshold, int flags)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_profil(
    base: *mut c_void,
    size: c_uint,
    offset: *mut c_void,
    scale: c_uint,
    handle: c_int,
    event: c_int,
    threshold: c_int,
    flags: c_int,
) -> c_int {
    let mut region = ProfileRegion { base, size, offset: offset as usize, scale };
    // SAFETY: as the header says.
    unsafe { PAPI_sprofil(&mut region, 1, handle, event, threshold, flags) }
}

/// `int PAPI_sprofil(PAPI_sprofil_t *regions, int count, int set, int code, int threshold, int flags)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_sprofil(
    regions: *mut ProfileRegion,
    count: c_int,
    handle: c_int,
    event: c_int,
    threshold: c_int,
    flags: c_int,
) -> c_int {
    succeed(|| {
        set(handle, event, threshold, || {
            let count = usize::try_from(count).ok().filter(|count| *count > 0).ok_or(EINVAL)?;
            if regions.is_null() || !regions.is_aligned() {
                return Err(EINVAL);
            }
            // SAFETY: as the header says.
            let regions = unsafe { slice::from_raw_parts(regions, count) };
            // SAFETY: as the header says.
            let profile = unsafe { Profile::new(regions, flags as c_uint) }?;
            Ok(Action::Profile(profile.kept()))
        })
    })
}

/// `int PAPI_get_overflow_event_index(int set, long long vector, int *positions, int *count)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_get_overflow_event_index(
    handle: c_int,
    vector: i64,
    positions: *mut c_int,
    count: *mut c_int,
) -> c_int {
    succeed(|| {
        let (_, mut used) = used(handle)?;
        // SAFETY: as the header says.
        let room = unsafe { read(count) }?;
        if vector == 0 || positions.is_null() || room < 1 {
            return Err(EINVAL);
        }
        let events = used.set()?.codes().len();
        if events == 0 {
            return Err(ENOEVNT);
        }
        let set = (0..events.min(64)).filter(|position| vector as u64 >> position & 1 != 0);
        let mut written = 0;
        for (place, position) in set.take(room as usize).enumerate() {
            // SAFETY: the caller has room for so many.
            unsafe { write(positions.wrapping_add(place), position as c_int) }?;
            written += 1;
        }
        // SAFETY: as the header says.
        unsafe { write(count, written) }
    })
}
