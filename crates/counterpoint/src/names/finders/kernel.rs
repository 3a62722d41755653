//! Events named by the kernel itself.

use crate::error::Error;
use crate::names::candidate::{Candidate, CandidateEvent, Query};
use crate::names::error::NameError;
use crate::names::ids::{EventId, NAME_TERM};
use crate::names::native::on_cores;
use counterpoint_perf::Attr;
use counterpoint_pmu::kernel;
use counterpoint_pmu::syntax::Term;

pub(crate) fn find(query: &Query<'_>) -> Vec<Candidate> {
    for (name, modifiers) in query.spellings() {
        let Some(event) = named(name) else { continue };
        let attr = Attr::new(event.kind(), event.config);
        let mut natives = on_cores(query.machine, EventId::name(event.name), &attr, modifiers);
        natives.iter_mut().for_each(|native| native.describe(&event));
        return vec![Candidate::new(vec![CandidateEvent::Kernel(event)], Ok(natives))];
    }
    let (name, letters) = query.name.rsplit_once(':').unwrap_or_default();
    let unknown = |event| {
        let error = Error::from(NameError::UnknownModifier {
            name: name.to_string(),
            letters: letters.to_string(),
        })
        .at(query.spec.span.clone());
        Candidate::misspelled(vec![CandidateEvent::Kernel(event)], error)
    };
    named(name).map(unknown).into_iter().collect()
}

/// `cycles/name=NAME/`, an event of the kernel with another name in results; `None` if a PMU is called so.
pub(crate) fn renamed(query: &Query<'_>, event: &str, terms: &[Term]) -> Option<Candidate> {
    let [term] = terms else { return None };
    let name = term.text().filter(|_| term.name == NAME_TERM)?;
    let event = named(event).filter(|_| query.machine.boxes(event).is_empty())?;
    let attr = Attr::new(event.kind(), event.config);
    let id = EventId::name(&name);
    let mut natives = on_cores(query.machine, id, &attr, query.spec.modifiers);
    natives.iter_mut().for_each(|native| native.describe(&event));
    Some(Candidate::new(vec![CandidateEvent::Kernel(event)], Ok(natives)))
}

/// The event with a name, which may have libpfm's prefix `perf::`; case is ignored.
pub(crate) fn named(name: &str) -> Option<kernel::KernelEvent> {
    const PREFIX: &str = "perf::";
    let prefix = name.get(..PREFIX.len()).filter(|start| start.eq_ignore_ascii_case(PREFIX));
    kernel::find(prefix.map_or(name, |prefix| &name[prefix.len()..]))
}

/// All names of the kernel's events.
pub(crate) fn names() -> Vec<String> {
    let events: Vec<_> = kernel::all().collect();
    let names = events.iter().flat_map(|event| event.names());
    let constants = events.iter().map(|event| event.constant);
    names.chain(constants).map(str::to_string).collect()
}
