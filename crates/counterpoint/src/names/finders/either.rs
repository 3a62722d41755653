//! Finds events that the tables, the vendor's names, or both have.

use super::{table, vendor};
use crate::names::candidate::{Candidate, Query};

/// The events of the tables, without those that need more than their names where the vendor has an event of the name.
pub(crate) fn of_tables(query: &Query<'_>) -> Vec<Candidate> {
    let mut found = table::find(query);
    if found.iter().any(|event| event.natives.is_err())
        && vendor::find(query).iter().any(|event| event.natives.is_ok())
    {
        found.retain(|event| event.natives.is_ok());
    }
    found
}

/// The vendor's events, if the files come after the tables, without those that are the same event in the tables.
pub(crate) fn of_vendor(query: &Query<'_>) -> Vec<Candidate> {
    if query.machine.prefers_vendor() {
        return Vec::new();
    }
    let mut found = vendor::find(query);
    if !found.is_empty() {
        let of_tables = table::find(query);
        found.retain(|event| !of_tables.iter().any(|known| known.has_codes_of(event)));
    }
    found
}
