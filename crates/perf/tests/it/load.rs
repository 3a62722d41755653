//! Many threads, many sets, many samples: nothing leaks, nothing hangs, nothing is lost uncounted.

use crate::support::{TASK_CLOCK, burn, disabled, or_skip, permitted};
use counterpoint_perf::{
    Attr, Every, Fields, Host, Placement, Reader, Sampler, Sampling, Setup, Wakeup,
};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The time that a load lasts: a second, or as many as the environment says.
fn load_time() -> Duration {
    let seconds = std::env::var("COUNTERPOINT_LOAD_SECONDS").ok();
    Duration::from_secs(seconds.map_or(1, |text| text.parse().expect("a number of seconds")))
}

/// The open files and the mappings of this process that are of events.
fn held() -> (usize, usize) {
    let links = std::fs::read_dir("/proc/self/fd").unwrap().flatten();
    let targets = links.filter_map(|link| std::fs::read_link(link.path()).ok());
    let events = targets.filter(|target| target.ends_with("anon_inode:[perf_event]")).count();
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    (events, maps.lines().filter(|line| line.contains("[perf_event]")).count())
}

#[test]
fn sixty_four_threads_open_read_and_close() {
    let events = vec![permitted(TASK_CLOCK); 8];
    if or_skip("task-clock", Host::local().open(&events, Placement::ThisThread, disabled()))
        .is_none()
    {
        return;
    }
    let (end, rounds) = (Instant::now() + load_time(), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..64 {
            scope.spawn(|| {
                let mut last = false;
                // Each thread at least once, however busy the machine is.
                while !last {
                    last = Instant::now() >= end;
                    let placement = Placement::ThisThread;
                    let mut group =
                        Host::local().open(&events, placement, Setup::default()).unwrap();
                    burn();
                    let counts = group.read().unwrap();
                    assert_eq!(counts.len(), 8);
                    assert!(
                        counts.iter().all(|c| c.raw > 0 && c.running == c.enabled),
                        "{counts:?}"
                    );
                    rounds.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    assert!(rounds.load(Ordering::Relaxed) >= 64);
}

/// In a process of its own, as other tests open events too.
#[test]
fn ten_thousand_sets_leave_no_file_and_no_memory() {
    use counterpoint_fixtures::{alone, is_alone, run_alone};
    let test = "load::ten_thousand_sets_leave_no_file_and_no_memory";
    if !is_alone(test) {
        return run_alone(&alone(&[], &std::env::current_exe().unwrap(), test));
    }
    let event = permitted(TASK_CLOCK);
    let open =
        || Host::local().open(&[event.clone(), event.clone()], Placement::ThisThread, disabled());
    // The kernel waits long before it counts its first event, and after its last: this one stays.
    let Some(_group) = or_skip("task-clock", open()) else { return };
    assert_eq!(held(), (2, 0), "what is held is seen");
    let refused = Attr::new(u32::MAX, 0);
    for round in 0..10_000 {
        let mut group = open().unwrap();
        group.read().unwrap();
        // The kernel waits long before it gives a ring up.
        if round % 500 == 0 {
            assert!(group.add(&refused).is_err());
            let mut sampler = sampler(&event, 8 << 10);
            assert_eq!(held(), (5, 1));
            assert!(sampler.add(std::slice::from_ref(&refused), &Placement::ThisThread).is_err());
        }
    }
    assert_eq!(held(), (2, 0));
}

fn sampler(event: &Attr, ring_bytes: usize) -> Sampler {
    let sampling =
        Sampling { wakeup: Wakeup::Samples(1), ..Sampling::new(Fields::IP | Fields::TIME) };
    let mut sampler = Host::local().sampler(sampling, Setup::default()).ring_bytes(ring_bytes);
    sampler
        .add(&[Attr { every: Every::Period(10_000), ..event.clone() }], &Placement::ThisThread)
        .unwrap();
    sampler
}

/// A sample each 10 µs, and a reader that sleeps: what finds no room is counted, and the target is not held up.
#[test]
fn a_slow_reader_of_fast_samples_loses_some_and_says_how_many() {
    let event = permitted(TASK_CLOCK);
    if or_skip("task-clock", Host::local().probe(&event, &Placement::ThisThread)).is_none() {
        return;
    }
    let slow = |samples: &mut u64, _: &counterpoint_perf::records::Record<'_>| {
        *samples += 1;
        if samples.is_multiple_of(64) {
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    let sampler = sampler(&event, 4096);
    let reader = Reader::start(sampler, 0_u64, slow).unwrap();
    let begun = Instant::now();
    let before = counterpoint_perf::process::thread_time().unwrap();
    let worked = || counterpoint_perf::process::thread_time().unwrap() - before;
    while worked() < Duration::from_millis(300) && begun.elapsed() < Duration::from_secs(60) {
        burn();
    }
    let (sampler, records) = reader.stop().unwrap();
    let lost = sampler.lost().unwrap();
    println!("{records} records, {lost} lost in {:?}", worked());
    assert!(records > 0, "some are read");
    assert!(lost > 0, "a page cannot hold what comes in 10 ms");
}
