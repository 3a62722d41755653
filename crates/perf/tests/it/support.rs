use counterpoint_fixtures::FakeKernel;
use counterpoint_perf::{Attr, Count, Group, Host, OpenError, Placement, Setup, pmu_type};
use std::hint::black_box;

/// Task clock, in nanoseconds.
pub(crate) const TASK_CLOCK: u64 = 1;
pub(crate) const PAGE_FAULTS: u64 = 2;

pub(crate) fn software(config: u64) -> Attr {
    Attr::new(pmu_type::SOFTWARE, config)
}

/// A software event at the levels that this user may count.
pub(crate) fn permitted(config: u64) -> Attr {
    let everywhere = software(config);
    match Host::local().probe(&everywhere, &Placement::ThisThread) {
        Err(e) if e.is_permission() => everywhere.user_only(),
        _ => everywhere,
    }
}

pub(crate) fn disabled() -> Setup {
    Setup { disabled: true, ..Setup::default() }
}

/// A group of code events 1, 2, … of the fake kernel's processor.
pub(crate) fn hardware_group(kernel: &FakeKernel, events: u64, setup: Setup) -> Group {
    let attrs: Vec<Attr> = (1..=events).map(|code| Attr::new(pmu_type::RAW, code)).collect();
    Host::with_kernel(kernel.clone()).open(&attrs, Placement::ThisThread, setup).unwrap()
}

pub(crate) fn raws(counts: &[Count]) -> Vec<u64> {
    counts.iter().map(|count| count.raw).collect()
}

/// The value, or `None` with a line that says why this machine cannot show it.
pub(crate) fn or_skip<T>(what: &str, result: Result<T, OpenError>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(e) => {
            println!("skipped: {what}: {e} ({})", e.errno);
            // Anything else would be a mistake of ours.
            assert!(e.is_permission() || e.is_unsupported(), "{what}: {e:?}");
            None
        }
    }
}

pub(crate) fn burn() {
    let mut sum = 0_u64;
    for n in 0..200_000_u64 {
        sum = sum.wrapping_mul(31).wrapping_add(black_box(n));
    }
    black_box(sum);
}
