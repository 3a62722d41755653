//! What large files cost.

use std::fs::read_to_string;

use counterpoint_definitions::{link, parse};

/// The memory that this process holds, in bytes; `None` where the kernel does not say.
fn resident() -> Option<usize> {
    let text = read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: usize = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kilobytes << 10)
}

/// The proportions of PAPI's file: a CPU line, a comment, and some twenty presets.
fn presets(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes);
    for block in 0.. {
        if text.len() > bytes {
            break;
        }
        text += &format!("#\nCPU,processor{block}\n# Events in the order of the manual\n");
        for event in 0..20 {
            text += &format!(
                "PRESET,PAPI_L{event}_DCM,DERIVED_ADD,L1D_CACHE_{block}:MISSES:LOADS,L1D:STORES\n\
                 PRESET,PAPI_L{event}_ICM,NOT_DERIVED,L1I_CACHE_{block}:MISSES:FETCHES\n"
            );
        }
    }
    text
}

#[test]
fn a_tree_takes_ten_times_its_file_at_most() {
    let text = presets(16 << 20);
    let Some(before) = resident() else {
        println!("skipped: there is no /proc/self/status here");
        return;
    };
    let file = parse(&text).file;
    let definitions = link(&[&file], "processor7");
    let after = resident().unwrap();
    assert_eq!(definitions.len(), 40);
    assert!(file.events().count() > 100_000);
    // Other tests, running beside this one, count as well.
    let grown = after.saturating_sub(before);
    assert!(grown < 10 * text.len(), "{grown} bytes for {}", text.len());
}

#[test]
fn one_line_may_be_as_long_as_a_file() {
    let terms: String = (0..60_000).map(|index| format!(",EVENT_{index}:MASK")).collect();
    let text = format!(
        "EVENT,A,DERIVED_ADD{terms}\nEVENT,B,NOT_DERIVED,X,LDESC,\"{}\"\n",
        "x".repeat(10 << 20)
    );
    let file = parse(&text).file;
    let events: Vec<_> = file.events().map(|event| event.terms.len()).collect();
    assert_eq!(events, [60_000, 1]);
    let deep =
        format!("EVENT,C,DERIVED_INFIX,{}N0{},X\n", "(".repeat(1 << 20), ")".repeat(1 << 20));
    assert_eq!(parse(&deep).file.events().count(), 1);
}
