//! Regions: sums by name and by thread.

use crate::live::{can_count, work};
use crate::world::{hold, holds, ms, set};
use counterpoint::perf::process::thread_time;
use counterpoint::{EventSet, Note, Region, RegionCounts, RegionReport, Regions, Target, Value};
use counterpoint_fixtures::FakeKernel;
use proptest::prelude::*;
use serde_json::Value as Json;
use std::time::Duration;

fn regions(kernel: &FakeKernel, events: &str) -> Regions {
    set(kernel, Target::ThisThread).event(events).regions().unwrap()
}

fn raw(report: &RegionReport, name: &str) -> (u64, Option<u64>) {
    let total = report.total(name).unwrap();
    (total.calls, total.report.rows[0].raw)
}

/// Lets every event stand at `value`, after as many milliseconds.
fn at(kernel: &FakeKernel, value: u64) {
    hold(kernel, holds(value, value, value), |_| true);
}

#[test]
fn a_region_has_what_was_done_while_it_was_open() {
    let kernel = FakeKernel::new();
    let regions = regions(&kernel, "page-faults");
    at(&kernel, 10);
    let outer = regions.region("outer");
    at(&kernel, 20);
    {
        let _inner = regions.region("inner");
        at(&kernel, 50);
    }
    at(&kernel, 60);
    drop(outer);
    at(&kernel, 90);
    for _ in 0..3 {
        drop(regions.region("empty"));
    }
    let report = regions.report();
    assert_eq!(raw(&report, "outer"), (1, Some(50)));
    assert_eq!(raw(&report, "inner"), (1, Some(30)));
    let empty = report.total("empty").unwrap();
    assert_eq!(empty.calls, 3);
    assert_eq!(empty.report.rows[0].value.as_f64(), None, "no time passed");
    assert!(report.total("other").is_none());
}

#[test]
fn names_overlap_and_a_name_inside_itself_counts_once() {
    let kernel = FakeKernel::new();
    let regions = regions(&kernel, "page-faults");
    let a = regions.region("a");
    at(&kernel, 10);
    let b = regions.region("b");
    at(&kernel, 30);
    drop(a);
    at(&kernel, 70);
    drop(b);
    let recursive = [regions.region("r"), regions.region("r"), regions.region("r")];
    at(&kernel, 100);
    // Still open: what has ended is counted, the rest is not yet.
    assert_eq!(regions.report().total("r").unwrap().report.rows[0].raw, None);
    drop(recursive);
    let report = regions.report();
    assert_eq!(raw(&report, "a"), (1, Some(30)));
    assert_eq!(raw(&report, "b"), (1, Some(60)));
    assert_eq!(raw(&report, "r"), (3, Some(30)));
    let names: Vec<&str> = report.totals().map(|region| region.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "r"]);
}

#[test]
fn threads_are_told_apart_and_added_up_and_their_counters_closed() {
    let kernel = FakeKernel::new();
    let set = set(&kernel, Target::ThisThread)
        .define("EVENT,PER,DERIVED_INFIX,N0/N1,page-faults,minor-faults")
        .event("page-faults,minor-faults,PER");
    let regions = set.regions().unwrap();
    for thread in 1..=3_u64 {
        let one = || {
            let _solve = regions.region("solve");
            let open = kernel.opened();
            for (event, opening) in open.iter().enumerate().skip(open.len() - 2) {
                let value = if opening.attr.config == 2 { 10 * thread } else { 5 };
                kernel.set(event, holds(value, 1, 1));
            }
        };
        std::thread::scope(|scope| scope.spawn(one).join().unwrap());
    }
    assert_eq!(kernel.still_open(), 2, "the counters of the threads that ended are closed");
    let report = regions.report();
    let solve: Vec<_> = report.regions.iter().filter(|region| region.name == "solve").collect();
    assert_eq!(solve.len(), 4, "all together and three threads");
    let faults: Vec<_> = solve.iter().map(|region| region.report.rows[0].raw).collect();
    assert_eq!(faults, [Some(60), Some(10), Some(20), Some(30)]);
    // A formula is computed from the sums.
    assert_eq!(solve[0].report.rows[2].value.as_f64(), Some(4.0));
    assert_eq!(solve[3].report.rows[2].value.as_f64(), Some(6.0));
    drop(regions);
    assert_eq!(kernel.still_open(), 0);
}

