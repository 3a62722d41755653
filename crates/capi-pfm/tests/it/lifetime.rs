//! Starting, ending, threads, and forks.

use std::process::Command;

use pfm::*;

use super::alone::alone;
use super::*;

/// Every event of a PMU: index and name.
fn events(pmu: u32) -> Vec<(c_int, String)> {
    let (result, info) = pmu_info(pmu);
    assert_eq!(result, SUCCESS);
    let mut found = Vec::new();
    let mut index = info.first_event;
    while index != -1 {
        let (result, event) = event_info(index, 0);
        assert_eq!((result, event.idx, event.pmu), (SUCCESS, index, pmu));
        found.push((index, text(event.name)));
        index = pfm_get_event_next(index);
    }
    assert_eq!(found.len(), info.nevents as usize);
    found
}

#[test]
fn every_event_is_listed_once() {
    assert_eq!(pfm_initialize(), SUCCESS);
    let mut listed = 0;
    for number in 0..700 {
        let (result, info) = pmu_info(number);
        if result == NOTSUPP {
            continue;
        }
        assert_eq!((result, info.pmu), (SUCCESS, number));
        let found = events(number);
        assert!(found.is_sorted_by(|(a, _), (b, _)| a < b));
        listed += found.len();
    }
    assert!(listed > 41_000, "{listed}");
    // The order is libpfm's: an event comes before its other names.
    let names: Vec<String> = events(51).into_iter().take(3).map(|(_, name)| name).collect();
    assert_eq!(names, ["PERF_COUNT_HW_CPU_CYCLES", "CYCLES", "CPU-CYCLES"]);
    assert_eq!(find("perf::CPU-CYCLES"), find("perf::PERF_COUNT_HW_CPU_CYCLES"));
}

#[test]
fn strings_and_indices_outlive_the_library() {
    alone("lifetime::strings_and_indices_outlive_the_library", &[], || {
        assert_eq!(pfm_initialize(), SUCCESS);
        let before = events(51);
        let (_, info) = event_info(before[1].0, 1);
        let (_, attribute) = attr_info(before[1].0, 0, 1);
        pfm_terminate();
        assert_eq!(find("perf::CYCLES"), NOINIT);
        assert_eq!((text(info.name), text(attribute.name)), ("CYCLES".into(), "u".into()));
        assert_eq!(text(info.equiv), "PERF_COUNT_HW_CPU_CYCLES");
        for _ in 0..1000 {
            assert_eq!(pfm_initialize(), SUCCESS);
            pfm_terminate();
        }
        assert_eq!(pfm_initialize(), SUCCESS);
        assert_eq!(events(51), before);
        // The same strings: nothing was made anew.
        assert_eq!(event_info(before[1].0, 1).1.name, info.name);
    });
}

#[test]
fn sixty_four_threads_get_the_same_answers() {
    let variables = [("LIBPFM_ENCODE_INACTIVE", "1")];
    alone("lifetime::sixty_four_threads_get_the_same_answers", &variables, || {
        let ask = || {
            assert_eq!(pfm_initialize(), SUCCESS);
            let listed: usize = [68, 51, 200].map(|pmu| events(pmu).len()).iter().sum();
            let index = find("snb::L2_RQSTS");
            let attributes: Vec<String> = (0..event_info(index, 2).1.nattrs)
                .map(|number| text(attr_info(index, number, 2).1.name))
                .collect();
            (listed, index, attributes, raw("snb::L2_RQSTS:ALL_PF:u", 9), perf("cycles:k", 9, 1))
        };
        let answers: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..64).map(|_| scope.spawn(ask)).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        assert_eq!(answers[0].3.0, SUCCESS);
        assert!(answers.iter().all(|answer| *answer == answers[0]));
    });
}

#[test]
fn a_child_of_fork_is_answered_while_other_threads_ask() {
    unsafe extern "C" {
        fn fork() -> c_int;
        fn waitpid(pid: c_int, status: *mut c_int, options: c_int) -> c_int;
        fn _exit(status: c_int) -> !;
        fn alarm(seconds: u32) -> u32;
    }
    let variables = [("LIBPFM_ENCODE_INACTIVE", "1")];
    alone("lifetime::a_child_of_fork_is_answered_while_other_threads_ask", &variables, || {
        assert_eq!(pfm_initialize(), SUCCESS);
        let done = std::sync::atomic::AtomicBool::new(false);
        let is_done = || done.load(std::sync::atomic::Ordering::Relaxed);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for number in (0..700).cycle().take_while(|_| !is_done()) {
                    let (_, info) = pmu_info(number);
                    event_info(info.first_event, 2);
                }
            });
            let statuses = (0..50).map(|number| {
                // SAFETY: the child calls the library and ends; a child that hangs is ended by the alarm.
                let child = unsafe { fork() };
                if child == 0 {
                    // SAFETY: in the child.
                    unsafe { alarm(10) };
                    let is_right = pmu_info(60 + number).0 != NOINIT
                        && event_info(find("snb::L2_RQSTS"), 2).0 == SUCCESS;
                    // SAFETY: as above.
                    unsafe { _exit(if is_right { 0 } else { 1 }) }
                }
                let mut status = -1;
                // SAFETY: the child was just started.
                unsafe { waitpid(child, &mut status, 0) };
                status
            });
            let statuses: Vec<c_int> = statuses.collect();
            done.store(true, std::sync::atomic::Ordering::Relaxed);
            assert_eq!(statuses, [0; 50]);
        });
    });
}

