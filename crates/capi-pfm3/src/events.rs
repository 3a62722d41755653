//! The functions over events and unit masks, by the names of libpfm 3.10's header.

#![allow(unsafe_code, reason = "C programs call these functions with pointers")]
#![allow(
    clippy::missing_safety_doc,
    reason = "the promise is that of the header: strings end in zero, buffers have their length, places can be written"
)]

use std::ffi::{c_char, c_int, c_uint};

use counterpoint_capi::text;
use counterpoint_pmu::libpfm3::Model;

use crate::caller::{answer, copy, store, string};
use crate::current::current;
use crate::exports::{bits, counters_of};
use crate::layout::{Event, RegisterMask};
use crate::result::*;

/// `int pfm_find_event(const char *str, unsigned int *idx)`: by its name, or by its code if that is a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_find_event(str: *const c_char, idx: *mut c_uint) -> c_int {
    answer(|| {
        let model = current()?;
        // SAFETY: the caller's string.
        let name = unsafe { string(str) }?;
        let found = if name.starts_with(|c: char| c.is_ascii_digit()) {
            by_code(model, code_of(&name).ok_or(INVAL)?, 0)
        } else {
            by_name(model, &name)
        };
        // SAFETY: the caller's place.
        unsafe { store(idx, found.ok_or(NOTFOUND)?) }
    })
}

/// `int pfm_find_event_byname(const char *name, unsigned int *idx)`: what follows a colon is not looked at.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_find_event_byname(name: *const c_char, idx: *mut c_uint) -> c_int {
    answer(|| {
        let model = current()?;
        // SAFETY: the caller's string.
        let name = unsafe { string(name) }?;
        // SAFETY: the caller's place.
        unsafe { store(idx, by_name(model, &name).ok_or(NOTFOUND)?) }
    })
}

/// `int pfm_find_event_bycode(int code, unsigned int *idx)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_find_event_bycode(code: c_int, idx: *mut c_uint) -> c_int {
    answer(|| {
        let found = by_code(current()?, code, 0).ok_or(NOTFOUND)?;
        // SAFETY: the caller's place.
        unsafe { store(idx, found) }
    })
}

/// `int pfm_find_event_bycode_next(int code, unsigned int start, unsigned int *next)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_find_event_bycode_next(
    code: c_int,
    start: c_uint,
    next: *mut c_uint,
) -> c_int {
    answer(|| {
        let after = (start as usize).saturating_add(1);
        let found = by_code(current()?, code, after).ok_or(NOTFOUND)?;
        // SAFETY: the caller's place.
        unsafe { store(next, found) }
    })
}

/// `int pfm_find_event_mask(unsigned int event_idx, const char *str, unsigned int *mask_idx)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_find_event_mask(
    event: c_uint,
    str: *const c_char,
    mask: *mut c_uint,
) -> c_int {
    answer(|| {
        let model = current()?;
        // SAFETY: the caller's string.
        let wanted = unsafe { string(str) }?;
        let event = known(model, event)?;
        let named = model.mask_names(event).position(|name| name.eq_ignore_ascii_case(&wanted));
        let code = || code_of(&wanted).map(|code| code as u64);
        let coded =
            || (0..).map_while(|mask| model.mask_code(event, mask)).position(|c| Some(c) == code());
        // SAFETY: the caller's place.
        unsafe { store(mask, named.or_else(coded).ok_or(UMASK)? as c_uint) }
    })
}

/// `int pfm_find_full_event(const char *str, pfmlib_event_t *e)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_find_full_event(str: *const c_char, e: *mut Event) -> c_int {
    answer(|| {
        let model = current()?;
        // SAFETY: the caller's string.
        let name = unsafe { string(str) }?;
        if e.is_null() {
            return Err(INVAL);
        }
        let (event, masks) = model.resolve(&name)?;
        // SAFETY: the caller's place.
        unsafe { store(e, Event::of(event, &masks)) }
    })
}

/// `int pfm_get_max_event_name_len(size_t *len)`: of an event with all its unit masks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_max_event_name_len(len: *mut usize) -> c_int {
    answer(|| {
        let model = current()?;
        let length = |event| {
            let masks: usize = model.mask_names(event).map(|mask| mask.len() + 1).sum();
            model.event_name(event).map_or(0, str::len) + masks
        };
        // SAFETY: the caller's place.
        unsafe { store(len, (0..model.event_count()).map(length).max().unwrap_or(0)) }
    })
}

/// `int pfm_get_num_events(unsigned int *count)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_num_events(count: *mut c_uint) -> c_int {
    // SAFETY: the caller's place.
    answer(|| unsafe { store(count, current()?.event_count() as c_uint) })
}

/// `int pfm_get_num_event_masks(unsigned int event_idx, unsigned int *count)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_num_event_masks(event: c_uint, count: *mut c_uint) -> c_int {
    answer(|| {
        let model = current()?;
        let masks = model.mask_names(known(model, event)?).count();
        // SAFETY: the caller's place.
        unsafe { store(count, masks as c_uint) }
    })
}

/// `int pfm_get_event_name(unsigned int idx, char *name, size_t maxlen)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_event_name(
    idx: c_uint,
    name: *mut c_char,
    maxlen: usize,
) -> c_int {
    answer(|| {
        let model = current()?;
        let found = model.event_name(known(model, idx)?).ok_or(BADHOST)?;
        // SAFETY: the caller's buffer.
        unsafe { copy(&found.to_ascii_uppercase(), name, maxlen, INVAL) }
    })
}

