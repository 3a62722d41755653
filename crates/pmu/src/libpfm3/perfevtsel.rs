//! Intel's event select registers and the control register of the fixed counters.
//! Source: Intel SDM volume 3, chapter "Performance Monitoring", event select registers.

use super::assignment::Assignment;
use super::error::{DispatchError, ErrorKind};
use super::request::{CounterOptions, EventRequest, PmcSet, Request};
use super::table::Table;
use crate::privilege::Privilege;

/// The highest counter mask.
pub(crate) const MOST_THRESHOLD: u32 = 255;

/// `IA32_PERFEVTSELx` without bits of the event: pin and enable differ between families.
pub(crate) const USR: u64 = 1 << 16;
pub(crate) const OS: u64 = 1 << 17;
pub(crate) const EDGE: u64 = 1 << 18;
pub(crate) const INT: u64 = 1 << 20;
pub(crate) const ANY: u64 = 1 << 21;
pub(crate) const ENABLE: u64 = 1 << 22;
pub(crate) const INVERT: u64 = 1 << 23;

/// The register for an event code whose upper bytes, like those of its unit masks, may hold filters
/// (edge, any thread, invert, counter mask) at their places in the register.
///
/// A counter mask in the code wins over the caller's, which is then not looked at.
pub(crate) fn filtered(
    code: u64,
    masks: u64,
    plm: Privilege,
    options: &CounterOptions,
) -> Result<u64, DispatchError> {
    let built_in = code | masks << 8;
    let mut value =
        plain(code, masks, plm) | ENABLE | built_in & (EDGE | ANY | INVERT | 0xff << 24);
    if built_in & 0xff << 24 == 0 {
        value |= threshold(options)?;
    }
    Ok(value | flags(options) | any_thread(options))
}

/// The register for an event and its unit masks, not enabled.
pub(crate) fn plain(code: u64, masks: u64, plm: Privilege) -> u64 {
    let user = if plm.contains(Privilege::USER) { USR } else { 0 };
    let kernel = if plm.contains(Privilege::KERNEL) { OS } else { 0 };
    (code | masks << 8) & 0xffff | user | kernel | INT
}

/// The caller's counter mask at its place.
pub(crate) fn threshold(options: &CounterOptions) -> Result<u64, DispatchError> {
    if options.threshold > MOST_THRESHOLD {
        let reason = "the counter mask is above 255";
        return Err(DispatchError::new(ErrorKind::Invalid, reason));
    }
    Ok(u64::from(options.threshold) << 24)
}

/// The caller's edge and invert at their places.
pub(crate) fn flags(options: &CounterOptions) -> u64 {
    let edge = if options.flags & CounterOptions::EDGE != 0 { EDGE } else { 0 };
    let invert = if options.flags & CounterOptions::INVERT != 0 { INVERT } else { 0 };
    edge | invert
}

fn any_thread(options: &CounterOptions) -> u64 {
    if options.flags & CounterOptions::ANY_THREAD != 0 { ANY } else { 0 }
}

/// The control of fixed counter `index` at its place in `IA32_FIXED_CTR_CTRL`.
pub(crate) fn fixed(index: u32, plm: Privilege, any_thread: bool) -> u64 {
    let kernel = u64::from(plm.contains(Privilege::KERNEL));
    let user = u64::from(plm.contains(Privilege::USER)) << 1;
    (8 | u64::from(any_thread) << 2 | user | kernel) << (4 * index)
}

/// x86 knows levels 0 and 3 only; this checks those of the request.
pub(crate) fn check_default_plm(request: &Request) -> Result<(), DispatchError> {
    if request.plm.intersects(Privilege::LEVEL1 | Privilege::LEVEL2) {
        let reason = "the default privilege levels have one that x86 does not distinguish";
        return Err(DispatchError::new(ErrorKind::Invalid, reason));
    }
    Ok(())
}

/// The levels of an event.
pub(crate) fn check_plm(event: &EventRequest, position: usize) -> Result<(), DispatchError> {
    if event.plm.intersects(Privilege::LEVEL1 | Privilege::LEVEL2) {
        let reason = "its privilege levels have one that x86 does not distinguish";
        return Err(DispatchError::new(ErrorKind::Invalid, reason).at(position));
    }
    Ok(())
}

