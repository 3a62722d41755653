//! Event sets of a libpapi: the system's, or another with the same functions.

#![allow(dead_code, reason = "each benchmark uses only some of it")]

use super::library::Library;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr;

/// The version of the interface that is asked for.
const VERSION: c_int = 7 << 24;

/// The functions of a libpapi.
#[derive(Clone, Copy)]
pub(crate) struct Papi {
    pub(crate) init: extern "C" fn(c_int) -> c_int,
    pub(crate) create: unsafe extern "C" fn(*mut c_int) -> c_int,
    pub(crate) add: unsafe extern "C" fn(c_int, *const c_char) -> c_int,
    pub(crate) code: unsafe extern "C" fn(*const c_char, *mut c_int) -> c_int,
    pub(crate) profil: Profil,
    pub(crate) start: extern "C" fn(c_int) -> c_int,
    pub(crate) read: unsafe extern "C" fn(c_int, *mut i64) -> c_int,
    pub(crate) reset: extern "C" fn(c_int) -> c_int,
    pub(crate) stop: unsafe extern "C" fn(c_int, *mut i64) -> c_int,
    pub(crate) cleanup: extern "C" fn(c_int) -> c_int,
    pub(crate) destroy: unsafe extern "C" fn(*mut c_int) -> c_int,
}

/// Buckets with their number of bytes, the first address and the scale, the set and the event, the threshold and the flags.
type Profil = unsafe extern "C" fn(
    *mut c_void,
    c_uint,
    *mut c_void,
    c_uint,
    c_int,
    c_int,
    c_int,
    c_int,
) -> c_int;

/// A bucket for every two bytes of code.
const ONE_TO_ONE: c_uint = 65536;

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
        let code = unsafe { library.function(c"PAPI_event_name_to_code") }?;
        // SAFETY: as above.
        let profil = unsafe { library.function(c"PAPI_profil") }?;
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
        Some(Papi { init, create, add, code, profil, start, read, reset, stop, cleanup, destroy })
    }

    /// A set that counts these events of the calling thread; nothing if the library cannot count them.
    pub(crate) fn started(self, events: &[&CStr]) -> Option<Set> {
        self.set(events).filter(Set::start)
    }

    /// A set of these events; nothing if the library does not have them.
    pub(crate) fn set(self, events: &[&CStr]) -> Option<Set> {
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
        (created == 0 && added.all(|result| result == 0)).then_some(set)
    }
}

/// An event set; dropping it stops and removes it.
pub(crate) struct Set {
    papi: Papi,
    number: c_int,
}

impl Set {
    /// Starts to count; false if it cannot.
    pub(crate) fn start(&self) -> bool {
        (self.papi.start)(self.number) == 0
    }

    /// Counts the addresses from `start` on at which every so many events have occurred, while the set lives.
    ///
    /// # Safety
    ///
    /// The buckets must live longer than the set.
    pub(crate) unsafe fn profile(
        &self,
        event: &CStr,
        every: c_int,
        start: usize,
        buckets: &mut [u16],
    ) {
        let mut code = 0;
        // SAFETY: a C string, and a place for a number.
        assert_eq!(unsafe { (self.papi.code)(event.as_ptr(), &mut code) }, 0);
        let bytes = c_uint::try_from(size_of_val(buckets)).expect("buckets below 4 GiB");
        let (buckets, start) = (buckets.as_mut_ptr().cast(), ptr::without_provenance_mut(start));
        // SAFETY: the buckets have so many bytes, and the caller answers for their life.
        let result = unsafe {
            (self.papi.profil)(buckets, bytes, start, ONE_TO_ONE, self.number, code, every, 0)
        };
        assert_eq!(result, 0);
    }

    /// Reads the values of at most eight events.
    pub(crate) fn read(&self, values: &mut [i64; 8]) {
        // SAFETY: there is a place for each value, as `set` checks.
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
