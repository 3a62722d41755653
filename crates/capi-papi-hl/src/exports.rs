//! The functions, by the names of PAPI's header and of its Fortran wrappers.

#![allow(unsafe_code, reason = "C programs call these functions with pointers")]
#![allow(missing_docs, reason = "the names are those of PAPI")]
#![allow(non_snake_case, reason = "the names are those of PAPI")]
#![allow(
    clippy::missing_safety_doc,
    reason = "the promise is that of PAPI: strings end in zero, those of Fortran have their length"
)]

use std::borrow::Cow;
use std::ffi::{c_char, c_int};
use std::sync::atomic::{AtomicBool, Ordering};

use counterpoint::Regions;
use counterpoint_capi::{at_exit, guarded, places, text};

use crate::state::{Own, State};

const OK: c_int = 0;
const EINVAL: c_int = -1;
/// PAPI's code for a thread that counts nothing.
const ENOEVNT: c_int = -7;
/// PAPI's code for a high-level interface that was switched off, and for a thread that has entered no region.
const EMISC: c_int = -14;

/// `int PAPI_hl_region_begin(const char *region)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_hl_region_begin(region: *const c_char) -> c_int {
    // SAFETY: the caller's string.
    guarded(EMISC, || begin(unsafe { name(region) }))
}

/// `int PAPI_hl_read(const char *region)`. The report has the counts of whole regions only.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_hl_read(region: *const c_char) -> c_int {
    // SAFETY: the caller's string.
    guarded(EMISC, || read(unsafe { name(region) }))
}

/// `int PAPI_hl_region_end(const char *region)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_hl_region_end(region: *const c_char) -> c_int {
    // SAFETY: the caller's string.
    guarded(EMISC, || end(unsafe { name(region) }))
}

/// `int PAPI_hl_stop(void)`, for this thread. The report is written when the process ends, as PAPI's is.
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_hl_stop() -> c_int {
    guarded(EMISC, || match State::get() {
        Some(_) if Own::get().is_running => {
            Own { is_running: false, ..Own::get() }.set();
            OK
        }
        _ => ENOEVNT,
    })
}

/// The wrappers for Fortran under each of PAPI's names: a name with its length, and a place for the result.
macro_rules! fortran {
    ($call:ident: $($wrapper:ident)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $wrapper(region: *const c_char, check: *mut c_int, length: c_int) {
            // SAFETY: the caller's characters and their number.
            let result = guarded(EMISC, || $call(unsafe { text::of_fortran(region, length) }.map(String::from_utf8_lossy)));
            // SAFETY: the caller's place.
            unsafe { places::write(check, result) };
        }
    )*};
}

fortran!(begin: papif_hl_region_begin papif_hl_region_begin_ papif_hl_region_begin__ PAPIF_HL_REGION_BEGIN);
fortran!(read: papif_hl_read papif_hl_read_ papif_hl_read__ PAPIF_HL_READ);
fortran!(end: papif_hl_region_end papif_hl_region_end_ papif_hl_region_end__ PAPIF_HL_REGION_END);

macro_rules! fortran_stop {
    ($($wrapper:ident)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $wrapper(check: *mut c_int) {
            // SAFETY: the caller's place.
            unsafe { places::write(check, PAPI_hl_stop()) };
        }
    )*};
}

fortran_stop!(papif_hl_stop papif_hl_stop_ papif_hl_stop__ PAPIF_HL_STOP);

fn begin(region: Option<Cow<'_, str>>) -> c_int {
    let Some(region) = region else { return EINVAL };
    let state = State::get_or_make();
    // A process that is forked inherits it.
    static IS_NOTED: AtomicBool = AtomicBool::new(false);
    if !IS_NOTED.swap(true, Ordering::Relaxed) {
        at_exit(report);
    }
    let Some(regions) = state.regions() else { return EMISC };
    Own { has_begun: true, is_running: true }.set();
    regions.begin(&region);
    OK
}

fn read(region: Option<Cow<'_, str>>) -> c_int {
    within(region, |regions, region| regions.is_open(region))
}

fn end(region: Option<Cow<'_, str>>) -> c_int {
    within(region, |regions, region| regions.end(region))
}

/// The result of a call for a region that this thread has entered.
fn within(region: Option<Cow<'_, str>>, call: impl FnOnce(&Regions, &str) -> bool) -> c_int {
    let Some(region) = region else { return EINVAL };
    match State::get().and_then(State::regions).filter(|_| Own::get().has_begun) {
        Some(regions) if call(regions, &region) => OK,
        Some(_) => EINVAL,
        None => EMISC,
    }
}

/// Writes the report of the process that ends; of a child, only if it entered regions itself.
extern "C" fn report() {
    guarded((), || State::get().into_iter().for_each(State::report));
}

/// # Safety
///
/// The pointer is null, or a C string that outlives the result.
unsafe fn name<'a>(region: *const c_char) -> Option<Cow<'a, str>> {
    // SAFETY: the caller promises it.
    unsafe { text::bytes(region) }.map(String::from_utf8_lossy)
}
