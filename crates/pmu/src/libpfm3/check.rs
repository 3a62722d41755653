//! One event of a request, checked against the table of a model.

use super::error::{DispatchError, ErrorKind};
use super::request::EventRequest;
use super::table::Table;
use crate::privilege::Privilege;

pub(super) const NO_HYPERVISOR: &str =
    "the processors have the levels 0 to 3, and not that of the hypervisor";

/// The event, its unit masks and its levels are of the model: rules look at none that are not.
pub(super) fn check_event(table: &Table, event: &EventRequest) -> Result<(), DispatchError> {
    let Some(row) = table.events.get(event.event) else {
        let reason = "the model has no event of this number";
        return Err(DispatchError::new(ErrorKind::Invalid, reason));
    };
    if event.plm.contains(Privilege::HYPERVISOR) {
        return Err(DispatchError::new(ErrorKind::Invalid, NO_HYPERVISOR));
    }
    let count = row.mask_count();
    let reason = match (count, event.masks.is_empty()) {
        (0, true) => return Ok(()),
        (0, false) => "the event has no unit masks",
        (_, true) => "the event needs a unit mask",
        _ if event.masks.iter().all(|mask| *mask < count) => return Ok(()),
        _ => "the event has no unit mask of this number",
    };
    Err(DispatchError::new(ErrorKind::UnitMask, reason))
}
