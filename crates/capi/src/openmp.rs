//! The thread numbers of OpenMP, in programs that have it.

#![allow(unsafe_code, reason = "functions of the OpenMP library are found by their names")]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::transmute;
use std::ptr;

/// Returns the number of the calling thread, whose id this is, in the outermost team of OpenMP.
///
/// The initial thread has the number 0 everywhere, and any other one only while it is in that team and in no other.
/// `None` if it has none, or if the program has no OpenMP library.
pub fn openmp_thread(id: u32) -> Option<u32> {
    let own_number = function(c"omp_get_thread_num")?;
    // It is not asked, as LLVM's OpenMP reads its settings at the first call of some functions.
    if id == std::process::id() {
        return Some(0);
    }
    // Outside of teams, the number is 0, as for the one that leads an inner team.
    let number = u32::try_from(own_number()).ok().filter(|number| *number > 0)?;
    let level = function(c"omp_get_active_level")?;
    (level() == 1).then_some(number)
}

/// A function of OpenMP that takes nothing and returns a number.
fn function(name: &CStr) -> Option<extern "C" fn() -> c_int> {
    unsafe extern "C" {
        fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    }
    // SAFETY: null is all libraries of the program, and the name ends in zero.
    let address = unsafe { dlsym(ptr::null_mut(), name.as_ptr()) };
    // SAFETY: null is `None`, and another address is that of the function, which `omp.h` declares so.
    unsafe { transmute::<*mut c_void, Option<extern "C" fn() -> c_int>>(address) }
}
