//! What a sample adds to the event that it is of, through a `Sampler` and through a bare loop over the same kind of ring.
//!
//! `cargo bench -p counterpoint-perf --bench sample` samples every page fault, subtracts what a fault costs that is only counted, and fails when ours adds more than 1.15 times what the bare loop adds.
//! The smallest of many short rounds counts: on a busy machine the others measure the neighbours.

#![allow(unsafe_code, reason = "the yardstick is the bare ring")]
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint_perf::records::Record;
use counterpoint_perf::{
    Attr, Every, Fields, Group, Host, Placement, Sampler, Sampling, Setup, pmu_type,
};
use nix::libc;
use perf_event_open_sys::{bindings, ioctls, perf_event_open};
use row::{Limit, row};
use std::hint::black_box;
use std::process::ExitCode;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

#[path = "../../../xtask/bench/row.rs"]
mod row;

const PAGE: usize = 4096;
const PAGES: usize = 4096;
const RING: usize = 128 << 10;
const ROUNDS: usize = 400;
const LIMIT: f64 = 1.15;
const PAGE_FAULTS: u64 = 2;

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    let memory = Memory::new();
    let (mut counted, mut ours, mut bare) = (counted(), ours(), Bare::new());
    let mut best = [f64::INFINITY; 3];
    let mut samples = [0_u64; 2];
    for _ in 0..ROUNDS {
        counted.enable().unwrap();
        best[0] = best[0].min(memory.touch(|| {}));
        counted.disable().unwrap();

        ours.enable().unwrap();
        best[1] = best[1].min(memory.touch(|| samples[0] += drain(&mut ours)));
        ours.disable().unwrap();

        bare.switch(true);
        best[2] = best[2].min(memory.touch(|| samples[1] += bare.drain()));
        bare.switch(false);
    }
    let expected = (ROUNDS * PAGES) as u64;
    assert!(samples.iter().all(|samples| *samples >= expected), "{samples:?} of {expected}");
    let [counted, ours, bare] = best;
    row("a page fault that is counted", "ns", counted, None, Limit::None);
    let bare = Some(("bare ring", bare - counted));
    match row("added by a sampler", "ns", ours - counted, bare, Limit::Times(LIMIT)) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Memory whose pages fault again and again.
struct Memory(*mut libc::c_void);

impl Memory {
    fn new() -> Memory {
        let (access, flags) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping at a place of the kernel's choice.
        let start = unsafe { libc::mmap(ptr::null_mut(), PAGES * PAGE, access, flags, -1, 0) };
        assert!(start != libc::MAP_FAILED);
        // SAFETY: of this mapping; huge pages would fault once for all.
        unsafe { libc::madvise(start, PAGES * PAGE, libc::MADV_NOHUGEPAGE) };
        Memory(start)
    }

    /// Nanoseconds a page, with `drain` called as often as a ring becomes half full.
    fn touch(&self, mut drain: impl FnMut()) -> f64 {
        // SAFETY: of this mapping, whose content nobody needs.
        unsafe { libc::madvise(self.0, PAGES * PAGE, libc::MADV_DONTNEED) };
        let half = RING / 2 / 16;
        let begun = Instant::now();
        for page in 0..PAGES {
            // SAFETY: inside of the mapping.
            let place = unsafe { self.0.cast::<u8>().add(page * PAGE) };
            // SAFETY: it can be written.
            unsafe { place.write_volatile(1) };
            if page % half == half - 1 {
                drain();
            }
        }
        begun.elapsed().as_nanos() as f64 / PAGES as f64
    }
}

fn faults() -> Attr {
    Attr { every: Every::Period(1), ..Attr::new(pmu_type::SOFTWARE, PAGE_FAULTS).user_only() }
}

fn counted() -> Group {
    let setup = Setup { disabled: true, ..Setup::default() };
    Host::local().open(&[faults()], Placement::ThisThread, setup).unwrap()
}

fn ours() -> Sampler {
    let setup = Setup { disabled: true, ..Setup::default() };
    let mut sampler = Host::local().sampler(Sampling::new(Fields::IP), setup).ring_bytes(RING);
    sampler.add(&[faults()], &Placement::ThisThread).unwrap();
    sampler
}

fn drain(sampler: &mut Sampler) -> u64 {
    let (mut samples, mut sum) = (0, 0_u64);
    sampler
        .drain(|record| {
            if let Record::Sample(sample) = record {
                samples += 1;
                sum = sum.wrapping_add(sample.ip.unwrap_or(0));
            }
        })
        .unwrap();
    black_box(sum);
    samples
}

/// The ring as one would read it by hand.
struct Bare {
    fd: i32,
    page: *mut bindings::perf_event_mmap_page,
}

impl Bare {
    fn new() -> Bare {
        let mut attr = bindings::perf_event_attr {
            size: size_of::<bindings::perf_event_attr>() as u32,
            type_: pmu_type::SOFTWARE,
            config: PAGE_FAULTS,
            sample_type: 1,
            ..Default::default()
        };
        attr.__bindgen_anon_1.sample_period = 1;
        attr.set_disabled(1);
        attr.set_exclude_kernel(1);
        attr.set_exclude_hv(1);
        attr.set_watermark(1);
        // SAFETY: a whole attribute that lives through the call.
        let fd = unsafe { perf_event_open(&mut attr, 0, -1, -1, 0) };
        assert!(fd >= 0);
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping at a place of the kernel's choice.
        let page =
            unsafe { libc::mmap(ptr::null_mut(), RING + PAGE, access, libc::MAP_SHARED, fd, 0) };
        assert!(page != libc::MAP_FAILED);
        Bare { fd, page: page.cast() }
    }

    fn switch(&self, on: bool) {
        let switch = if on { ioctls::ENABLE } else { ioctls::DISABLE };
        // SAFETY: takes a number.
        let done = unsafe { switch(self.fd, 0) };
        assert_eq!(done, 0);
    }

    fn drain(&mut self) -> u64 {
        // SAFETY: the field lies in the mapped page.
        let head = unsafe { &raw mut (*self.page).data_head };
        // SAFETY: as above.
        let tail = unsafe { &raw mut (*self.page).data_tail };
        // SAFETY: it is aligned, mapped, and accessed atomically only.
        let head = unsafe { AtomicU64::from_ptr(head) };
        // SAFETY: as above.
        let tail = unsafe { AtomicU64::from_ptr(tail) };
        let end = head.load(Ordering::Acquire);
        let mut at = tail.load(Ordering::Relaxed);
        let (mut samples, mut sum) = (0, 0_u64);
        while at < end {
            // SAFETY: records of 16 bytes do not wrap around in a ring whose size is a multiple of that.
            let record = unsafe { self.page.cast::<u8>().add(PAGE + at as usize % RING) };
            // SAFETY: a header and an address, mapped and aligned.
            let [header, address] = unsafe { record.cast::<[u64; 2]>().read() };
            let (kind, size) = (header as u32, header >> 48);
            if kind == 9 {
                samples += 1;
                sum = sum.wrapping_add(address);
            }
            at += size;
        }
        tail.store(end, Ordering::Release);
        black_box(sum);
        samples
    }
}
