//! Call stacks of a program whose calls are known: of cycles where the machine counts them, and of the CPU clock elsewhere.

#![allow(clippy::print_stdout, reason = "a test says what it skips")]

use counterpoint::perf::Every;
use counterpoint::profile::{CAN_UNWIND, CallGraph, CallStacks, Profile};
use counterpoint::{EventSet, Target};
use object::{Object, ObjectSymbol};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

#[inline(always)]
fn inlined(n: u64) -> u64 {
    (0..n).fold(0, |sum: u64, i| black_box(sum.wrapping_mul(31).wrapping_add(i)))
}

#[inline(never)]
fn leaf(n: u64) -> u64 {
    inlined(n) + 1
}

#[inline(never)]
fn three_quarters(n: u64) -> u64 {
    black_box(leaf(3 * n)) + 1
}

#[inline(never)]
fn recursion(depth: u32, n: u64) -> u64 {
    match depth {
        0 => black_box(leaf(n)) + 1,
        _ => black_box(recursion(depth - 1, n)) + 1,
    }
}

/// Turns of ever other lengths: even ones could keep step with the samples.
#[inline(never)]
fn work(time: Duration) -> u64 {
    let (begun, mut turn, mut sum) = (Instant::now(), 1_u32, 0);
    while begun.elapsed() < time {
        turn = turn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let n = 1000 + u64::from(turn >> 16) % 4000;
        sum = black_box(three_quarters(n)).wrapping_add(black_box(recursion(4, n)));
    }
    sum
}

/// The functions of this file by their addresses in this program.
fn functions() -> BTreeMap<u64, (u64, &'static str)> {
    let file = std::fs::read("/proc/self/exe").unwrap();
    let file = object::File::parse(&*file).unwrap();
    let names = ["leaf", "three_quarters", "recursion", "work"];
    let named = |symbol: &object::Symbol<'_, '_>, name: &str| {
        let mangled = format!("hardware_stacks{}{name}", name.len());
        symbol.name().is_ok_and(|symbol| symbol.contains(&mangled))
    };
    let symbol = |name: &str| {
        let found = file.symbols().find(|symbol| named(symbol, name) && symbol.size() > 0);
        found.map(|symbol| (symbol.address(), symbol.size())).unwrap()
    };
    let moved = (leaf as fn(u64) -> u64 as usize as u64).wrapping_sub(symbol("leaf").0);
    let function = |name: &'static str| {
        let (address, size) = symbol(name);
        (address.wrapping_add(moved), (size, name))
    };
    names.into_iter().map(function).collect()
}

/// The stacks from `work` on, with their counts; other code has no name.
fn named(stacks: &CallStacks) -> BTreeMap<String, u64> {
    let functions = functions();
    let name = |address: u64| {
        let (start, (size, name)) = functions.range(..=address).next_back()?;
        (address - start < *size).then_some(*name)
    };
    let frames = stacks.stacks.frames();
    let mut all = BTreeMap::new();
    for frame in frames.iter().filter(|frame| frame.count > 0) {
        let stack = std::iter::successors(Some(frame), |of| of.caller.map(|at| &frames[at]));
        let mut names: Vec<&str> = stack.filter_map(|of| name(of.address)).collect();
        names.reverse();
        *all.entry(names.join(";")).or_default() += frame.count;
    }
    all
}

/// Shares of 3 to 1 within five standard errors, and hardly another stack.
fn assert_shares(graph: CallGraph) {
    let taken = ["cycles:u", "task-clock:u"].into_iter().find_map(|event| {
        let mut set = EventSet::new(Target::ThisThread).event(event).inherit(false);
        let profile = Profile::every(Every::Frequency(2000)).call_graph(graph);
        set.profile(event, profile).unwrap();
        let profiling = set.open_profiles().ok()?;
        assert_ne!(work(Duration::from_millis(800)), 0);
        Some(profiling.stop().unwrap().remove(0))
    });
    let Some(profiled) = taken else {
        return println!("skipped: neither cycles nor task-clock can be sampled with stacks");
    };
    println!("stacks of {}: {} samples", profiled.event, profiled.samples);
    let stacks = named(profiled.stacks.as_ref().unwrap());
    let of = |stack: &str| stacks.get(stack).copied().unwrap_or(0) as f64;
    let (most, least) =
        (of("work;three_quarters;leaf"), of(&format!("work;{}leaf", "recursion;".repeat(5))));
    let both = most + least;
    let total: u64 = stacks.values().sum();
    assert!(profiled.samples > 200 && both > 0.95 * total as f64, "{stacks:?}");
    // At a frequency, a sample counts as many events as passed.
    let error = (0.75 * 0.25 / profiled.samples as f64).sqrt();
    assert!((most / both - 0.75).abs() < 5.0 * error, "{stacks:?}");
}

#[test]
fn copies_of_the_stack_give_the_exact_calls() {
    if !CAN_UNWIND {
        return println!("skipped: stacks are unwound on x86-64 and arm64");
    }
    assert_shares(CallGraph::Copies { bytes: 8192 });
}

/// Compilers for arm64 keep frame pointers, and those for x86-64 do not unless they are asked.
#[test]
fn frame_pointers_give_the_exact_calls() {
    if !cfg!(target_arch = "aarch64") {
        return println!("skipped: only arm64 has frame pointers in all code");
    }
    assert_shares(CallGraph::FramePointers);
}
