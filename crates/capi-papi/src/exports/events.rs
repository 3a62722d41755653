//! Events: their names, codes and descriptions, and their order.

use std::ffi::{c_char, c_int};

use super::calls::{answer, read, string, succeed, write};
use crate::codes::{EINVAL, ENOCMP, ENOEVNT, Failed};
use crate::components::{CPU, ENERGIES};
use crate::enumeration;
use crate::event_codes::{NATIVE, Named, PRESET};
use crate::layout::{EventInfo, MAX_LEN, Qualifiers, put};
use crate::library::Library;
use crate::lookup::event_code;
use crate::natives;
use crate::options;
use crate::release;

/// `int PAPI_event_name_to_code(const char *name, int *code)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_event_name_to_code(name: *const c_char, place: *mut c_int) -> c_int {
    succeed(|| {
        let library = Library::current()?;
        if place.is_null() {
            return Err(EINVAL);
        }
        // SAFETY: as the header says.
        let name = unsafe { string(name) }?;
        // SAFETY: as the header says.
        unsafe { write(place, event_code(library, name)?) }
    })
}

/// `int PAPI_event_code_to_name(int code, char *name)`: writes at most `PAPI_MAX_STR_LEN` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_event_code_to_name(code: c_int, place: *mut c_char) -> c_int {
    succeed(|| {
        let library = Library::current()?;
        let mut name = [0; MAX_LEN];
        match code as u32 & (NATIVE | PRESET) {
            0 => return Err(ENOEVNT),
            NATIVE => put(&mut name, &natives::by_code(code)?.name),
            _ => put(&mut name, library.presets().name(Named::of(code)?)?),
        }
        // The bytes behind the end of the string are not the library's to write.
        let length = name.iter().position(|byte| *byte == 0).map_or(MAX_LEN, |end| end + 1);
        if place.is_null() {
            return Err(EINVAL);
        }
        // SAFETY: the caller has room for the longest name.
        unsafe { place.cast::<u8>().copy_from_nonoverlapping(name.as_ptr(), length) };
        Ok(())
    })
}

/// `int PAPI_get_event_info(int code, PAPI_event_info_t *info)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_get_event_info(code: c_int, place: *mut EventInfo) -> c_int {
    succeed(|| {
        let library = Library::current()?;
        if place.is_null() {
            return Err(EINVAL);
        }
        let info = match code as u32 & (NATIVE | PRESET) {
            NATIVE => native_info(code)?,
            _ => library.presets().info(library, Named::of(code)?)?,
        };
        // SAFETY: the caller's structure has at least the members of 7.0.
        unsafe { write(place, info) }?;
        if release::is_later() {
            // SAFETY: the structure of its release goes on behind them.
            unsafe { write(place.wrapping_add(1).cast::<Qualifiers>(), Qualifiers::NONE) }?;
        }
        Ok(())
    })
}

fn native_info(code: c_int) -> Result<EventInfo, Failed> {
    let native = natives::by_code(code).map_err(|_| ENOCMP)?;
    let mut info = EventInfo { event_code: code as u32, ..EventInfo::EMPTY };
    info.component_index = native.component as c_int;
    put(&mut info.symbol, &native.name);
    put(&mut info.long_descr, &native.description);
    if native.component == ENERGIES {
        put(&mut info.units, "nJ");
    }
    Ok(info)
}

/// `int PAPI_query_event(int code)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_query_event(code: c_int) -> c_int {
    succeed(|| {
        let library = Library::current()?;
        match code as u32 & (NATIVE | PRESET) {
            0 => Err(ENOEVNT),
            NATIVE => natives::by_code(code).map(drop),
            _ => {
                let named = Named::of(code).map_err(|_| ENOEVNT)?;
                library.presets().expand(library, named).map(drop)
            }
        }
    })
}

/// `int PAPI_query_named_event(const char *name)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_query_named_event(name: *const c_char) -> c_int {
    let mut code = 0;
    // SAFETY: as the header says.
    match unsafe { PAPI_event_name_to_code(name, &mut code) } {
        0 => PAPI_query_event(code),
        error => error,
    }
}

/// `int PAPI_enum_event(int *code, int modifier)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_enum_event(place: *mut c_int, modifier: c_int) -> c_int {
    succeed(|| {
        let library = Library::current()?;
        // SAFETY: as the header says.
        let code = unsafe { read(place) }?;
        // SAFETY: as the header says.
        unsafe { write(place, enumeration::next(library, code, modifier)?) }
    })
}

/// `int PAPI_enum_cmp_event(int *code, int modifier, int component)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_enum_cmp_event(
    place: *mut c_int,
    modifier: c_int,
    component: c_int,
) -> c_int {
    succeed(|| {
        let library = Library::current()?;
        let component = options::component(component)?;
        // SAFETY: as the header says.
        let code = unsafe { read(place) }?;
        let next = enumeration::next_of(library, code, modifier, component)?;
        // SAFETY: as the header says.
        unsafe { write(place, next) }
    })
}

/// `int PAPI_get_event_component(int code)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_get_event_component(code: c_int) -> c_int {
    answer(|| {
        Library::current()?;
        match code as u32 & (NATIVE | PRESET) {
            0 => Err(ENOEVNT),
            NATIVE => natives::by_code(code).map(|native| native.component as c_int),
            _ => Ok(CPU as c_int),
        }
    })
}
