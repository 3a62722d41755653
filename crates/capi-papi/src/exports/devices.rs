//! Devices.

use std::ffi::{c_char, c_int, c_void};

use super::calls::{succeed, write};
use crate::codes::{EINVAL, Failed};
use crate::devices::{self, Value};
use crate::library::Library;

/// `int PAPI_enum_dev_type(int modifier, void **handle)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_enum_dev_type(modifier: c_int, handle: *mut *mut c_void) -> c_int {
    succeed(|| {
        Library::current()?;
        if handle.is_null() {
            return Err(EINVAL);
        }
        let found = devices::next(modifier);
        // SAFETY: as the header says.
        unsafe { write(handle, found.unwrap_or(std::ptr::null_mut())) }?;
        found.map(drop)
    })
}

/// `int PAPI_get_dev_type_attr(void *handle, PAPI_dev_type_attr_e attribute, void *value)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_get_dev_type_attr(
    handle: *mut c_void,
    attribute: c_int,
    place: *mut c_void,
) -> c_int {
    succeed(|| {
        Library::current()?;
        let value = devices::type_attribute(devices::number(handle), attribute)?;
        // SAFETY: as the header says.
        unsafe { give(place, value) }
    })
}

/// `int PAPI_get_dev_attr(void *handle, int id, PAPI_dev_attr_e attribute, void *value)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_get_dev_attr(
    handle: *mut c_void,
    id: c_int,
    attribute: c_int,
    place: *mut c_void,
) -> c_int {
    succeed(|| {
        Library::current()?;
        let value = devices::attribute(devices::number(handle), id, attribute)?;
        // SAFETY: as the header says.
        unsafe { give(place, value) }
    })
}

/// Writes a value: a number, or a pointer to a string that stays.
///
/// # Safety
///
/// The place is null or as large as the attribute's type.
unsafe fn give(place: *mut c_void, value: Value) -> Result<(), Failed> {
    match value {
        // SAFETY: as above.
        Value::Number(value) => unsafe { write(place.cast::<c_int>(), value) },
        // SAFETY: as above.
        Value::Text(value) => unsafe { write(place.cast::<*const c_char>(), value.as_ptr()) },
    }
}
