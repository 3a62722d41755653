//! Debian's papi-tools, over this library and over the system's PAPI.

use std::path::Path;
use std::process::Command;

use super::built::{ours, pfm, run, text};

/// A tool with arguments, and what of its output is compared.
struct Tool {
    line: &'static str,
    compared: fn(&str) -> Vec<String>,
}

const TOOLS: &[Tool] = &[
    Tool { line: "papi_avail", compared: presets },
    Tool { line: "papi_avail -a", compared: presets },
    Tool { line: "papi_native_avail", compared: all },
    Tool { line: "papi_native_avail -e perf::TASK-CLOCK", compared: all },
    Tool { line: "papi_component_avail", compared: all },
    Tool { line: "papi_hardware_avail", compared: hardware },
    Tool { line: "papi_command_line perf::TASK-CLOCK perf::PAGE-FAULTS", compared: without_values },
    Tool { line: "papi_event_chooser NATIVE perf::TASK-CLOCK", compared: without_codes },
    Tool { line: "papi_event_chooser PRESET PAPI_TOT_CYC", compared: presets },
    Tool { line: "papi_cost", compared: without_values },
    Tool { line: "papi_xml_event_info", compared: presets },
    Tool { line: "papi_decode", compared: presets },
    Tool { line: "papi_mem_info", compared: hardware },
    Tool { line: "papi_clockres", compared: first_words },
    Tool { line: "papi_error_codes", compared: all },
    Tool { line: "papi_version", compared: all },
];

/// The lines with words, but for those that `DIFFERENCES.md` is about: the components of [`OTHERS`], with what is said
/// of each and the number of all events, the counters that a virtual machine hides, and the memory of a node.
fn all(output: &str) -> Vec<String> {
    const LEFT_OUT: [&str; 4] =
        ["Number Hardware Counters", "Counters:", "Memory      ", "Total events reported"];
    let output = without_components(output);
    let lines = output.lines().map(|line| line.replace("index=\"4\" type", "index=\"3\" type"));
    // The component that is listed last ends with a blank line, and the libraries list them in different orders.
    let is_kept =
        |line: &String| !line.trim().is_empty() && !LEFT_OUT.iter().any(|word| line.contains(word));
    lines.filter(is_kept).collect()
}

/// Without the sizes of AMD's L3 cache: PAPI takes them from a field of the processor that says to look elsewhere. The
/// associativity of TLBs of 3 and 6 ways is -1 there.
fn hardware(output: &str) -> Vec<String> {
    let is_amd =
        std::fs::read_to_string("/proc/cpuinfo").is_ok_and(|text| text.contains("AuthenticAMD"));
    if !is_amd {
        return all(output);
    }
    let (before, l3) = output.split_once("L3 ").unwrap_or((output, ""));
    let mut lines = all(before);
    for line in lines.iter_mut().filter(|line| line.contains("Associativity:")) {
        if ["3", "6"].iter().any(|ways| line.split_whitespace().last() == Some(ways)) {
            *line = "  Associativity:         -1".to_owned();
        }
    }
    let is_of_l3 =
        |line: &String| ["Size", "size", "Lines", "Assoc"].iter().any(|word| line.contains(word));
    lines.extend(all(l3).into_iter().filter(|line| !is_of_l3(line)));
    lines
}

/// The components that only one of the libraries may have.
const OTHERS: [&str; 9] =
    ["sde", "rocm_smi", "rapl", "coretemp", "infiniband", "io", "net", "powercap", "stealtime"];

