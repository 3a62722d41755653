//! The system's libpfm4, asked for encodings.

use super::library::Library;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

unsafe extern "C" {
    fn free(memory: *mut c_void);
}

/// `PFM_PLM0 | PFM_PLM3`: kernel and user.
const LEVELS: c_int = 9;

/// The purpose of an encoding: `pfm_os_t`.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Os {
    None = 0,
    PerfEvent = 1,
    PerfEventExt = 2,
}

/// The functions of libpfm4, started.
pub(crate) struct Pfm {
    encode: unsafe extern "C" fn(*const c_char, c_int, c_int, *mut c_void) -> c_int,
}

/// `pfm_pmu_encode_arg_t`
#[repr(C)]
struct RawArguments {
    codes: *mut u64,
    string: *mut *mut c_char,
    size: usize,
    count: c_int,
    idx: c_int,
}

/// `pfm_perf_encode_arg_t`
#[repr(C)]
struct PerfArguments {
    attr: *mut u64,
    string: *mut *mut c_char,
    size: usize,
    idx: c_int,
    cpu: c_int,
    flags: c_int,
}

impl Pfm {
    /// Loads and starts it, such that PMUs of other machines can be encoded for.
    pub(crate) fn system() -> Option<Pfm> {
        // SAFETY: benchmarks load it while they have one thread.
        unsafe { std::env::set_var("LIBPFM_ENCODE_INACTIVE", "1") };
        // SAFETY: libpfm4 has no constructors.
        let library = unsafe { Library::load(c"libpfm.so.4", "libpfm4") }?;
        // SAFETY: `pfmlib.h` declares it so.
        let initialize: Option<extern "C" fn() -> c_int> =
            unsafe { library.function(c"pfm_initialize") };
        // SAFETY: as above.
        let encode = unsafe { library.function(c"pfm_get_os_event_encoding") }?;
        (initialize?() == 0).then_some(Pfm { encode })
    }

    /// Returns true if it has an encoding of the string; with `prints`, it makes the string in full as well.
    pub(crate) fn accepts(&self, event: &CStr, os: Os, prints: bool) -> bool {
        let mut string = ptr::null_mut();
        let place = if prints { &raw mut string } else { ptr::null_mut() };
        let mut codes = [0_u64; 4];
        // `perf_event_attr` with its size in the upper half of the first word.
        let mut attr = [0_u64; 16];
        attr[0] = 128 << 32;
        let mut raw = RawArguments {
            codes: codes.as_mut_ptr(),
            string: place,
            size: size_of::<RawArguments>(),
            count: 4,
            idx: 0,
        };
        let mut perf = PerfArguments {
            attr: attr.as_mut_ptr(),
            string: place,
            size: size_of::<PerfArguments>(),
            idx: 0,
            cpu: 0,
            flags: 0,
        };
        let arguments = match os {
            Os::None => ptr::from_mut(&mut raw).cast(),
            _ => ptr::from_mut(&mut perf).cast(),
        };
        // SAFETY: the arguments are those of the layer, and what they point to outlives the call.
        let result = unsafe { (self.encode)(event.as_ptr(), LEVELS, os as c_int, arguments) };
        // SAFETY: the library allocates it with malloc for the caller, or leaves it null.
        unsafe { free(string.cast()) };
        result == 0
    }
}