#[test]
fn a_pmu_that_is_not_active_has_no_events() {
    assert_eq!(pfm_initialize(), SUCCESS);
    // No machine has both; the tables have them.
    let absent = ["pii::INST_RETIRED", "arm_n1::L1D_CACHE"];
    for event in absent {
        assert_eq!((find(event), raw(event, 9).0), (NOTFOUND, NOTFOUND), "{event}");
    }
    assert_eq!(raw("pii::INST_RETIRED:NONE_SUCH", 9).0, NOTFOUND);
    assert_eq!(raw("pii::INST_RETIRED,CYCLES", 9).0, INVAL);
}

#[test]
fn the_library_says_what_it_does_where_it_is_asked_to() {
    const TEST: &str = "lifetime::the_library_says_what_it_does_where_it_is_asked_to";
    if std::env::var_os("LIBPFM_DEBUG").is_some() {
        assert_eq!(pfm_initialize(), SUCCESS);
        assert_eq!(raw("INST_RETIRED", 9).0, SUCCESS);
        return;
    }
    let program = std::env::current_exe().expect("a path");
    let mut command = Command::new(program);
    command.args(["--exact", TEST, "--nocapture"]).env("LIBPFM_DEBUG", "1");
    command.env("LIBPFM_FORCE_PMU", "snb");
    let output = |command: &mut Command| command.output().expect("it starts");
    let to_stderr = output(&mut command);
    let said = String::from_utf8_lossy(&to_stderr.stderr).into_owned();
    assert!(to_stderr.status.success(), "{said}");
    assert!(said.contains("libpfm: snb is active: Intel Sandy Bridge\n"), "{said}");
    assert!(said.contains("libpfm: snb::INST_RETIRED:") && said.contains(": 0x5300c0\n"), "{said}");
    let to_stdout = output(command.env("LIBPFM_DEBUG_STDOUT", "1"));
    assert!(String::from_utf8_lossy(&to_stdout.stdout).contains("libpfm: snb is active"));
}

#[test]
fn every_pmu_is_valid() {
    unsafe extern "C" {
        fn tmpfile() -> *mut std::ffi::c_void;
        fn ftell(file: *mut std::ffi::c_void) -> std::ffi::c_long;
        fn fclose(file: *mut std::ffi::c_void) -> c_int;
    }
    assert_eq!(pfm_initialize(), SUCCESS);
    // SAFETY: it takes nothing.
    let file = unsafe { tmpfile() };
    assert!(!file.is_null());
    let mut valid = 0;
    for number in 0..700 {
        // SAFETY: the file is open.
        let result = unsafe { pfm_pmu_validate(number, file) };
        assert!(result == SUCCESS || result == NOTSUPP, "{number}: {result}");
        valid += usize::from(result == SUCCESS);
    }
    assert!(valid > 600, "{valid}");
    // SAFETY: as above.
    assert_eq!(unsafe { ftell(file) }, 0, "nothing is written of what is valid");
    // SAFETY: as above; it is not used again.
    unsafe { fclose(file) };
}

#[test]
fn a_forced_pmu_is_the_only_one() {
    alone("lifetime::a_forced_pmu_is_the_only_one", &[("LIBPFM_FORCE_PMU", "snb")], || {
        assert_eq!(pfm_initialize(), SUCCESS);
        let present = (0..700).filter(|number| pmu_info(*number).1.flags & 1 != 0);
        assert_eq!(present.collect::<Vec<_>>(), [68]);
        assert_eq!(raw("INST_RETIRED", 9).1, [0x5300c0]);
        assert_eq!(raw("perf::CYCLES", 9).0, NOTFOUND);
        // An event that cannot be counted yet can be found.
        assert_eq!(find("snb::L2_RQSTS:c=1"), find("L2_RQSTS"));
        assert_eq!(find("L2_RQSTS:NONE_SUCH"), -8);
    });
}

#[test]
fn the_headers_and_a_c_program_compile() {
    let own = env!("CARGO_MANIFEST_DIR");
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]);
    gcc.arg(format!("-I{own}/include")).arg(format!("{own}/tests/c/client.c"));
    match gcc.output() {
        Err(_) => println!("skipped: needs gcc"),
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
    }
}