/// The same without the components that only one of the libraries has.
fn without_components(output: &str) -> String {
    let mut kept = String::new();
    let mut lines = output.lines().peekable();
    while let Some(line) = lines.next() {
        let is_other = |line: &str| {
            let is_in_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            line.split(|c| !is_in_name(c)).any(|word| OTHERS.contains(&word))
        };
        if line.starts_with("Name:") && is_other(line) {
            lines.next_if(|next| next.contains("Disabled"));
        } else if line.starts_with("<component") && is_other(line) {
            while lines.next().is_some_and(|line| !line.starts_with("</component")) {}
        } else if lines
            .peek()
            .is_some_and(|next| next.contains("Native Events in") && is_other(next))
        {
            lines.next();
            lines.next();
            while lines.next_if(|next| next.is_empty() || next.starts_with(['|', '-'])).is_some() {}
        } else {
            kept.extend([line, "\n"]);
        }
    }
    kept
}

/// Lines of presets have their names, codes and availability; descriptions are this project's.
fn presets(output: &str) -> Vec<String> {
    let cut = |line: String| match line.split_whitespace().collect::<Vec<_>>()[..] {
        [name, code, ref rest @ ..] if name.starts_with("PAPI_") && code.starts_with("0x") => {
            let answers = rest.iter().take_while(|word| ["Yes", "No"].contains(word)).copied();
            [name, code].into_iter().chain(answers).collect::<Vec<_>>().join(" ")
        }
        _ if line.starts_with("PAPI_") && line.contains(",\"") => {
            let (before, rest) = line.split_once(",\"").unwrap_or_default();
            format!("{before}{}", rest.rsplit('"').next().unwrap_or_default())
        }
        _ if line.contains("name=\"PAPI_") => {
            line.split(" desc=").next().unwrap_or_default().to_owned()
        }
        _ => line,
    };
    all(output).into_iter().map(cut).collect()
}

/// Without the codes of native events.
fn without_codes(output: &str) -> Vec<String> {
    let cut = |line: String| line.split("0x4").next().unwrap_or_default().to_owned();
    all(output).into_iter().map(cut).collect()
}

/// Numbers that are measured, and the blanks before them, become a sign.
fn without_values(output: &str) -> Vec<String> {
    let sign = |line: String| {
        let words = line.split_whitespace().map(|word| {
            let is_number = word.chars().all(|c| c.is_ascii_digit() || "<.-".contains(c));
            if is_number { "#" } else { word }
        });
        words.collect::<Vec<_>>().join(" ")
    };
    all(output).into_iter().map(sign).collect()
}

/// The words before the first number of each line.
fn first_words(output: &str) -> Vec<String> {
    let is_number = |c: char| c.is_ascii_digit() || c == '<';
    let first = |line: String| line.split(is_number).next().unwrap_or_default().trim().to_owned();
    all(output).into_iter().map(first).collect()
}

#[test]
fn the_tools_of_papi_print_the_same() {
    if Command::new("papi_version").output().is_err() {
        println!("skipped: needs papi-tools (Debian: papi-tools)");
        return;
    }
    let peer_counts = run(Path::new("papi_command_line"), &["perf::TASK-CLOCK"], pfm());
    if !text(&peer_counts).contains("Successfully added") {
        println!("skipped: the comparison needs a PAPI that counts");
    }
    for Tool { line, compared } in TOOLS {
        let mut words = line.split(' ');
        let program = words.next().unwrap_or_default();
        let arguments: Vec<&str> = words.collect();
        let here = run(Path::new(program), &arguments, ours());
        assert!(!here.stdout.is_empty(), "{line} prints nothing");
        if text(&peer_counts).contains("Successfully added") {
            let there = run(Path::new(program), &arguments, pfm());
            assert_eq!(here.status.code(), there.status.code(), "{line}");
            let (here, there) = (compared(&text(&here)), compared(&text(&there)));
            let differs = here.iter().zip(&there).find(|(here, there)| here != there);
            assert_eq!(differs, None, "{line}");
            assert_eq!(here.len(), there.len(), "{line}");
        }
    }
    let output = run(Path::new("papi_command_line"), &["perf::TASK-CLOCK"], ours());
    assert!(text(&output).contains("Successfully added: perf::TASK-CLOCK"), "{}", text(&output));
}
