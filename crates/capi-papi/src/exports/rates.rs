//! Rates: instructions, operations or events in a time or in cycles.

use std::ffi::c_int;

use super::calls::{succeed, write};
use crate::codes::{EINVAL, Failed};
use crate::rates::{self, CYCLES, Counted, INSTRUCTIONS, REFERENCE_CYCLES, Rate};

/// Writes the times, and returns the values.
///
/// # Safety
///
/// The places can be written, or are null.
unsafe fn times(counted: Counted, real: *mut f32, process: *mut f32) -> Result<Vec<i64>, Failed> {
    // SAFETY: as above.
    unsafe { write(real, counted.real) }?;
    // SAFETY: as above.
    unsafe { write(process, counted.process) }?;
    Ok(counted.values)
}

/// Millions of events in a second of the process.
unsafe fn rate(
    of: Rate,
    event: c_int,
    real: *mut f32,
    process: *mut f32,
    count: *mut i64,
    rate: *mut f32,
) -> c_int {
    succeed(|| {
        if [real, process, rate].iter().any(|place| place.is_null()) || count.is_null() {
            return Err(EINVAL);
        }
        let counted = rates::count(of, &[event])?;
        let seconds = counted.process;
        // SAFETY: none is null.
        let values = unsafe { times(counted, real, process) }?;
        let value = values[0];
        let millions = if seconds > 0.0 { value as f32 / seconds / 1e6 } else { 0.0 };
        // SAFETY: none is null.
        unsafe { write(count, value) }?;
        // SAFETY: none is null.
        unsafe { write(rate, millions) }
    })
}

/// `int PAPI_flips_rate(int event, float *real, float *process, long long *count, float *rate)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_flips_rate(
    event: c_int,
    real: *mut f32,
    process: *mut f32,
    count: *mut i64,
    place: *mut f32,
) -> c_int {
    // SAFETY: as the header says.
    unsafe { rate(Rate::Instructions, event, real, process, count, place) }
}

/// `int PAPI_flops_rate(int event, float *real, float *process, long long *count, float *rate)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_flops_rate(
    event: c_int,
    real: *mut f32,
    process: *mut f32,
    count: *mut i64,
    place: *mut f32,
) -> c_int {
    // SAFETY: as the header says.
    unsafe { rate(Rate::Operations, event, real, process, count, place) }
}

/// `int PAPI_ipc(float *real, float *process, long long *instructions, float *ipc)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_ipc(
    real: *mut f32,
    process: *mut f32,
    count: *mut i64,
    place: *mut f32,
) -> c_int {
    succeed(|| {
        if [real, process, place].iter().any(|place| place.is_null()) || count.is_null() {
            return Err(EINVAL);
        }
        let counted = rates::count(Rate::PerCycle, &[INSTRUCTIONS, CYCLES])?;
        // SAFETY: none is null.
        let values = unsafe { times(counted, real, process) }?;
        // SAFETY: none is null.
        unsafe { write(count, values[0]) }?;
        // SAFETY: none is null.
        unsafe { write(place, ratio(values[0], values[1])) }
    })
}

/// `int PAPI_epc(int event, float *real, float *process, long long *reference, long long *core, long long *count, float *epc)`:
/// instructions if the event is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_epc(
    event: c_int,
    real: *mut f32,
    process: *mut f32,
    reference: *mut i64,
    core: *mut i64,
    count: *mut i64,
    place: *mut f32,
) -> c_int {
    succeed(|| {
        let places = [reference, core, count];
        if [real, process, place].iter().any(|place| place.is_null())
            || places.iter().any(|place| place.is_null())
        {
            return Err(EINVAL);
        }
        let mut events = vec![if event == 0 { INSTRUCTIONS } else { event }, CYCLES];
        // They are 0 where they cannot be counted.
        events.extend(rates::is_known(REFERENCE_CYCLES)?.then_some(REFERENCE_CYCLES));
        let counted = rates::count(Rate::EventsPerCycle, &events)?;
        // SAFETY: none is null.
        let values = unsafe { times(counted, real, process) }?;
        let of_reference = values.get(2).copied().unwrap_or(0);
        for (at, value) in [(reference, of_reference), (core, values[1]), (count, values[0])] {
            // SAFETY: none is null.
            unsafe { write(at, value) }?;
        }
        // SAFETY: none is null.
        unsafe { write(place, ratio(values[0], values[1])) }
    })
}

/// `int PAPI_rate_stop(void)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_rate_stop() -> c_int {
    succeed(rates::stop)
}

fn ratio(value: i64, of: i64) -> f32 {
    if of == 0 { 0.0 } else { value as f32 / of as f32 }
}
