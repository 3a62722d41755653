//! Reading a group allocates nothing.
//!
//! A program of its own, because it replaces the allocator to count.

#![allow(unsafe_code, reason = "an allocator cannot be written without; this one only counts")]

#[path = "../../../fixtures/allocations.rs"]
mod counted;

use counted::allocations;
use counterpoint_perf::{Attr, Count, Host, Placement, Setup, pmu_type};

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
        let work = || {
            for _ in 0..100 {
                group.enable().unwrap();
                group.read_into(&mut counts).unwrap();
                group.disable().unwrap();
            }
        };
        assert_eq!(allocations(work), 0);
        assert!(!counts[0].enabled.is_zero());
        let read = || assert_eq!(group.read().unwrap().len(), 8);
        assert_eq!(allocations(read), 1, "the counter counts: `read` makes one Vec");
    }
}
