//! The models: the steps of each, over the events of its table.

use super::events::Facts;
use super::input::Ia64Input;
use super::session::Session;
use crate::libpfm3::model::{Model, Rules};
use crate::libpfm3::table::Table;
use crate::libpfm3::{Assignment, DispatchError, ErrorKind, ModelInput, ModelOutput, Request};

/// The steps in which a model is programmed.
type Steps = fn(&mut Session<'_>) -> Result<(), DispatchError>;

struct Ia64 {
    name: &'static str,
    facts: Vec<Facts>,
    steps: Steps,
    input: fn(&ModelInput) -> Option<&Ia64Input>,
}

pub(crate) fn generic(_: &Model, table: &Table) -> Box<dyn Rules> {
    Ia64::boxed("gen_ia64", table, super::itanium::generic, |_| None)
}

pub(crate) fn itanium(_: &Model, table: &Table) -> Box<dyn Rules> {
    Ia64::boxed("itanium", table, super::itanium::itanium, |input| match input {
        ModelInput::Itanium(input) => input.has_raw_opcodes().then_some(input),
        _ => None,
    })
}

pub(crate) fn itanium2(_: &Model, table: &Table) -> Box<dyn Rules> {
    Ia64::boxed("itanium2", table, super::itanium2::itanium2, |input| match input {
        ModelInput::Itanium2(input) => input.has_raw_opcodes().then_some(input),
        _ => None,
    })
}

pub(crate) fn montecito(_: &Model, table: &Table) -> Box<dyn Rules> {
    Ia64::boxed("montecito", table, super::montecito::montecito, |input| match input {
        ModelInput::Montecito(input) => input.has_opcode_fields().then_some(input),
        _ => None,
    })
}

impl Ia64 {
    fn boxed(
        name: &'static str,
        table: &Table,
        steps: Steps,
        input: fn(&ModelInput) -> Option<&Ia64Input>,
    ) -> Box<dyn Rules> {
        let facts = table.events.iter().map(Facts::parse).collect();
        Box::new(Ia64 { name, facts, steps, input })
    }
}

impl Rules for Ia64 {
    fn family(&self) -> &'static str {
        self.name
    }

    fn accepts(&self, input: &ModelInput) -> bool {
        (self.input)(input).is_some()
    }

    fn dispatch(&self, table: &Table, request: &Request) -> Result<Assignment, DispatchError> {
        let none = Ia64Input::default();
        let input = match &request.input {
            Some(input) => (self.input)(input).unwrap_or(&none),
            None if request.wants_output => {
                let reason = "debug registers are wanted, but no ranges are given";
                return Err(DispatchError::new(ErrorKind::Invalid, reason));
            }
            None => &none,
        };
        let mut session = Session::new(&self.facts, table, request, input);
        session.check_qualifiers()?;
        (self.steps)(&mut session)?;
        if request.wants_output {
            session.assignment.output = Some(ModelOutput::Ia64(Box::new(session.output)));
        }
        Ok(session.assignment)
    }

    fn counters(&self, _: &Table, request: &Request, event: usize) -> u64 {
        self.facts[request.events[event].event].counters & !request.unavailable.low()
    }
}
