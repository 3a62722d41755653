//! The malformed files of `fixtures/definitions`, each compared with its line of the index.

use std::fs;
use std::path::Path;

use counterpoint_definitions::papi::{self, parse};
use counterpoint_definitions::{Diagnostic, Library, Severity, line_column, link};
use serde_json::Value;

#[test]
fn each_malformed_file_gives_the_finding_of_the_index() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/definitions/malformed");
    let index = fs::read_to_string(dir.join("index.jsonl")).unwrap();
    assert_eq!(index.lines().count(), 55);
    for line in index.lines() {
        let entry: Value = serde_json::from_str(line).unwrap();
        let file = entry["file"].as_str().unwrap();
        let text = fs::read_to_string(dir.join(file)).unwrap();
        check(&entry, &text);
        assert!(
            !text.contains("EVENT,AFTER,") || defines_after(&text),
            "{file}: the line after the malformed one is lost"
        );
    }
}

fn check(entry: &Value, text: &str) {
    let parse = parse(text);
    let definitions = link(&[Library::from(text)], "skx");
    let mut linked = definitions.diagnostics().to_vec();
    linked.extend(papi::check_cycles(&definitions, |_, _| None));
    let papi = papi::differences(&parse.file);
    let (pass, severity) = (entry["pass"].as_str(), entry["severity"].as_str());
    let findings: &[Diagnostic] = match pass {
        Some("parse") => &parse.diagnostics,
        Some("link") => &linked,
        Some("papi") => &papi,
        _ => &[],
    };
    let is_expected = |finding: &&Diagnostic| {
        let (line, column) = line_column(text, finding.span.start);
        Some(finding.severity.name()) == severity
            && Some(finding.code.name()) == entry["code"].as_str()
            && entry["line"].as_u64().is_none_or(|expected| expected == line as u64)
            && entry["column"].as_u64().is_none_or(|expected| expected == column as u64)
    };
    if matches!(pass, Some("parse" | "link" | "papi")) {
        assert!(findings.iter().any(|finding| is_expected(&finding)), "{entry}: {findings:?}");
    }
    // There are no other errors, and no warnings in valid files.
    let least = if severity == Some("none") { Severity::Warning } else { Severity::Error };
    let others: Vec<&Diagnostic> = (parse.diagnostics.iter().chain(&linked))
        .filter(|finding| finding.severity >= least && !is_expected(finding))
        .collect();
    assert!(others.is_empty(), "{entry}: {others:?}");
}

/// Returns true if the definition after the malformed line is read.
fn defines_after(text: &str) -> bool {
    parse(text).file.events().any(|event| event.name.text == "AFTER")
}
