//! A program that records itself into a file of `perf record`, with call stacks.

#![allow(clippy::print_stdout, reason = "an example is a program")]

use counterpoint::perf::{Every, Host, output};
use counterpoint::profile::{CallGraph, Profile};
use counterpoint::{EventSet, Target};
use counterpoint_recording::FileRecorder;
use std::path::PathBuf;
use std::sync::Arc;

#[inline(never)]
fn work(rounds: u64) -> u64 {
    (0..rounds).fold(1, |value, n| std::hint::black_box(value.rotate_left(7) ^ n))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = PathBuf::from(std::env::args().nth(1).ok_or("usage: record_self FILE")?);
    let recorder =
        FileRecorder::new(output::create(&path)?, path, Host::local(), vec!["self".to_string()]);
    let recorder = Arc::new(recorder);
    let mut set = EventSet::new(Target::ThisThread).event("task-clock:u");
    let profile = Profile::every(Every::Frequency(1000)).call_graph(CallGraph::FramePointers);
    set.profile("task-clock:u", profile)?;
    let profiling = set.record_profiles(recorder.clone())?;
    let value = work(100_000_000);
    let samples = profiling.stop()?.remove(0).samples;
    recorder.finish()?;
    println!("{samples} samples while computing {value:x}");
    Ok(())
}
