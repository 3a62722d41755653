//! What is read of a recording, in a form that both sides have.

use std::collections::{BTreeMap, BTreeSet};

/// What is read of a recording.
#[derive(Debug, Default)]
pub struct Read {
    /// The host, the processor, the command.
    pub facts: BTreeMap<String, String>,
    /// The number of records of each type.
    pub kinds: BTreeMap<String, u64>,
    pub build_ids: BTreeSet<String>,
    /// Records about processes, in the form of ours, and how many are equal.
    pub records: BTreeMap<String, u64>,
    /// The samples without counts of their group.
    pub samples: Vec<Sample>,
    /// The events of all samples, with their times and threads.
    pub events: BTreeMap<String, u64>,
    /// The source of data in words, by the bits.
    pub sources: BTreeMap<String, Vec<String>>,
    /// The number of samples of each event that has some.
    pub sampled: BTreeMap<String, u64>,
    /// The number of events for which the samples of each event stand, where samples say how many.
    pub totals: BTreeMap<String, u64>,
    /// The samples are made of the data of a tracer, which perf does not print among the records.
    pub is_made: bool,
    /// What could not be read.
    pub remarks: Vec<String>,
}

/// The name of an event without the modifiers of guests, which perf adds to events that a file has no name of.
pub fn without_guests(event: &str) -> &str {
    match event.rsplit_once(':') {
        Some((name, "H" | "G" | "HG")) => name,
        Some(_) => event.trim_end_matches(['H', 'G']),
        None => event,
    }
}

/// The fields of a sample, by name.
pub type Sample = BTreeMap<&'static str, String>;

/// The types of the kernel's records, as perf calls them.
pub const KINDS: [(u32, &str); 21] = [
    (1, "MMAP"),
    (2, "LOST"),
    (3, "COMM"),
    (4, "EXIT"),
    (5, "THROTTLE"),
    (6, "UNTHROTTLE"),
    (7, "FORK"),
    (8, "READ"),
    (9, "SAMPLE"),
    (10, "MMAP2"),
    (11, "AUX"),
    (12, "ITRACE_START"),
    (13, "LOST_SAMPLES"),
    (14, "SWITCH"),
    (15, "SWITCH_CPU_WIDE"),
    (16, "NAMESPACES"),
    (17, "KSYMBOL"),
    (18, "BPF_EVENT"),
    (19, "CGROUP"),
    (20, "TEXT_POKE"),
    (21, "AUX_OUTPUT_HW_ID"),
];
