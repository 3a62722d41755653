//! Where wall time goes, by records as the kernel writes them.

use counterpoint::perf::records::{Comm, Record, Sample, Switch, Task};
use counterpoint::wall::{State, Switches, Wait, Wall};
use proptest::prelude::*;

const MS: u64 = 1_000_000;

fn switch<'a>(tid: u32, time: u64, is_out: bool, is_preempted: bool) -> Record<'a> {
    Record::Switch(Switch { pid: 1, tid, time, is_out, is_preempted })
}

fn task(tid: u32, parent: u32, time: u64) -> Task {
    Task { pid: 1, tid, parent_pid: 1, parent_tid: parent, time }
}

fn sample<'a>(tid: u32, time: u64) -> Sample<'a> {
    Sample { pid: Some(1), tid: Some(tid), time: Some(time), ..Sample::default() }
}

/// The first thread runs for 10 ms and creates a second one, which runs beside it for 10 ms; it then waits for that one up to its end at 40 ms, and ends at 45 ms. The second one is preempted from 25 to 30 ms.
fn of_two_threads() -> Switches {
    let mut switches = Switches::default();
    for record in [
        switch(1, 0, false, false),
        Record::Fork(task(2, 1, 10 * MS)),
        // Each event of a recording says so.
        Record::Fork(task(2, 1, 10 * MS + 5)),
        switch(2, 10 * MS, false, false),
        switch(1, 20 * MS, true, false),
        switch(2, 25 * MS, true, true),
        switch(2, 30 * MS, false, false),
        Record::Exit(task(2, 1, 40 * MS)),
        Record::Exit(task(2, 1, 40 * MS + 3)),
        switch(2, 41 * MS, true, false),
        switch(1, 42 * MS, false, false),
        Record::Exit(task(1, 1, 45 * MS)),
    ] {
        switches.take(&record);
    }
    switches.stop(&sample(1, 20 * MS), 7);
    switches
}

/// The sums of a state of a thread in milliseconds: of the thread, of the wall time and of the path.
fn sums(wall: &Wall, tid: u32, state: State) -> [f64; 3] {
    let of = wall.amounts.iter().filter(|of| of.state == state);
    let of = of.filter(|of| wall.threads[of.thread].tid == tid);
    of.fold([0.0; 3], |[time, share, path], of| {
        let ms = MS as f64;
        [time + of.time / ms, share + of.wall / ms, path + of.path / ms]
    })
}

fn close(found: [f64; 3], expected: [f64; 3]) {
    let is_close = |(one, other): (&f64, &f64)| (one - other).abs() < 0.001;
    assert!(found.iter().zip(&expected).all(is_close), "{found:?}, not {expected:?}");
}

/// perf describes the threads that are there before by records without a time, and ended ones have no number.
#[test]
fn what_has_no_time_or_no_thread_is_left_out() {
    let mut switches = of_two_threads();
    switches.take(&Record::Fork(task(9, 1, 0)));
    switches.take(&switch(u32::MAX, 12 * MS, true, false));
    let (with, without) = (switches.finish().unwrap(), of_two_threads().finish().unwrap());
    assert_eq!((with.length(), &with.threads), (without.length(), &without.threads));
}

/// A short program is not switched: it runs from its begin to its end.
#[test]
fn a_program_that_never_stops_runs_all_the_time() {
    let mut switches = Switches::default();
    let name = std::ffi::OsStr::new("true");
    let comm = Comm { pid: 1, tid: 1, name, exec: true, time: Some(5 * MS) };
    switches.take(&Record::Comm(comm));
    switches.take(&Record::Exit(task(1, 1, 6 * MS)));
    let wall = switches.finish().unwrap();
    assert_eq!((wall.start, wall.end), (5 * MS, 6 * MS));
    close(sums(&wall, 1, State::Running), [1.0, 1.0, 1.0]);
}

#[test]
fn threads_that_run_share_an_instant_and_the_next_one_has_it_when_none_runs() {
    let mut switches = of_two_threads();
    switches.wake(40 * MS + MS / 2, 1, Some(2));
    let wall = switches.finish().unwrap();
    assert_eq!((wall.length(), wall.threads.len(), wall.has_wakes), (45 * MS, 2, true));
    // Beside each other for 10 ms.
    close(sums(&wall, 1, State::Running), [23.0, 18.0, 13.0]);
    // From 20 to 25 ms and from 30 to 40 ms alone; on the path also the moment after its record.
    close(sums(&wall, 2, State::Running), [25.0, 20.0, 25.5]);
    close(sums(&wall, 2, State::Preempted), [5.0, 5.0, 5.0]);
    // While nothing runs, what runs next waits, and is then in a run queue.
    close(sums(&wall, 1, State::Waiting), [20.5, 0.5, 0.0]);
    close(sums(&wall, 1, State::Queued), [1.5, 1.5, 1.5]);
    let waiting = wall.amounts.iter().find(|of| of.state == State::Waiting).unwrap();
    assert_eq!(waiting.stack, Some(7));
}

#[test]
fn an_interrupt_leaves_the_path_with_the_thread_that_waits() {
    let mut switches = of_two_threads();
    switches.wake(41 * MS, 1, None);
    // One of a thread that is not there.
    switches.wake(41 * MS, 99, Some(1));
    let wall = switches.finish().unwrap();
    close(sums(&wall, 1, State::Waiting), [21.0, 1.0, 21.0]);
    close(sums(&wall, 1, State::Queued), [1.0, 1.0, 1.0]);
    close(sums(&wall, 2, State::Running), [25.0, 20.0, 0.0]);
}

