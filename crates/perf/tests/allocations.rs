//! Reading a group allocates nothing.
//!
//! A program of its own, because it replaces the allocator to count.

#![allow(unsafe_code, reason = "an allocator cannot be written without; this one only counts")]

use counterpoint_perf::{Attr, Count, Host, Placement, Setup, pmu_type};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

fn allocations() -> usize {
    ALLOCATIONS.get()
}

// SAFETY: every call goes to the system's allocator as it is; `realloc` and `alloc_zeroed` come here by default.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller keeps the same promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the same promises, and the memory came from there.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn reading_and_switching_allocate_nothing() {
    let host = Host::local();
    let events: Vec<Attr> =
        (1..=8).map(|code| Attr::new(pmu_type::SOFTWARE, code).user_only()).collect();
    for inherit in [false, true] {
        let setup = Setup { inherit, ..Setup::default() };
        let mut group = match host.open(&events, Placement::ThisThread, setup) {
            Ok(group) => group,
            Err(e) => {
                println!("skipped: {e} ({})", e.errno);
                assert!(e.is_permission() || e.is_unsupported());
                return;
            }
        };
        let mut counts = [Count::default(); 8];
        let before = allocations();
        for _ in 0..100 {
            group.enable().unwrap();
            group.read_into(&mut counts).unwrap();
            group.disable().unwrap();
        }
        assert_eq!(allocations() - before, 0);
        assert!(!counts[0].enabled.is_zero());
        let before = allocations();
        assert_eq!(group.read().unwrap().len(), 8);
        assert_eq!(allocations() - before, 1, "the counter counts: `read` makes one Vec");
    }
}
