//! From a PMU, or an event of it, to counters.

use super::set::{CounterSet, FIXED, registers};
use crate::encode::string::Encoding;
use crate::kernel::Group;
use crate::list::find;
use crate::plan::demand::{Claim, Demand};
use crate::pmu::{Flags, Pmu};
use crate::privilege::Privilege;

/// The counters of a PMU; `None` if more than its counters decides which events can be counted together, or if they are
/// not known.
///
/// Known are Intel's core PMUs with architectural performance monitoring, AMD's core and L3 PMUs, Arm's core PMUs, and
/// those of POWER8 to POWER10.
pub fn of(pmu: &Pmu) -> Option<CounterSet> {
    if !pmu.flags.has(Flags::PLANNABLE) {
        return None;
    }
    let general = low_bits(pmu.counters);
    let other_thread = match pmu.limits.per_thread {
        0 => 0,
        per_thread => general & !low_bits(per_thread),
    };
    Some(CounterSet { general, fixed: low_bits(pmu.fixed_counters) << FIXED, other_thread })
}

/// Of a PMU that can be planned for, so that they are few.
fn low_bits(count: u16) -> u64 {
    (1 << count) - 1
}

/// The counters that can count an encoded event; 0 if its PMU's counters are not known.
pub fn allowed(encoding: &Encoding) -> u64 {
    demand(encoding).map_or(0, |demand| demand.counters)
}

/// The demands of an encoded event on the pass that it is counted in; `None` if its PMU's counters are not known.
///
/// If the table of a PMU names counters for an event that count no event of its kind, all general ones are taken.
pub fn demand(encoding: &Encoding) -> Option<Demand> {
    demand_of(find(encoding.pmu)?, &encoding.codes, encoding.counters)
}

/// As [`demand`], for an event that is not in the tables: its register images (the code, then the value that it writes
/// into a register that it shares), and the counters that may count it where that is known.
pub fn demand_of(pmu: &Pmu, codes: &[u64], counters: Option<u64>) -> Option<Demand> {
    let set = of(pmu)?;
    let code = *codes.first()?;
    Some(Demand {
        counters: (pmu.family.counters)(pmu, set, code, counters),
        claims: (pmu.family.claim)(pmu, codes).into_iter().collect(),
    })
}

/// As [`demand`], for an event that the kernel names, by its `config`.
///
/// The kernel chooses the code that counts it; only codes of fixed counters, and of registers that are shared, matter
/// here.
pub fn demand_of_kernel(pmu: &Pmu, group: Group, config: u64) -> Option<Demand> {
    const LAST_LEVEL_CACHE: u64 = 2;
    const NODE: u64 = 6;
    let set = of(pmu)?;
    if group == Group::Hardware
        && let Some(code) = (pmu.family.kernel_code)(pmu, config)
    {
        return demand_of(pmu, &[code], None);
    }
    let mut demand = Demand::on(set.general);
    let copies = pmu.limits.offcore.into();
    if copies > 0 && group == Group::Cache && matches!(config & 0xff, LAST_LEVEL_CACHE | NODE) {
        // A response register cannot hold this value.
        let value = 1 << 63 | config;
        demand.claims.push(Claim { register: registers::OFFCORE_RESPONSE, copies, value });
    }
    Some(demand)
}

/// The claim of an event that counts at some levels, if the counters of the PMU share one setting for these.
///
/// In POWER's `MMCR0` and `MMCR2` a bit for each level holds for all counters at once.
pub fn shared_levels(pmu: &Pmu, levels: Privilege) -> Option<Claim> {
    let shared = pmu.flags.has(Flags::SHARED_LEVELS);
    let value = levels.bits().into();
    shared.then_some(Claim { register: registers::LEVELS, copies: 1, value })
}