/// `int pfm_get_event_mask_name(unsigned int event_idx, unsigned int mask_idx, char *name, size_t maxlen)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_event_mask_name(
    event: c_uint,
    mask: c_uint,
    name: *mut c_char,
    maxlen: usize,
) -> c_int {
    answer(|| {
        let model = current()?;
        let mut masks = model.mask_names(known(model, event)?).peekable();
        masks.peek().ok_or(NOTSUPP)?;
        let found = masks.nth(mask as usize).ok_or(INVAL)?;
        // SAFETY: the caller's buffer.
        unsafe { copy(&found.to_ascii_uppercase(), name, maxlen, FULL) }
    })
}

/// `int pfm_get_full_event_name(pfmlib_event_t *e, char *name, size_t maxlen)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_full_event_name(
    e: *const Event,
    name: *mut c_char,
    maxlen: usize,
) -> c_int {
    answer(|| {
        let model = current()?;
        if e.is_null() {
            return Err(INVAL);
        }
        // SAFETY: the caller's structure.
        let event = unsafe { e.read_unaligned() }.request()?;
        let mut full =
            model.event_name(known(model, event.event as c_uint)?).ok_or(BADHOST)?.to_owned();
        for mask in event.masks {
            full.push(':');
            full.push_str(model.mask_names(event.event).nth(mask).ok_or(UMASK)?);
        }
        // SAFETY: the caller's buffer.
        unsafe { copy(&full.to_ascii_uppercase(), name, maxlen, FULL) }
    })
}

/// `int pfm_get_event_code(unsigned int idx, int *code)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_event_code(idx: c_uint, code: *mut c_int) -> c_int {
    answer(|| {
        let model = current()?;
        let found = model.event_code(known(model, idx)?).ok_or(BADHOST)?;
        // SAFETY: the caller's place.
        unsafe { store(code, found as c_int) }
    })
}

/// `int pfm_get_event_code_counter(unsigned int idx, unsigned int cnt, int *code)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_event_code_counter(
    idx: c_uint,
    _counter: c_uint,
    code: *mut c_int,
) -> c_int {
    // SAFETY: the caller's place.
    unsafe { pfm_get_event_code(idx, code) }
}

/// `int pfm_get_event_mask_code(unsigned int event_idx, unsigned int mask_idx, unsigned int *code)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_event_mask_code(
    event: c_uint,
    mask: c_uint,
    code: *mut c_uint,
) -> c_int {
    answer(|| {
        let model = current()?;
        let found = model.mask_code(known(model, event)?, mask as usize).ok_or(INVAL)?;
        // SAFETY: the caller's place.
        unsafe { store(code, found as c_uint) }
    })
}

/// `int pfm_get_event_description(unsigned int idx, char **str)`. The caller frees the string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_event_description(idx: c_uint, str: *mut *mut c_char) -> c_int {
    answer(|| {
        known(current()?, idx)?;
        // SAFETY: the caller's place.
        unsafe { give_no_description(str) }
    })
}

/// `int pfm_get_event_mask_description(unsigned int event_idx, unsigned int mask_idx, char **desc)`. The caller frees the
/// string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_event_mask_description(
    event: c_uint,
    mask: c_uint,
    desc: *mut *mut c_char,
) -> c_int {
    answer(|| {
        let model = current()?;
        model.mask_code(known(model, event)?, mask as usize).ok_or(INVAL)?;
        // SAFETY: the caller's place.
        unsafe { give_no_description(desc) }
    })
}

/// `int pfm_get_event_counters(unsigned int idx, pfmlib_regmask_t *counters)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_event_counters(idx: c_uint, counters: *mut RegisterMask) -> c_int {
    answer(|| {
        let model = current()?;
        let event = known(model, idx)?;
        // SAFETY: the caller's place.
        unsafe { store(counters, RegisterMask::of(bits(counters_of(model, event)))) }
    })
}

fn known(model: &Model, event: c_uint) -> Result<usize, Failed> {
    let event = event as usize;
    if event < model.event_count() { Ok(event) } else { Err(INVAL) }
}

fn by_name(model: &Model, name: &str) -> Option<c_uint> {
    let name = name.split(':').next().unwrap_or(name);
    let is_it =
        |event: &usize| model.event_name(*event).is_some_and(|n| n.eq_ignore_ascii_case(name));
    (0..model.event_count()).find(is_it).map(|event| event as c_uint)
}

fn by_code(model: &Model, code: c_int, from: usize) -> Option<c_uint> {
    let mut events = from..model.event_count();
    let found = events.find(|event| model.event_code(*event) == u64::try_from(code).ok());
    found.filter(|_| code >= 0).map(|event| event as c_uint)
}

/// A number as C writes it.
fn code_of(text: &str) -> Option<c_int> {
    let lower = text.to_ascii_lowercase();
    match (lower.strip_prefix("0x"), lower.strip_prefix('0')) {
        (Some(hex), _) => c_int::from_str_radix(hex, 16).ok(),
        (None, Some(octal)) if !octal.is_empty() => c_int::from_str_radix(octal, 8).ok(),
        _ => lower.parse().ok(),
    }
}

/// The tables have no descriptions of these processors' events.
///
/// # Safety
///
/// The place is null, or one for a pointer.
unsafe fn give_no_description(place: *mut *mut c_char) -> Result<(), Failed> {
    if place.is_null() {
        return Err(INVAL);
    }
    let copy = text::to_free("no description available");
    if copy.is_null() {
        return Err(NOMEM);
    }
    // SAFETY: the caller promises it.
    unsafe { store(place, copy) }
}
