//! Register dispatch: which registers to program so that a set of events is counted together, on processors
//! whose counters differ in what they count.
//!
//! ```
//! use counterpoint_pmu::libpfm3::{EventRequest, Model, PLM0, PLM3, Request, dispatch};
//!
//! let model = Model::find("gen_ia32_v3").unwrap();
//! let mut request = Request::new(PLM0 | PLM3);
//! request.events = vec![EventRequest::new(0), EventRequest::new(0), EventRequest::new(1)];
//! let assignment = dispatch(model, &request).unwrap();
//! let counters: Vec<u32> = assignment.pmds.iter().map(|pmd| pmd.number).collect();
//! assert_eq!(counters, [17, 0, 16]);
//! ```
//!
//! - [`Model`]: the processors, by libpfm-3's names, and the numbers of their events.
//! - [`Request`]: events, levels, registers that may not be used, and what some models take besides.
//! - [`Assignment`]: the registers to program and to read.
//! - [`DispatchError`]: why there is no assignment; [`explain`]: which events are in each other's way.
//!
//! An assignment is found whenever there is one, and is libpfm-3's wherever that is valid;
//! `DIFFERENCES.md` counts where it is not.

mod assignment;
mod engine;
mod error;
mod explain;
mod family;
mod grouped;
mod model;
mod perfevtsel;
mod request;
mod resolve;
mod table;

pub use assignment::{Assignment, ModelOutput, Register};
pub use error::{DispatchError, ErrorKind};
pub use explain::{Conflict, explain};
pub use family::ia64;
pub use model::Model;
pub use request::{
    Amd64Input, CellCounter, CellInput, CounterOptions, EventRequest, Ibs, Lbr, ModelInput,
    NehalemInput, PLM0, PLM1, PLM2, PLM3, Pebs, PmcSet, Request,
};

use model::Loaded;

/// No request has as many events.
const MOST_EVENTS: usize = 512;

/// The registers that count the events of a request together.
///
/// Errors: what is wrong with the request itself, in the order of libpfm-3's checks, then what the model
/// refuses, then [`ErrorKind::NoAssign`] when the events exclude each other.
#[doc(alias = "pfm_dispatch_events")]
pub fn dispatch(model: &Model, request: &Request) -> Result<Assignment, DispatchError> {
    let Loaded { table, rules, .. } = model.loaded();
    if request.input.as_ref().is_some_and(|input| !rules.accepts(input)) {
        return Err(DispatchError::new(ErrorKind::Magic, "the input is for another model"));
    }
    check(model, request)?;
    rules.dispatch(table, request)
}

/// What every model checks.
fn check(model: &Model, request: &Request) -> Result<(), DispatchError> {
    if request.plm == 0 {
        let reason = "the default privilege levels are empty";
        return Err(DispatchError::new(ErrorKind::Invalid, reason));
    }
    if request.events.len() >= MOST_EVENTS {
        let reason = "there are 512 events or more";
        return Err(DispatchError::new(ErrorKind::Invalid, reason));
    }
    if request.events.len() > model.loaded().counters {
        let reason = "there are more events than the processor has counters";
        return Err(DispatchError::new(ErrorKind::TooMany, reason).libpfm3(ErrorKind::NoAssign));
    }
    let events = model.events();
    for (position, event) in request.events.iter().enumerate() {
        let Some(row) = events.get(event.event) else {
            let reason = "the model has no event of this number";
            return Err(DispatchError::new(ErrorKind::Invalid, reason).at(position));
        };
        let count = row.mask_count();
        let reason = match (count, event.masks.is_empty()) {
            (0, true) => continue,
            (0, false) => "the event has no unit masks",
            (_, true) => "the event needs a unit mask",
            _ if event.masks.iter().all(|mask| *mask < count) => continue,
            _ => "the event has no unit mask of this number",
        };
        return Err(DispatchError::new(ErrorKind::UnitMask, reason).at(position));
    }
    Ok(())
}

/// The levels of a request whose events share one register for them.
fn same_levels(request: &Request) -> Result<u32, DispatchError> {
    let plm = request.events.first().map_or(request.plm, |event| request.plm(event));
    if let Some(event) = request.events.iter().position(|event| request.plm(event) != plm) {
        let reason = "the levels are not those of the first event, and the counters share them";
        return Err(DispatchError::new(ErrorKind::NoAssign, reason).at(event));
    }
    Ok(plm)
}
