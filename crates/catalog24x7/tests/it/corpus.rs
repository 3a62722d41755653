//! The malformed corpus: the findings of each case, and the parts that can still be read.

use crate::{base, fixture};
use counterpoint_catalog24x7::{Catalog, Code, Diagnostic, Severity, check};
use serde_json::Value;

pub(crate) struct Case {
    pub(crate) row: Value,
    pub(crate) bytes: Vec<u8>,
}

pub(crate) fn cases() -> Vec<Case> {
    let text = std::fs::read_to_string(fixture("malformed.jsonl")).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.map(|row| {
        let mut bytes = base();
        for patch in row["patches"].as_array().unwrap() {
            let at = patch[0].as_u64().unwrap() as usize;
            let hex = patch[1].as_str().unwrap();
            for (k, digits) in hex.as_bytes().chunks(2).enumerate() {
                let digits = std::str::from_utf8(digits).unwrap();
                bytes[at + k] = u8::from_str_radix(digits, 16).unwrap();
            }
        }
        bytes.resize(row["bytes"].as_u64().unwrap() as usize, 0);
        Case { row, bytes }
    })
    .collect()
}

fn findings(bytes: &[u8]) -> Vec<Diagnostic> {
    let decoded = Catalog::decode(bytes);
    let mut findings = decoded.diagnostics;
    findings.extend(decoded.catalog.iter().flat_map(check));
    findings
}

fn key(diagnostic: &Diagnostic) -> String {
    serde_json::json!([
        diagnostic.severity.name(),
        diagnostic.section.name(),
        diagnostic.index,
        diagnostic.offset,
        diagnostic.field
    ])
    .to_string()
}

#[test]
fn every_case_has_its_findings_and_no_others() {
    let cases = cases();
    assert_eq!(cases.len(), 71);
    let mut wrong = Vec::new();
    for case in &cases {
        let told = findings(&case.bytes);
        let mut told: Vec<String> =
            told.iter().filter(|found| found.severity != Severity::Info).map(key).collect();
        // The texts of formulas are checked elsewhere, by code that understands formulas.
        let expected = case.row["findings"].as_array().unwrap().iter();
        let mut expected: Vec<String> = expected
            .filter(|row| row[0] == "error" || row[1] != "formula" || row[4] != "formula")
            .map(Value::to_string)
            .collect();
        told.sort();
        expected.sort();
        if told != expected {
            wrong.push(format!("{}\n told {told:#?}\n expected {expected:#?}", case.row["id"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The codes by which `tests/documents.md` names the findings, each with a case of the corpus.
#[test]
fn findings_have_the_codes_that_are_documented() {
    let cases = cases();
    for (id, code) in [
        ("magic-le", Code::Descriptor),
        ("file-trailing-page", Code::FileLength),
        ("reserved-p0", Code::Reserved),
        ("sec-offset-0", Code::OverlapsPage0),
        ("file-page0-only", Code::SectionPastEnd),
        ("sub-thread-ffff", Code::DomainOffset),
        ("sub-chip-group-past", Code::DomainOffset),
        ("event-len-0", Code::RecordTooShort),
        ("event-len-past-section", Code::RecordPastEnd),
        ("event-len-not16", Code::UnalignedLength),
        ("event-len-not16", Code::Padding),
        ("event-formula-range", Code::NoFormula),
        ("event-domain-4", Code::UnknownDomain),
        ("event-off-unaligned", Code::UnalignedOffset),
        ("event-ctr-past", Code::CounterPastRecord),
        ("event-ctr-unaligned", Code::UnalignedCounter),
        ("event-primary-ffff", Code::NoPrimaryGroup),
        ("event-name-len-1", Code::TextLength),
        ("event-name-no-nul", Code::NotTerminated),
        ("event-name-nul-inside", Code::AfterTerminator),
        ("event-desc-len-ffff", Code::TextPastRecord),
        ("event-dup-other-domain", Code::DuplicateName),
        ("schema-field-past-record", Code::RecordShorterThanSchema),
        ("group-schema-range", Code::NoSchema),
        ("group-index-range", Code::NoEvent),
        ("group-index-dup", Code::RepeatedEvent),
        ("group-empty-name", Code::EmptyName),
        ("schema-count-huge", Code::FieldsPastRecord),
        ("schema-field-len-0", Code::EmptyField),
        ("schema-overlap", Code::OverlappingFields),
        ("formula-group-range", Code::NoGroup),
    ] {
        let case = cases.iter().find(|case| case.row["id"] == id).unwrap();
        let found = findings(&case.bytes);
        assert!(found.iter().any(|found| found.code == code), "{id}: {found:#?}");
    }
}

#[test]
fn everything_readable_is_kept_and_written_again() {
    for case in cases() {
        let id = &case.row["id"];
        let decoded = Catalog::decode(&case.bytes);
        let Some(catalog) = decoded.catalog else {
            assert_eq!(id, "file-4095");
            continue;
        };
        let read = serde_json::json!([
            catalog.schemas.len(),
            catalog.events.len(),
            catalog.groups.len(),
            catalog.formulas.len()
        ]);
        assert_eq!(read, case.row["records"], "{id}");
        assert_eq!(catalog.encode().unwrap(), case.bytes, "{id}");
        assert_eq!(
            Catalog::decode_strict(&case.bytes).is_ok(),
            decoded.diagnostics.is_empty(),
            "{id}"
        );
    }
}

#[test]
fn the_base_has_nothing_wrong() {
    let findings = findings(&base());
    assert!(findings.iter().all(|found| found.code == Code::ReadingsDiffer), "{findings:#?}");
}