/// Only these flags of the counter are known.
pub(crate) fn check_flags(
    event: &EventRequest,
    position: usize,
    known: u32,
) -> Result<(), DispatchError> {
    if event.options.flags & !known != 0 {
        let reason = "its counter has a flag that the model does not know";
        return Err(DispatchError::new(ErrorKind::Invalid, reason).at(position));
    }
    Ok(())
}

/// The error if no counters are left.
pub(crate) fn no_assign() -> DispatchError {
    DispatchError::new(ErrorKind::NoAssign, "no assignment gives each event a counter of its own")
}

/// The number of the control register of the fixed counters.
pub(crate) const FIXED_CONTROL: u32 = 16;
/// The number of the register that enables sampling without skid.
pub(crate) const PEBS_ENABLE: u32 = 17;

/// A set of Intel's counters in the order in which the models prefer them: fixed ones (PMDs 16 to 18, and 20 of
/// Nehalem's uncore), then general ones (PMDs from 0), then general ones of the uncore (PMDs 21 to 28).
#[derive(Clone, Copy, Default)]
pub(crate) struct Slots(pub(crate) u64);

/// The slot of general counter 0.
const GENERAL: u32 = 8;
const FIXED: u64 = 0xf;
const UNCORE_FIXED: u64 = 0x10;
const UNCORE: u64 = 0xff << 21;

impl Slots {
    /// From a set of PMDs.
    pub(crate) fn from_pmds(pmds: u64) -> Slots {
        Slots((pmds & 0xff) << GENERAL | pmds >> 16 & (FIXED | UNCORE_FIXED) | pmds & UNCORE)
    }

    /// The set of PMDs.
    pub(crate) fn pmds(self) -> u64 {
        self.0 >> GENERAL & 0xff | (self.0 & (FIXED | UNCORE_FIXED)) << 16 | self.0 & UNCORE
    }

    /// Those that take any event: no fixed ones.
    pub(crate) fn general(self) -> Slots {
        Slots(self.0 & !FIXED)
    }

    /// Those whose control registers may be used.
    pub(crate) fn available(self, unavailable: &PmcSet) -> Slots {
        let taken = unavailable.low();
        let fixed = if unavailable.contains(FIXED_CONTROL) { FIXED } else { 0 };
        let uncore = taken & UNCORE | taken >> 16 & UNCORE_FIXED;
        Slots(self.0 & !((taken & 0xff) << GENERAL | fixed | uncore))
    }

    /// The PMD of a slot.
    pub(crate) fn pmd(slot: u8) -> u32 {
        match u32::from(slot) {
            fixed @ 0..GENERAL => fixed + 16,
            general @ GENERAL..16 => general - GENERAL,
            uncore => uncore,
        }
    }

    /// The number of a general counter of the core, which its control register has too.
    pub(crate) fn general_counter(slot: u8) -> Option<u32> {
        u32::from(slot).checked_sub(GENERAL).filter(|counter| *counter < 8)
    }

    fn is_fixed(slot: u8) -> bool {
        FIXED >> slot & 1 != 0
    }

    /// The control register of the fixed counters, if any of them has an event.
    pub(crate) fn push_fixed(
        slots: &[u8],
        table: &Table,
        request: &Request,
        assignment: &mut Assignment,
    ) {
        let mut control = 0;
        for (event, slot) in request.events.iter().zip(slots) {
            if Slots::is_fixed(*slot) {
                let any = event.options.flags & CounterOptions::ANY_THREAD != 0;
                control |= fixed(u32::from(*slot), request.plm(event), any);
            }
        }
        if control != 0 {
            assignment.pmcs.push(table.pmc(FIXED_CONTROL, control));
        }
    }
}

/// Events that one certain counter counts: each kind once.
pub(crate) fn only_once(seen: &mut u32, kinds: u32, position: usize) -> Result<(), DispatchError> {
    if *seen & kinds != 0 {
        let reason = "an event before it has the only counter that can hold it";
        return Err(DispatchError::new(ErrorKind::NoAssign, reason).at(position));
    }
    *seen |= kinds;
    Ok(())
}
