//! Threads and locks.

use std::ffi::{c_int, c_ulong, c_void};

use counterpoint_capi::guarded;

use super::calls::{read, succeed, write};
use crate::codes::{EINVAL, EMISC};
use crate::layout::MIN_LEN;
use crate::library::{self, Library, THREADS};
use crate::threads::{self, NumberThread};

/// `PAPI_TLS_ALL_THREADS`: the pointers of all threads are asked for.
const ALL_THREADS: c_int = 0x10;

/// `int PAPI_thread_init(unsigned long (*number)(void))`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_thread_init(number: Option<NumberThread>) -> c_int {
    succeed(|| {
        Library::current()?;
        threads::number_by(number.ok_or(EINVAL)?)?;
        library::raise_level(THREADS);
        Ok(())
    })
}

/// `unsigned long PAPI_thread_id(void)`: an error is a negative number.
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_thread_id() -> c_ulong {
    let error = |code: c_int| i64::from(code) as c_ulong;
    guarded(error(EMISC.0), || match Library::current().and_then(|_| threads::number()) {
        Ok(number) => number,
        Err(failed) => error(failed.0),
    })
}

/// `int PAPI_register_thread(void)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_register_thread() -> c_int {
    succeed(|| Library::current().and_then(|_| threads::register()))
}

/// `int PAPI_unregister_thread(void)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_unregister_thread() -> c_int {
    succeed(|| Library::current().and_then(|_| threads::unregister()))
}

/// `int PAPI_list_threads(unsigned long *numbers, int *count)`: with null, only the count.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_list_threads(numbers: *mut c_ulong, count: *mut c_int) -> c_int {
    succeed(|| {
        Library::current()?;
        // SAFETY: as the header says.
        let room = unsafe { read(count) }?;
        let known = threads::numbers()?;
        if numbers.is_null() {
            // SAFETY: as the header says.
            return unsafe { write(count, known.len() as c_int) };
        }
        let room = usize::try_from(room).ok().filter(|room| *room > 0).ok_or(EINVAL)?;
        for (place, number) in known.iter().take(room).enumerate() {
            // SAFETY: the caller has room for so many.
            unsafe { write(numbers.wrapping_add(place), *number) }?;
        }
        // SAFETY: as the header says.
        unsafe { write(count, known.len().min(room) as c_int) }
    })
}

/// `int PAPI_set_thr_specific(int tag, void *pointer)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_set_thr_specific(tag: c_int, pointer: *mut c_void) -> c_int {
    succeed(|| {
        Library::current()?;
        threads::set_pointer(usize::try_from(tag).map_err(|_| EINVAL)?, pointer as usize)
    })
}

/// `PAPI_all_thr_spec_t`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct AllThreads {
    count: c_int,
    numbers: *mut c_ulong,
    pointers: *mut usize,
}

/// `int PAPI_get_thr_specific(int tag, void **pointer)`: with `PAPI_TLS_ALL_THREADS`, into a `PAPI_all_thr_spec_t`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_get_thr_specific(tag: c_int, place: *mut *mut c_void) -> c_int {
    succeed(|| {
        Library::current()?;
        let number = usize::try_from(tag & !ALL_THREADS).map_err(|_| EINVAL)?;
        if tag & ALL_THREADS == 0 {
            // SAFETY: as the header says.
            return unsafe { write(place, threads::pointer(number)? as *mut c_void) };
        }
        let place = place.cast::<AllThreads>();
        // SAFETY: as the header says.
        let all = unsafe { read(place) }?;
        let is_counted_only = all.pointers.is_null() && all.numbers.is_null();
        let room = if is_counted_only { MIN_LEN } else { all.count.max(0) as usize };
        let known = threads::pointers(number, room)?;
        for (at, (thread, pointer)) in known.iter().enumerate() {
            if !all.pointers.is_null() {
                // SAFETY: the caller has room for so many.
                unsafe { write(all.pointers.wrapping_add(at), *pointer) }?;
            }
            if !all.numbers.is_null() {
                // SAFETY: as above.
                unsafe { write(all.numbers.wrapping_add(at), *thread) }?;
            }
        }
        // SAFETY: as the header says.
        unsafe { write(place, AllThreads { count: known.len() as c_int, ..all }) }
    })
}

/// `int PAPI_lock(int number)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_lock(number: c_int) -> c_int {
    succeed(|| Library::current().and_then(|_| threads::lock(number)))
}

/// `int PAPI_unlock(int number)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_unlock(number: c_int) -> c_int {
    succeed(|| Library::current().and_then(|_| threads::unlock(number)))
}
