//! Compares the cost of counting a sample with the plain increment of a precomputed index, and with the steps that PAPI's dispatch performs for every sample: searching for the region, and checking the bounds, the flags and the width.
//!
//! `cargo bench -p counterpoint-profil --bench record` prints the best of interleaved rounds, and fails if a limit is exceeded: 1.3 times the plain increment, or a third of the time of PAPI's steps.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint_profil::{Buckets, Histogram, Region, Scale};
use row::{Limit, row};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

#[path = "../../../xtask/bench/row.rs"]
mod row;

const SAMPLES: usize = 1 << 20;
const ROUNDS: usize = 15;
const LIMIT: f64 = 1.3;
const OF_PAPI: f64 = 1.0 / 3.0;
const START: u64 = 0x40_0000;

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    let mut ok = true;
    for megabytes in [1, 64] {
        ok &= samples::<u16>(megabytes, 16);
        ok &= samples::<u32>(megabytes, 32);
        ok &= samples::<u64>(megabytes, 64);
    }
    if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Returns false if a limit is exceeded.
fn samples<T: Increment>(megabytes: u64, width: u32) -> bool
where
    for<'a> &'a mut [T]: Buckets,
{
    let region = Region::new(START..START + (megabytes << 20), Scale::TWO_ADDRESSES).unwrap();
    let pcs = addresses(region.start, megabytes << 20);
    let indices: Vec<usize> = pcs.iter().map(|&pc| region.bucket(pc).unwrap()).collect();
    let mut buffer = vec![T::default(); region.buckets];
    let (mut plain, mut ours, mut papi) = (f64::MAX, f64::MAX, f64::MAX);
    for _ in 0..ROUNDS {
        plain = plain.min(time(|| {
            for &index in black_box(&indices) {
                buffer[index].increment(1);
            }
        }));
        let mut histogram = Histogram::with_buckets(vec![(region, buffer.as_mut_slice())]).unwrap();
        ours = ours.min(time(|| histogram.record_batch(black_box(&pcs))));
        papi = papi.min(time(|| {
            for &pc in black_box(&pcs) {
                by_papi(black_box(&[region]), black_box(width), &mut buffer, pc);
            }
        }));
    }
    let name = format!("a sample, {megabytes} MB, {width} bits");
    let within = row(&name, "ns", ours, Some(("plain increment", plain)), Limit::Times(LIMIT));
    row(&name, "ns", ours, Some(("PAPI's steps", papi)), Limit::Times(OF_PAPI)) && within
}

/// Addresses all over the region, in random order.
fn addresses(start: u64, len: u64) -> Vec<u64> {
    let mut state = 1u64;
    let mut draw = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        start + (state >> 20) % len
    };
    (0..SAMPLES).map(|_| draw()).collect()
}

fn time(run: impl FnOnce()) -> f64 {
    let begun = Instant::now();
    run();
    begun.elapsed().as_secs_f64() * 1e9 / SAMPLES as f64
}

/// Counts one sample with the steps of PAPI: search for the region, scale, check the bounds in bytes, check the flags for the increment, and check the width for the bucket.
#[inline(never)]
fn by_papi<T: Increment>(regions: &[Region], width: u32, buffer: &mut [T], pc: u64) {
    let mut best = 0;
    for (index, region) in regions.iter().enumerate() {
        if region.start < pc && region.start > regions[best].start {
            best = index;
        }
    }
    let region = regions[best];
    let index =
        (pc.wrapping_sub(region.start).wrapping_mul(region.scale.value().into()) >> 17) as usize;
    if pc >= region.start && index * (width as usize / 8) < buffer.len() * (width as usize / 8) {
        let flags = black_box(0u32);
        let increment = if flags & 7 == 0 { 1 } else { u64::from(flags) };
        match black_box(width) {
            16 | 32 | 64 => buffer[index].increment(increment),
            _ => {}
        }
    }
}

trait Increment: Copy + Default {
    fn increment(&mut self, by: u64);
}

macro_rules! increment {
    ($($int:ident)*) => {$(
        impl Increment for $int {
            fn increment(&mut self, by: u64) {
                *self = self.wrapping_add(by as $int);
            }
        }
    )*};
}

increment!(u16 u32 u64);
