//! The privilege levels of a request.

use super::error::{DispatchError, ErrorKind};
use super::request::Request;
use crate::privilege::Privilege;

/// The levels of a request whose events share one register for them.
pub(super) fn same_levels(request: &Request) -> Result<Privilege, DispatchError> {
    let plm = request.events.first().map_or(request.plm, |event| request.plm(event));
    if let Some(event) = request.events.iter().position(|event| request.plm(event) != plm) {
        let reason = "the levels are not those of the first event, and the counters share them";
        return Err(DispatchError::new(ErrorKind::NoAssign, reason).at(event));
    }
    Ok(plm)
}
