//! The PMUs that have tables.

use crate::family::{perf, perf_raw};
use crate::pmu::{Flags, Limits, Pmu, PmuKind};
use crate::tables::hash::hash;
use crate::tables::table::Table;
use crate::tables::vendors::VENDORS;

/// Every PMU, vendor by vendor, in the order in which a string without a prefix tries them; the
/// operating system's come last.
pub fn all() -> impl Iterator<Item = &'static Pmu> {
    VENDORS.iter().flat_map(|vendor| vendor.list).chain(&OS_PMUS)
}

/// The PMU of this name, in any case.
///
/// ```
/// let pmu = counterpoint_pmu::find("SPR").unwrap();
/// assert_eq!((pmu.name, pmu.fixed_counters), ("spr", 4));
/// assert_eq!(pmu.description, "Intel Sapphire Rapids");
/// assert!(pmu.event("l1d").is_some());
/// ```
pub fn find(name: &str) -> Option<&'static Pmu> {
    // The vendors' tables lie on pages of their own, which a program may not need otherwise.
    let of_system = OS_PMUS.iter().find(|pmu| pmu.name.eq_ignore_ascii_case(name));
    of_system.or_else(|| {
        let hash = hash(name);
        VENDORS.iter().find_map(|vendor| vendor.find(hash, name))
    })
}

/// The features of vendors' tables that the crate was built without: names of their PMUs are unknown.
pub fn left_out() -> Vec<&'static str> {
    let features = [
        ("intel", cfg!(feature = "intel")),
        ("amd", cfg!(feature = "amd")),
        ("arm", cfg!(feature = "arm")),
        ("power", cfg!(feature = "power")),
        ("s390x", cfg!(feature = "s390x")),
        ("sparc", cfg!(feature = "sparc")),
        ("mips", cfg!(feature = "mips")),
        ("riscv", cfg!(feature = "riscv")),
    ];
    features.into_iter().filter(|(_, is_built)| !is_built).map(|(name, _)| name).collect()
}

/// The properties that the operating system's PMUs have in common: no table, and no counters that run out.
const OS_PMU: Pmu = Pmu {
    name: "",
    description: "",
    number: 0,
    kind: PmuKind::OsGeneric,
    counters: 0,
    fixed_counters: 0,
    most_codes: 1,
    libpfm_counters: (0, 0),
    limits: Limits::NONE,
    family: &perf::FAMILY,
    table: &Table::EMPTY,
    flags: Flags(0),
    levels: 0,
    revision: 0,
    devices: "",
    machines: "",
};

/// The operating system's PMUs, which every machine has.
pub(crate) static OS_PMUS: [Pmu; 2] = [
    Pmu {
        name: "perf",
        description: "The events that Linux itself names",
        number: 51,
        levels: 9,
        ..OS_PMU
    },
    Pmu {
        name: "perf_raw",
        description: "Raw codes for the processor's PMU, written rHEX",
        number: 114,
        family: &perf_raw::FAMILY,
        levels: 0x19,
        ..OS_PMU
    },
];
