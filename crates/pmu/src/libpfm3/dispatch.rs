//! From a request to registers.

use super::assignment::Assignment;
use super::check::{NO_HYPERVISOR, check_event};
use super::error::{DispatchError, ErrorKind};
use super::model::{Loaded, Model};
use super::request::{PmcSet, Request};
use crate::privilege::Privilege;

/// No request has as many events.
pub(super) const MOST_EVENTS: usize = 512;

/// The registers that count the events of a request together.
///
/// # Errors
///
/// The errors of the request itself, in the order of libpfm-3's checks, then those of the model, those of single events
/// among them first, and [`ErrorKind::NoAssign`] if the events exclude each other.
#[doc(alias = "pfm_dispatch_events")]
pub fn dispatch(model: &Model, request: &Request) -> Result<Assignment, DispatchError> {
    let Loaded { table, rules, .. } = model.loaded();
    if request.input.as_ref().is_some_and(|input| !rules.accepts(input)) {
        return Err(DispatchError::new(ErrorKind::Magic, "the input is for another model"));
    }
    check(model, request)?;
    rules.dispatch(table, request).map_err(|refusal| {
        // Only what a single event is refused for comes first.
        let is_its_own = refusal.event().is_some() && refusal.kind() != ErrorKind::NoAssign;
        let hidden = if is_its_own { None } else { invalid_event(model, request, &refusal) };
        hidden.unwrap_or(refusal)
    })
}

/// The error of the first event that is invalid by itself, which a refusal of all events hides: families find some of them
/// only when they build registers.
fn invalid_event(
    model: &Model,
    request: &Request,
    refusal: &DispatchError,
) -> Option<DispatchError> {
    let Loaded { table, rules, .. } = model.loaded();
    let unavailable = PmcSet::default();
    let mut alone = Request { events: Vec::new(), unavailable, ..request.clone() };
    request.events.iter().enumerate().find_map(|(position, event)| {
        alone.events.clear();
        alone.events.push(event.clone());
        let error = rules.dispatch(table, &alone).err()?;
        let is_its_own = error.event().is_some() && error.kind() != ErrorKind::NoAssign;
        is_its_own.then(|| error.at(position).libpfm3(refusal.as_libpfm3()))
    })
}

/// The checks of every model.
fn check(model: &Model, request: &Request) -> Result<(), DispatchError> {
    if request.plm.is_empty() {
        let reason = "the default privilege levels are empty";
        return Err(DispatchError::new(ErrorKind::Invalid, reason));
    }
    if request.plm.contains(Privilege::HYPERVISOR) {
        return Err(DispatchError::new(ErrorKind::Invalid, NO_HYPERVISOR));
    }
    if request.events.len() >= MOST_EVENTS {
        let reason = "there are 512 events or more";
        return Err(DispatchError::new(ErrorKind::Invalid, reason));
    }
    if request.events.len() > model.loaded().counters {
        let reason = "there are more events than the processor has counters";
        return Err(DispatchError::new(ErrorKind::TooMany, reason).libpfm3(ErrorKind::NoAssign));
    }
    let table = model.table();
    for (position, event) in request.events.iter().enumerate() {
        check_event(table, event).map_err(|error| error.at(position))?;
    }
    Ok(())
}
