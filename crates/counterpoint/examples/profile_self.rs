//! A program that profiles itself: where it spends its time.

#![allow(clippy::print_stdout, reason = "an example is a program")]

use counterpoint::profile::Profile;
use counterpoint::{EventSet, Target, perf::Every};

#[inline(never)]
fn work(rounds: u64) -> u64 {
    (0..rounds).fold(1, |value, n| std::hint::black_box(value.rotate_left(7) ^ n))
}

fn main() -> Result<(), counterpoint::Error> {
    let mut set = EventSet::new(Target::ThisThread).event("task-clock:u");
    set.profile("task-clock:u", Profile::every(Every::Frequency(1000)))?;
    let profiling = set.open_profiles()?;
    let value = work(100_000_000);
    let profiled = profiling.stop()?.remove(0);
    println!("{} samples while computing {value:x}", profiled.samples);
    for (module, region) in profiled.modules.iter().zip(&profiled.snapshot.regions) {
        let hottest = region.buckets.iter().max_by_key(|bucket| bucket.count);
        let Some(hottest) = hottest else { continue };
        println!("{:6} {}, most at {:#x}", region.total(), module.path.display(), hottest.first);
    }
    Ok(())
}
