//! The system's libpfm4, asked for the same strings.

use super::library::Library;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

/// `PFM_PLM0 | PFM_PLM3`: kernel and user.
const LEVELS: c_int = 9;
/// `PFM_OS_PERF_EVENT_EXT`.
const PERF_EVENT_EXT: c_int = 2;

/// The functions of libpfm4, started.
pub(crate) struct Pfm {
    encode: unsafe extern "C" fn(*const c_char, c_int, c_int, *mut c_void) -> c_int,
}

/// `pfm_perf_encode_arg_t`
#[repr(C)]
struct Arguments {
    attr: *mut u64,
    string: *mut *mut c_char,
    size: usize,
    idx: c_int,
    cpu: c_int,
    flags: c_int,
}

impl Pfm {
    /// Loads it, such that PMUs of other machines can be encoded for.
    pub(crate) fn system() -> Option<Pfm> {
        // SAFETY: the program has one thread.
        unsafe { std::env::set_var("LIBPFM_ENCODE_INACTIVE", "1") };
        // SAFETY: libpfm4 has no constructors.
        let library = unsafe { Library::load(c"libpfm.so.4", "libpfm4") }?;
        // SAFETY: `pfmlib.h` declares it so.
        let initialize: extern "C" fn() -> c_int = unsafe { library.function(c"pfm_initialize") }?;
        // SAFETY: as above.
        let encode = unsafe { library.function(c"pfm_get_os_event_encoding") }?;
        (initialize() == 0).then_some(Pfm { encode })
    }

    /// Whether it has an encoding of the string for `perf_event_open`; it does not print the string.
    pub(crate) fn accepts(&self, event: &CStr) -> bool {
        // `perf_event_attr` with its size in the upper half of the first word.
        let mut attr = [0_u64; 16];
        attr[0] = 128 << 32;
        let mut arguments = Arguments {
            attr: attr.as_mut_ptr(),
            string: ptr::null_mut(),
            size: size_of::<Arguments>(),
            idx: 0,
            cpu: 0,
            flags: 0,
        };
        let arguments = ptr::from_mut(&mut arguments).cast();
        // SAFETY: the arguments are those of the layer, and what they point to outlives the call.
        unsafe { (self.encode)(event.as_ptr(), LEVELS, PERF_EVENT_EXT, arguments) == 0 }
    }
}
