//! Where the data of an operation was found, in the bits of the kernel (`perf_mem_data_src`).

use super::operation::{
    Access, L1D_ACCESS, L1D_REFILL, LLC_ACCESS, LLC_MISS, Operation, REMOTE_ACCESS, TLB_ACCESS,
    TLB_WALK,
};

const LOAD: u64 = 2;
const STORE: u64 = 4;
const LEVEL: u32 = 5;
const NOT_KNOWN: u64 = 1 << LEVEL;
const HIT: u64 = 2 << LEVEL;
const MISS: u64 = 4 << LEVEL;
const L1: u64 = 8 << LEVEL;
const L2: u64 = 0x20 << LEVEL;
const L3: u64 = 0x40 << LEVEL;
const LOCAL_MEMORY: u64 = 0x80 << LEVEL;
const SNOOP_NOT_KNOWN: u64 = 1 << 19;
const NO_SNOOP: u64 = 2 << 19;
const SNOOP_HIT: u64 = 4 << 19;
const TLB_HIT: u64 = 2 << 26;
const TLB_MISS: u64 = 4 << 26;
const WALKER: u64 = 0x20 << 26;
/// Newer bits have a number for the level.
const NUMBER: u32 = 33;
const MEMORY: u64 = 0xd << NUMBER;
const NO_NUMBER: u64 = 0xf << NUMBER;
const REMOTE: u64 = 1 << 37;
/// Another core had the line.
const PEER: u64 = 2 << 38;

/// Where the data of an access was found, as the processor with this identification (`MIDR_EL1`) has it.
pub(crate) fn source(of: &Operation, access: Access, midr: u64) -> u64 {
    let has = |events: u64| of.events & events != 0;
    let operation = match access {
        Access::Load => LOAD,
        Access::Store => STORE,
    };
    let tlb = match (has(TLB_WALK), has(TLB_ACCESS)) {
        (true, _) => WALKER | TLB_MISS,
        (false, true) => WALKER | TLB_HIT,
        _ => 0,
    };
    operation | tlb | numbered(of, access, midr).unwrap_or_else(|| by_events(of))
}

/// What the events of an operation say.
fn by_events(of: &Operation) -> u64 {
    let has = |events: u64| of.events & events != 0;
    let outcome = |is_miss: bool| if is_miss { MISS } else { HIT };
    let level = if has(LLC_ACCESS | LLC_MISS) {
        L3 | outcome(has(LLC_MISS))
    } else if has(L1D_ACCESS | L1D_REFILL) {
        L1 | outcome(has(L1D_REFILL))
    } else {
        0
    };
    level | if has(REMOTE_ACCESS) { REMOTE } else { 0 }
}

/// The part numbers of Arm's processors that have the numbers of Neoverse: N1, V1, N2, V2, Cortex-X1C, X3, X925, A720 and A725.
const NEOVERSE: [u64; 9] = [0xd0c, 0xd40, 0xd49, 0xd4f, 0xd4c, 0xd4e, 0xd85, 0xd81, 0xd87];
const ARM: u64 = 0x41;

/// What the number says that a processor gives to the place of data; `None` if that is not known.
fn numbered(of: &Operation, access: Access, midr: u64) -> Option<u64> {
    let (implementer, part) = (midr >> 24 & 0xff, midr >> 4 & 0xfff);
    if implementer != ARM || !NEOVERSE.contains(&part) {
        return None;
    }
    if access == Access::Store {
        // They say it of loads alone.
        return Some(NOT_KNOWN | NO_NUMBER | SNOOP_NOT_KNOWN);
    }
    let number = |level: u64| level << NUMBER;
    // The manuals of these processors (Neoverse V1: "Data source packet"); the cache of the system counts as the third level, as with perf.
    Some(match of.source {
        Some(0) => L1 | HIT | number(1) | NO_SNOOP,
        Some(8) => L2 | HIT | number(2) | NO_SNOOP,
        // Another core, the own cluster, and another cluster.
        Some(9) => L2 | HIT | number(2) | PEER,
        Some(0xa | 0xc) => L3 | HIT | number(3) | PEER,
        Some(0xb) => L3 | HIT | number(3) | SNOOP_HIT,
        // Another socket, and not where there.
        Some(0xd) => NOT_KNOWN | NO_NUMBER | REMOTE | PEER,
        Some(0xe) => LOCAL_MEMORY | HIT | MEMORY | NO_SNOOP,
        _ => return None,
    })
}
