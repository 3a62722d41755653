//! The counters of today's processors, and which of them can count an encoded event: what a [plan](crate::plan) needs.
//!
//! ```
//! use counterpoint_pmu::counters;
//! use counterpoint_pmu::plan::place;
//! use counterpoint_pmu::{Context, Layer, encode, find};
//!
//! let spr = counters::of(find("spr").unwrap()).unwrap();
//! assert_eq!((spr.general.count_ones(), spr.fixed.count_ones()), (8, 4));
//!
//! let context = Context::new(Layer::Raw);
//! let demand = |event| counters::demand(&encode(event, &context).unwrap()).unwrap();
//! let cycles = demand("spr::UNHALTED_CORE_CYCLES");
//! assert_eq!(cycles.counters, 0xff | 1 << (counters::FIXED + 1));
//! // Cycles sit on their fixed counter, so that all general ones are free.
//! assert_eq!(place(&[cycles]).unwrap(), [counters::FIXED + 1]);
//! ```
//!
//! The constraints of events are those of the tables; which codes a fixed counter counts is said by the architecture:
//! Intel 64 and IA-32 Architectures Software Developer's Manual, volume 3, "Architectural Performance Monitoring"; Arm
//! Architecture Reference Manual, "The Performance Monitors Extension"; Power ISA, "Performance Monitor Facility".

use crate::encode::Encoding;
use crate::family::Family;
use crate::kernel::Group;
use crate::plan::{Claim, Demand};
use crate::pmu::{Pmu, PmuKind, find};

/// The bit of the first fixed counter.
pub const FIXED: u32 = 32;

/// The bit of the first top-down metric of Intel's processors, which are read beside the counter of slots.
pub const METRIC: u32 = 48;

/// The kinds of registers that events share, as [`Claim::register`].
pub mod registers {
    /// Intel's off-core response registers.
    pub const OFFCORE_RESPONSE: u32 = 0;
    /// Intel's threshold of load latencies.
    pub const LOAD_LATENCY: u32 = 1;
    /// Intel's choice of front-end events.
    pub const FRONTEND: u32 = 2;
    /// The privilege levels of all counters of a POWER processor.
    pub const LEVELS: u32 = 3;
}

/// The counters of a PMU, a bit for each; fixed ones from [`FIXED`] on.
///
/// Of Intel's cores from Sandy Bridge to Cascade Lake each thread has half of the general counters while hyper-threading
/// is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CounterSet {
    /// Those that take many events.
    #[doc(alias = "num_cntrs")]
    pub general: u64,
    /// Those that take one event each.
    #[doc(alias = "num_fixed_cntrs")]
    pub fixed: u64,
}

/// The counters of a PMU; `None` where a set of events is not decided by counters alone, or nothing is known.
///
/// Known are Intel's core PMUs with architectural performance monitoring, AMD's core and L3 PMUs, Arm's core PMUs, and
/// those of POWER8 to POWER10.
pub fn of(pmu: &Pmu) -> Option<CounterSet> {
    let (general, fixed) = match (pmu.family, pmu.kind) {
        // libpfm says 16 for the latest, which have 8.
        (Family::IntelCore, PmuKind::Core) if pmu.fixed_counters > 0 => {
            (pmu.counters.min(8), pmu.fixed_counters)
        }
        // libpfm says 4.
        (Family::Amd, PmuKind::Uncore) if is_zen_l3(pmu) => (6, 0),
        (Family::Amd, PmuKind::Core) => (pmu.counters, 0),
        (Family::Arm, PmuKind::Core) => (pmu.counters, u16::from(is_armv8(pmu))),
        (Family::Power, PmuKind::Core) if has_pmc_field(pmu) => (pmu.counters, pmu.fixed_counters),
        _ => return None,
    };
    Some(CounterSet { general: low_bits(general), fixed: low_bits(fixed) << FIXED })
}

/// The counters that can count an encoded event; 0 if its PMU's counters are not known.
pub fn allowed(encoding: &Encoding) -> u64 {
    demand(encoding).map_or(0, |demand| demand.counters)
}

/// What an encoded event asks of the pass that it is counted in; `None` if its PMU's counters are not known.
///
/// Counters that the table of a PMU names for an event, and that no code of its kind can be on, are not believed.
pub fn demand(encoding: &Encoding) -> Option<Demand> {
    demand_of(find(encoding.pmu)?, &encoding.codes, encoding.counters)
}

/// As [`demand`], for an event that is not of the tables: its register images (the code, then what it writes into a
/// register that it shares), and the counters that may count it where that is known.
pub fn demand_of(pmu: &Pmu, codes: &[u64], counters: Option<u64>) -> Option<Demand> {
    let set = of(pmu)?;
    let code = *codes.first()?;
    let claims = match pmu.family {
        Family::IntelCore => claims(pmu, codes).into_iter().collect(),
        _ => Vec::new(),
    };
    let counters = match pmu.family {
        Family::IntelCore => intel(set, code, counters),
        Family::Amd => amd(pmu, set, code),
        Family::Arm => arm(set, code),
        _ => power(set, code),
    };
    Some(Demand { counters, claims })
}

