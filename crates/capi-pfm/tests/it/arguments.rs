//! Wrong pointers, sizes and numbers.

use std::ptr;

use pfm::*;

use super::alone::alone;
use super::*;

#[test]
fn before_the_start_calls_are_refused() {
    alone("arguments::before_the_start_calls_are_refused", &[], || {
        assert_eq!(pmu_info(51).0, NOINIT);
        assert_eq!(event_info(0, 0).0, NOINIT);
        assert_eq!(attr_info(0, 0, 0).0, NOINIT);
        assert_eq!(find("perf::CYCLES"), NOINIT);
        assert_eq!(raw("perf::CYCLES", 9).0, NOINIT);
        assert_eq!(pfm_get_event_next(0), -1);
        let null = ptr::null_mut();
        // SAFETY: null pointers are refused.
        let result = unsafe {
            pfm_get_event_encoding(ptr::null(), 9, ptr::null_mut(), null, ptr::null_mut(), null)
        };
        assert_eq!(result, INVAL);
        assert_eq!((pfm_initialize(), pfm_initialize()), (SUCCESS, SUCCESS));
        assert_eq!(pfm_get_version(), 0x40000);
        assert_eq!(text(pfm_strerror(NOINIT)), "pfmlib not initialized");
        assert_eq!(text(pfm_strerror(0)), "success");
        for code in [1, -13, c_int::MIN, c_int::MAX] {
            assert_eq!(text(pfm_strerror(code)), "unknown error code");
        }
    });
}

#[test]
fn null_pointers_are_invalid() {
    assert_eq!(pfm_initialize(), SUCCESS);
    let event = c("perf::CYCLES");
    let mut attr = [0u64; 9];
    let attr_at = attr.as_mut_ptr().cast();
    let (no_string, no_index) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: null pointers are refused before anything is written.
    let results = unsafe {
        [
            pfm_get_pmu_info(51, ptr::null_mut()),
            pfm_get_event_info(find("perf::CYCLES"), 0, ptr::null_mut()),
            pfm_get_event_attr_info(find("perf::CYCLES"), 0, 1, ptr::null_mut()),
            pfm_find_event(ptr::null()),
            pfm_get_os_event_encoding(ptr::null(), 9, 1, attr_at),
            pfm_get_os_event_encoding(event.as_ptr(), 9, 1, ptr::null_mut()),
            pfm_get_perf_event_encoding(ptr::null(), 9, attr_at, no_string, no_index),
            pfm_get_perf_event_encoding(event.as_ptr(), 9, ptr::null_mut(), no_string, no_index),
            pfm_pmu_validate(51, ptr::null_mut()),
        ]
    };
    assert_eq!(results, [INVAL; 9]);
    // Arguments without a structure, which crash libpfm4.
    let mut args = PerfArguments { size: size_of::<PerfArguments>(), ..zeroed() };
    // SAFETY: the arguments are those of the layer.
    let result = unsafe { pfm_get_os_event_encoding(event.as_ptr(), 9, 1, (&raw mut args).cast()) };
    assert_eq!(result, INVAL);
}

#[test]
fn numbers_that_nothing_has_are_invalid() {
    assert_eq!(pfm_initialize(), SUCCESS);
    assert_eq!(pmu_info(700).0, INVAL);
    assert_eq!(pmu_info(u32::MAX).0, INVAL);
    // A number of libpfm3's time.
    assert_eq!(pmu_info(2).0, NOTSUPP);
    let cycles = find("perf::CYCLES");
    for index in [-1, c_int::MIN, c_int::MAX, cycles | 0x1f_ffff, 2 << 21] {
        assert_eq!(event_info(index, 0).0, INVAL, "{index:#x}");
        assert_eq!(attr_info(index, 0, 0).0, INVAL, "{index:#x}");
        assert_eq!(pfm_get_event_next(index), -1, "{index:#x}");
    }
    assert_eq!(event_info(cycles, 3).0, INVAL);
    for number in [-1, 1000, c_int::MIN, c_int::MAX] {
        assert_eq!(attr_info(cycles, number, 1).0, INVAL, "{number}");
    }
    for levels in [-1, 0x20, c_int::MAX] {
        assert_eq!(raw("perf::CYCLES", levels).0, INVAL, "{levels}");
    }
    assert_eq!(perf("perf::CYCLES", 9, 3).0, NOTSUPP);
    // SAFETY: a C string that is not UTF-8.
    assert_eq!(unsafe { pfm_find_event(c"perf::CYC\xffLES".as_ptr()) }, NOTFOUND);
}

/// The result for each size of a structure of this size; what is beyond it is zero, or one.
fn by_size(own: usize, call: impl Fn(*mut u64) -> c_int, size_at: usize) {
    for beyond in [0, 1] {
        for size in 0..own + 40 {
            let mut words = [0u64; 24];
            words[size_at / 8] = size as u64;
            words[own / 8] = beyond;
            let bad = size != 0 && size < own || beyond != 0 && size > own;
            assert_eq!(call(words.as_mut_ptr()) == INVAL, bad, "{size} of {own}, {beyond}");
            if bad {
                words[size_at / 8] = 0;
                words[own / 8] = 0;
                assert_eq!(words, [0; 24], "nothing is written");
            }
        }
    }
}

