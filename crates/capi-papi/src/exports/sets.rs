//! Event sets: what they have, and how they count.

use std::ffi::{c_char, c_int, c_ulong};

use super::calls::{answer, read, string, succeed, write};
use crate::codes::{ECMP_DISABLED, EINVAL, ENOCMP, ENOSUPP, Failed};
use crate::components::{ENERGIES, NUMBERS};
use crate::library::Library;
use crate::lookup::event_code;
use crate::opened::Options;
use crate::options;
use crate::sets::{self, Used};

const NULL: c_int = -1;

/// The set of a handle of a started library.
#[inline(always)]
pub(super) fn used(handle: c_int) -> Result<(&'static Library, Used), Failed> {
    let library = Library::current()?;
    Ok((library, sets::get(handle)?))
}

/// `int PAPI_create_eventset(int *set)`: `*set` is `PAPI_NULL` before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_create_eventset(place: *mut c_int) -> c_int {
    succeed(|| {
        Library::current()?;
        // SAFETY: as the header says.
        if unsafe { read(place) }? != NULL {
            return Err(EINVAL);
        }
        // SAFETY: as the header says.
        unsafe { write(place, sets::create(options::of_new_set())?) }
    })
}

/// `int PAPI_destroy_eventset(int *set)`: it has no events.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_destroy_eventset(place: *mut c_int) -> c_int {
    succeed(|| {
        // SAFETY: as the header says.
        used(unsafe { read(place) }?)?.1.destroy()?;
        // SAFETY: as the header says.
        unsafe { write(place, NULL) }
    })
}

/// `int PAPI_cleanup_eventset(int set)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_cleanup_eventset(handle: c_int) -> c_int {
    succeed(|| used(handle)?.1.set()?.clear(options::of_new_set()))
}

/// `int PAPI_add_event(int set, int code)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_add_event(handle: c_int, event: c_int) -> c_int {
    succeed(|| {
        let (library, mut used) = used(handle)?;
        used.set()?.add(library, event)
    })
}

/// `int PAPI_add_named_event(int set, const char *name)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_add_named_event(handle: c_int, name: *const c_char) -> c_int {
    succeed(|| {
        let (library, mut used) = used(handle)?;
        // SAFETY: as the header says.
        let event = event_code(library, unsafe { string(name) }?)?;
        used.set()?.add(library, event)
    })
}

/// `int PAPI_add_events(int set, int *codes, int count)`: returns how many were added if an event that is not the first fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_add_events(
    handle: c_int,
    codes: *const c_int,
    count: c_int,
) -> c_int {
    // SAFETY: as the header says.
    unsafe { for_each(codes, count, |event| PAPI_add_event(handle, event)) }
}

/// `int PAPI_remove_event(int set, int code)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_remove_event(handle: c_int, event: c_int) -> c_int {
    succeed(|| {
        let (library, mut used) = used(handle)?;
        used.set()?.remove(library, event)
    })
}

/// `int PAPI_remove_named_event(int set, const char *name)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_remove_named_event(handle: c_int, name: *const c_char) -> c_int {
    succeed(|| {
        let (library, mut used) = used(handle)?;
        // SAFETY: as the header says.
        let event = event_code(library, unsafe { string(name) }?)?;
        used.set()?.remove(library, event)
    })
}

/// `int PAPI_remove_events(int set, int *codes, int count)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_remove_events(
    handle: c_int,
    codes: *const c_int,
    count: c_int,
) -> c_int {
    // SAFETY: as the header says.
    unsafe { for_each(codes, count, |event| PAPI_remove_event(handle, event)) }
}

/// Calls a function for each code, until one fails.
///
/// # Safety
///
/// The pointer is null, or to so many codes.
unsafe fn for_each(codes: *const c_int, count: c_int, call: impl Fn(c_int) -> c_int) -> c_int {
    answer(|| {
        if codes.is_null() || count <= 0 {
            return Err(EINVAL);
        }
        for done in 0..count {
            // SAFETY: as above.
            let result = call(unsafe { read(codes.wrapping_add(done as usize)) }?);
            if result != 0 {
                return if done == 0 { Err(Failed(result)) } else { Ok(done) };
            }
        }
        Ok(0)
    })
}

