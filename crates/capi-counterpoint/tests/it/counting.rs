//! Values, and what they are worth.

use super::*;

#[test]
fn events_are_counted_between_start_and_stop() {
    let set = opened("task-clock,page-faults");
    touch_pages();
    let before = read(set);
    assert!(before.iter().all(|value| value.status == COUNTERPOINT_NOT_COUNTED));
    assert_eq!(counterpoint_start(set), COUNTERPOINT_OK);
    touch_pages();
    assert_eq!(counterpoint_stop(set), COUNTERPOINT_OK);
    let counted = read(set);
    touch_pages();
    let after = read(set);
    assert_eq!([text(after[0].name), text(after[1].name)], ["task-clock", "page-faults"]);
    assert_eq!([text(after[0].unit), text(after[1].unit)], ["ns", ""]);
    for (now, then) in after.iter().zip(&counted) {
        assert_eq!(now.status, COUNTERPOINT_COUNTED, "{}", text(now.reason));
        assert_eq!((now.raw, now.coverage, text(now.reason).as_str()), (then.raw, 1.0, ""));
        assert!(now.enabled_ns > 0 && now.enabled_ns == now.running_ns);
    }
    let faults = after[1].raw;
    assert!(faults >= 2 && after[1].value == faults as f64, "{faults}");
    // Resumed, it goes on; reset, it begins anew.
    assert_eq!(counterpoint_start(set), COUNTERPOINT_OK);
    touch_pages();
    assert_eq!(counterpoint_stop(set), COUNTERPOINT_OK);
    assert!(read(set)[1].raw >= faults + 2);
    assert_eq!(counterpoint_reset(set), COUNTERPOINT_OK);
    assert_eq!(counterpoint_start(set), COUNTERPOINT_OK);
    assert!(read(set)[1].raw < faults + 2);
    assert_eq!(counterpoint_close(set), COUNTERPOINT_OK);
}

/// A level, such as free memory, has a mean, a least and a greatest value, and no other value has them.
#[test]
fn a_level_has_its_least_and_greatest_value() {
    let set = opened("memory/MemFree/,vmstat/pgfault/");
    assert_eq!(counterpoint_start(set), COUNTERPOINT_OK);
    touch_pages();
    let [level, counter] = read(set)[..] else { panic!("two values") };
    assert_eq!(level.status, COUNTERPOINT_COUNTED, "{}", text(level.reason));
    assert!(level.least > 0.0 && level.least <= level.value && level.value <= level.greatest);
    assert!(counter.least.is_nan() && counter.greatest.is_nan());
    assert!(counter.value >= 1.0 && !text(counter.note).is_empty());
    assert_eq!(counterpoint_close(set), COUNTERPOINT_OK);
}

#[test]
fn what_was_not_counted_is_not_a_number() {
    let definitions = file("nothing.txt");
    let text_of = "metric nothing\n formula `page-faults` / (`page-faults` - `page-faults`)\n";
    std::fs::write(&definitions, text_of).expect("it is written");
    let (path, name) = (c(definitions.to_str().expect("UTF-8")), c("nothing"));
    let options = Options { metrics: name.as_ptr(), definitions: path.as_ptr(), ..DEFAULTS };
    let mut set = ptr::null_mut();
    // A machine without counters has no cycles.
    let events = c("task-clock,cycles");
    // SAFETY: a place, a string, and options of their own size.
    let result = unsafe { counterpoint_open(&mut set, events.as_ptr(), &options) };
    assert_eq!(result, COUNTERPOINT_OK, "{}", error());
    std::fs::remove_file(&definitions).expect("it is there");
    assert_eq!(counterpoint_start(set), COUNTERPOINT_OK);
    let values = read(set);
    assert_eq!(values.len(), 3);
    for value in &values {
        let is_number = value.status <= COUNTERPOINT_ESTIMATED;
        assert_eq!(value.value.is_nan(), !is_number, "{}", text(value.name));
        assert_eq!(text(value.reason).is_empty(), is_number, "{}", text(value.name));
        if !is_number {
            assert_eq!((value.raw, value.coverage), (COUNTERPOINT_NO_RAW, 0.0));
        }
    }
    assert_eq!(
        (values[0].status, values[2].status),
        (COUNTERPOINT_COUNTED, COUNTERPOINT_NOT_COUNTED)
    );
    assert_eq!(counterpoint_close(set), COUNTERPOINT_OK);
}

