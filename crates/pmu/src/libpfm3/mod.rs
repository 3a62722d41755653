//! Register dispatch: which registers to program so that a set of events is counted together, on processors
//! whose counters count different events.
//!
//! ```
//! use counterpoint_pmu::Privilege;
//! use counterpoint_pmu::libpfm3::{EventRequest, Model, Request, dispatch};
//!
//! let model = Model::find("gen_ia32_v3").unwrap();
//! let mut request = Request::new(Privilege::KERNEL | Privilege::USER);
//! request.events = vec![EventRequest::new(0), EventRequest::new(0), EventRequest::new(1)];
//! let assignment = dispatch(model, &request).unwrap();
//! let counters: Vec<u32> = assignment.pmds.iter().map(|pmd| pmd.number).collect();
//! assert_eq!(counters, [17, 0, 16]);
//! ```
//!
//! - [`Model`]: the processors, by libpfm-3's names, and the numbers of their events.
//! - [`Request`]: events, levels, registers that may not be used, and the further input of some models.
//! - [`Assignment`]: the registers to program and to read.
//! - [`DispatchError`]: why there is no assignment; [`explain`]: which events conflict.
//!
//! An assignment is found whenever there is one, and is libpfm-3's wherever that is valid;
//! `DIFFERENCES.md` counts where it is not.

mod assignment;
mod check;
mod dispatch;
mod engine;
mod error;
mod explain;
mod family;
mod grouped;
mod levels;
mod model;
mod models;
mod perfevtsel;
mod request;
mod resolve;
mod table;

pub use assignment::{Assignment, ModelOutput, Register};
pub use dispatch::dispatch;
pub use error::{DispatchError, ErrorKind};
pub use explain::{Conflict, explain};
pub use family::ia64;
pub use model::Model;
pub use request::{
    Amd64Input, CellCounter, CellInput, CounterOptions, EventRequest, Ibs, Lbr, ModelInput,
    NehalemInput, Pebs, PmcSet, Request,
};
