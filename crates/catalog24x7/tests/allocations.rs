//! Reading damaged files never panics and needs little memory: at most 13 times the file size plus 64 KB, a copy of the file among them, whatever the file claims.
//!
//! A separate test binary, because it replaces the allocator to count allocations.

#![allow(unsafe_code, reason = "an allocator requires unsafe code; this one only counts")]
#![allow(clippy::unwrap_used, reason = "a test fails by panic")]

#[path = "it/mutants.rs"]
mod mutants;
#[allow(dead_code)]
#[path = "it/packer.rs"]
mod packer;
#[path = "../../../fixtures/seeds.rs"]
mod seeds;
#[allow(dead_code)]
#[path = "it/whole.rs"]
mod whole;

use counterpoint_catalog24x7::sysfs::Kernel;
use counterpoint_catalog24x7::{Catalog, check};
use mutants::Mutants;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    /// The bytes held by this thread, and the maximum so far.
    static HELD: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

// SAFETY: every call is passed on to the system's allocator unchanged; `realloc` and `alloc_zeroed` use these methods by default.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.set(HELD.get() + layout.size() as isize);
        MOST.set(MOST.get().max(HELD.get()));
        // SAFETY: the caller upholds the same contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        HELD.set(HELD.get() - layout.size() as isize);
        // SAFETY: the caller upholds the same contract, and the memory came from the system's allocator.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The maximum number of bytes held while `work` ran, beyond those held before.
fn most(work: impl FnOnce()) -> usize {
    let before = HELD.get();
    MOST.set(before);
    work();
    (MOST.get() - before) as usize
}

fn within_bounds(bytes: &[u8], work: impl FnOnce(&[u8])) {
    let most = most(|| work(bytes));
    let bound = 13 * bytes.len() + 64 * 1024;
    assert!(most <= bound, "{} bytes need {most}, more than {bound}", bytes.len());
}

#[test]
fn mutants_of_a_catalog() {
    let base = std::fs::read(mutants::fixture("catalog24x7/base.bin")).unwrap();
    let mut mutants = Mutants::new(base);
    for number in 0..mutants::number(200_000) {
        let mutant = mutants.next(4096);
        assert_eq!(most(|| whole::view(mutant)), 0, "a view does not allocate");
        within_bounds(mutant, whole::decoded);
        whole::driver(mutant, Kernel::ALL[number % 3]);
    }
}

#[test]
fn mutants_of_result_buffers() {
    for version in [1, 2] {
        let mut mutants = Mutants::new(mutants::results(version));
        for _ in 0..mutants::number(100_000) {
            within_bounds(mutants.next(0), whole::buffers);
        }
    }
}

/// Every section covers the rest of the file, and every record is as short as possible.
#[test]
fn the_most_records_that_bytes_can_be() {
    for length in [16, 18, 20, 22, 24, 26, 28, 32, 50, 64] {
        let mut file = vec![0; 64 * 4096];
        file[..4].copy_from_slice(b"24x7");
        for entry in [0x40, 0x48, 0x50, 0x58] {
            file[entry..entry + 6].copy_from_slice(&[0, 1, 0, 63, 255, 255]);
        }
        for at in (4096..file.len()).step_by(2) {
            file[at + 1] = length;
        }
        within_bounds(&file, |file| drop(Catalog::decode(file).catalog.map(|found| check(&found))));
        whole::decoded(&file);
        // The same with texts of one character wherever a text can be.
        for at in (4096 + 2..file.len()).step_by(2) {
            if !(at - 4096).is_multiple_of(length.into()) {
                file[at + 1] = 2 + (at % 3) as u8;
            }
        }
        within_bounds(&file, |file| drop(Catalog::decode(file).catalog.map(|found| check(&found))));
        whole::decoded(&file);
    }
}

#[test]
fn counts_reserve_nothing() {
    let mut file = vec![0; 4096 + 6];
    file[..4].copy_from_slice(b"24x7");
    for entry in [0x40, 0x48, 0x50, 0x58] {
        file[entry..entry + 6].copy_from_slice(&[0, 1, 255, 255, 255, 255]);
    }
    assert!(most(|| whole::decoded(&file)) < 40 * 1024);
    assert!(most(|| whole::buffers(&[1, 255, 0, 0, 0, 0])) < 4 * 1024);
}
