//! What Itanium, Itanium 2 and Montecito take and tell beside events: event address registers, branch buffers,
//! opcode matchers, code and data ranges.
//!
//! ```
//! use counterpoint_pmu::libpfm3::ia64::{Ia64Input, Range, Ranges};
//! use counterpoint_pmu::libpfm3::{
//!     EventRequest, Model, ModelInput, ModelOutput, PLM3, Request, dispatch,
//! };
//!
//! let model = Model::find("itanium2").unwrap();
//! let code = Ranges { flags: 0, limits: vec![Range { start: 0x4000, end: 0x4200, plm: 0 }] };
//! let mut request = Request::new(PLM3);
//! request.events.push(EventRequest::new(model.instructions().unwrap().0));
//! request.input =
//!     Some(ModelInput::Itanium2(Box::new(Ia64Input { code: Some(code), ..Ia64Input::default() })));
//! request.wants_output = true;
//! let assignment = dispatch(model, &request).unwrap();
//! let Some(ModelOutput::Ia64(output)) = assignment.output else { panic!() };
//! assert_eq!(output.code.registers()[0], (0, 0x4000));
//! ```

// A request becomes a `Session`; the file of a model adds to it, step by step and in the order in which registers
// are listed.
mod assign;
mod code;
mod cover;
mod events;
mod input;
mod itanium;
mod itanium2;
mod montecito;
mod ranges;
mod registers;
mod session;

pub use input::{
    BranchBuffer, Ear, Ia64Input, Ia64Output, IpEar, OpcodeMatch, Range, RangeRegisters, Ranges,
};

use super::super::model::{Model, Rules};
use super::super::table::Table;
use super::super::{Assignment, DispatchError, ErrorKind, ModelInput, ModelOutput, Request};
use events::Facts;
use session::Session;

/// What a model programs, step by step.
type Steps = fn(&mut Session<'_>) -> Result<(), DispatchError>;

struct Ia64 {
    name: &'static str,
    facts: Vec<Facts>,
    steps: Steps,
    input: fn(&ModelInput) -> Option<&Ia64Input>,
}

pub(super) fn generic(_: &Model, table: &Table) -> Box<dyn Rules> {
    Ia64::boxed("gen_ia64", table, itanium::generic, |_| None)
}

pub(super) fn itanium(_: &Model, table: &Table) -> Box<dyn Rules> {
    Ia64::boxed("itanium", table, itanium::itanium, |input| match input {
        ModelInput::Itanium(input) => input.has_raw_opcodes().then_some(input),
        _ => None,
    })
}

pub(super) fn itanium2(_: &Model, table: &Table) -> Box<dyn Rules> {
    Ia64::boxed("itanium2", table, itanium2::itanium2, |input| match input {
        ModelInput::Itanium2(input) => input.has_raw_opcodes().then_some(input),
        _ => None,
    })
}

pub(super) fn montecito(_: &Model, table: &Table) -> Box<dyn Rules> {
    Ia64::boxed("montecito", table, montecito::montecito, |input| match input {
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
        let mut session = Session::new(self, table, request, input);
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
