//! Wrong pointers, sizes, numbers and handles.

use super::*;

#[test]
fn null_pointers_are_refused() {
    let (mut set, mut regions) = (ptr::null_mut(), ptr::null_mut());
    let events = c("task-clock");
    let size = size_of::<Value>();
    let own = opened("task-clock");
    // SAFETY: null pointers are refused before anything is read or written.
    let results = unsafe {
        [
            counterpoint_open(ptr::null_mut(), events.as_ptr(), ptr::null()),
            counterpoint_regions_open(ptr::null_mut(), events.as_ptr(), ptr::null()),
            counterpoint_read(own, ptr::null_mut(), 1, size),
            counterpoint_region_begin(ptr::null_mut(), ptr::null()),
            counterpoint_region_end(ptr::null_mut(), ptr::null()),
            counterpoint_regions_write(ptr::null_mut(), ptr::null()),
        ]
    };
    assert_eq!(results, [COUNTERPOINT_ERROR_ARGUMENT; 6]);
    // SAFETY: as above.
    assert!(unsafe { counterpoint_open(&mut set, ptr::null(), ptr::null()) } < 0);
    assert!(set.is_null() && error().contains("no events"), "{}", error());
    // SAFETY: no places for values.
    assert_eq!(unsafe { counterpoint_read(own, ptr::null_mut(), 0, 0) }, 1);
    // SAFETY: null strings stand for the usual events.
    let result = unsafe { counterpoint_regions_open(&mut regions, ptr::null(), ptr::null()) };
    assert_eq!(result, COUNTERPOINT_OK, "{}", error());
    assert_eq!(counterpoint_regions_close(regions), COUNTERPOINT_OK);
    assert_eq!(counterpoint_close(own), COUNTERPOINT_OK);
    assert_eq!(text(counterpoint_version()), env!("CARGO_PKG_VERSION"));
}

#[test]
fn handles_that_are_not_open_are_refused() {
    let closed = opened("task-clock");
    assert_eq!(counterpoint_close(closed), COUNTERPOINT_OK);
    let own = opened("task-clock");
    let address = ptr::from_ref(&own).addr();
    let wrong = [0, 1, 8, usize::MAX, 1 << 30, own.addr() ^ 3, address];
    let wrong = wrong.map(ptr::without_provenance_mut::<Set>);
    for set in wrong.into_iter().chain([closed]) {
        let mut value = NOTHING;
        // SAFETY: a structure of its own size.
        let read = unsafe { counterpoint_read(set, &mut value, 1, size_of::<Value>()) };
        let results = [
            counterpoint_start(set),
            counterpoint_stop(set),
            counterpoint_reset(set),
            counterpoint_count(set),
            counterpoint_close(set),
            counterpoint_regions_close(set.cast()),
            read,
        ];
        assert_eq!(results, [COUNTERPOINT_ERROR_HANDLE; 7], "{set:?}");
        assert_eq!(value.status, 0);
    }
    // A set is no regions.
    assert_eq!(counterpoint_regions_close(own.cast()), COUNTERPOINT_ERROR_HANDLE);
    assert_eq!(counterpoint_close(own), COUNTERPOINT_OK);
}

#[test]
fn structures_of_other_releases_are_taken() {
    let set = opened("page-faults,task-clock");
    assert_eq!(counterpoint_start(set), COUNTERPOINT_OK);
    for size in [1, 8, size_of::<Value>() - 1] {
        let mut values = [NOTHING; 2];
        // SAFETY: more room than the size.
        let result = unsafe { counterpoint_read(set, values.as_mut_ptr(), 2, size) };
        assert_eq!((result, values[0].status), (COUNTERPOINT_ERROR_ARGUMENT, 0), "{size}");
    }
    // A later release has larger ones: what this one does not know is zero.
    let later = size_of::<Value>() + 16;
    let mut bytes = vec![0xff_u8; 3 * later];
    // SAFETY: two structures of this size.
    assert_eq!(unsafe { counterpoint_read(set, bytes.as_mut_ptr().cast(), 2, later) }, 2);
    for place in [0, later] {
        assert_eq!(bytes[place + size_of::<Value>()..place + later], [0; 16]);
    }
    assert!(bytes[2 * later..].iter().all(|byte| *byte == 0xff));
    // Fewer places than values.
    let mut one = [NOTHING; 2];
    // SAFETY: one structure of its own size.
    assert_eq!(unsafe { counterpoint_read(set, one.as_mut_ptr(), 1, size_of::<Value>()) }, 2);
    assert_eq!((one[0].status, one[1].status), (COUNTERPOINT_COUNTED, 0));
    assert_eq!(counterpoint_close(set), COUNTERPOINT_OK);
    for size in [0, DEFAULTS.size] {
        assert_eq!(open_with("task-clock", &Options { size, ..DEFAULTS }), COUNTERPOINT_OK);
    }
    for size in [1, DEFAULTS.size - 1] {
        let result = open_with("task-clock", &Options { size, ..DEFAULTS });
        assert_eq!(result, COUNTERPOINT_ERROR_ARGUMENT, "{size}");
    }
    for wrong in [
        Options { flags: 8, ..DEFAULTS },
        Options { target: 5, ..DEFAULTS },
        Options { target: COUNTERPOINT_TARGET_CPU, id: -1, ..DEFAULTS },
        Options { timeline: 1, ..DEFAULTS },
    ] {
        assert_eq!(open_with("task-clock", &wrong), COUNTERPOINT_ERROR_ARGUMENT, "{wrong:?}");
    }
}

#[test]
fn errors_say_what_is_wrong_in_each_thread() {
    assert_eq!(open_with("page-fautls", &DEFAULTS), COUNTERPOINT_ERROR_NAME);
    assert!(error().contains("page-fautls") && error().contains("page-faults"), "{}", error());
    std::thread::spawn(|| assert_eq!(error(), "")).join().expect("no panic");
    assert_eq!(open_with("cpu/=", &DEFAULTS).signum(), -1);
    assert!(!error().contains("fautls"), "{}", error());
    let mut set = ptr::null_mut();
    // SAFETY: a C string that is not UTF-8.
    let result = unsafe { counterpoint_open(&mut set, c"task\xffclock".as_ptr(), ptr::null()) };
    assert_eq!((result, error().as_str()), (COUNTERPOINT_ERROR_ARGUMENT, "events is not UTF-8"));
}
