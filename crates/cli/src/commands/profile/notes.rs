//! Sentences about what a profile lacks, and how it was taken.

use super::args::Shown;
use super::stacks;
use super::symbols::Symbols;
use crate::show::printable;
use counterpoint::Note;
use counterpoint::profile::Profiled;

/// All sentences of an event.
pub fn sentences(args: &Shown<'_>, profiled: &Profiled, symbols: &Symbols<'_>) -> Vec<String> {
    let mut notes = of_stacks(args, profiled);
    for path in symbols.stripped() {
        let path = path.to_string_lossy();
        let path = printable(&path);
        notes.push(format!(
            "{path} is stripped and has no debug file: only its exported functions have names"
        ));
    }
    if profiled.throttled > 0 {
        let times = profiled.throttled;
        notes.push(format!(
            "the kernel paused sampling {times} times because the event occurred too often"
        ));
    }
    if !profiled.terms.is_empty() {
        let (event, terms) = (&profiled.event, profiled.terms.join(", "));
        let (event, terms) = (printable(event), printable(&terms));
        notes.push(format!(
            "{event} is a derived event: {terms} was sampled instead (--term selects another)"
        ));
    }
    if profiled.software {
        notes.push("sampled in software: the event was read every 0.1 ms".to_string());
    }
    notes.extend(Note::sentence(&profiled.notes));
    notes
}

/// Those about stacks whose outer frames are missing.
pub fn of_stacks(args: &Shown<'_>, profiled: &Profiled) -> Vec<String> {
    profiled.stacks.as_ref().map_or(Vec::new(), |stacks| stacks::remarks(stacks, args.is_dwarf))
}
