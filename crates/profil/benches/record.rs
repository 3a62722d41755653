//! Compares the cost of counting a sample with the plain increment of its bucket, and with a model of the steps that PAPI's dispatch performs for every sample: searching for the region, and checking the bounds, the flags and the width.
//!
//! PAPI itself counts samples in its handler of a signal only, so that its code cannot be called for one sample.
//! `cargo bench -p counterpoint-profil --bench record` measures interleaved rounds, and fails if a limit is exceeded.
//! A batch may take 1.3 times as long as incrementing buckets whose indices are known, and a third of the time of PAPI's steps.
//! Samples one by one, and those of several regions in turn, may take 1.2 times as long as a plain checked increment: the region of each sample is known, and its bucket is computed, for any scale, and checked.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint_profil::{Buckets, Histogram, Region, Scale};
use row::{Limit, compared};
use std::cell::RefCell;
use std::hint::black_box;
use std::process::ExitCode;
use turns::{in_turn, once, pairs, scaled};

#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const SAMPLES: usize = 1 << 20;
const ROUNDS: usize = 15;
const OF_INDEXED: Limit = Limit::Times(1.3);
const OF_CHECKED: Limit = Limit::Times(1.2);
const OF_PAPI: Limit = Limit::Times(1.0 / 3.0);
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
    for regions in [2, 8, 64] {
        ok &= in_regions(regions);
    }
    if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Samples of one region; returns false if a limit is exceeded.
fn samples<T: Increment + PartialEq>(megabytes: u64, width: u32) -> bool
where
    for<'a> &'a mut [T]: Buckets,
{
    let region = Region::new(START..START + (megabytes << 20), Scale::TWO_ADDRESSES).unwrap();
    let pcs = addresses(region.start, megabytes << 20);
    let indices: Vec<usize> = pcs.iter().map(|&pc| region.bucket(pc).unwrap()).collect();
    let indexed = |buffer: &mut [T]| {
        for &index in black_box(&indices) {
            buffer[index].increment(1);
        }
    };
    let checked = |buffer: &mut [T]| {
        let region = black_box(&region);
        for &pc in black_box(&pcs) {
            checked(buffer, region, pc);
        }
    };
    let batch = |histogram: &mut Histogram<&mut [T]>| histogram.record_batch(black_box(&pcs));
    let each = |histogram: &mut Histogram<&mut [T]>| {
        for &pc in black_box(&pcs) {
            histogram.record(pc);
        }
    };
    let papi = |buffer: &mut [T]| {
        for &pc in black_box(&pcs) {
            by_papi(black_box(&[region]), black_box(width), buffer, pc);
        }
    };
    let mut buffers: [Vec<T>; 5] = std::array::from_fn(|_| vec![T::default(); region.buckets]);
    let [a, b, c, d, e] = &mut buffers;
    indexed(a);
    checked(b);
    batch(&mut histogram(&[region], [c.as_mut_slice()]));
    each(&mut histogram(&[region], [d.as_mut_slice()]));
    papi(e);
    assert!(buffers.iter().all(|buffer| *buffer == buffers[0]), "all count the same");

    // All count in the same buckets, so that all find the same part of them in the caches.
    let [buffer, ..] = buffers;
    let buffer = RefCell::new(buffer);
    let plain = |count: &dyn Fn(&mut [T])| {
        let mut buffer = buffer.borrow_mut();
        once(|| count(&mut buffer))
    };
    let ours = |count: &dyn Fn(&mut Histogram<&mut [T]>)| {
        let mut buffer = buffer.borrow_mut();
        let mut histogram = histogram(&[region], [buffer.as_mut_slice()]);
        once(|| count(&mut histogram))
    };
    let rounds = in_turn(
        ROUNDS,
        [
            &mut || plain(&indexed),
            &mut || ours(&batch),
            &mut || plain(&checked),
            &mut || ours(&each),
            &mut || plain(&papi),
        ],
    );
    let of = |ours, peer| per_sample(&pairs(&rounds, ours, peer));
    let [indexed, batch, checked, each, papi] = [0, 1, 2, 3, 4];
    let name = format!("a sample, {megabytes} MB, {width} bits");
    let one = format!("{name}, one by one");
    [
        compared(&name, "ns", "plain increment", &of(batch, indexed), OF_INDEXED),
        compared(&name, "ns", "model of PAPI's steps", &of(batch, papi), OF_PAPI),
        compared(&one, "ns", "checked increment", &of(each, checked), OF_CHECKED),
    ]
    .iter()
    .all(|within| *within)
}

/// Samples of several regions in turn; returns false if a limit is exceeded.
fn in_regions(count: u64) -> bool {
    const LEN: u64 = 64 << 10;
    // Addresses that no region has lie between them.
    let start = |nth: u64| START + 3 * LEN * nth;
    let region = |nth| Region::exactly(start(nth)..start(nth) + LEN, Scale::TWO_ADDRESSES).unwrap();
    let regions: Vec<Region> = (0..count).map(region).collect();
    let offsets = addresses(0, LEN).into_iter().zip((0..count).cycle());
    let (known, pcs): (Vec<usize>, Vec<u64>) =
        offsets.map(|(offset, nth)| (nth as usize, start(nth) + offset)).unzip();
    let mut plain: Vec<(Region, Vec<u32>)> =
        regions.iter().map(|region| (*region, vec![0; region.buckets])).collect();
    let mut memory: [Vec<Vec<u32>>; 2] =
        std::array::from_fn(|_| regions.iter().map(|region| vec![0; region.buckets]).collect());
    let [one_by_one, batches] = &mut memory;
    let mut one_by_one = histogram(&regions, one_by_one.iter_mut().map(Vec::as_mut_slice));
    let mut batches = histogram(&regions, batches.iter_mut().map(Vec::as_mut_slice));
    let rounds = in_turn(
        ROUNDS,
        [
            &mut || {
                once(|| {
                    for (&nth, &pc) in black_box(&known).iter().zip(black_box(&pcs)) {
                        let (region, buffer) = &mut plain[nth];
                        checked(buffer, region, pc);
                    }
                })
            },
            &mut || {
                once(|| {
                    for &pc in black_box(&pcs) {
                        one_by_one.record(pc);
                    }
                })
            },
            &mut || once(|| batches.record_batch(black_box(&pcs))),
        ],
    );
    for (nth, (_, buffer)) in plain.iter().enumerate() {
        for histogram in [&one_by_one, &batches] {
            assert!(histogram.counts(nth).eq(buffer.iter().copied().map(u64::from)));
        }
    }
    [("one by one", 1), ("in batches", 2)]
        .map(|(how, ours)| {
            let name = format!("a sample, {count} regions in turn, {how}");
            let rounds = per_sample(&pairs(&rounds, ours, 0));
            compared(&name, "ns", "checked increment", &rounds, OF_CHECKED)
        })
        .iter()
        .all(|within| *within)
}

fn histogram<'a, T>(
    regions: &[Region],
    buffers: impl IntoIterator<Item = &'a mut [T]>,
) -> Histogram<&'a mut [T]>
where
    &'a mut [T]: Buckets,
{
    Histogram::with_buckets(regions.iter().copied().zip(buffers).collect()).unwrap()
}

fn per_sample(rounds: &[(f64, f64)]) -> Vec<(f64, f64)> {
    scaled(rounds, 1.0 / SAMPLES as f64)
}

/// Counts one sample of a known region.
fn checked<T: Increment>(buffer: &mut [T], region: &Region, pc: u64) {
    if let Some(bucket) = region.bucket(pc) {
        buffer[bucket].increment(1);
    }
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
