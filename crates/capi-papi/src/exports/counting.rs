//! Counting: starting, reading and stopping.

use std::ffi::c_int;

use super::calls::{succeed, write};
use super::sets::used;
use crate::codes::{EINVAL, ENOSUPP, Failed};
use crate::components;
use crate::set::Set;
use crate::timers;

/// `int PAPI_start(int set)`: all counts begin at zero.
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_start(handle: c_int) -> c_int {
    succeed(|| {
        let (library, mut used) = used(handle)?;
        used.start(library)
    })
}

/// `int PAPI_stop(int set, long long *values)`: `values` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_stop(handle: c_int, values: *mut i64) -> c_int {
    succeed(|| {
        let (_, mut used) = used(handle)?;
        used.stop()?;
        if values.is_null() {
            return Ok(());
        }
        // SAFETY: as the header says.
        unsafe { read_into(used.set()?, values) }
    })
}

/// `int PAPI_read(int set, long long *values)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_read(handle: c_int, values: *mut i64) -> c_int {
    succeed(|| {
        let (_, mut used) = used(handle)?;
        // SAFETY: as the header says.
        unsafe { read_into(used.set()?, values) }
    })
}

/// Writes the values of a set.
///
/// # Safety
///
/// The pointer is null, or to room for a value of each event.
#[inline(always)]
unsafe fn read_into(set: &mut Set, values: *mut i64) -> Result<(), Failed> {
    set.assigned()?;
    if values.is_null() {
        return Err(EINVAL);
    }
    // SAFETY: as above.
    set.read(|number, value| unsafe { values.wrapping_add(number).write_unaligned(value) })
}

/// `int PAPI_read_ts(int set, long long *values, long long *cycles)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_read_ts(handle: c_int, values: *mut i64, cycles: *mut i64) -> c_int {
    succeed(|| {
        let (_, mut used) = used(handle)?;
        if cycles.is_null() {
            return Err(EINVAL);
        }
        // SAFETY: as the header says.
        unsafe { read_into(used.set()?, values) }?;
        // SAFETY: as the header says.
        unsafe { write(cycles, timers::real_cycles()) }
    })
}

/// `int PAPI_accum(int set, long long *values)`: adds the values, which begin at zero again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_accum(handle: c_int, values: *mut i64) -> c_int {
    succeed(|| {
        let (_, mut used) = used(handle)?;
        let set = used.set()?;
        set.assigned()?;
        if values.is_null() {
            return Err(EINVAL);
        }
        set.take(|number, value| {
            let place = values.wrapping_add(number);
            // SAFETY: as the header says; the place is not null.
            let before = unsafe { place.read_unaligned() };
            // SAFETY: as above.
            unsafe { place.write_unaligned(before.wrapping_add(value)) };
        })
    })
}

/// `int PAPI_reset(int set)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_reset(handle: c_int) -> c_int {
    succeed(|| used(handle)?.1.set()?.reset())
}

/// `int PAPI_write(int set, long long *values)`: the kernel's counters cannot be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_write(handle: c_int, values: *mut i64) -> c_int {
    succeed(|| {
        let (_, mut used) = used(handle)?;
        match used.set()?.assigned()? {
            _ if values.is_null() => Err(EINVAL),
            // As in PAPI, whose component accepts them and changes nothing: the kernel has these numbers.
            components::IO => Ok(()),
            _ => Err(ENOSUPP),
        }
    })
}

/// `int PAPI_state(int set, int *state)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_state(handle: c_int, state: *mut c_int) -> c_int {
    succeed(|| {
        if state.is_null() {
            return Err(EINVAL);
        }
        let (_, mut used) = used(handle)?;
        // SAFETY: as the header says.
        unsafe { write(state, used.set()?.state()) }
    })
}
