//! What kernels say of themselves.

use counterpoint_kernels::{Cache, Quantity, kernels};
use std::collections::BTreeSet;
use std::time::Instant;

const CACHES: [Cache; 3] = [
    Cache { level: 1, bytes: 32 << 10, line: 64 },
    Cache { level: 2, bytes: 512 << 10, line: 64 },
    Cache { level: 3, bytes: 8 << 20, line: 64 },
];

#[test]
fn every_kernel_runs_and_says_what_it_counts() {
    let mut names = BTreeSet::new();
    for mut kernel in kernels(&CACHES) {
        assert!(names.insert(kernel.name()), "{kernel:?}: its name is taken");
        assert!(!kernel.about().is_empty() && !kernel.expectations().is_empty(), "{kernel:?}");
        for expected in kernel.expectations() {
            let once = kernel.expectations().iter().filter(|e| e.quantity == expected.quantity);
            assert_eq!(once.count(), 1, "{kernel:?}");
            assert!(expected.each_turn > 0 && (0.0..0.5).contains(&expected.tolerance));
            assert_eq!(expected.tolerance == 0.0, expected.why.is_empty(), "{expected:?}");
            assert_eq!(expected.of(7), 7 * u64::from(expected.each_turn));
            assert!(!expected.quantity.name().is_empty());
        }
        for turns in [0, 1, 2, kernel.turns()] {
            kernel.run(turns).unwrap_or_else(|error| panic!("{kernel:?}: {error}"));
        }
        let begun = Instant::now();
        kernel.run(kernel.turns()).unwrap();
        println!("{:12} {:?}", kernel.name(), begun.elapsed());
    }
}

#[test]
fn each_quantity_has_a_kernel() {
    let all = kernels(&CACHES);
    let has = |quantity| all.iter().any(|kernel| kernel.expected(quantity).is_some());
    let system = [Quantity::PageFaults, Quantity::ContextSwitches, Quantity::CpuTime];
    let code = [
        Quantity::Instructions,
        Quantity::Branches,
        Quantity::ConditionalBranches,
        Quantity::TakenBranches,
        Quantity::BranchMisses,
        Quantity::Loads,
        Quantity::Stores,
        Quantity::CacheMisses(1),
        Quantity::CacheMisses(2),
        Quantity::CacheMisses(3),
        Quantity::LastLevelMisses,
        Quantity::TlbMisses,
        Quantity::SingleOperations,
        Quantity::DoubleOperations,
        Quantity::FpOperations,
    ];
    assert!(system.into_iter().all(has) && has(Quantity::SystemCalls));
    if !has(Quantity::Instructions) {
        return println!("skipped: this architecture has no loops in assembly");
    }
    for quantity in code {
        assert!(has(quantity), "{quantity:?}");
    }
    assert!(!has(Quantity::CacheMisses(4)));
}

/// A cache that is nearly as large as the next one has no working set of its own.
#[test]
fn a_working_set_lies_between_two_caches() {
    let narrow = [CACHES[0], Cache { level: 2, bytes: 64 << 10, line: 64 }];
    let names: Vec<&str> =
        kernels(&narrow).iter().map(counterpoint_kernels::Kernel::name).collect();
    assert!(!names.contains(&"beyond-l1"), "{names:?}");
    let huge = [Cache { level: 3, bytes: 1 << 30, line: 64 }];
    let names: Vec<&str> = kernels(&huge).iter().map(counterpoint_kernels::Kernel::name).collect();
    assert!(!names.contains(&"beyond-l3"), "more memory than a kernel may take: {names:?}");
}
