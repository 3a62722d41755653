//! Snapshot a set and counting a region allocate nothing.
//!
//! A program of its own, because it replaces the allocator to count.

#![allow(unsafe_code, reason = "an allocator cannot be written without; this one only counts")]
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it should do")]

#[path = "../../../fixtures/allocations.rs"]
mod counted;

use counterpoint::{EventSet, Target};

/// The number of allocations by `work`, done a hundred times.
fn allocations(mut work: impl FnMut()) -> usize {
    counted::allocations(|| (0..100).for_each(|_| work()))
}

#[test]
fn reading_and_regions_allocate_nothing() {
    let set = || EventSet::new(Target::ThisThread).event("page-faults:u,task-clock:u");
    let mut counters = set().open().unwrap();
    let mut snapshot = counters.zero();
    counters.reset().unwrap();
    assert_eq!(allocations(|| counters.read_into(&mut snapshot).unwrap()), 0);
    assert_eq!(allocations(|| counters.paused(|| ()).unwrap()), 0);

    let regions = set().regions().unwrap();
    drop((regions.region("outer"), regions.region("inner")));
    let nested = || {
        let _outer = regions.region("outer");
        let _inner = regions.region("inner");
        let _again = regions.region("outer");
    };
    assert_eq!(allocations(nested), 0);
    assert!(allocations(|| drop(std::hint::black_box(vec![1]))) >= 100, "allocations are seen");
}
