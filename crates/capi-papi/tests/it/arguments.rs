//! Null pointers, handles that are none, and structures of two releases.

use std::ffi::c_void;
use std::ptr;

use papi::*;

use super::alone::alone;
use super::*;

#[test]
fn null_pointers_are_errors() {
    start();
    let set = set(&["perf::TASK-CLOCK"]);
    let (mut count, mut handle) = (4, ptr::null_mut());
    // SAFETY: null is what is tested; the other places are those of the header's types.
    let results = unsafe {
        [
            PAPI_create_eventset(ptr::null_mut()),
            PAPI_destroy_eventset(ptr::null_mut()),
            PAPI_add_events(set, ptr::null(), 1),
            PAPI_add_named_event(set, ptr::null()),
            PAPI_remove_events(set, ptr::null(), 1),
            PAPI_remove_named_event(set, ptr::null()),
            PAPI_list_events(set, ptr::null_mut(), ptr::null_mut()),
            PAPI_list_events(set, ptr::null_mut(), &mut count),
            PAPI_read(set, ptr::null_mut()),
            PAPI_accum(set, ptr::null_mut()),
            PAPI_read_ts(set, ptr::null_mut(), ptr::null_mut()),
            PAPI_state(set, ptr::null_mut()),
            PAPI_event_name_to_code(ptr::null(), &mut count),
            PAPI_event_name_to_code(c"PAPI_TOT_CYC".as_ptr(), ptr::null_mut()),
            PAPI_event_code_to_name(code("PAPI_TOT_CYC"), ptr::null_mut()),
            PAPI_get_event_info(code("PAPI_TOT_CYC"), ptr::null_mut()),
            PAPI_enum_event(ptr::null_mut(), 0),
            PAPI_enum_cmp_event(ptr::null_mut(), 0, 0),
            PAPI_query_named_event(ptr::null()),
            PAPI_get_opt(5, ptr::null_mut()),
            PAPI_set_opt(5, ptr::null_mut()),
            PAPI_get_dmem_info(ptr::null_mut()),
            PAPI_list_threads(ptr::null_mut(), ptr::null_mut()),
            PAPI_get_thr_specific(0, ptr::null_mut()),
            PAPI_thread_init(None),
            PAPI_overflow(set, code("perf::TASK-CLOCK"), 1000, 0, None),
            PAPI_sprofil(ptr::null_mut(), 1, set, code("perf::TASK-CLOCK"), 1000, 0),
            PAPI_profil(
                ptr::null_mut(),
                9,
                ptr::null_mut(),
                65536,
                set,
                code("perf::TASK-CLOCK"),
                9,
                0,
            ),
            PAPI_get_overflow_event_index(set, 1, ptr::null_mut(), &mut count),
            PAPI_get_component_index(ptr::null()),
            PAPI_hl_region_begin(ptr::null()),
            PAPI_hl_region_end(ptr::null()),
            PAPI_hl_read(ptr::null()),
            PAPI_ipc(ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), ptr::null_mut()),
            PAPI_enum_dev_type(0, ptr::null_mut()),
            PAPI_get_dev_type_attr(ptr::null_mut(), 0, ptr::null_mut()),
            PAPI_get_dev_attr(ptr::null_mut(), 0, 0, ptr::null_mut()),
        ]
    };
    assert!(results.iter().all(|result| *result == EINVAL), "{results:?}");
    // SAFETY: as above.
    assert_eq!(unsafe { PAPI_enum_dev_type(0, &mut handle) }, OK);
    // SAFETY: as above.
    assert_eq!(unsafe { PAPI_get_dev_type_attr(handle, 0, ptr::null_mut()) }, EINVAL);
    // SAFETY: as above; it prints the last error alone.
    unsafe { PAPI_perror(ptr::null()) };
    remove(set);
}

