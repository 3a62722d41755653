//! The C functions, called as C programs call them.

#![allow(unsafe_code, reason = "the functions of a C library are called")]
#![allow(missing_docs, reason = "tests")]
#![allow(clippy::print_stdout, reason = "a test says what it lacks")]
#![allow(clippy::multiple_unsafe_ops_per_block, reason = "many calls are wrong for one reason")]
#![allow(
    clippy::missing_transmute_annotations,
    reason = "the fields have the types of the functions"
)]

mod alone;
mod any_call;
mod arguments;
#[path = "../../../pmu/tests/it/columns.rs"]
mod columns;
#[path = "../../../pmu/tests/it/corrections.rs"]
mod corrections;
mod lifetime;
mod original;
#[path = "../../../../fixtures/seeds.rs"]
mod seeds;
mod vectors;

use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr;

use pfm::{AttrInfo, EventInfo, PerfArguments, PmuInfo, RawArguments};

const SUCCESS: c_int = 0;
const NOTSUPP: c_int = -1;
const INVAL: c_int = -2;
const NOINIT: c_int = -3;
const NOTFOUND: c_int = -4;
const TOOSMALL: c_int = -12;

unsafe extern "C" {
    fn free(memory: *mut std::ffi::c_void);
}

fn c(text: &str) -> CString {
    CString::new(text).expect("no zero")
}

/// The text of a string that the library keeps.
fn text(string: *const c_char) -> String {
    assert!(!string.is_null());
    // SAFETY: the library's strings end in a zero.
    unsafe { CStr::from_ptr(string) }.to_str().expect("UTF-8").to_owned()
}

/// The text of a string that the caller frees.
fn taken(string: *mut c_char) -> String {
    let copy = text(string);
    // SAFETY: the library allocates it with malloc.
    unsafe { free(string.cast()) };
    copy
}

fn zeroed<T: Copy>() -> T {
    // SAFETY: the structures have pointers and numbers only.
    unsafe { std::mem::zeroed() }
}

fn pmu_info(number: u32) -> (c_int, PmuInfo) {
    let mut info = PmuInfo { size: size_of::<PmuInfo>(), ..zeroed() };
    // SAFETY: the size is the structure's.
    (unsafe { pfm::pfm_get_pmu_info(number, &mut info) }, info)
}

fn event_info(index: c_int, layer: u32) -> (c_int, EventInfo) {
    let mut info = EventInfo { size: size_of::<EventInfo>(), ..zeroed() };
    // SAFETY: as above.
    (unsafe { pfm::pfm_get_event_info(index, layer, &mut info) }, info)
}

fn attr_info(index: c_int, number: c_int, layer: u32) -> (c_int, AttrInfo) {
    let mut info = AttrInfo { size: size_of::<AttrInfo>(), ..zeroed() };
    // SAFETY: as above.
    (unsafe { pfm::pfm_get_event_attr_info(index, number, layer, &mut info) }, info)
}

fn find(event: &str) -> c_int {
    // SAFETY: a C string.
    unsafe { pfm::pfm_find_event(c(event).as_ptr()) }
}

/// The registers of an event string: the result, its codes, the string, and the index.
fn raw(event: &str, levels: c_int) -> (c_int, Vec<u64>, String, c_int) {
    let mut codes = [0; 4];
    let mut string = ptr::null_mut();
    let mut args = RawArguments {
        codes: codes.as_mut_ptr(),
        fstr: &mut string,
        size: size_of::<RawArguments>(),
        count: 4,
        idx: 0,
    };
    let args_at = (&raw mut args).cast();
    // SAFETY: the arguments are those of the layer, with as many codes as they say.
    let result = unsafe { pfm::pfm_get_os_event_encoding(c(event).as_ptr(), levels, 0, args_at) };
    if result != SUCCESS {
        assert!(string.is_null());
        return (result, Vec::new(), String::new(), 0);
    }
    (result, codes[..args.count as usize].to_vec(), taken(string), args.idx)
}

/// The answer of `pfm_get_os_event_encoding` for an event string: the result, the words of the structure, the string, and the CPU.
fn perf(event: &str, levels: c_int, layer: u32) -> (c_int, [u64; 9], String, c_int) {
    let mut attr = [0u64; 9];
    attr[0] = 72 << 32;
    let mut string = ptr::null_mut();
    let mut args = PerfArguments {
        attr: attr.as_mut_ptr().cast(),
        fstr: &mut string,
        size: size_of::<PerfArguments>(),
        ..zeroed()
    };
    let args_at = (&raw mut args).cast();
    // SAFETY: the arguments are those of the layer, and the structure says its size.
    let result =
        unsafe { pfm::pfm_get_os_event_encoding(c(event).as_ptr(), levels, layer, args_at) };
    if result != SUCCESS {
        assert!(string.is_null());
        return (result, attr, String::new(), 0);
    }
    (result, attr, taken(string), args.cpu)
}
