//! Answers to a thread about its own regions, and about those of others.

use papi_hl::*;
use std::ffi::{CStr, c_int};
use std::ptr;

use super::alone::alone;

const OK: c_int = 0;
const EINVAL: c_int = -1;
const ENOEVNT: c_int = -7;
const EMISC: c_int = -14;
const PART: &CStr = c"part";

fn begin() -> c_int {
    // SAFETY: a C string.
    unsafe { PAPI_hl_region_begin(PART.as_ptr()) }
}

fn read() -> c_int {
    // SAFETY: a C string.
    unsafe { PAPI_hl_read(PART.as_ptr()) }
}

fn end() -> c_int {
    // SAFETY: a C string.
    unsafe { PAPI_hl_region_end(PART.as_ptr()) }
}

/// A test that leaves no report where the tests run.
fn apart(test: &str, body: impl FnOnce()) {
    let folder = std::env::temp_dir().join("papi-hl-tests");
    let folder = folder.to_string_lossy();
    alone(test, &[("PAPI_EVENTS", "task-clock"), ("PAPI_OUTPUT_DIRECTORY", &folder)], body);
}

#[test]
fn each_thread_stops_its_own_regions() {
    apart("threads::each_thread_stops_its_own_regions", || {
        assert_eq!(PAPI_hl_stop(), ENOEVNT, "nothing is counted yet");
        let both = std::sync::Barrier::new(2);
        let one = || {
            assert_eq!([begin(), read(), end()], [OK; 3]);
            both.wait();
            [PAPI_hl_stop(), PAPI_hl_stop()]
        };
        std::thread::scope(|scope| {
            let threads = [scope.spawn(one), scope.spawn(one)];
            for thread in threads {
                assert_eq!(thread.join().expect("no panic"), [OK, ENOEVNT]);
            }
        });
        assert_eq!(PAPI_hl_stop(), ENOEVNT, "this thread has entered no region");
    });
}

#[test]
fn what_was_not_entered_is_not_left() {
    apart("threads::what_was_not_entered_is_not_left", || {
        assert_eq!([read(), end()], [EMISC; 2], "no thread has entered a region");
        assert_eq!([begin(), end()], [OK; 2]);
        assert_eq!([read(), end()], [EINVAL; 2], "this thread has left the region");
        let other = std::thread::spawn(|| [read(), end()]).join().expect("no panic");
        assert_eq!(other, [EMISC; 2], "the other thread has entered no region");
        // SAFETY: null is what is tested.
        let nulls = unsafe { [PAPI_hl_region_begin(ptr::null()), PAPI_hl_region_end(ptr::null())] };
        assert_eq!(nulls, [EINVAL; 2]);
    });
}
