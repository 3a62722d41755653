//! Tracepoints of the kernel, `subsystem:name`.

use crate::machine::pmus::Tracepoint;
use crate::names::candidate::{Candidate, CandidateEvent, Query};
use crate::names::components::is_word;
use crate::names::ids::EventId;
use crate::names::native::{Native, PmuBox};
use counterpoint_perf::{Attr, pmu_type};
use counterpoint_pmu::syntax::split_modifiers;

pub(crate) fn find(query: &Query<'_>) -> Vec<Candidate> {
    for (name, modifiers) in query.spellings() {
        let Some((system, event)) = split(name) else { continue };
        let is_expected = query.machine.only_pmu().is_some() && is_everywhere(name);
        let id = match query.machine.tracepoint(system, event) {
            Tracepoint::Id(id) => Some(id),
            _ => is_expected.then_some(0),
        };
        if let Some(id) = id {
            let boxes = vec![PmuBox::anywhere(Attr::new(pmu_type::TRACEPOINT, id))];
            let native = Native::new(EventId::name(name), modifiers, boxes);
            let event = CandidateEvent::Tracepoint(name.to_string());
            return vec![Candidate::new(vec![event], Ok(vec![native]))];
        }
    }
    Vec::new()
}

/// Subsystems whose tracepoints Linux has on every processor: of a machine of which nothing but a PMU is known, their names
/// are taken as they are, and the number of one is its kernel's choice.
const EVERYWHERE: [&str; 24] = [
    "block",
    "cgroup",
    "compaction",
    "exceptions",
    "filemap",
    "irq",
    "kmem",
    "migrate",
    "module",
    "napi",
    "net",
    "oom",
    "power",
    "raw_syscalls",
    "sched",
    "signal",
    "skb",
    "sock",
    "syscalls",
    "task",
    "tcp",
    "timer",
    "vmscan",
    "writeback",
];

/// Returns true if a text is a tracepoint of one of these subsystems.
pub(crate) fn is_everywhere(name: &str) -> bool {
    tracepoint(name).is_some_and(|(system, _)| EVERYWHERE.contains(&system))
}

/// The subsystem and the name, if a text without its modifiers looks like a tracepoint.
pub(crate) fn tracepoint(text: &str) -> Option<(&str, &str)> {
    split(split_modifiers(text).0)
}

/// The subsystem and the name, if a text looks like a tracepoint.
pub(crate) fn split(name: &str) -> Option<(&str, &str)> {
    name.split_once(':').filter(|(system, event)| is_word(system) && is_word(event))
}
