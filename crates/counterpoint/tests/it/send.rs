//! What tasks may own across an `await`.

use counterpoint::profile::{Pprof, Profiling};
use counterpoint::{Counters, EventSet, Regions, Target};
use std::thread;

fn moves<T: Send + 'static>() {}

fn is_shared<T: Sync>() {}

#[test]
fn sets_and_counters_move_between_threads() {
    moves::<Profiling>();
    moves::<Pprof>();
    moves::<Counters>();
    is_shared::<Regions>();
    let set = EventSet::new(Target::Processes(vec![std::process::id()])).event("page-faults");
    let mut counters = thread::spawn(move || set.open().unwrap()).join().unwrap();
    counterpoint_fixtures::touch(50);
    let counted = thread::spawn(move || counters.read().unwrap().rows[0].value.as_f64());
    assert!(counted.join().unwrap().unwrap() >= 50.0);
}