#[test]
fn without_wake_ups_a_run_queue_is_part_of_the_wait() {
    let wall = of_two_threads().finish().unwrap();
    assert!(!wall.has_wakes);
    close(sums(&wall, 1, State::Waiting), [22.0, 2.0, 22.0]);
    close(sums(&wall, 1, State::Queued), [0.0; 3]);
}

#[test]
fn samples_divide_the_time_that_a_thread_ran_by_its_shares() {
    let mut switches = of_two_threads();
    // One alone, and two beside the other thread, each of which weighs half as much.
    for (time, stack) in [(5, 1), (12, 2), (15, 2)] {
        switches.run(&sample(1, time * MS), stack);
    }
    let wall = switches.finish().unwrap();
    let at = |stack| {
        wall.amounts
            .iter()
            .find(|of| of.state == State::Running && of.stack == Some(stack))
            .map(|of| (of.count, of.time / MS as f64, of.wall / MS as f64))
            .unwrap()
    };
    let ((one, time, share), (two, time_of_two, share_of_two)) = (at(1), at(2));
    assert_eq!((one, two, wall.samples), (1, 2, 3));
    close([time, time_of_two, share - share_of_two], [23.0 / 3.0, 46.0 / 3.0, 0.0]);
    close([share, share + share_of_two, 0.0], [9.0, 18.0, 0.0]);
}

#[test]
fn what_a_missing_record_would_say_is_not_known() {
    let mut switches = Switches::default();
    for (time, is_out) in [(0, false), (10, true), (20, true), (30, false), (50, false), (60, true)]
    {
        switches.take(&switch(1, time * MS, is_out, false));
    }
    let wall = switches.finish().unwrap();
    // From 10 to 20 ms it ran at some time, and from 30 to 50 ms it stopped at some time.
    assert_eq!(sums(&wall, 1, State::Unknown)[0], 30.0);
    assert_eq!(sums(&wall, 1, State::Running)[0], 20.0);
    assert_eq!(sums(&wall, 1, State::Waiting)[0], 10.0);
}

#[test]
fn a_recording_of_nothing_has_no_time() {
    let wall = Switches::default().finish().unwrap();
    assert_eq!((wall.length(), wall.threads.len(), wall.path), (0, 0, None));
}

#[test]
fn the_innermost_function_that_is_known_says_what_a_thread_waits_for() {
    let kernel = |names: &[&'static str]| {
        Wait::of(names.iter().map(|name| (*name, true)).chain([("main", false)]))
    };
    for (names, wait) in [
        (&["__schedule", "schedule", "futex_do_wait", "do_futex"][..], Wait::Lock),
        (&["schedule", "anon_pipe_read", "vfs_read", "ksys_read"], Wait::Io),
        (&["schedule", "do_nanosleep", "hrtimer_nanosleep"], Wait::Sleep),
        (&["schedule", "schedule_hrtimeout_range", "ep_poll"], Wait::Io),
        (&["schedule", "do_wait", "kernel_wait4"], Wait::Child),
        (&["schedule", "rwsem_down_read_slowpath", "down_read", "exc_page_fault"], Wait::Lock),
        (&["schedule", "io_schedule", "folio_wait_bit_common", "exc_page_fault"], Wait::Io),
    ] {
        assert_eq!(kernel(names), Some(wait), "{names:?}");
    }
    assert_eq!(kernel(&["schedule", "something_new"]), None);
    // Without names of the kernel, the function of the C library is known.
    let of_program = |name| Wait::of([("[kernel]", true), (name, false), ("read", false)]);
    assert_eq!(of_program("__lll_lock_wait"), Some(Wait::Lock));
    assert_eq!(of_program("clock_nanosleep@@GLIBC_2.17"), Some(Wait::Sleep));
    assert_eq!(of_program("__libc_recv"), Some(Wait::Io));
    // A function of the program may have any name.
    assert_eq!(of_program("solve"), None);
}

/// A record, a sample or a wake-up, in any order and with any gap.
fn any_record() -> impl Strategy<Value = (u8, u32, u32, u64, bool)> {
    (0_u8..8, 1_u32..5, 0_u32..5, 0_u64..40, any::<bool>())
}

proptest! {
    #[test]
    fn all_parts_add_up_to_the_wall_time(records in prop::collection::vec(any_record(), 0..60)) {
        let mut switches = Switches::default();
        for (kind, tid, other, time, flag) in records {
            match kind {
                0 | 1 => switches.take(&switch(tid, time, true, flag)),
                2 | 3 => switches.take(&switch(tid, time, false, false)),
                4 => switches.take(&Record::Fork(task(tid, other, time))),
                5 => switches.take(&Record::Exit(task(tid, other, time))),
                6 => switches.wake(time, tid, Some(other).filter(|_| flag)),
                _ if flag => switches.stop(&sample(tid, time), other),
                _ => switches.run(&sample(tid, time), other),
            }
        }
        let wall = switches.finish().unwrap();
        let sum = |of: fn(&counterpoint::wall::Amount) -> f64| wall.amounts.iter().map(of).sum::<f64>();
        prop_assert!((sum(|of| of.wall) + wall.outside - wall.length() as f64).abs() < 1e-6);
        let lives: u64 = wall.threads.iter().map(|of| of.end - of.start).sum();
        prop_assert!((sum(|of| of.time) - lives as f64).abs() < 1e-6);
        let path = wall.path.map_or(0, |(_, start, end)| end - start);
        prop_assert!((sum(|of| of.path) - path as f64).abs() < 1e-6);
        prop_assert!(wall.amounts.iter().all(|of| of.wall >= 0.0 && of.path >= 0.0));
    }
}