#[test]
fn a_region_has_its_wall_time_also_where_threads_wait() {
    let regions = EventSet::new(Target::ThisThread).event("task-clock").regions().unwrap();
    std::thread::scope(|scope| {
        for wait in [20, 60] {
            let regions = &regions;
            scope.spawn(move || {
                let _wait = regions.region("wait");
                let _inner = regions.region("wait");
                std::thread::sleep(Duration::from_millis(wait));
            });
        }
    });
    let report = regions.report();
    let ms = |region: &RegionCounts| {
        let [cpu, wall] = &region.report.rows[..] else { panic!("{:?}", region.report) };
        assert_eq!((wall.event.as_str(), wall.unit.as_deref()), ("duration_time", Some("ns")));
        let [cpu, wall] = [cpu, wall].map(|row| row.value.as_f64().unwrap() / 1e6);
        assert!(cpu < wall, "{cpu} ms of {wall} ms");
        wall
    };
    let mut walls: Vec<f64> =
        report.regions.iter().filter(|of| of.thread.is_some()).map(ms).collect();
    walls.sort_by(f64::total_cmp);
    assert!(walls.len() == 2 && walls[0] >= 20.0 && walls[1] >= 60.0, "{walls:?}");
    let total = report.total("wait").unwrap();
    assert_eq!((total.calls, ms(total)), (4, walls[1]), "the longest time of a thread");
}

#[test]
fn live_regions_of_many_threads_agree_with_their_total() {
    if !can_count() {
        return;
    }
    let set = EventSet::new(Target::ThisThread).event("task-clock,page-faults");
    let regions = set.regions().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..64 {
            scope.spawn(|| {
                for _ in 0..3 {
                    let _work = regions.region("work");
                    work(ms(1));
                }
            });
        }
    });
    let report = regions.report();
    let total = report.total("work").unwrap();
    assert_eq!(total.calls, 192);
    let threads = report.regions.iter().filter(|region| region.thread.is_some());
    let sum: u64 = threads.map(|region| region.report.rows[0].raw.unwrap()).sum();
    assert_eq!(total.report.rows[0].raw, Some(sum));
    assert!(sum > 0);
}

#[test]
fn a_region_around_threads_says_that_it_counts_one_or_counts_all() {
    if !can_count() {
        return;
    }
    let process = Target::Processes(vec![std::process::id()]);
    let of_process = EventSet::new(process).event("task-clock").regions().unwrap();
    let of_thread = EventSet::new(Target::ThisThread).event("task-clock").regions().unwrap();
    let other = Target::Processes(vec![1, std::process::id()]);
    let refused = EventSet::new(other).event("task-clock").regions().map(drop).unwrap_err();
    assert!(refused.to_string().contains("or its whole process"), "{refused}");
    let both = std::sync::Barrier::new(2);
    std::thread::scope(|scope| {
        // It runs already when the region begins.
        let worker = scope.spawn(|| {
            both.wait();
            let _own = of_thread.region("own");
            // The machine may be busy, and the thread wait for a CPU.
            while thread_time().unwrap() < ms(50) {
                work(ms(1));
            }
        });
        let (_process, _thread) = (of_process.region("solve"), of_thread.region("solve"));
        let _own = of_thread.region("own");
        both.wait();
        worker.join().unwrap();
    });
    let total = |regions: &Regions, name: &str| {
        let row = regions.report().total(name).unwrap().report.rows[0].clone();
        (row.value.as_f64().unwrap() / 1e6, row.notes)
    };
    let (all, notes) = total(&of_process, "solve");
    assert!(all >= 45.0 && notes.is_empty(), "{all} ms, {notes:?}");
    std::thread::scope(|scope| {
        let enter = || {
            let _both = of_process.region("both");
            both.wait();
            work(ms(5));
        };
        scope.spawn(enter);
        scope.spawn(enter);
    });
    assert_eq!(total(&of_process, "both").1, [Note::ByEachThread]);
    let report = of_process.report();
    let of_threads = report.regions.iter().filter(|region| region.thread.is_some());
    assert!(of_threads.flat_map(|region| &region.report.rows).all(|row| row.notes.is_empty()));
    let wall = &report.total("both").unwrap().report.rows[1];
    assert!(wall.event == "duration_time" && wall.notes.is_empty(), "{wall:?}");
    let (one, notes) = total(&of_thread, "solve");
    assert!(one < 45.0 && notes == [Note::OtherThreads], "{one} ms, {notes:?}");
    let (each, notes) = total(&of_thread, "own");
    assert!(each >= 45.0 && notes.is_empty(), "{each} ms, {notes:?}");
}

