//! SPARC: one control register selects the event of each of two counters.

use super::super::engine;
use super::super::levels::same_levels;
use super::super::model::{Model, Rules};
use super::super::table::Table;
use super::super::{Assignment, DispatchError, ErrorKind, ModelInput, Request};
use crate::privilege::Privilege;

/// The performance control register.
const PCR: u32 = 0;

struct Sparc {
    /// Of each event, the counters that can hold it.
    counters: Vec<u64>,
    selectors: fn(&Selected<'_>) -> u64,
    levels: &'static [(Privilege, u64)],
}

/// An event on a counter.
struct Selected<'a> {
    code: u64,
    masks: &'a [usize],
    /// True if the second counter counts it.
    second: bool,
}

/// UltraSPARC and Niagara: four to six bits of code each.
pub(crate) fn ultra(_: &Model, table: &Table) -> Box<dyn Rules> {
    Box::new(Sparc {
        counters: counters(table),
        selectors: |event| event.code << if event.second { 11 } else { 4 },
        levels: &[(Privilege::USER, 4), (Privilege::KERNEL, 2)],
    })
}

/// Niagara 2: code, unit masks and an overflow trap each, and the hypervisor's level.
pub(crate) fn niagara2(_: &Model, table: &Table) -> Box<dyn Rules> {
    Box::new(Sparc {
        counters: counters(table),
        selectors: |event| {
            let (code, masks, trap) = if event.second { (27, 19, 0x20) } else { (14, 6, 0x10) };
            let chosen = event.masks.iter().fold(0, |bits, mask| bits | 1 << (masks + mask));
            event.code << code | chosen | trap
        },
        levels: &[(Privilege::USER, 4), (Privilege::KERNEL, 2), (Privilege::LEVEL1, 8)],
    })
}

fn counters(table: &Table) -> Vec<u64> {
    table.events.iter().map(|event| event.words.number("counters")).collect()
}

impl Rules for Sparc {
    fn family(&self) -> &'static str {
        "sparc"
    }

    fn accepts(&self, _: &ModelInput) -> bool {
        false
    }

    fn dispatch(&self, table: &Table, request: &Request) -> Result<Assignment, DispatchError> {
        let plm = same_levels(request)?;
        let events = &request.events;
        let allowed: Vec<u64> =
            (0..events.len()).map(|event| self.counters(table, request, event)).collect();
        let counters = engine::assign(&allowed).ok_or_else(|| {
            DispatchError::new(ErrorKind::NoAssign, "the events want the same counters")
                .libpfm3(ErrorKind::Invalid)
        })?;
        if request.unavailable.contains(PCR) {
            let reason = "the control register is not available";
            return Err(DispatchError::new(ErrorKind::NoAssign, reason));
        }
        let mut value = 0;
        for (level, bit) in self.levels {
            value |= if plm.contains(*level) { *bit } else { 0 };
        }
        let mut assignment = Assignment::with_capacity(events.len());
        for (event, &counter) in events.iter().zip(counters.iter()) {
            let code = table.events[event.event].code;
            value |=
                (self.selectors)(&Selected { code, masks: &event.masks, second: counter == 1 });
            assignment.pmds.push(table.pmd(counter.into()));
        }
        assignment.pmcs.push(table.pmc(PCR, value));
        Ok(assignment)
    }

    fn counters(&self, _: &Table, request: &Request, event: usize) -> u64 {
        self.counters[request.events[event].event]
    }
}
