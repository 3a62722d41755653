//! The functions over models and their registers, by the names of libpfm 3.10's header.
//!
//! Each checks its pointers here and leaves the rest to safe code. A panic is answered by `PFMLIB_ERR_NOTSUPP`.

#![allow(unsafe_code, reason = "C programs call these functions with pointers")]
#![allow(
    clippy::missing_safety_doc,
    reason = "the promise is that of the header: strings end in zero, buffers have their length, places can be written"
)]

use std::ffi::{c_char, c_int, c_uint, c_void};

use counterpoint_capi::text;
use counterpoint_pmu::Privilege;
use counterpoint_pmu::libpfm3::{EventRequest, Model, Request};

use crate::caller::{answer, copy_cut, store};
use crate::current::{current, force, of_kind, start};
use crate::layout::{Event, RegisterMask};
use crate::result::*;

/// `PFMLIB_VERSION`: 3 in the upper half, the revision in the lower.
const VERSION: c_uint = 3 << 16 | 10;

/// `int pfm_initialize(void)`
#[unsafe(no_mangle)]
pub extern "C" fn pfm_initialize() -> c_int {
    answer(start)
}

/// `int pfm_set_options(pfmlib_options_t *opt)`. Nothing is said in any mode.
#[unsafe(no_mangle)]
pub extern "C" fn pfm_set_options(opt: *const c_void) -> c_int {
    answer(|| if opt.is_null() { Err(INVAL) } else { Ok(()) })
}

/// `int pfm_get_version(unsigned int *version)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_version(version: *mut c_uint) -> c_int {
    // SAFETY: the caller's place.
    answer(|| unsafe { store(version, VERSION) })
}

/// `char *pfm_strerror(int code)`
#[unsafe(no_mangle)]
pub extern "C" fn pfm_strerror(code: c_int) -> *const c_char {
    message(code).as_ptr()
}

/// `int pfm_list_supported_pmus(int (*pf)(const char *fmt, ...))`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_list_supported_pmus(
    pf: Option<unsafe extern "C" fn(*const c_char, ...) -> c_int>,
) -> c_int {
    answer(|| {
        let print = pf.ok_or(INVAL)?;
        let say = |format: *const c_char, name: &str| {
            let name = text::owned(name);
            // SAFETY: the caller's function takes the arguments of printf.
            unsafe { print(format, name.as_ptr()) };
        };
        let kinds = Model::all().filter(|model| of_kind(model.kind()) == Some(*model));
        say(c"%s".as_ptr(), "supported PMU models: ");
        kinds.for_each(|model| say(c"[%s] ".as_ptr(), model.description()));
        let host = current().map_or("not detected yet", Model::description);
        say(c"\ndetected host PMU: %s\n".as_ptr(), host);
        Ok(())
    })
}

/// `int pfm_get_pmu_name(char *name, int maxlen)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_pmu_name(name: *mut c_char, maxlen: c_int) -> c_int {
    answer(|| {
        let description = current()?.description();
        let length = usize::try_from(maxlen).map_err(|_| INVAL)?;
        // SAFETY: the caller's buffer.
        unsafe { copy_cut(description, name, length) }
    })
}

/// `int pfm_get_pmu_name_bytype(int type, char *name, size_t maxlen)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_pmu_name_bytype(
    kind: c_int,
    name: *mut c_char,
    maxlen: usize,
) -> c_int {
    answer(|| {
        let model = u32::try_from(kind).ok().and_then(of_kind).ok_or(INVAL)?;
        // SAFETY: the caller's buffer.
        unsafe { copy_cut(model.description(), name, maxlen) }
    })
}

/// `int pfm_get_pmu_type(int *type)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_pmu_type(kind: *mut c_int) -> c_int {
    // SAFETY: the caller's place.
    answer(|| unsafe { store(kind, current()?.kind() as c_int) })
}

/// `int pfm_is_pmu_supported(int type)`
#[unsafe(no_mangle)]
pub extern "C" fn pfm_is_pmu_supported(kind: c_int) -> c_int {
    answer(|| {
        current()?;
        u32::try_from(kind).ok().and_then(of_kind).map(|_| ()).ok_or(NOTSUPP)
    })
}

/// `int pfm_force_pmu(int type)`
#[unsafe(no_mangle)]
pub extern "C" fn pfm_force_pmu(kind: c_int) -> c_int {
    answer(|| force(u32::try_from(kind).map_err(|_| NOTSUPP)?))
}

/// `int pfm_get_impl_pmcs(pfmlib_regmask_t *impl_pmcs)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_impl_pmcs(mask: *mut RegisterMask) -> c_int {
    // SAFETY: the caller's place.
    answer(|| unsafe { store(mask, RegisterMask::of(current()?.pmcs())) })
}

/// `int pfm_get_impl_pmds(pfmlib_regmask_t *impl_pmds)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_impl_pmds(mask: *mut RegisterMask) -> c_int {
    // SAFETY: the caller's place.
    answer(|| unsafe { store(mask, RegisterMask::of(current()?.pmds())) })
}

/// `int pfm_get_impl_counters(pfmlib_regmask_t *impl_counters)`: those that some event can be counted by.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_impl_counters(mask: *mut RegisterMask) -> c_int {
    answer(|| {
        let model = current()?;
        let all = (0..model.event_count()).fold(0, |all, event| all | counters_of(model, event));
        // SAFETY: the caller's place.
        unsafe { store(mask, RegisterMask::of(bits(all))) }
    })
}

/// `int pfm_get_num_pmcs(unsigned int *num)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_num_pmcs(num: *mut c_uint) -> c_int {
    // SAFETY: the caller's place.
    answer(|| unsafe { store(num, current()?.pmcs().count() as c_uint) })
}

/// `int pfm_get_num_pmds(unsigned int *num)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_num_pmds(num: *mut c_uint) -> c_int {
    // SAFETY: the caller's place.
    answer(|| unsafe { store(num, current()?.pmds().count() as c_uint) })
}

/// `int pfm_get_num_counters(unsigned int *num)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_num_counters(num: *mut c_uint) -> c_int {
    // SAFETY: the caller's place.
    answer(|| unsafe { store(num, current()?.counters() as c_uint) })
}

/// `int pfm_get_hw_counter_width(unsigned int *width)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_hw_counter_width(width: *mut c_uint) -> c_int {
    // SAFETY: the caller's place.
    answer(|| unsafe { store(width, current()?.counter_width()) })
}

/// `int pfm_get_cycle_event(pfmlib_event_t *e)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_cycle_event(e: *mut Event) -> c_int {
    answer(|| {
        let (event, masks) = current()?.cycles().ok_or(NOTSUPP)?;
        // SAFETY: the caller's place.
        unsafe { store(e, Event::of(event, &masks)) }
    })
}

/// `int pfm_get_inst_retired_event(pfmlib_event_t *e)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_inst_retired_event(e: *mut Event) -> c_int {
    answer(|| {
        let (event, masks) = current()?.instructions().ok_or(NOTSUPP)?;
        // SAFETY: the caller's place.
        unsafe { store(e, Event::of(event, &masks)) }
    })
}

/// The counters of an event with its first unit mask.
pub(crate) fn counters_of(model: &Model, event: usize) -> u64 {
    let masks = model.mask_names(event).next().map(|_| 0).into_iter().collect();
    let mut request = Request::new(Privilege::USER);
    request.events.push(EventRequest { masks, ..EventRequest::new(event) });
    model.counters_for(&request, 0)
}

pub(crate) fn bits(mask: u64) -> impl Iterator<Item = u32> {
    (0..u64::BITS).filter(move |bit| mask >> bit & 1 != 0)
}