#[test]
fn handles_and_numbers_that_are_none() {
    start();
    for handle in [-1, 5000, c_int::MAX, c_int::MIN] {
        const ENOEVST: c_int = -11;
        let mut values = [0_i64; 4];
        // SAFETY: places as the header says.
        let results = unsafe {
            [
                PAPI_start(handle),
                PAPI_stop(handle, values.as_mut_ptr()),
                PAPI_read(handle, values.as_mut_ptr()),
                PAPI_reset(handle),
                PAPI_add_event(handle, code("perf::TASK-CLOCK")),
                PAPI_num_events(handle),
                PAPI_cleanup_eventset(handle),
                PAPI_attach(handle, 1),
                PAPI_set_multiplex(handle),
                PAPI_get_multiplex(handle),
                PAPI_write(handle, values.as_mut_ptr()),
            ]
        };
        assert!(results.iter().all(|result| *result == ENOEVST), "{handle}: {results:?}");
    }
    for code in [0, 1, -1, c_int::MAX, 0x4000_ffff, 0x7fff_ffff] {
        assert!(PAPI_query_event(code) < 0, "{code:#x}");
        let mut name = [0x55_u8; 128];
        // SAFETY: there is room for the longest name.
        assert!(unsafe { PAPI_event_code_to_name(code, name.as_mut_ptr().cast()) } < 0);
        assert_eq!(name, [0x55; 128], "nothing is written");
    }
    assert!(PAPI_strerror(-99).is_null() && PAPI_strerror(c_int::MIN).is_null());
    assert!(PAPI_get_component_info(77).is_null() && PAPI_get_component_info(-1).is_null());
}

#[test]
fn locks_that_are_not_given_out_are_errors() {
    start();
    for lock in [-1, 2, 999, c_int::MIN, c_int::MAX] {
        assert_eq!([PAPI_lock(lock), PAPI_unlock(lock)], [EINVAL; 2], "{lock}");
    }
    for lock in [0, 1] {
        assert_eq!([PAPI_lock(lock), PAPI_unlock(lock), PAPI_lock(lock)], [OK; 3]);
        assert_eq!(PAPI_unlock(lock), OK);
    }
}

#[test]
fn a_long_name_is_unknown() {
    start();
    let name = c(&"perf::TASK-CLOCK:".repeat(100_000));
    let mut code = 7;
    // SAFETY: a C string, and a place for a number.
    assert_eq!(unsafe { PAPI_event_name_to_code(name.as_ptr(), &mut code) }, ENOEVNT);
    assert_eq!(code, 7);
}

#[test]
fn each_release_gets_its_structures() {
    alone("arguments::each_release_gets_its_structures", &[], || {
        let mut room = vec![0x55_u8; 32 << 10];
        let written = |room: &[u8]| room.iter().rposition(|byte| *byte != 0x55).expect("some") + 1;
        let place = room.as_mut_ptr().cast::<EventInfo>();
        start();
        // SAFETY: there is room for any release's structure.
        assert_eq!(unsafe { PAPI_get_event_info(code("PAPI_TOT_CYC"), place) }, OK);
        assert_eq!(written(&room), size_of::<EventInfo>());
        assert_eq!(PAPI_library_init(VERSION | 2 << 16), EINVAL, "7.0 is started");
        PAPI_shutdown();
        let later = VERSION | 2 << 16;
        assert_eq!(PAPI_library_init(later), later);
        // SAFETY: as above.
        assert_eq!(unsafe { PAPI_get_event_info(code("PAPI_TOT_CYC"), place) }, OK);
        assert_eq!(written(&room), size_of::<EventInfo>() + size_of::<Qualifiers>());
        let component = PAPI_get_component_info(0).cast::<ComponentInfo72>();
        // SAFETY: it stays as it is.
        let component = unsafe { &*component };
        assert!(component.names.name.starts_with(b"perf_event\0"));
        assert_eq!((component.partially_disabled, component.numbers.cmp_idx), (0, 0));
        PAPI_shutdown();
        for version in [0, VERSION | 9 << 16, 6 << 24, 8 << 24, -1] {
            assert_eq!(PAPI_library_init(version), EINVAL, "{version:#x}");
        }
    });
}

