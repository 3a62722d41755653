//! Event sets of a libpapi: the system's, or another with the same functions.

#![allow(dead_code, reason = "each benchmark uses only some of it")]

use super::library::Library;
use std::ffi::{CStr, c_char, c_int};
use std::ptr;

/// The version of the interface that is asked for.
const VERSION: c_int = 7 << 24;

/// The functions of a libpapi.
#[derive(Clone, Copy)]
pub(crate) struct Papi {
    pub(crate) init: extern "C" fn(c_int) -> c_int,
    pub(crate) create: unsafe extern "C" fn(*mut c_int) -> c_int,
    pub(crate) add: unsafe extern "C" fn(c_int, *const c_char) -> c_int,
    pub(crate) start: extern "C" fn(c_int) -> c_int,
    pub(crate) read: unsafe extern "C" fn(c_int, *mut i64) -> c_int,
    pub(crate) reset: extern "C" fn(c_int) -> c_int,
    pub(crate) stop: unsafe extern "C" fn(c_int, *mut i64) -> c_int,
    pub(crate) cleanup: extern "C" fn(c_int) -> c_int,
    pub(crate) destroy: unsafe extern "C" fn(*mut c_int) -> c_int,
}

impl Papi {
    /// The system's library.
    pub(crate) fn system() -> Option<Papi> {
        // SAFETY: PAPI's library has no constructors.
        let library = unsafe { Library::load(c"libpapi.so.7.0", "libpapi7.0") }?;
        // SAFETY: `papi.h` declares it so.
        let init = unsafe { library.function(c"PAPI_library_init") }?;
        // SAFETY: as above.
        let create = unsafe { library.function(c"PAPI_create_eventset") }?;
        // SAFETY: as above.
        let add = unsafe { library.function(c"PAPI_add_named_event") }?;
        // SAFETY: as above.
        let start = unsafe { library.function(c"PAPI_start") }?;
        // SAFETY: as above.
        let read = unsafe { library.function(c"PAPI_read") }?;
        // SAFETY: as above.
        let reset = unsafe { library.function(c"PAPI_reset") }?;
        // SAFETY: as above.
        let stop = unsafe { library.function(c"PAPI_stop") }?;
        // SAFETY: as above.
        let cleanup = unsafe { library.function(c"PAPI_cleanup_eventset") }?;
        // SAFETY: as above.
        let destroy = unsafe { library.function(c"PAPI_destroy_eventset") }?;
        Some(Papi { init, create, add, start, read, reset, stop, cleanup, destroy })
    }

    /// A set that counts these events of the calling thread; nothing if the library cannot count them.
    pub(crate) fn started(self, events: &[&CStr]) -> Option<Set> {
        assert!(events.len() <= 8);
        if (self.init)(VERSION) != VERSION {
            return None;
        }
        let mut set = Set { papi: self, number: -1 };
        // SAFETY: a place for a number.
        let created = unsafe { (self.create)(&mut set.number) };
        // SAFETY: a C string.
        let mut added =
            events.iter().map(|event| unsafe { (self.add)(set.number, event.as_ptr()) });
        let is_started =
            created == 0 && added.all(|result| result == 0) && (self.start)(set.number) == 0;
        is_started.then_some(set)
    }
}

/// An event set; dropping it stops and removes it.
pub(crate) struct Set {
    papi: Papi,
    number: c_int,
}

impl Set {
    /// Reads the values of at most eight events.
    pub(crate) fn read(&self, values: &mut [i64; 8]) {
        // SAFETY: there is a place for each value, as `started` checks.
        assert_eq!(unsafe { (self.papi.read)(self.number, values.as_mut_ptr()) }, 0);
    }

    /// Sets the values to 0.
    pub(crate) fn reset(&self) {
        assert_eq!((self.papi.reset)(self.number), 0);
    }
}

impl Drop for Set {
    fn drop(&mut self) {
        // SAFETY: null is allowed.
        unsafe { (self.papi.stop)(self.number, ptr::null_mut()) };
        (self.papi.cleanup)(self.number);
        // SAFETY: a place for a number.
        unsafe { (self.papi.destroy)(&mut self.number) };
    }
}
