//! A request while it is dispatched, and the registers so far.

use super::events::{Facts, Kind};
use super::input::{Ia64Input, Ia64Output};
use super::registers::Monitor;
use crate::libpfm3::table::Table;
use crate::libpfm3::{Assignment, CounterOptions, DispatchError, ErrorKind, EventRequest, Request};
use crate::privilege::Privilege;

pub(super) struct Session<'a> {
    pub table: &'a Table,
    pub request: &'a Request,
    /// The facts of the tables about each event of the request.
    pub facts: Vec<&'a Facts>,
    pub input: &'a Ia64Input,
    pub assignment: Assignment,
    pub output: Ia64Output,
}

impl<'a> Session<'a> {
    pub(super) fn new(
        facts: &'a [Facts],
        table: &'a Table,
        request: &'a Request,
        input: &'a Ia64Input,
    ) -> Session<'a> {
        Session {
            table,
            request,
            facts: request.events.iter().map(|event| &facts[event.event]).collect(),
            input,
            assignment: Assignment::with_capacity(request.events.len()),
            output: Ia64Output::default(),
        }
    }

    /// The counters that may hold each event.
    pub(super) fn allowed(&self) -> Vec<u64> {
        let unavailable = self.request.unavailable.low();
        self.facts.iter().map(|facts| facts.counters & !unavailable).collect()
    }

    /// Writes a configuration register, unless it may not be used.
    pub(super) fn pmc(&mut self, number: u32, value: u64) -> Result<(), DispatchError> {
        if self.request.unavailable.contains(number) {
            return Err(DispatchError::new(
                ErrorKind::NoAssign,
                "a feature needs a configuration register that is not available",
            ));
        }
        self.assignment.pmcs.push(self.table.pmc(number, value));
        Ok(())
    }

    /// Reads data registers beside the counters.
    pub(super) fn pmds(&mut self, numbers: impl IntoIterator<Item = u32>) {
        let registers = numbers.into_iter().map(|number| self.table.pmd(number));
        self.assignment.pmds.extend(registers);
    }

    /// Configures the counter of each event.
    pub(super) fn count(
        &mut self,
        counters: &[u8],
        value: impl Fn(&Facts, Monitor, &EventRequest) -> u64,
    ) {
        for ((event, facts), &counter) in self.request.events.iter().zip(&self.facts).zip(counters)
        {
            let value = value(facts, self.monitor(event.plm), event);
            self.assignment.pmcs.push(self.table.pmc(counter.into(), value));
            self.assignment.pmds.push(self.table.pmd(counter.into()));
        }
    }

    /// Levels `plm`, or the default ones for 0.
    pub(super) fn monitor(&self, plm: Privilege) -> Monitor {
        Monitor {
            plm: if plm.is_empty() { self.request.plm } else { plm },
            system_wide: self.request.system_wide,
        }
    }

    /// Ranges cannot be used without their debug registers.
    pub(super) fn needs_output(&self) -> Result<(), DispatchError> {
        if self.request.wants_output {
            return Ok(());
        }
        Err(DispatchError::new(
            ErrorKind::Invalid,
            "ranges are used, but the debug registers are not wanted",
        ))
    }

    pub(super) fn has(&self, kind: Kind) -> bool {
        self.facts.iter().any(|facts| facts.kind == kind)
    }

    /// Events of a range or an opcode matcher that cannot restrict them, unless they are not to be checked; events
    /// with levels other than those of the ranges.
    pub(super) fn check_qualifiers(&self) -> Result<(), DispatchError> {
        let input = self.input;
        let ranges = input.code.is_some() || input.data.is_some();
        let opcode = input.opcodes.iter().any(Option::is_some);
        for (index, (event, facts)) in self.request.events.iter().zip(&self.facts).enumerate() {
            let unrestricted = input.code.is_some() && !facts.by_code
                || input.data.is_some() && !facts.by_data
                || opcode && !facts.by_opcode;
            let reason =
                if unrestricted && event.options.flags & CounterOptions::NO_QUALIFIER_CHECK == 0 {
                    "a range or an opcode matcher is used, and the event cannot be restricted by it"
                } else if ranges && !event.plm.is_empty() && event.plm != self.request.plm {
                    "ranges are used, and the event has other privilege levels"
                } else {
                    continue;
                };
            return Err(DispatchError::new(ErrorKind::FeatureCombination, reason).at(index));
        }
        Ok(())
    }
}
