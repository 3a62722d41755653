//! Starting, ending, threads, and forks.

use papi::*;

use super::alone::alone;
use super::*;

#[test]
fn sixty_four_threads_count_themselves() {
    for (clock, _) in in_sixty_four_threads("perf::TASK-CLOCK") {
        assert!(clock > 0);
    }
}

#[test]
fn sixty_four_threads_count_their_own_faults() {
    for (faults, touched) in in_sixty_four_threads("perf::PAGE-FAULTS") {
        assert!(faults >= touched && faults < touched + 200, "{touched}: {faults}");
    }
}

/// Counts of threads at the same time, each with the pages that it has touched.
fn in_sixty_four_threads(event: &str) -> Vec<(i64, i64)> {
    start();
    let count = |pages: usize| {
        let set = set(&[event]);
        assert_eq!(PAPI_start(set), OK);
        touch(pages);
        let mut value = 0;
        // SAFETY: there is room for a value.
        assert_eq!(unsafe { PAPI_stop(set, &mut value) }, OK);
        remove(set);
        (value, pages as i64)
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            (1..65).map(|number| scope.spawn(move || count(10 * number))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    })
}

#[test]
fn one_set_is_used_by_many_threads() {
    start();
    let set = set(&["perf::TASK-CLOCK", "perf::PAGE-FAULTS"]);
    assert_eq!(PAPI_start(set), OK);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let mut values = [0_i64; 2];
                for _ in 0..200 {
                    // SAFETY: there is room for two values.
                    assert_eq!(unsafe { PAPI_read(set, values.as_mut_ptr()) }, OK);
                }
            });
        }
    });
    // SAFETY: null is allowed.
    assert_eq!(unsafe { PAPI_stop(set, std::ptr::null_mut()) }, OK);
    remove(set);
}

#[test]
fn starting_and_ending_a_thousand_times() {
    alone("lifetime::starting_and_ending_a_thousand_times", &[], || {
        for _ in 0..1000 {
            start();
            let set = set(&["perf::TASK-CLOCK"]);
            assert_eq!(PAPI_start(set), OK);
            PAPI_shutdown();
            assert_eq!(PAPI_num_events(set), ENOINIT);
        }
        let open = std::fs::read_dir("/proc/self/fd").expect("it is there").count();
        assert!(open < 50, "{open} files are open");
    });
}

#[test]
fn a_child_of_fork_counts_anew() {
    unsafe extern "C" {
        fn fork() -> c_int;
        fn waitpid(pid: c_int, status: *mut c_int, options: c_int) -> c_int;
        fn _exit(status: c_int) -> !;
        fn alarm(seconds: u32) -> u32;
    }
    alone("lifetime::a_child_of_fork_counts_anew", &[], || {
        start();
        let parents = set(&["perf::PAGE-FAULTS"]);
        assert_eq!(PAPI_start(parents), OK);
        // SAFETY: the child calls the library and ends; a child that hangs is ended by the alarm.
        let child = unsafe { fork() };
        if child == 0 {
            // SAFETY: in the child.
            unsafe { alarm(20) };
            let mut value = 0_i64;
            let mut own = NULL;
            // SAFETY: places for numbers, and a C string.
            let is_right = unsafe {
                PAPI_stop(parents, &mut value) == -3
                    && PAPI_library_init(VERSION) == VERSION
                    && PAPI_create_eventset(&mut own) == OK
                    && PAPI_add_named_event(own, c"perf::TASK-CLOCK".as_ptr()) == OK
                    && PAPI_start(own) == OK
                    && PAPI_stop(own, &mut value) == OK
                    && value > 0
            };
            // SAFETY: as above.
            unsafe { _exit(if is_right { 0 } else { 1 }) }
        }
        let mut status = -1;
        // SAFETY: the child is this process's, and the place can be written.
        assert_eq!(unsafe { waitpid(child, &mut status, 0) }, child);
        assert_eq!(status, 0);
        touch(100);
        let mut value = 0_i64;
        // SAFETY: a place for a value.
        assert_eq!(unsafe { PAPI_stop(parents, &mut value) }, OK);
        assert!(value > 0, "the parent's set goes on");
        remove(parents);
    });
}

