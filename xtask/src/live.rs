//! The tests that need a machine: its kernel, its PMU where there is one, or its byte order.

/// The packages, with filters for the names of their tests.
pub const TESTS: &[(&str, &[&str])] = &[
    ("counterpoint-kernels", &["numbers", "stepped"]),
    ("counterpoint-perf", &["hardware", "live", "sampling", "unprivileged"]),
    ("counterpoint", &["hardware"]),
    ("counterpoint-cli", &["hardware"]),
];

/// The packages whose tests must also pass in the other byte order; they need no PMU.
pub const PORTABLE: &[&str] = &[
    "counterpoint-formula",
    "counterpoint-catalog24x7",
    "counterpoint-recording",
    "counterpoint-report",
];
