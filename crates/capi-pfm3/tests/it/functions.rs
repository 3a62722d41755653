//! The functions over models and events.

use std::ffi::{CStr, c_char, c_int, c_uint};
use std::ptr;

use pfm3::*;

use super::alone::alone;
use super::pmu::libpfm3::Model;
use super::*;

const INVAL: c_int = -2;
const NOTFOUND: c_int = -4;

fn text(buffer: &[c_char]) -> String {
    // SAFETY: the function has written a zero.
    unsafe { CStr::from_ptr(buffer.as_ptr()) }.to_str().expect("UTF-8").to_owned()
}

#[test]
fn before_the_start_calls_are_refused() {
    alone("functions::before_the_start_calls_are_refused", &[], || {
        const NOINIT: c_int = -3;
        let mut event: Event = zeroed();
        let (mut input, mut output): (Box<InputParam>, Box<OutputParam>) = (boxed(), boxed());
        input.pfp_dfl_plm = 8;
        let null = std::ptr::null_mut();
        // SAFETY: the structures, and no input or output of a model.
        let dispatched = unsafe { pfm_dispatch_events(&mut *input, null, &mut *output, null) };
        // SAFETY: a string and a place.
        let found = unsafe { pfm_find_full_event(c("MUL").as_ptr(), &mut event) };
        assert_eq!([dispatched, found], [NOINIT; 2]);
    });
}

#[test]
fn models_are_described() {
    let _alone = forced("itanium2");
    let (mut kind, mut counters, mut width, mut version) = (0, 0, 0, 0);
    let mut name = [0; 64];
    // SAFETY: places of their types.
    let results = unsafe {
        [
            pfm_get_pmu_type(&mut kind),
            pfm_get_num_counters(&mut counters),
            pfm_get_hw_counter_width(&mut width),
            pfm_get_version(&mut version),
            pfm_get_pmu_name(name.as_mut_ptr(), 64),
        ]
    };
    assert_eq!(results, [0; 5]);
    assert_eq!((kind, counters, width, version), (3, 4, 47, 0x3000a));
    assert_eq!(text(&name), Model::find("itanium2").expect("a model").description());
    // SAFETY: as above.
    assert_eq!(unsafe { pfm_get_pmu_name(name.as_mut_ptr(), 4) }, 0);
    assert_eq!(text(&name).len(), 3, "what fits");
    assert_eq!((pfm_is_pmu_supported(4), pfm_is_pmu_supported(5)), (0, -1));
    assert_eq!((pfm_force_pmu(36), pfm_force_pmu(-1)), (0, -1));
    // SAFETY: as above.
    unsafe { pfm_get_pmu_type(&mut kind) };
    assert_eq!(kind, 36);
    let mut mask: RegisterMask = zeroed();
    // SAFETY: as above.
    unsafe { pfm_get_impl_counters(&mut mask) };
    assert_eq!(mask.bits[0], 0x70003);
}

#[test]
fn every_event_leads_back_to_its_number() {
    let _alone = forced("core");
    for model in Model::all() {
        force(model.name());
        let (mut count, mut longest) = (0, 0);
        // SAFETY: places of their types.
        unsafe { pfm_get_num_events(&mut count) };
        // SAFETY: as above.
        unsafe { pfm_get_max_event_name_len(&mut longest) };
        assert_eq!(count as usize, model.event_count());
        let mut name = vec![0; longest + 1];
        for number in 0..count {
            // SAFETY: a buffer with its length.
            if unsafe { pfm_get_event_name(number, name.as_mut_ptr(), name.len()) } != 0 {
                assert_eq!(model.event_name(number as usize), None);
                continue;
            }
            let (mut found, mut masks) = (c_uint::MAX, 0);
            // SAFETY: a string and a place.
            assert_eq!(unsafe { pfm_find_event_byname(name.as_ptr(), &mut found) }, 0);
            // Of two events with one name the first is found.
            assert!(found <= number && text(&name).len() <= longest);
            // SAFETY: a place.
            unsafe { pfm_get_num_event_masks(number, &mut masks) };
            for mask in 0..masks {
                let mut code = 0;
                // SAFETY: a place, and a buffer with its length.
                let results = unsafe {
                    [
                        pfm_get_event_mask_code(number, mask, &mut code),
                        pfm_get_event_mask_name(number, mask, name.as_mut_ptr(), name.len() + 2),
                    ]
                };
                assert_eq!(results[0], 0, "{} {number} {mask}", model.name());
            }
        }
    }
}

#[test]
fn null_pointers_and_numbers_that_nothing_has_are_refused() {
    let _alone = forced("core");
    let (mut number, mut code, mut buffer) = (0, 0, [0; 8]);
    let null = ptr::null_mut();
    // SAFETY: null pointers are refused before anything is read or written.
    let results = unsafe {
        [
            pfm_find_event(ptr::null(), &mut number),
            pfm_find_event(c"RS_UOPS_DISPATCHED_CYCLES".as_ptr(), ptr::null_mut()),
            pfm_find_full_event(ptr::null(), ptr::null_mut()),
            pfm_find_event_mask(0, ptr::null(), &mut number),
            pfm_get_event_name(0, null, 8),
            pfm_get_event_name(0, buffer.as_mut_ptr(), 0),
            pfm_get_event_name(0, buffer.as_mut_ptr(), 2),
            pfm_get_event_name(c_uint::MAX, buffer.as_mut_ptr(), 8),
            pfm_get_event_code(c_uint::MAX, &mut code),
            pfm_get_full_event_name(ptr::null(), null, 0),
            pfm_get_event_description(0, ptr::null_mut()),
            pfm_get_impl_pmcs(ptr::null_mut()),
            pfm_get_cycle_event(ptr::null_mut()),
            pfm_list_supported_pmus(None),
            pfm_set_options(ptr::null()),
        ]
    };
    assert_eq!(results, [INVAL; 15]);
    // SAFETY: strings and places.
    let results = unsafe {
        [
            pfm_find_event(c"NONE_SUCH".as_ptr(), &mut number),
            pfm_find_event(c"0x7fffffff".as_ptr(), &mut number),
            pfm_find_event_bycode(-1, &mut number),
        ]
    };
    assert_eq!(results, [NOTFOUND; 3]);
    for code in [1, -24, c_int::MIN, c_int::MAX] {
        // SAFETY: the library's strings end in a zero.
        let said = unsafe { CStr::from_ptr(pfm_strerror(code)) };
        assert_eq!(said, c"unknown error code");
    }
}
