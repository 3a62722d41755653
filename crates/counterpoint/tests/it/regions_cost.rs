//! What visits of regions take themselves.

use counterpoint::{EventSet, Note, Target};
use std::hint::black_box;
use std::time::{Duration, Instant};

#[test]
fn visits_of_short_regions_are_said_to_take_a_part_of_the_time() {
    let regions = EventSet::new(Target::ThisThread).event("page-faults").regions().unwrap();
    let begun = Instant::now();
    for _ in 0..1000 {
        drop(regions.region("short"));
    }
    let all = begun.elapsed();
    {
        let _region = regions.region("long");
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_millis(50) {
            black_box(());
        }
    }
    let report = regions.report();
    let [short, long] = ["short", "long"].map(|name| report.total(name).unwrap());
    // A visit has system calls, and the least of several is no longer than all of them.
    assert!(short.own_cost > Duration::from_micros(50), "{:?}", short.own_cost);
    assert!(short.own_cost < 3 * all, "{:?} of {all:?}", short.own_cost);
    let notes = |of: &counterpoint::RegionCounts| -> Vec<Note> {
        of.report.rows.iter().flat_map(|row| row.notes.clone()).collect()
    };
    assert!(notes(short).contains(&Note::Visits) && !notes(long).contains(&Note::Visits));
    let text = report.to_string();
    assert!(text.contains("\nshort: entering and leaving took at least "), "{text}");
    assert!(!text.contains("long: "), "{text}");
    assert!(report.to_json().contains("entering and leaving the region"));
}