#[test]
fn two_sets_of_regions_do_not_know_each_other() {
    let kernel = FakeKernel::new();
    let (one, two) = (regions(&kernel, "page-faults"), regions(&kernel, "page-faults"));
    let in_one = one.region("x");
    at(&kernel, 5);
    let in_two = two.region("x");
    at(&kernel, 9);
    drop((in_one, in_two));
    assert_eq!(raw(&one.report(), "x"), (1, Some(9)));
    assert_eq!(raw(&two.report(), "x"), (1, Some(4)));
}

#[test]
fn what_cannot_be_counted_says_so() {
    let kernel = FakeKernel::new();
    let regions = regions(&kernel, "page-faults");
    let region = regions.region("x");
    kernel.fail_reads(counterpoint::perf::Errno::ENXIO);
    drop(region);
    let report = regions.report();
    let value = &report.total("x").unwrap().report.rows[0].value;
    assert!(
        matches!(value, Value::NotSupported(reason) if reason.to_string().contains("failed to read")),
        "{value:?}"
    );
    assert!(report.to_string().contains("<not supported> page-faults: the kernel failed to read"));

    let elsewhere = set(&kernel, Target::AllCpus).event("task-clock").regions();
    let error = elsewhere.map(drop).unwrap_err();
    assert!(error.to_string().starts_with("regions count the thread"), "{error}");
}

#[test]
fn a_report_is_a_table_and_json_lines() {
    let kernel = FakeKernel::new();
    let regions = regions(&kernel, "page-faults,task-clock,cycles");
    let name = "so\"l\\v\ne é";
    let region = regions.region(name);
    hold(&kernel, holds(8, 4, 4), |o| o.attr.kind == 1);
    hold(&kernel, holds(8, 4, 1), |o| o.attr.kind != 1);
    drop(region);
    let report = regions.report();
    let lines: Vec<Json> =
        report.to_json().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 8, "three events and the wall time, in all and in one thread");
    for line in &lines {
        assert_eq!((&line["schema"], &line["region"]), (&1.into(), &name.into()));
        assert_eq!(line["calls"], 1);
    }
    assert!(lines[0].get("thread").is_none() && lines[4]["thread"].is_u64());
    assert_eq!((&lines[0]["value"], &lines[0]["status"]), (&8.into(), &"counted".into()));
    assert_eq!((&lines[0]["raw"], &lines[0]["unit"]), (&8.into(), &Json::Null));
    assert_eq!((&lines[1]["unit"], &lines[1]["enabled_ns"]), (&"ns".into(), &4_000_000.into()));
    assert_eq!((&lines[2]["value"], &lines[2]["coverage"]), (&32.0.into(), &0.25.into()));
    assert_eq!((&lines[3]["event"], &lines[3]["unit"]), (&"duration_time".into(), &"ns".into()));
    let table = report.to_string();
    assert!(table.contains("32 cycles (estimated from 25% of the time)"), "{table}");
    assert!(table.lines().next().unwrap().starts_with("region"));
}

