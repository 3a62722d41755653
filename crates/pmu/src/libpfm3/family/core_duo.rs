//! Core Duo and Core Solo: two counters, some events on one of them only.
//! Source: Intel SDM volume 3, "Performance Monitoring (Intel Core Solo and Intel Core Duo Processors)".

use crate::libpfm3::Assignment;
use crate::libpfm3::engine::{MOST, assign};
use crate::libpfm3::error::DispatchError;
use crate::libpfm3::model::{Model, Rules};
use crate::libpfm3::perfevtsel::{
    check_default_plm, check_flags, check_plm, filtered, no_assign, only_once,
};
use crate::libpfm3::request::{CounterOptions, ModelInput, Request};
use crate::libpfm3::table::{Marks, Table};

pub(crate) fn rules(_: &Model, table: &Table) -> Box<dyn Rules> {
    let counters = table.events.iter().map(|event| event.words.number("counters"));
    let marks = table.marks(&["cspec", "mesi", "pmc0", "pmc1"]);
    Box::new(CoreDuo { counters: counters.collect(), marks })
}

/// The core is required in the register; this one is the default.
const CORE_SPECIFIC: u32 = 1;
/// States of cache lines are required in the register; all of them are the default.
const MESI: u32 = 2;
const COUNTER0: u32 = 4;
const COUNTER1: u32 = 8;

/// The event select register of an event, its unit masks completed by these defaults.
pub(crate) fn value(
    marks: &Marks,
    table: &Table,
    request: &Request,
    position: usize,
) -> Result<u64, DispatchError> {
    let event = &request.events[position];
    let row = &table.events[event.event];
    let marks = marks.of_event(event.event);
    let masks = row.code >> 8 & 0xff | table.mask_codes(row, &event.masks);
    let core = marks & CORE_SPECIFIC != 0 && masks & 0xc0 == 0;
    let states = marks & MESI != 0 && masks & 0x0f == 0;
    let masks = masks | if core { 0x40 } else { 0 } | if states { 0x0f } else { 0 };
    filtered(row.code, masks, request.plm(event), &event.options)
        .map_err(|error| error.at(position))
}

struct CoreDuo {
    counters: Vec<u64>,
    marks: Marks,
}

impl CoreDuo {
    /// The error if nothing fits. Beside an event of counter 1 alone libpfm-3 puts another one there too; it then goes on
    /// to their registers, and an invalid counter mask is the reason.
    fn refusal(&self, table: &Table, request: &Request, pinned: u32) -> DispatchError {
        let goes_on = pinned == COUNTER1 && !request.unavailable.contains(1);
        let invalid = (0..request.events.len())
            .find_map(|position| value(&self.marks, table, request, position).err());
        invalid.filter(|_| goes_on).unwrap_or_else(no_assign)
    }
}

impl Rules for CoreDuo {
    fn family(&self) -> &'static str {
        "coreduo"
    }

    fn accepts(&self, input: &ModelInput) -> bool {
        matches!(input, ModelInput::CoreDuo)
    }

    fn dispatch(&self, table: &Table, request: &Request) -> Result<Assignment, DispatchError> {
        check_default_plm(request)?;
        let mut allowed = [0; MOST];
        let mut pinned = 0;
        for (position, event) in request.events.iter().enumerate() {
            check_plm(event, position)?;
            check_flags(event, position, CounterOptions::INVERT | CounterOptions::EDGE)?;
            let marks = self.marks.of_event(event.event);
            only_once(&mut pinned, marks & (COUNTER0 | COUNTER1), position)?;
            allowed[position] = self.counters(table, request, position);
        }
        let counters = assign(&allowed[..request.events.len()])
            .ok_or_else(|| self.refusal(table, request, pinned))?;
        let mut assignment = Assignment::with_capacity(request.events.len());
        for (position, counter) in counters.iter().enumerate() {
            let value = value(&self.marks, table, request, position)?;
            assignment.pmcs.push(table.pmc((*counter).into(), value));
            assignment.pmds.push(table.pmd((*counter).into()));
        }
        Ok(assignment)
    }

    fn counters(&self, _: &Table, request: &Request, event: usize) -> u64 {
        let event = request.events.get(event).and_then(|event| self.counters.get(event.event));
        event.map_or(0, |counters| counters & !request.unavailable.low())
    }
}