/// Threads that start the library at the same time: none loses its set to another one that starts it, too.
#[test]
fn threads_start_the_library_together() {
    use std::sync::atomic::{AtomicI32, Ordering};
    const THREADS: c_int = 2;
    unsafe extern "C" {
        fn fork() -> c_int;
        fn waitpid(pid: c_int, status: *mut c_int, options: c_int) -> c_int;
        fn _exit(status: c_int) -> !;
    }
    /// Returns true if a thread has the set that it made.
    fn has_own_set() -> bool {
        let mut own = NULL;
        // SAFETY: a place for a number, and a C string.
        let is_made = unsafe {
            PAPI_library_init(VERSION) == VERSION
                && PAPI_create_eventset(&mut own) == OK
                && PAPI_add_named_event(own, c"perf::TASK-CLOCK".as_ptr()) == OK
        };
        std::thread::yield_now();
        is_made && PAPI_start(own) == OK && PAPI_num_events(own) == 1
    }
    let in_child = || {
        // SAFETY: the child calls the library and ends.
        let child = unsafe { fork() };
        if child == 0 {
            // They spin, because threads that are woken start one after the other.
            let waiting = AtomicI32::new(THREADS);
            let one = || {
                waiting.fetch_sub(1, Ordering::AcqRel);
                while waiting.load(Ordering::Acquire) > 0 {
                    std::hint::spin_loop();
                }
                has_own_set()
            };
            let is_right = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(one)).collect();
                threads.into_iter().all(|thread| thread.join().unwrap_or(false))
            });
            // SAFETY: the child ends.
            unsafe { _exit(i32::from(!is_right)) }
        }
        let mut status = -1;
        // SAFETY: the child is this process's, and the place can be written.
        assert_eq!(unsafe { waitpid(child, &mut status, 0) }, child);
        assert_eq!(status, 0);
    };
    alone("lifetime::threads_start_the_library_together", &[], || {
        (0..50).for_each(|_| in_child());
        // Now each child has a place of its parent to leave.
        start();
        let parents = set(&["perf::TASK-CLOCK"]);
        remove(parents);
        (0..50).for_each(|_| in_child());
    });
}

#[test]
fn a_handler_may_call_the_library() {
    use std::ffi::c_void;
    use std::sync::atomic::{AtomicI32, Ordering};
    static CALLS: AtomicI32 = AtomicI32::new(0);
    static WRONG: AtomicI32 = AtomicI32::new(0);
    extern "C" fn handler(set: c_int, _: *mut c_void, _: i64, _: *mut c_void) {
        let mut values = [0_i64; 2];
        // SAFETY: there is room for two values.
        let result = unsafe { PAPI_read(set, values.as_mut_ptr()) };
        const BUSY: c_int = -14;
        CALLS.fetch_add(1, Ordering::Relaxed);
        WRONG.fetch_add((result != OK && result != BUSY).into(), Ordering::Relaxed);
    }
    alone("lifetime::a_handler_may_call_the_library", &[], || {
        start();
        let set = set(&["perf::TASK-CLOCK", "perf::PAGE-FAULTS"]);
        assert_eq!(PAPI_overflow(set, code("perf::TASK-CLOCK"), 500_000, 0, Some(handler)), OK);
        assert_eq!(PAPI_start(set), OK);
        let end = std::time::Instant::now() + std::time::Duration::from_millis(300);
        let mut values = [0_i64; 2];
        while std::time::Instant::now() < end {
            // SAFETY: there is room for two values.
            assert_eq!(unsafe { PAPI_read(set, values.as_mut_ptr()) }, OK);
        }
        // SAFETY: null is allowed.
        assert_eq!(unsafe { PAPI_stop(set, std::ptr::null_mut()) }, OK);
        assert!(CALLS.load(Ordering::Relaxed) > 10, "{CALLS:?}");
        assert_eq!(WRONG.load(Ordering::Relaxed), 0);
        remove(set);
    });
}

