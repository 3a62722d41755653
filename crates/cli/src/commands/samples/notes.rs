//! Sentences about what a profile lacks, and how it was taken.

use super::shown::Shown;
use super::stacks;
use crate::show::{listed, printable};
use counterpoint::Note;
use counterpoint::profile::Symbols;
use counterpoint::profile::{CallStacks, OffCpu, Profiled};
use std::path::Path;

/// All sentences of an event.
pub fn sentences(args: &Shown<'_>, profiled: &Profiled, symbols: &Symbols<'_>) -> Vec<String> {
    let mut notes = of_stacks(args, profiled);
    notes.extend(args.ranks.iter().flat_map(|ranks| ranks.remarks()));
    notes.extend(of_stripped(symbols.stripped()));
    for (path, is_replaced) in symbols.missing() {
        let path = path.to_string_lossy();
        let path = printable(&path);
        notes.push(if is_replaced {
            format!("{path} is not the file that was sampled, of which no copy was found by its build id: its functions have no names")
        } else {
            format!("{path} is not a file any more: its functions have no names")
        });
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
    if let Some(off_cpu) = &profiled.off_cpu {
        if profiled.stacks.as_ref().is_some_and(CallStacks::has_callers) {
            notes.push("functions and lines are those of the program that stopped; call stacks also have those of the kernel, where it may be sampled".to_string());
        }
        notes.extend(of_off_cpu(off_cpu, profiled.snapshot.total() + profiled.snapshot.outside));
    }
    notes.extend(Note::sentence(&profiled.notes));
    notes
}

/// The most files that a sentence names.
const NAMED: usize = 4;

/// One sentence: the libraries of a parallel program are many.
fn of_stripped(mut paths: Vec<&Path>) -> Option<String> {
    paths.sort_unstable();
    paths.dedup();
    let names: Vec<String> =
        paths.iter().map(|path| printable(&path.to_string_lossy()).into_owned()).collect();
    let named = listed(&names, NAMED);
    match paths.len() {
        0 => None,
        1 => Some(format!(
            "{named} is stripped and has no debug file: only its exported functions have names"
        )),
        count => Some(format!(
            "{count} files are stripped and have no debug files, so that only their exported functions have names: {named}"
        )),
    }
}

/// The table's sentence about samples that are missing, for formats that have no place for it.
pub fn of_lost(profiled: &Profiled) -> Option<String> {
    let (lost, event) = (profiled.lost, printable(&profiled.event));
    (lost > 0).then(|| {
        let samples = if lost == 1 { "sample" } else { "samples" };
        format!("{lost} {samples} of {event} lost: the reader could not keep up with the program")
    })
}

/// Those about stacks whose outer frames are missing.
pub fn of_stacks(args: &Shown<'_>, profiled: &Profiled) -> Vec<String> {
    profiled.stacks.as_ref().map_or(Vec::new(), |stacks| stacks::remarks(stacks, args.is_dwarf))
}

/// The notes about the time off the CPU beside its places.
fn of_off_cpu(of: &OffCpu, total: u64) -> Vec<String> {
    let mut notes = Vec::new();
    if of.preempted > 0 {
        let percent = 100.0 * of.preempted as f64 / total as f64;
        notes.push(format!(
            "in {percent:.1}% of this time, the thread could have run, but another had the CPU"
        ));
    }
    let waits =
        |count: u64| if count == 1 { "1 wait".to_string() } else { format!("{count} waits") };
    if of.unfinished > 0 {
        let waits = waits(of.unfinished);
        notes.push(format!("{waits} had not ended: counted up to the last record"));
    }
    if of.without_end > 0 {
        let waits = waits(of.without_end);
        notes.push(format!("{waits} not counted: the record of the end was lost"));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::of_stripped;
    use std::path::Path;

    #[test]
    fn files_without_names_are_one_sentence() {
        let of = |names: &[&'static str]| of_stripped(names.iter().map(Path::new).collect());
        assert_eq!(of(&[]), None);
        let one = "a is stripped and has no debug file: only its exported functions have names";
        assert_eq!(of(&["a", "a"]).as_deref(), Some(one));
        let six = of(&["f", "a", "b", "c", "d", "e"]).unwrap();
        assert!(six.starts_with("6 files are stripped and have no debug files, so that "), "{six}");
        assert!(six.ends_with(": a, b, c, d and 2 more"), "{six}");
    }
}