/// `int PAPI_num_events(int set)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_num_events(handle: c_int) -> c_int {
    answer(|| Ok(used(handle)?.1.set()?.codes().len() as c_int))
}

/// `int PAPI_list_events(int set, int *codes, int *count)`: `*count` is the room before, and the number of events after.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_list_events(
    handle: c_int,
    codes: *mut c_int,
    count: *mut c_int,
) -> c_int {
    succeed(|| {
        let (_, mut used) = used(handle)?;
        // SAFETY: as the header says.
        let room = unsafe { read(count) }?;
        if room < 0 || (codes.is_null() && room > 0) {
            return Err(EINVAL);
        }
        let own: Vec<c_int> = used.set()?.codes().collect();
        let written = if room == 0 { 0 } else { own.len().min(room as usize) };
        for (place, event) in own.iter().take(written).enumerate() {
            // SAFETY: the caller has room for so many.
            unsafe { write(codes.wrapping_add(place), *event) }?;
        }
        let number = if room == 0 { own.len() } else { written };
        // SAFETY: as the header says.
        unsafe { write(count, number as c_int) }
    })
}

/// `int PAPI_assign_eventset_component(int set, int component)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_assign_eventset_component(handle: c_int, component: c_int) -> c_int {
    succeed(|| {
        let (_, mut used) = used(handle)?;
        let number = options::component(component)?;
        let set = used.set()?;
        if set.component.is_some() {
            return Err(EINVAL);
        }
        set.component = Some(number);
        Ok(())
    })
}

/// `int PAPI_get_eventset_component(int set)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_get_eventset_component(handle: c_int) -> c_int {
    answer(|| Ok(used(handle)?.1.set()?.assigned()? as c_int))
}

/// Changes how a set counts.
pub(super) fn change(
    handle: c_int,
    edit: impl FnOnce(&mut Options) -> Result<(), Failed>,
) -> Result<(), Failed> {
    let (library, mut used) = used(handle)?;
    let set = used.set()?.stopped()?;
    let component = set.assigned()?;
    if component == ENERGIES || NUMBERS.contains(&component) {
        // They are of packages or of the machine, whatever runs there.
        return Err(ENOSUPP);
    }
    if library.components.pmus(component).map_err(|_| ENOCMP)?.is_empty() {
        return Err(ECMP_DISABLED);
    }
    let mut options = set.options;
    edit(&mut options)?;
    set.change(library, options)
}

/// `int PAPI_attach(int set, unsigned long thread)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_attach(handle: c_int, thread: c_ulong) -> c_int {
    succeed(|| {
        let thread = u32::try_from(thread).map_err(|_| EINVAL)?;
        change(handle, |options| {
            options.thread = Some(thread);
            Ok(())
        })
    })
}

/// `int PAPI_detach(int set)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_detach(handle: c_int) -> c_int {
    succeed(|| {
        change(handle, |options| match options.thread.take() {
            Some(_) => Ok(()),
            None => Err(EINVAL),
        })
    })
}

/// `int PAPI_multiplex_init(void)`: the kernel needs nothing.
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_multiplex_init() -> c_int {
    succeed(|| Library::current().map(drop))
}

/// `int PAPI_set_multiplex(int set)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_set_multiplex(handle: c_int) -> c_int {
    succeed(|| {
        change(handle, |options| match options.multiplexed.replace(0) {
            None => Ok(()),
            Some(_) => Err(EINVAL),
        })
    })
}

/// `int PAPI_get_multiplex(int set)`: 1 if its events take turns.
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_get_multiplex(handle: c_int) -> c_int {
    answer(|| Ok(used(handle)?.1.set()?.options.multiplexed.is_some().into()))
}