#[test]
fn sizes_are_checked() {
    assert_eq!(pfm_initialize(), SUCCESS);
    let cycles = find("perf::CYCLES");
    // SAFETY: all sizes in these are smaller than the memory.
    by_size(56, |at| unsafe { pfm_get_pmu_info(51, at.cast()) }, 16);
    // SAFETY: as above.
    by_size(64, |at| unsafe { pfm_get_event_info(cycles, 0, at.cast()) }, 24);
    // SAFETY: as above.
    by_size(64, |at| unsafe { pfm_get_event_attr_info(cycles, 0, 1, at.cast()) }, 24);
    let event = c("perf::CYCLES");
    let with_codes = |at: *mut u64| {
        // SAFETY: as above.
        let result = unsafe { pfm_get_os_event_encoding(event.as_ptr(), 9, 0, at.cast()) };
        if result == SUCCESS {
            // SAFETY: the first word is the pointer to the codes that were made.
            unsafe { free((*at.cast::<RawArguments>()).codes.cast()) };
        }
        result
    };
    by_size(32, with_codes, 16);
    let attr = std::cell::RefCell::new([0u64; 9]);
    let with_attr = |at: *mut u64| {
        // SAFETY: the first word is the pointer to the structure.
        unsafe { at.write(attr.borrow_mut().as_mut_ptr().expose_provenance() as u64) };
        // SAFETY: as above.
        let result = unsafe { pfm_get_os_event_encoding(event.as_ptr(), 9, 1, at.cast()) };
        // SAFETY: so that the memory is as it was.
        unsafe { at.write(0) };
        result
    };
    by_size(40, with_attr, 16);
}

#[test]
fn arrays_of_codes_are_filled_or_made() {
    assert_eq!(pfm_initialize(), SUCCESS);
    let event = c("perf::L1-DCACHE-LOADS");
    let encode = |codes: &mut *mut u64, count: &mut c_int| {
        let (mut string, mut index) = (ptr::null_mut(), 0);
        // SAFETY: the places are those of this test.
        let result = unsafe {
            pfm_get_event_encoding(event.as_ptr(), 9, &mut string, &mut index, codes, count)
        };
        let string = if string.is_null() { String::new() } else { taken(string) };
        (result, string, index)
    };
    let (mut codes, mut count) = (ptr::null_mut(), 0);
    let (result, string, index) = encode(&mut codes, &mut count);
    assert_eq!((result, count), (SUCCESS, 1));
    assert!(string.starts_with("perf::PERF_COUNT_HW_CACHE_L1D:READ:ACCESS"), "{string}");
    assert_eq!(index, find("perf::PERF_COUNT_HW_CACHE_L1D"));
    // SAFETY: one code was made, with malloc.
    unsafe { free(codes.cast()) };
    assert_eq!(encode(&mut ptr::null_mut(), &mut 2).0, INVAL);
    let mut own = [7u64; 2];
    assert_eq!(encode(&mut own.as_mut_ptr(), &mut 0).0, INVAL);
    assert_eq!(encode(&mut own.as_mut_ptr(), &mut -1).0, INVAL);
    let mut count = 2;
    assert_eq!(encode(&mut own.as_mut_ptr(), &mut count).0, SUCCESS);
    assert_eq!((own, count), ([0, 7], 1));
}

#[test]
fn an_array_that_is_too_small_stays_as_it_is() {
    alone(
        "arguments::an_array_that_is_too_small_stays_as_it_is",
        &[("LIBPFM_ENCODE_INACTIVE", "1")],
        || {
            assert_eq!(pfm_initialize(), SUCCESS);
            let event = c("snb::OFFCORE_RESPONSE_0:DMND_DATA_RD");
            let (mut codes, mut string) = ([7u64; 2], ptr::null_mut());
            let mut args = RawArguments {
                codes: codes.as_mut_ptr(),
                fstr: &mut string,
                size: 32,
                count: 1,
                idx: 5,
            };
            let at = (&raw mut args).cast();
            // SAFETY: the arguments are those of the layer.
            let result = unsafe { pfm_get_os_event_encoding(event.as_ptr(), 9, 0, at) };
            assert_eq!((result, args.count, args.idx, codes), (TOOSMALL, 1, 5, [7, 7]));
            assert!(string.is_null());
        },
    );
}

#[test]
fn only_what_the_string_decides_is_written() {
    assert_eq!(pfm_initialize(), SUCCESS);
    let event = c("perf::CYCLES:u");
    let mut attr = [u64::MAX; 9];
    attr[0] = 64 << 32 | 0xffff_ffff;
    // SAFETY: the structure says its size.
    let result = unsafe {
        let (string, index) = (ptr::null_mut(), ptr::null_mut());
        pfm_get_perf_event_encoding(event.as_ptr(), 9, attr.as_mut_ptr().cast(), string, index)
    };
    assert_eq!(result, SUCCESS);
    assert_eq!(attr[..2], [64 << 32, 0]);
    // The period, the types of what is read, and what the size leaves out stay.
    assert_eq!([attr[2], attr[3], attr[4], attr[6], attr[8]], [u64::MAX; 5]);
    // Not pinned, the user counted, and guests, as the rest stays.
    let pinned_user_host = 1 << 2 | 1 << 4 | 1 << 19;
    assert_eq!(attr[5] & pinned_user_host, 0);
    assert_eq!(attr[5] | pinned_user_host | 1 << 6, u64::MAX);
    assert_eq!(attr[7], 0);
}
