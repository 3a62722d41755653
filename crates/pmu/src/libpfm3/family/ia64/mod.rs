//! Input and output of Itanium, Itanium 2 and Montecito besides events: event address registers, branch buffers,
//! opcode matchers, code and data ranges.
//!
//! ```
//! use counterpoint_pmu::libpfm3::ia64::{Ia64Input, Range, Ranges};
//! use counterpoint_pmu::Privilege;
//! use counterpoint_pmu::libpfm3::{
//!     EventRequest, Model, ModelInput, ModelOutput, Request, dispatch,
//! };
//!
//! let model = Model::find("itanium2").unwrap();
//! let range = Range { start: 0x4000, end: 0x4200, plm: Privilege::NONE };
//! let code = Ranges { flags: 0, limits: vec![range] };
//! let mut request = Request::new(Privilege::USER);
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
mod rules;
mod session;

pub use input::{
    BranchBuffer, Ear, Ia64Input, Ia64Output, IpEar, OpcodeMatch, Range, RangeRegisters, Ranges,
};
pub(crate) use rules::{generic, itanium, itanium2, montecito};
