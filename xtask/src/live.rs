//! The tests that need a machine: its kernel, and its PMU where there is one.

/// The packages, with filters for the names of their tests.
pub const TESTS: &[(&str, &[&str])] = &[
    ("counterpoint-kernels", &["numbers", "stepped"]),
    ("counterpoint-perf", &["hardware", "live", "sampling", "unprivileged"]),
    ("counterpoint", &["hardware"]),
    ("counterpoint-cli", &["hardware"]),
];