/// Another signal's handler is answered or refused at once, too, whatever its thread is in the middle of.
#[test]
fn a_handler_of_a_timer_never_waits() {
    use nix::libc;
    use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
    static SET: AtomicI32 = AtomicI32::new(NULL);
    static REFUSED: AtomicI32 = AtomicI32::new(0);
    static LONGEST: AtomicU64 = AtomicU64::new(0);
    extern "C" fn on_timer(_: c_int) {
        let begun = std::time::Instant::now();
        let mut values = [0_i64; 2];
        // SAFETY: there is room for two values.
        let result = unsafe { PAPI_read(SET.load(Ordering::Relaxed), values.as_mut_ptr()) };
        REFUSED.fetch_add((result == -14).into(), Ordering::Relaxed);
        LONGEST.fetch_max(begun.elapsed().as_millis() as u64, Ordering::Relaxed);
    }
    alone("lifetime::a_handler_of_a_timer_never_waits", &[], || {
        start();
        let set = set(&["perf::TASK-CLOCK", "perf::PAGE-FAULTS"]);
        SET.store(set, Ordering::Relaxed);
        assert_eq!(PAPI_start(set), OK);
        let often = libc::timeval { tv_sec: 0, tv_usec: 1000 };
        let timer = libc::itimerval { it_interval: often, it_value: often };
        // SAFETY: the handler may be called at any time, and the structure is whole.
        unsafe {
            libc::signal(libc::SIGPROF, on_timer as extern "C" fn(c_int) as usize);
            assert_eq!(libc::setitimer(libc::ITIMER_PROF, &timer, std::ptr::null_mut()), 0);
        }
        let mut values = [0_i64; 2];
        let begun = std::time::Instant::now();
        while REFUSED.load(Ordering::Relaxed) < 3 && begun.elapsed().as_secs() < 20 {
            // SAFETY: there is room for two values.
            let result = unsafe { PAPI_read(set, values.as_mut_ptr()) };
            // The timer may interrupt another thread of this process, which finds the set in use, or keeps it from this one.
            assert!([OK, -14].contains(&result), "{result}");
        }
        let stopped = libc::timeval { tv_sec: 0, tv_usec: 0 };
        let timer = libc::itimerval { it_interval: stopped, it_value: stopped };
        // SAFETY: as above.
        unsafe { libc::setitimer(libc::ITIMER_PROF, &timer, std::ptr::null_mut()) };
        assert!(REFUSED.load(Ordering::Relaxed) >= 3, "{REFUSED:?}");
        assert!(LONGEST.load(Ordering::Relaxed) < 1000, "{LONGEST:?} ms");
    });
}

/// The child of a fork shares the events of its parent, whose overflows go on if the child stops the set.
#[test]
fn a_child_of_fork_does_not_end_the_overflows_of_its_parent() {
    use std::ffi::c_void;
    use std::sync::atomic::{AtomicU64, Ordering};
    static SEEN: AtomicU64 = AtomicU64::new(0);
    extern "C" fn seen(_: c_int, _: *mut c_void, _: i64, _: *mut c_void) {
        SEEN.fetch_add(1, Ordering::Relaxed);
    }
    unsafe extern "C" {
        fn fork() -> c_int;
        fn waitpid(pid: c_int, status: *mut c_int, options: c_int) -> c_int;
        fn _exit(status: c_int) -> !;
    }
    alone("lifetime::a_child_of_fork_does_not_end_the_overflows_of_its_parent", &[], || {
        start();
        let parents = set(&["perf::TASK-CLOCK"]);
        assert_eq!(PAPI_overflow(parents, code("perf::TASK-CLOCK"), 500_000, 0, Some(seen)), OK);
        assert_eq!(PAPI_start(parents), OK);
        // SAFETY: the child calls the library and ends.
        let child = unsafe { fork() };
        if child == 0 {
            // SAFETY: null is allowed, and the child ends.
            unsafe { _exit(i32::from(PAPI_stop(parents, std::ptr::null_mut()) != -3)) }
        }
        let mut status = -1;
        // SAFETY: the child is this process's, and the place can be written.
        assert_eq!(unsafe { waitpid(child, &mut status, 0) }, child);
        assert_eq!(status, 0, "PAPI_ESYS");
        let before = SEEN.load(Ordering::Relaxed);
        let begun = std::time::Instant::now();
        while SEEN.load(Ordering::Relaxed) < before + 5 {
            assert!(begun.elapsed().as_secs() < 10, "the overflows have ended");
        }
        // SAFETY: null is allowed.
        assert_eq!(unsafe { PAPI_stop(parents, std::ptr::null_mut()) }, OK);
    });
}

