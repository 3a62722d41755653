//! A program that profiles itself: the functions in which it spends its time.

#![allow(clippy::print_stdout, reason = "an example is a program")]

use counterpoint::profil::write::{Profile as Counted, functions};
use counterpoint::profile::{Profile, Symbols};
use counterpoint::symbols::Binaries;
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
    let binaries = Binaries::default();
    let symbols = Symbols::new(&binaries, &profiled);
    let counted = Counted::new(&profiled.event, &profiled.snapshot);
    for of in functions(&Counted { symbols: &|address| symbols.symbol(address), ..counted }) {
        println!("{:5.1} % {}", of.percent, of.function);
    }
    Ok(())
}
