//! MIPS: a control register for each counter, with the event's code on that counter.

use super::super::engine;
use super::super::model::{Model, Rules};
use super::super::table::Table;
use super::super::{Assignment, DispatchError, ErrorKind, ModelInput, Request};
use crate::privilege::Privilege;

/// The levels in the order of the bits of a control register, and the interrupt on overflow.
const LEVELS: [Privilege; 4] =
    [Privilege::LEVEL2, Privilege::KERNEL, Privilege::LEVEL1, Privilege::USER];
const INTERRUPT: u64 = 1 << 4;

struct Mips {
    /// Of each event, the counters that can hold it.
    counters: Vec<u64>,
}

pub(crate) fn mips(_: &Model, table: &Table) -> Box<dyn Rules> {
    let counters = table.events.iter().map(|event| event.words.number("counters")).collect();
    Box::new(Mips { counters })
}

impl Rules for Mips {
    fn family(&self) -> &'static str {
        "mips"
    }

    fn accepts(&self, _: &ModelInput) -> bool {
        false
    }

    fn dispatch(&self, table: &Table, request: &Request) -> Result<Assignment, DispatchError> {
        let events = &request.events;
        let allowed: Vec<u64> =
            (0..events.len()).map(|event| self.counters(table, request, event)).collect();
        // Events with the fewest counters choose first.
        let mut order: Vec<usize> = (0..events.len()).collect();
        order.sort_by_key(|&event| self.counters[events[event].event].count_ones());
        let counters = engine::assign_in_order(&allowed, &order).ok_or_else(|| {
            DispatchError::new(ErrorKind::NoAssign, "the events want the same counters")
        })?;
        let mut assignment = Assignment::with_capacity(events.len());
        for (event, &counter) in events.iter().zip(counters.iter()) {
            let code = table.events[event.event].code >> (8 * counter) & 0xff;
            let plm = request.plm(event);
            let levels =
                (0..4).filter(|&bit| plm.contains(LEVELS[bit])).fold(0, |set, bit| set | 1 << bit);
            assignment.pmcs.push(table.pmc(counter.into(), code << 5 | INTERRUPT | levels));
            assignment.pmds.push(table.pmd(counter.into()));
        }
        Ok(assignment)
    }

    fn counters(&self, _: &Table, request: &Request, event: usize) -> u64 {
        self.counters[request.events[event].event] & !request.unavailable.low()
    }
}
