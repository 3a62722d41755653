//! Tests if events can be counted, by opening them.

use super::requested::{Metric, Rule};
use super::resolved::Resolved;
use crate::machine::pmus::{Machine, probe_placement};
use crate::names::native::Native;
use crate::report::values::Reason;
use crate::sources::source::Source;
use counterpoint_perf::Cause;

/// The answer to the test if an event can be counted, by opening it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Availability {
    /// The event can be opened.
    Available,
    /// The event can be opened only without the kernel, with the permissions of this user.
    UserOnly,
    /// The event cannot be opened.
    Unavailable(Reason),
    /// The event has these parameters, which must be given to open it.
    Needs(Vec<String>),
    /// The recording of this machine has no answer.
    NotRecorded,
    /// The event was not opened, because that takes long; [`Listed::test`](crate::listing::Listed::test) opens it.
    NotTested,
}

/// Tests resolved events; a value that is computed is as available as the worst of its events.
pub(crate) fn try_resolved(machine: &Machine, resolved: &Resolved) -> Vec<Availability> {
    let tested: Vec<Availability> =
        resolved.natives().iter().map(|native| probe(machine, native)).collect();
    let sources = &resolved.requested.sources;
    let of_metric = |metric: &Metric| match &metric.rule {
        Rule::Unavailable(reason) => Availability::Unavailable(reason.clone()),
        _ => {
            let natives = metric.natives().map(|native| tested[native].clone());
            let sources = metric.sources().map(|source| of_source(machine, &sources[source]));
            together(natives.chain(sources))
        }
    };
    resolved.requested.metrics.iter().map(of_metric).collect()
}

/// Tests if a source can be read.
pub(crate) fn of_source(machine: &Machine, source: &Source) -> Availability {
    match source.check(machine.host()) {
        Ok(()) => Availability::Available,
        Err(reason) => Availability::Unavailable(reason),
    }
}

/// The availability of several events: that of the worst of them.
pub(crate) fn together(all: impl Iterator<Item = Availability>) -> Availability {
    let rank = |availability: &Availability| match availability {
        Availability::Available => 0,
        Availability::UserOnly => 1,
        Availability::NotRecorded => 2,
        _ => 3,
    };
    all.max_by_key(rank).unwrap_or(Availability::Available)
}

/// Opens and closes the event at a placement of its PMU: this thread, or a CPU.
pub(crate) fn probe(machine: &Machine, native: &Native) -> Availability {
    let Some(pmu_box) = native.boxes.first() else { return Availability::NotRecorded };
    let placement = probe_placement(pmu_box.cpumask.as_ref());
    let error = match machine.host().probe(&pmu_box.attr, &placement) {
        Ok(()) => return Availability::Available,
        Err(error) => error,
    };
    match error.cause {
        Cause::NotRecorded => return Availability::NotRecorded,
        Cause::Permission { .. }
            if machine.host().probe(&pmu_box.attr.user_only(), &placement).is_ok() => {}
        _ => return Availability::Unavailable(Reason::NotOpened(error)),
    }
    if native.kernel_only {
        Availability::Unavailable(Reason::KernelOnly)
    } else {
        Availability::UserOnly
    }
}
