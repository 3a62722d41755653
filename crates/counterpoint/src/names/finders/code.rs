//! Events written as codes: `r1a8`, and addresses of breakpoints.

use crate::names::candidate::{Candidate, Query};
use crate::names::ids::EventId;
use crate::names::native::{Native, PmuBox, on_cores};
use counterpoint_perf::{Attr, pmu_type};
use counterpoint_pmu::syntax::{Breakpoint, Source};

pub(crate) fn find(query: &Query<'_>) -> Vec<Candidate> {
    let natives = match &query.spec.source {
        Source::Raw(code) => {
            let attr = Attr::new(pmu_type::RAW, *code);
            let id = EventId::name(&format!("r{code:x}"));
            on_cores(query.machine, id, &attr, query.spec.modifiers)
        }
        Source::Breakpoint(breakpoint) => vec![watch(*breakpoint, query)],
        _ => return Vec::new(),
    };
    vec![Candidate::new(Vec::new(), Ok(natives))]
}

fn watch(breakpoint: Breakpoint, query: &Query<'_>) -> Native {
    let attr = Attr {
        kind: pmu_type::BREAKPOINT,
        config1: breakpoint.address,
        // perf watches 4 bytes by default; for instructions, the length is that of a pointer.
        config2: match (breakpoint.length, breakpoint.execute) {
            (_, true) => size_of::<usize>() as u64,
            (length, false) => length.unwrap_or(4),
        },
        breakpoint: u32::from(breakpoint.read)
            | u32::from(breakpoint.write) << 1
            | u32::from(breakpoint.execute) << 2,
        ..Attr::default()
    };
    let boxes = vec![PmuBox::anywhere(attr)];
    let native = Native::new(EventId::default(), query.spec.modifiers, boxes);
    // The text includes the modifiers.
    Native { id: EventId::name(&query.spec.text), ..native }
}