/// A set of the high level from before the library was ended is not taken for a set of the program that has its number now.
#[test]
fn regions_do_not_outlive_the_library() {
    let variables =
        [("PAPI_EVENTS", "perf::TASK-CLOCK"), ("PAPI_OUTPUT_DIRECTORY", "/proc/nowhere")];
    alone("lifetime::regions_do_not_outlive_the_library", &variables, || {
        let [outer, inner] = ["outer", "inner"].map(c);
        // SAFETY: a C string.
        let begin = |name: &CString| unsafe { PAPI_hl_region_begin(name.as_ptr()) };
        // SAFETY: a C string.
        let end = |name: &CString| unsafe { PAPI_hl_region_end(name.as_ptr()) };
        assert_eq!(begin(&outer), OK);
        PAPI_shutdown();
        start();
        let own = set(&["perf::PAGE-FAULTS", "perf::TASK-CLOCK"]);
        assert_eq!(PAPI_start(own), OK);
        assert_ne!(end(&outer), OK, "it has no end");
        assert_eq!(PAPI_hl_stop(), ENOEVNT);
        let mut state = 0;
        // SAFETY: a place for a number.
        assert_eq!(unsafe { PAPI_state(own, &mut state) }, OK);
        assert_eq!(state & 2, 2, "the program's set is running");
        // SAFETY: null is allowed.
        assert_eq!(unsafe { PAPI_stop(own, std::ptr::null_mut()) }, OK);
        remove(own);
        assert_eq!(begin(&inner), OK);
        assert_eq!(end(&inner), OK);
        assert_eq!(PAPI_hl_stop(), OK);
    });
}

#[test]
fn libraries_that_are_loaded_later_are_listed() {
    use nix::libc;
    use std::os::fd::AsRawFd;
    alone("lifetime::libraries_that_are_loaded_later_are_listed", &[], || {
        start();
        // SAFETY: the structures stay as they are.
        let listed = || unsafe {
            let info = PAPI_get_shared_lib_info();
            let maps = std::slice::from_raw_parts((*info).map, (*info).count as usize);
            let name = |map: &AddressMap| {
                std::ffi::CStr::from_bytes_until_nul(&map.name).expect("an end").to_owned()
            };
            (info, maps.iter().map(name).collect::<Vec<CString>>())
        };
        let (info, before) = listed();
        assert_eq!(listed(), (info, before.clone()), "nothing has changed");
        // A file of code, as the loader maps a library.
        let path = std::env::temp_dir().join(format!("papi-library-{}", std::process::id()));
        std::fs::write(&path, [0_u8; 4096]).expect("a file");
        let file = std::fs::File::open(&path).expect("it is there");
        let access = libc::PROT_READ | libc::PROT_EXEC;
        // SAFETY: a new mapping overlaps nothing.
        let start = unsafe {
            libc::mmap(std::ptr::null_mut(), 4096, access, libc::MAP_PRIVATE, file.as_raw_fd(), 0)
        };
        assert_ne!(start, libc::MAP_FAILED);
        let (later, now) = listed();
        assert!(later != info && now.len() == before.len() + 1, "{now:?}");
        assert!(now.contains(&c(path.to_str().expect("UTF-8"))), "{now:?}");
        // SAFETY: the earlier structure stays.
        assert_eq!(unsafe { (*info).count } as usize, before.len());
        // SAFETY: nothing uses the mapping.
        assert_eq!(unsafe { libc::munmap(start, 4096) }, 0);
        assert_eq!(listed(), (info, before), "the list of the first call is used again");
        std::fs::remove_file(&path).expect("it is there");
    });
}

