//! Starting and ending, errors, and components.

use std::ffi::{CStr, c_char, c_int};
use std::io::Write;
use std::ptr;

use counterpoint_capi::guarded;

use super::calls::{answer, string, succeed};
use crate::codes::{self, EINVAL, ENOCMP};
use crate::components::{CPU, ENERGIES, NAMES, NUMBERS};
use crate::library::{self, Library};
use crate::{debug, options, release, returned, sets};

/// `int PAPI_library_init(int version)`: returns the version, or an error.
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_library_init(version: c_int) -> c_int {
    answer(|| Library::start(version))
}

/// `int PAPI_is_initialized(void)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_is_initialized() -> c_int {
    library::level()
}

/// `void PAPI_shutdown(void)`: stops and removes all event sets.
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_shutdown() {
    guarded((), || {
        sets::remove_all();
        options::reset();
        Library::end();
    });
}

/// `char *PAPI_strerror(int code)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_strerror(code: c_int) -> *const c_char {
    codes::message(code, release::messages()).map_or(ptr::null(), CStr::as_ptr)
}

/// `void PAPI_perror(const char *text)`: prints the last error on standard error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_perror(text: *const c_char) {
    guarded((), || {
        // SAFETY: as the header says.
        let text = unsafe { string(text) }.unwrap_or_default();
        let message =
            codes::message(returned::last(), release::messages()).unwrap_or(c"Unknown error code");
        let message = message.to_string_lossy();
        let line = match text {
            "" => format!("{message}\n"),
            text => format!("{text}: {message}\n"),
        };
        // Nobody can be told that standard error is closed.
        let _ = std::io::stderr().write_all(line.as_bytes());
    });
}

/// `int PAPI_set_debug(int level)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_set_debug(level: c_int) -> c_int {
    succeed(|| debug::set_level(level))
}

/// `int PAPI_num_components(void)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_num_components() -> c_int {
    NAMES.len() as c_int
}

/// `int PAPI_get_component_index(const char *name)`: also before the library is started, so that components can be disabled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_get_component_index(name: *const c_char) -> c_int {
    answer(|| {
        // SAFETY: as the header says.
        let name = unsafe { string(name) }?;
        let found = NAMES.iter().position(|(own, ..)| *own == name);
        found.map(|number| number as c_int).ok_or(ENOCMP)
    })
}

/// `const PAPI_component_info_t *PAPI_get_component_info(int component)`: null if there is none; it stays as it is.
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_get_component_info(component: c_int) -> *const std::ffi::c_void {
    guarded(ptr::null(), || {
        let Ok(number) = options::component(component) else { return ptr::null() };
        let library = Library::known();
        if release::is_later() {
            ptr::from_ref(library.describe_later(number)).cast()
        } else {
            ptr::from_ref(library.describe(number)).cast()
        }
    })
}

/// `int PAPI_disable_component(int component)`: before the library is started.
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_disable_component(component: c_int) -> c_int {
    succeed(|| {
        let number = options::component(component)?;
        Library::disable(number)
    })
}

/// `int PAPI_disable_component_by_name(const char *name)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_disable_component_by_name(name: *const c_char) -> c_int {
    succeed(|| {
        // SAFETY: as the header says.
        let name = unsafe { string(name) }?;
        let found = NAMES.iter().position(|(own, ..)| *own == name);
        Library::disable(found.ok_or(ENOCMP)?)
    })
}

/// `int PAPI_num_hwctrs(void)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_num_hwctrs() -> c_int {
    PAPI_num_cmp_hwctrs(CPU as c_int)
}

/// `int PAPI_num_cmp_hwctrs(int component)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_num_cmp_hwctrs(component: c_int) -> c_int {
    answer(|| {
        let library = Library::current()?;
        let number = options::component(component).map_err(|_| EINVAL)?;
        Ok(match number {
            CPU => library.components.counters(),
            _ if number == ENERGIES || NUMBERS.contains(&number) => {
                library.components.event_count(number) as c_int
            }
            _ => 0,
        })
    })
}