#[test]
fn a_timeline_has_the_visits_of_each_thread_in_order() {
    let kernel = FakeKernel::new();
    let regions = regions(&kernel, "page-faults").timeline(3);
    let outer = regions.region("outer");
    for _ in 0..2 {
        drop(regions.region("inner"));
    }
    drop(outer);
    drop(regions.region("late"));
    std::thread::scope(|scope| {
        scope.spawn(|| drop(regions.region("inner")));
    });
    let report = regions.report();
    let [here, there] = report.timelines.as_slice() else { panic!("{:?}", report.timelines) };
    let names: Vec<&str> = here.visits.iter().map(|visit| &*visit.region).collect();
    assert_eq!(names, ["inner", "inner", "outer"]);
    assert_eq!((here.left_out, there.left_out), (1, 0));
    assert_eq!(there.visits.len(), 1);
    let [first, second, outer] = here.visits.as_slice() else { panic!("{names:?}") };
    assert!(outer.start <= first.start && first.end <= second.start && second.end <= outer.end);
    assert!(outer.end <= there.visits[0].start);
    assert_eq!(here.began, there.began);

    let json = report.to_json();
    let lines: Vec<Json> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let line =
        lines.iter().find(|line| line["thread"] == here.thread && line["timeline"].is_object());
    let timeline = &line.unwrap()["timeline"];
    assert_eq!(timeline["regions"], serde_json::json!(["inner", "outer"]));
    let visits: Vec<u64> =
        timeline["visits"].as_array().unwrap().iter().filter_map(|v| v[0].as_u64()).collect();
    assert_eq!(visits, [0, 0, 1]);
    assert_eq!(timeline["visits"][2][2].as_f64().unwrap(), outer.end.as_secs_f64());
    assert_eq!(timeline["left_out"], 1);
}

#[test]
fn a_trace_has_a_bar_for_each_visit() {
    let kernel = FakeKernel::new();
    let regions = regions(&kernel, "page-faults").timeline(10);
    let outer = regions.region("out\"er");
    drop(regions.region("inner"));
    drop(outer);
    let report = regions.report();
    let trace: Json = serde_json::from_str(&report.to_trace()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let kinds: Vec<&str> = events.iter().filter_map(|event| event["ph"].as_str()).collect();
    assert_eq!(kinds, ["M", "M", "X", "X"]);
    assert!(events.iter().all(|event| event["pid"] == std::process::id()));
    let timeline = &report.timelines[0];
    assert_eq!(events[1]["tid"], timeline.thread);
    let [inner, outer] = timeline.visits.as_slice() else { panic!("{timeline:?}") };
    for (event, visit) in events[2..].iter().zip([outer, inner]) {
        assert_eq!(event["name"], visit.region);
        let of = |key: &str| event[key].as_f64().unwrap();
        assert!((of("ts") - 1e6 * visit.start.as_secs_f64()).abs() < 1e-3, "{event}");
        assert!((of("dur") - 1e6 * (visit.end - visit.start).as_secs_f64()).abs() < 1e-3);
    }
    let began = timeline.began.duration_since(std::time::UNIX_EPOCH).unwrap().as_secs_f64();
    assert_eq!(trace["otherData"]["began_s"], began);
}

/// A step of a program between two looks at the counter.
#[derive(Clone, Debug)]
enum Step {
    Enter(usize),
    /// Leaves one of the open regions, in any order.
    Leave(usize),
    Work(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        (0..3_usize).prop_map(Step::Enter),
        (0..8_usize).prop_map(Step::Leave),
        (1..1000_u64).prop_map(Step::Work),
    ];
    proptest::collection::vec(step, 0..40)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn a_region_sums_what_was_done_while_it_was_open_at_least_once(steps in steps()) {
        const NAMES: [&str; 3] = ["a", "b", "c"];
        let kernel = FakeKernel::new();
        let regions = regions(&kernel, "page-faults");
        let mut now = 1;
        at(&kernel, now);
        let mut open: Vec<(usize, Region<'_>)> = Vec::new();
        let (mut calls, mut sums) = ([0; 3], [0; 3]);
        for step in steps {
            match step {
                Step::Enter(name) => {
                    open.push((name, regions.region(NAMES[name])));
                    calls[name] += 1;
                }
                Step::Leave(_) if open.is_empty() => {}
                Step::Leave(which) => drop(open.swap_remove(which % open.len())),
                Step::Work(events) => {
                    now += events;
                    at(&kernel, now);
                    for (name, sum) in sums.iter_mut().enumerate() {
                        *sum += if open.iter().any(|(other, _)| *other == name) { events } else { 0 };
                    }
                }
            }
        }
        drop(open);
        let report = regions.report();
        for (index, name) in NAMES.into_iter().enumerate() {
            let found = report.total(name).map(|total| (total.calls, total.report.rows[0].raw));
            let sum = (sums[index] > 0).then_some(sums[index]);
            prop_assert_eq!(found, (calls[index] > 0).then_some((calls[index], sum)), "{}", name);
        }
    }
}