#[test]
fn metrics_and_definitions_are_found() {
    let definitions = file("definitions.txt");
    let text_of = "metric pages\n formula `page-faults` * 4\n unit KiB\n group paging\n";
    std::fs::write(&definitions, text_of).expect("it is written");
    let (path, group) = (c(definitions.to_str().expect("UTF-8")), c("paging"));
    let options = Options { metrics: group.as_ptr(), definitions: path.as_ptr(), ..DEFAULTS };
    let mut set = ptr::null_mut();
    // SAFETY: a place, no string, and options of their own size.
    let result = unsafe { counterpoint_open(&mut set, ptr::null(), &options) };
    assert_eq!(result, COUNTERPOINT_OK, "{}", error());
    assert_eq!(counterpoint_start(set), COUNTERPOINT_OK);
    touch_pages();
    let values = read(set);
    assert_eq!(values.len(), 1);
    let value = &values[0];
    assert_eq!((text(value.name), text(value.unit)), ("pages".into(), "KiB".into()));
    assert!(value.value >= 8.0 && value.raw == COUNTERPOINT_NO_RAW, "{value:?}");
    assert_eq!(counterpoint_close(set), COUNTERPOINT_OK);
    let unknown = c("no-such-metric");
    let options = Options { metrics: unknown.as_ptr(), ..options };
    assert_eq!(open_with("", &options), COUNTERPOINT_ERROR_NAME);
    std::fs::remove_file(&definitions).expect("it is there");
    assert_eq!(open_with("page-faults", &options), COUNTERPOINT_ERROR_FILE);
    assert!(error().contains("definitions.txt"), "{}", error());
}

#[test]
fn processes_and_cpus_are_targets() {
    let own = std::process::id() as i32;
    let process = Options { target: COUNTERPOINT_TARGET_PROCESS, id: own, ..DEFAULTS };
    assert_eq!(open_with("task-clock", &process), COUNTERPOINT_OK);
    let thread = Options { target: COUNTERPOINT_TARGET_THREAD, id: own, ..DEFAULTS };
    assert_eq!(open_with("task-clock", &thread), COUNTERPOINT_OK);
    // The value says whether this user may count CPUs.
    let cpu = Options { target: COUNTERPOINT_TARGET_CPU, id: 0, ..DEFAULTS };
    assert_eq!(open_with("cpu-clock", &cpu), COUNTERPOINT_OK);
    let none = Options { target: COUNTERPOINT_TARGET_CPU, id: 1 << 20, ..DEFAULTS };
    assert!(open_with("cpu-clock", &none) < 0 && error().contains("online"), "{}", error());
    let user = Options { flags: COUNTERPOINT_USER_ONLY | COUNTERPOINT_NO_INHERIT, ..DEFAULTS };
    assert_eq!(open_with("page-faults", &user), COUNTERPOINT_OK);
}

#[test]
fn a_fork_reads_but_does_not_start() {
    unsafe extern "C" {
        fn fork() -> c_int;
        fn waitpid(pid: c_int, status: *mut c_int, options: c_int) -> c_int;
        fn _exit(status: c_int) -> !;
        fn alarm(seconds: u32) -> u32;
    }
    let set = opened("task-clock");
    assert_eq!(counterpoint_start(set), COUNTERPOINT_OK);
    // SAFETY: the child calls the library and ends; a child that hangs is ended by the alarm.
    let child = unsafe { fork() };
    if child == 0 {
        // SAFETY: in the child.
        unsafe { alarm(10) };
        let refused = [counterpoint_start(set), counterpoint_stop(set), counterpoint_reset(set)];
        let own = opened("page-faults");
        let is_right = refused == [COUNTERPOINT_ERROR_FORKED; 3]
            && read(set)[0].status == COUNTERPOINT_COUNTED
            && counterpoint_start(own) == COUNTERPOINT_OK
            && counterpoint_close(set) == COUNTERPOINT_OK;
        // SAFETY: as above.
        unsafe { _exit(if is_right { 0 } else { 1 }) }
    }
    let mut status = -1;
    // SAFETY: the child was just started.
    unsafe { waitpid(child, &mut status, 0) };
    assert_eq!(status, 0);
    assert_eq!(counterpoint_stop(set), COUNTERPOINT_OK);
    assert_eq!(counterpoint_close(set), COUNTERPOINT_OK);
}

#[test]
fn sixty_four_threads_have_sets_of_their_own() {
    let counted = std::thread::scope(|scope| {
        let count = || {
            let set = opened("page-faults");
            assert_eq!(counterpoint_start(set), COUNTERPOINT_OK);
            touch_pages();
            let faults = read(set)[0].raw;
            // The number may be that of another thread's set from here on.
            assert_eq!(counterpoint_close(set), COUNTERPOINT_OK);
            faults
        };
        let threads: Vec<_> = (0..64).map(|_| scope.spawn(count)).collect();
        threads.into_iter().map(|t| t.join().expect("no panic")).collect::<Vec<u64>>()
    });
    assert!(counted.iter().all(|faults| *faults >= 2), "{counted:?}");
}
