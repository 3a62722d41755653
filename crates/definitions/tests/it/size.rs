//! The cost of large files.

use std::fs::read_to_string;

use counterpoint_definitions::papi::{self, parse};
use counterpoint_definitions::{Origin, link};

/// The resident memory of this process in bytes; `None` if the kernel does not report it.
fn resident() -> Option<usize> {
    let text = read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: usize = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kilobytes << 10)
}

/// Text in the proportions of PAPI's file: a CPU line, a comment, and about twenty presets for each block.
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
        println!("skipped: /proc/self/status cannot be read");
        return;
    };
    let file = parse(&text).file;
    let after = resident().unwrap();
    assert!(file.events().count() > 100_000);
    assert_eq!(link(&[papi::read(&text, Origin::Text)], "processor7").len(), 40);
    // Other tests that run at the same time count as well.
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

#[test]
fn many_findings_in_one_line_take_no_longer_than_the_line() {
    let unknown = (1..60_000).map(|index| format!("N{index}")).collect::<Vec<_>>().join("+");
    let file = format!("CPU,x\nEVENT,A,DERIVED_INFIX,{unknown},E\n");
    let found = parse(&file).diagnostics;
    assert_eq!(found.len(), 59_999);
    assert_eq!(
        (&file[found[9].span.clone()], &*found[9].message),
        ("N10", "N10 is not a term: the only term is N0")
    );

    let repeated = format!("CPU,x\nEVENT,A,NOT_DERIVED,E{}\n", ",LDESC,\"y\"".repeat(200_000));
    assert_eq!(parse(&repeated).diagnostics.len(), 199_999);

    let processors: String =
        (0..20_000).map(|index| format!("CPU,x{}\n", index % 10_000)).collect();
    let events: String =
        (0..10_000).map(|index| format!("EVENT,E{index},NOT_DERIVED,X\n")).collect();
    let text = processors + &events;
    let found = papi::differences(&parse(&text).file);
    assert_eq!(
        found.iter().map(|finding| &text[finding.span.clone()]).collect::<Vec<_>>(),
        ["E50"]
    );
}