/// The child of a fork may enter regions of its own.
#[test]
fn a_child_of_fork_has_its_own_regions() {
    unsafe extern "C" {
        fn fork() -> c_int;
        fn waitpid(pid: c_int, status: *mut c_int, options: c_int) -> c_int;
        fn _exit(status: c_int) -> !;
    }
    let variables =
        [("PAPI_EVENTS", "perf::TASK-CLOCK"), ("PAPI_OUTPUT_DIRECTORY", "/proc/nowhere")];
    alone("lifetime::a_child_of_fork_has_its_own_regions", &variables, || {
        let name = c("part");
        // SAFETY: C strings.
        let once = || unsafe {
            [PAPI_hl_region_begin(name.as_ptr()), PAPI_hl_region_end(name.as_ptr())] == [OK; 2]
        };
        assert!(once());
        // SAFETY: the child calls the library and ends.
        let child = unsafe { fork() };
        if child == 0 {
            let is_right = PAPI_library_init(VERSION) == VERSION && once() && PAPI_hl_stop() == OK;
            // SAFETY: the child ends.
            unsafe { _exit(i32::from(!is_right)) }
        }
        let mut status = -1;
        // SAFETY: the child is this process's, and the place can be written.
        assert_eq!(unsafe { waitpid(child, &mut status, 0) }, child);
        assert_eq!(status, 0);
        assert!(once());
    });
}

/// A thread that has entered no region is told so, whatever others have done.
#[test]
fn regions_are_those_of_a_thread() {
    let variables =
        [("PAPI_EVENTS", "perf::TASK-CLOCK"), ("PAPI_OUTPUT_DIRECTORY", "/proc/nowhere")];
    alone("lifetime::regions_are_those_of_a_thread", &variables, || {
        const EMISC: c_int = -14;
        let name = c("part");
        // SAFETY: C strings.
        let leave = || unsafe { [PAPI_hl_read(name.as_ptr()), PAPI_hl_region_end(name.as_ptr())] };
        assert_eq!(leave(), [EMISC; 2]);
        // SAFETY: a C string.
        assert_eq!(unsafe { PAPI_hl_region_begin(name.as_ptr()) }, OK);
        let other = std::thread::scope(|scope| scope.spawn(leave).join().expect("no panic"));
        assert_eq!(other, [EMISC; 2]);
        assert_eq!(leave(), [OK; 2]);
        assert_eq!(leave(), [EINVAL; 2]);
    });
}

/// A thread that ends without `PAPI_hl_stop` leaves no open events, and the ids of threads may come again.
#[test]
fn threads_that_end_leave_nothing_open() {
    let variables =
        [("PAPI_EVENTS", "perf::TASK-CLOCK"), ("PAPI_OUTPUT_DIRECTORY", "/proc/nowhere")];
    alone("lifetime::threads_that_end_leave_nothing_open", &variables, || {
        let open = || std::fs::read_dir("/proc/self/fd").expect("it is there").count();
        let name = c("part");
        let once = || {
            // SAFETY: C strings.
            unsafe {
                assert_eq!(PAPI_hl_region_begin(name.as_ptr()), OK);
                assert_eq!(PAPI_hl_region_end(name.as_ptr()), OK);
            }
        };
        once();
        let before = open();
        for _ in 0..100 {
            std::thread::scope(|scope| scope.spawn(once).join().expect("no panic"));
        }
        assert!(open() <= before + 2, "{} files are open, {before} before", open());
    });
}