/// As [`demand`], for an event that the kernel names, by its `config`: which code of this PMU counts it is the kernel's choice,
/// and only those of fixed counters, and of registers that are shared, matter here.
pub fn demand_of_kernel(pmu: &Pmu, group: Group, config: u64) -> Option<Demand> {
    const CYCLES: u64 = 0;
    const INSTRUCTIONS: u64 = 1;
    const REFERENCE_CYCLES: u64 = 9;
    const LAST_LEVEL_CACHE: u64 = 2;
    const NODE: u64 = 6;
    let set = of(pmu)?;
    let code = match (group, pmu.family, config) {
        (Group::Hardware, Family::IntelCore, CYCLES) => Some(0x3c),
        (Group::Hardware, Family::IntelCore, INSTRUCTIONS) => Some(0xc0),
        (Group::Hardware, Family::IntelCore, REFERENCE_CYCLES) => Some(0x300),
        (Group::Hardware, Family::Arm, CYCLES) => Some(0x11),
        _ => None,
    };
    if let Some(code) = code {
        return demand_of(pmu, &[code], None);
    }
    let mut demand = Demand::on(set.general);
    let is_offcore = matches!(config & 0xff, LAST_LEVEL_CACHE | NODE);
    if group == Group::Cache && pmu.family == Family::IntelCore && is_offcore {
        // No value that a response register could hold.
        let value = 1 << 63 | config;
        demand.claims.push(Claim { register: registers::OFFCORE_RESPONSE, copies: 2, value });
    }
    Some(demand)
}

fn low_bits(count: u16) -> u64 {
    (1 << count) - 1
}

fn is_zen_l3(pmu: &Pmu) -> bool {
    pmu.name.ends_with("_l3")
}

/// Processors of earlier architectures tell cycles in another way.
fn is_armv8(pmu: &Pmu) -> bool {
    !matches!(pmu.name, "arm_1176" | "arm_ac7" | "arm_ac8" | "arm_ac9" | "arm_ac15" | "qcom_krait")
}

/// Earlier POWER processors count in groups.
fn has_pmc_field(pmu: &Pmu) -> bool {
    matches!(pmu.name, "power8" | "power9" | "power10")
}

/// Edge, inversion, counter mask, and the bits of transactions: a fixed counter has none of these.
const INTEL_OPTIONS: u64 = 1 << 18 | 1 << 23 | 0xff << 24 | 0b11 << 32;

fn intel(set: CounterSet, code: u64, table: Option<u64>) -> u64 {
    let fixed = |number: u32| set.fixed & 1 << (FIXED + number);
    let plain = code & INTEL_OPTIONS == 0;
    match code & 0xffff {
        // Retired instructions and cycles, on any counter.
        0x00c0 if plain => set.general | fixed(0),
        0x003c if plain => set.general | fixed(1),
        0x00c0 | 0x003c => set.general,
        // Codes of the fixed counters alone: instructions, cycles, reference cycles, slots.
        0x0100 => fixed(0),
        0x0200 => fixed(1),
        0x0300 => fixed(2),
        0x0400 => fixed(3),
        metric if metric & 0x80ff == 0x8000 && fixed(3) != 0 => {
            1 << (METRIC + (metric >> 8 & 7) as u32)
        }
        _ => match table.unwrap_or(set.general) & set.general {
            0 => set.general,
            some => some,
        },
    }
}

/// What an event writes into a register that it shares with others.
fn claims(pmu: &Pmu, codes: &[u64]) -> Option<Claim> {
    let (&[code, value] | &[code, value, ..]) = codes else { return None };
    let (register, copies) = match code & 0xff {
        0xb7 | 0xbb | 0x2a | 0x2b => {
            let has_one = matches!(pmu.name, "nhm" | "nhm_ex");
            (registers::OFFCORE_RESPONSE, if has_one { 1 } else { 2 })
        }
        0xcd => (registers::LOAD_LATENCY, 1),
        0xc6 => (registers::FRONTEND, 1),
        _ => return None,
    };
    (value != 0).then_some(Claim { register, copies, value })
}

/// Zen 1 and 2 join two counters for the sum of floating point operations; the even one holds the event.
fn amd(pmu: &Pmu, set: CounterSet, code: u64) -> u64 {
    let sums = pmu.name.starts_with("amd64_fam17h") && code & 0xf_0000_00ff == 0x03;
    if sums { set.general & 0x5555 } else { set.general }
}

/// The cycle counter is the fixed one.
fn arm(set: CounterSet, code: u64) -> u64 {
    const CYCLES: u64 = 0x11;
    if code & 0xffff == CYCLES { set.general | set.fixed } else { set.general }
}

/// PMC1 to PMC4 are general; PMC5 and PMC6 count instructions and cycles. The code says which, 0 for any of the former.
fn power(set: CounterSet, code: u64) -> u64 {
    match code >> 16 & 0xf {
        0 => set.general,
        pmc @ 1..=4 => 1 << (pmc - 1),
        pmc @ 5..=6 => 1 << (u64::from(FIXED) + pmc - 5),
        _ => 0,
    }
}