#[test]
fn each_release_has_its_presets() {
    alone("arguments::each_release_has_its_presets", &[], || {
        const EVENTS: c_int = 0;
        const FIRST: c_int = 1;
        for (minor, presets, half_precision) in [(0, 108, ENOEVNT), (2, 108, ENOEVNT), (3, 110, OK)]
        {
            let version = VERSION | minor << 16;
            assert_eq!(PAPI_library_init(version), version);
            let (mut code, mut count) = (c_int::MIN, 1);
            // SAFETY: places for numbers, and a C string.
            unsafe {
                assert_eq!(PAPI_enum_event(&mut code, FIRST), OK);
                while PAPI_enum_event(&mut code, EVENTS) == OK {
                    count += 1;
                }
                let found = PAPI_event_name_to_code(c"PAPI_VEC_HP".as_ptr(), &mut code);
                assert_eq!((found, count), (half_precision, presets), "7.{minor}");
            }
            assert_eq!(code, c_int::MIN + presets - 1, "the last one");
            PAPI_shutdown();
        }
    });
}

#[test]
fn before_the_start_nothing_is_answered() {
    alone("arguments::before_the_start_nothing_is_answered", &[], || {
        let mut number = NULL;
        // SAFETY: places for numbers, and C strings.
        let results = unsafe {
            [
                PAPI_create_eventset(&mut number),
                PAPI_event_name_to_code(c"PAPI_TOT_CYC".as_ptr(), &mut number),
                PAPI_start(0),
                PAPI_set_domain(1),
                PAPI_enum_event(&mut number, 0),
                PAPI_multiplex_init(),
                PAPI_register_thread(),
                PAPI_get_opt(11, ptr::null_mut::<c_void>()),
            ]
        };
        assert!(results.iter().all(|result| *result == ENOINIT), "{results:?}");
        // The version and the level of messages are known before.
        const DEBUG: c_int = 2;
        const LIB_VERSION: c_int = 21;
        let mut level = [1_usize, 0];
        // SAFETY: a structure of a number and a null pointer.
        let results = unsafe {
            [
                PAPI_get_opt(LIB_VERSION, ptr::null_mut()),
                PAPI_set_opt(DEBUG, level.as_mut_ptr().cast()),
                PAPI_get_opt(DEBUG, level.as_mut_ptr().cast()),
                PAPI_set_opt(DEBUG, ptr::null_mut()),
                PAPI_get_opt(DEBUG, ptr::null_mut()),
            ]
        };
        assert_eq!(results, [VERSION, OK, OK, EINVAL, EINVAL]);
        assert_eq!((level[0] as c_int, PAPI_set_debug(0)), (1, OK));
        // The components can be disabled before.
        // SAFETY: C strings.
        let [uncore, none] = [c"perf_event_uncore", c"none"]
            .map(|name| unsafe { PAPI_get_component_index(name.as_ptr()) });
        assert_eq!((uncore, none), (1, ENOCMP));
        assert_eq!((PAPI_is_initialized(), number), (0, NULL));
        assert!(PAPI_get_hardware_info().is_null());
        PAPI_shutdown();
    });
}

/// The codes that the manual of `PAPI_profil` lists, and that a call can have.
#[test]
fn a_profile_is_refused_with_the_codes_of_the_manual() {
    start();
    let mut buckets = [0_u16; 64];
    let mut profil = |set, event, scale, flags| {
        let (buffer, start) = (buckets.as_mut_ptr().cast(), ptr::without_provenance_mut(0x1000));
        // SAFETY: the buffer has 128 bytes, and every call is refused.
        unsafe { PAPI_profil(buffer, 128, start, scale, set, event, 1_000_000, flags) }
    };
    let (clock, set) = (code("perf::TASK-CLOCK"), set(&["perf::TASK-CLOCK"]));
    const ENOEVST: c_int = -11;
    assert_eq!(profil(5000, clock, 65536, 0), ENOEVST);
    for (scale, flags) in [(0, 0), (1, 0), (65537, 0), (65536, 0x18), (65536, 0x200)] {
        assert_eq!(profil(set, clock, scale, flags), EINVAL, "{scale:#x} {flags:#x}");
    }
    assert_ne!(profil(set, code("perf::PAGE-FAULTS"), 65536, 0), OK, "it is not in the set");
    const EISRUN: c_int = -10;
    assert_eq!(PAPI_start(set), OK);
    assert_eq!(profil(set, clock, 65536, 0), EISRUN);
    // SAFETY: null is allowed.
    assert_eq!(unsafe { PAPI_stop(set, ptr::null_mut()) }, OK);
    assert_eq!(buckets, [0; 64]);
    remove(set);
}
