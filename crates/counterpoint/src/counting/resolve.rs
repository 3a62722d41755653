//! Names to metrics: looks up the events of a list, and gives each native event its group.

use super::builder::Builder;
use super::resolved::Resolved;
use super::target::Target;
use crate::error::Error;
use crate::machine::pmus::Machine;
use crate::names::lookup::{self, Names};
use crate::names::views;
use counterpoint_pmu::syntax::Modifiers;

impl Machine {
    /// Looks up a list of events in perf's syntax, including libpfm's strings and PAPI's presets, without opening anything.
    ///
    /// # Errors
    /// Returns an error for the first name that is not found, and for text that is not a list of events.
    pub fn resolve(&self, list: &str) -> Result<Resolved, Error> {
        let views = if lookup::may_be_preset(list) { views::views(self, &[]) } else { Vec::new() };
        let mut builder = Builder::new(self, Modifiers::default());
        builder.list(list, &views, None)?;
        builder.finish()
    }
}

/// Looks up lists of events; those that name no levels are counted at `levels`, unless that is empty.
pub(crate) fn resolve(
    names: &Names,
    lists: &[String],
    levels: Modifiers,
) -> Result<Resolved, Error> {
    events(names, lists, &[], levels)?.finish()
}

/// As [`resolve`], and then the metrics of these names, for events that are counted for `target`; the last event of a list has the filter of the same index.
pub(crate) fn resolve_all(
    names: &Names,
    lists: &[String],
    filters: &[Option<String>],
    metrics: &[String],
    levels: Modifiers,
    target: &Target,
) -> Result<Resolved, Error> {
    let mut builder = events(names, lists, filters, levels)?;
    if !metrics.is_empty() {
        crate::metrics::resolving::resolve(&mut builder, names.metrics(), metrics, target)?;
    }
    builder.finish()
}

fn events<'n>(
    names: &'n Names,
    lists: &[String],
    filters: &[Option<String>],
    levels: Modifiers,
) -> Result<Builder<'n>, Error> {
    let mut builder = Builder::new(names.machine(), levels);
    for (index, list) in lists.iter().enumerate() {
        let filter = filters.get(index).and_then(Option::as_deref);
        builder.list(list, names.views_for(list), filter)?;
    }
    Ok(builder)
}
