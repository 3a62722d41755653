use counterpoint_pmu::kernel::{self, Group, Unit};

/// The kernel's numbers, from `perf_event.h`.
#[test]
fn names_and_numbers() {
    let cases = [
        ("cycles", 0, 0x0),
        ("cpu-cycles", 0, 0x0),
        ("INSTRUCTIONS", 0, 0x1),
        ("branches", 0, 0x4),
        ("branch-instructions", 0, 0x4),
        ("ref-cycles", 0, 0x9),
        ("task-clock", 1, 0x1),
        ("faults", 1, 0x2),
        ("cs", 1, 0x3),
        ("migrations", 1, 0x4),
        ("minor-faults", 1, 0x5),
        ("alignment-faults", 1, 0x7),
        ("emulation-faults", 1, 0x8),
        ("dummy", 1, 0x9),
        ("bpf-output", 1, 0xa),
        ("cgroup-switches", 1, 0xb),
        ("L1-dcache-load-misses", 3, 0x10000),
        ("l1-icache-prefetches", 3, 0x201),
        ("LLC-loads", 3, 0x2),
        ("dTLB-store-misses", 3, 0x10103),
        ("itlb-load-misses", 3, 0x10004),
        ("branch-loads", 3, 0x5),
        ("node-prefetch-misses", 3, 0x10206),
        ("PERF_COUNT_SW_TASK_CLOCK", 1, 0x1),
        ("perf_count_hw_cache_l1d:read:miss", 3, 0x10000),
    ];
    for (name, kind, config) in cases {
        let event = kernel::find(name).unwrap_or_else(|| panic!("{name} is not found"));
        assert_eq!((event.kind(), event.config), (kind, config), "{name}");
    }
    // Names that perf puts together.
    for (name, expected) in [
        ("LLC-misses", "LLC-load-misses"),
        ("L1-dcache-misses", "L1-dcache-load-misses"),
        ("l1d-read-refs", "L1-dcache-loads"),
        ("dTLB-misses-store", "dTLB-store-misses"),
        ("i-tlb-miss", "iTLB-load-misses"),
    ] {
        assert_eq!(kernel::find(name).map(|event| event.name), Some(expected), "{name}");
    }
    for name in ["LLC", "LLC-", "LLC--misses", "LLC-loads-stores", "iTLB-stores", "LLC-load-x"] {
        assert_eq!(kernel::find(name), None, "{name}");
    }
    for name in ["", "cycle", "cycles:u", "hardware", "PERF_COUNT_HW_CACHE_L1D", "slots", ","] {
        assert_eq!(kernel::find(name), None, "{name}");
    }
}

#[test]
fn every_event_is_found_by_each_of_its_names_and_no_name_is_used_twice() {
    let mut seen = std::collections::HashSet::new();
    for event in kernel::all() {
        for name in event.names().chain([event.constant]) {
            assert!(seen.insert(name.to_ascii_lowercase()), "{name} is used twice");
            assert_eq!(kernel::find(name), Some(event));
        }
        assert_eq!(event.names().next(), Some(event.name));
        assert!(!event.description.is_empty() && !event.description.ends_with('.'));
    }
    let count = |group| kernel::all().filter(|event| event.group == group).count();
    assert_eq!((count(Group::Hardware), count(Group::Software), count(Group::Cache)), (10, 12, 32));
}

#[test]
fn the_clocks_count_nanoseconds_and_switches_are_seen_by_the_kernel_alone() {
    let names = |filter: fn(&kernel::KernelEvent) -> bool| -> Vec<&str> {
        kernel::all().filter(filter).map(|event| event.name).collect()
    };
    assert_eq!(names(|event| event.unit == Unit::Nanoseconds), ["cpu-clock", "task-clock"]);
    assert_eq!(
        names(|event| event.kernel_only),
        ["context-switches", "cpu-migrations", "cgroup-switches"]
    );
    let aliases: Vec<&str> = kernel::find("page-faults").unwrap().aliases().collect();
    assert_eq!(aliases, ["faults"]);
}
