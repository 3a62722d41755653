//! C libraries that the system has, loaded when a benchmark runs: the peers that it calls.

#![allow(dead_code, reason = "each benchmark uses only some of it")]

use std::ffi::{CStr, c_char, c_int, c_void};

unsafe extern "C" {
    fn dlopen(file: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

const RTLD_NOW: c_int = 2;

/// A library that stays loaded.
pub(crate) struct Library(*mut c_void);

impl Library {
    /// The library of this file name; without it, says that what needs it is skipped.
    ///
    /// # Safety
    ///
    /// The library's constructors must be sound to run.
    pub(crate) unsafe fn load(file: &CStr, package: &str) -> Option<Library> {
        // SAFETY: a C string; the caller answers for the constructors.
        let library = unsafe { dlopen(file.as_ptr(), RTLD_NOW) };
        if library.is_null() {
            println!("skipped: {}: not installed (Debian: {package})", file.to_string_lossy());
            return None;
        }
        Some(Library(library))
    }

    /// The function of this name.
    ///
    /// # Safety
    ///
    /// `F` must be the type of a pointer to a function with the signature that the library gives it.
    pub(crate) unsafe fn function<F: Copy>(&self, name: &CStr) -> Option<F> {
        const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
        // SAFETY: the library stays loaded, and the name is a C string.
        let address = unsafe { dlsym(self.0, name.as_ptr()) };
        // SAFETY: it is not null, and `F` is a pointer to this function.
        (!address.is_null()).then(|| unsafe { std::mem::transmute_copy(&address) })
    }
}
