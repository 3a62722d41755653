//! `counterpoint catalog` on whole, damaged and missing catalogs.

use crate::{root, run, run_on, schema, stderr, stdout};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Output;

pub(crate) const BASE: &str = "fixtures/catalog24x7/base.bin";

pub(crate) fn lines(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A file of these bytes for one test.
pub(crate) fn file(name: &str, bytes: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_string()
}

fn fixture(name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(root().join("fixtures/catalog24x7").join(name)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn damaged(case: &Value) -> Vec<u8> {
    let mut bytes = std::fs::read(root().join(BASE)).unwrap();
    for patch in case["patches"].as_array().unwrap() {
        let at = patch[0].as_u64().unwrap() as usize;
        for (k, digits) in patch[1].as_str().unwrap().as_bytes().chunks(2).enumerate() {
            bytes[at + k] = u8::from_str_radix(std::str::from_utf8(digits).unwrap(), 16).unwrap();
        }
    }
    bytes.resize(case["bytes"].as_u64().unwrap() as usize, 0);
    bytes
}

#[test]
fn dump_has_every_fact_of_the_base() {
    let mut records = lines(&run(&["catalog", "dump", "--json", BASE]));
    let sections = records[0]["resolved_sections"].clone();
    for record in &mut records {
        record.as_object_mut().unwrap().retain(|key, _| !key.starts_with("resolved_"));
    }
    let (expected_sections, expected): (Vec<Value>, Vec<Value>) =
        fixture("base.jsonl").into_iter().partition(|row| row["record"] == "section");
    assert_eq!(records, expected);
    for (section, mut expected) in sections.as_array().unwrap().iter().zip(expected_sections) {
        expected.as_object_mut().unwrap().remove("record");
        assert_eq!(*section, expected);
    }
}

#[test]
fn check_tells_of_every_damaged_catalog_what_is_wrong_and_no_more() {
    for case in fixture("malformed.jsonl") {
        let id = &case["id"];
        let bytes = damaged(&case);
        let output = run_on(&bytes, &["catalog", "check", "--json", "-"]);
        let mut told: Vec<String> = lines(&output)
            .iter()
            .filter(|found| found["severity"] != "info")
            .map(|found| {
                ["severity", "section", "index", "offset", "field"].map(|key| found[key].clone())
            })
            .map(|key| json!(key).to_string())
            .collect();
        let findings = case["findings"].as_array().unwrap();
        let mut expected: Vec<String> = findings.iter().map(Value::to_string).collect();
        told.sort();
        expected.sort();
        assert_eq!(told, expected, "{id}");
        let errors = findings.iter().any(|found| found[0] == "error");
        assert_eq!(output.status.code(), Some(i32::from(errors)), "{id}");

        let output = run_on(&bytes, &["catalog", "dump", "--json", "-"]);
        if case["bytes"].as_u64() < Some(4096) {
            assert_eq!(output.status.code(), Some(2), "{id}: nothing can be read");
            assert!(stderr(&output).contains("but page 0 needs 4096"), "{}", stderr(&output));
            continue;
        }
        assert_eq!(output.status.code(), Some(0), "{id}");
        let records = lines(&output);
        let count = |kind: &str| records.iter().filter(|record| record["record"] == kind).count();
        let read = json!(["schema", "event", "group", "formula"].map(count));
        assert_eq!(read, case["records"], "{id}");

        if let Some(events) = case["kernel_events"].as_u64() {
            let output = run_on(&bytes, &["catalog", "events", "--json", "-"]);
            assert_eq!(lines(&output).len() as u64, events, "{id}");
        }
    }
}

#[test]
fn events_are_those_of_three_kernels() {
    let count = |kernel: &str| {
        lines(&run(&["catalog", "events", "--kernel", kernel, "--json", BASE])).len()
    };
    // Six core events in five domains and two chip events; the two of threads have no record.
    assert_eq!([count("2014"), count("4.1"), count("current")], [32, 32, 8]);
    let output = run(&["catalog", "events", "--kernel", "4.1", "--json", BASE]);
    let named =
        |name: &str| lines(&output).into_iter().find(|event| event["name"] == name).unwrap();
    assert_eq!(named("CHIP_CYC__PHYS_CHIP")["value"], "domain=0x1,offset=0x18,core=?,lpar=0x0");
    let found =
        run(&["catalog", "events", BASE, "--value", "domain=0x1,offset=0x18,core=?,lpar=0x0"]);
    assert_eq!(stdout(&found), "CHIP_CYC\n");
    let wrong = run(&["catalog", "events", BASE, "--value", "domain=9,offset=0x18,vcpu=0,lpar=0"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("the domains are 1 (chip)"), "{}", stderr(&wrong));
    let wrong = run(&["catalog", "events", BASE, "--value", "domain=1,offset=24,socket=0,lpar=0"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("socket=0"), "{}", stderr(&wrong));
}

#[test]
fn a_formula_is_computed_from_what_is_given() {
    let compute = |args: &[&str]| run(&[&["catalog", "formula", BASE], args].concat());
    let output =
        compute(&["RATIO", "CHIP_XFER=1000", "CHIP_CYC=4000", "delta-seconds=0.5", "--json"]);
    let answer = &lines(&output)[0];
    let expected = (25.0_f64 / (1000.0 * 128.0 / 0.5)).sqrt();
    assert_eq!((&answer["ok"], answer["value"].as_f64()), (&json!(true), Some(expected)));
    let output = compute(&["UTIL", "CHIP_XFER=3", "CHIP_CYC=12"]);
    assert!(stdout(&output).starts_with("25\nunit     %\n"), "{}", stdout(&output));
    // A value that is given stands before the formula of that name.
    let output = compute(&["RATIO", "UTIL=9", "XFER_BW=4", "--json"]);
    assert_eq!(lines(&output)[0]["value"], 1.5);
    let output = compute(&["UTIL", "CHIP_XFER=3", "CHIP_CYC=0", "--json"]);
    let answer = &lines(&output)[0];
    assert_eq!((&answer["ok"], &answer["ieee"]), (&json!(false), &json!("inf")));
    assert_eq!(answer["error"]["kind"], "division-by-zero");
    let output = compute(&["UTIL", "CHIP_XFER=3"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("UTIL CHIP_XFER=3 CHIP_CYC=VALUE"), "{}", stderr(&output));
    for (wrong, told) in [
        (["UTIL", "CHIP_XFER=3", "CHIP_XFER=4"], "`CHIP_XFER` has two values"),
        (["UTIL", "CHIP_XFER=3", "CHIP_CYC=x"], "write, for example, CHIP_CYC=93"),
        (["UTIL", "CHIP_XFER=3", "=4"], "`=4` is not of the form NAME=VALUE"),
    ] {
        let output = compute(&wrong);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
    }
    let output = compute(&["UTILL"]);
    assert!(stderr(&output).contains("did you mean `UTIL`?"), "{}", stderr(&output));
}

#[test]
fn the_catalog_of_a_machine_is_found() {
    let machine = ["--machine", "fixtures/machines/power9"];
    let output = run(&[&["catalog", "check"], &machine[..]].concat());
    assert_eq!(output.status.code(), Some(0));
    assert!(
        stdout(&output)
            .ends_with("3 schemas, 12 events, 3 groups, 2 formulas, 1 warning, 0 errors\n"),
        "{}",
        stdout(&output)
    );
    let output = run(&["catalog", "dump", "--machine", "fixtures/machines/amd-zen4"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("does not have a 24x7 catalog"), "{}", stderr(&output));
}

#[test]
fn what_is_no_catalog_is_said_to_be_none() {
    let output = run(&["catalog", "dump", "no/such/file"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no/such/file"), "{}", stderr(&output));
    let output = run(&["catalog", "check", "fixtures"]);
    assert_eq!(output.status.code(), Some(2));
    let output = run_on(b"", &["catalog", "check", "-"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).starts_with("error[no-page-0]"), "{}", stdout(&output));
}

#[test]
fn schemas_are_read_without_a_catalog() {
    let base = std::fs::read(root().join(BASE)).unwrap();
    let page = &base[4096..8192];
    let alone = run_on(page, &["catalog", "schema", "--json", "-"]);
    schema::check("catalog-dump", &stdout(&alone), "a schema alone");
    let found = lines(&alone);
    let whole = lines(&run(&["catalog", "dump", "--json", BASE]));
    let in_catalog: Vec<_> =
        whole.iter().filter(|record| record["record"] == "schema").cloned().collect();
    assert_eq!(found.len(), 2);
    for (alone, in_catalog) in found.iter().zip(&in_catalog) {
        assert_eq!(alone["fields"], in_catalog["fields"]);
        assert_eq!(alone["descriptor"], in_catalog["descriptor"]);
    }
    let cut = run_on(&page[..130], &["catalog", "schema", "-"]);
    assert_eq!(cut.status.code(), Some(1));
    assert!(stdout(&cut).starts_with("schema 0: descriptor 0, version 1\n"));
    assert!(stderr(&cut).contains("schema 1, byte 0x60, length"), "{}", stderr(&cut));
    assert_eq!(run_on(b"", &["catalog", "schema", "-"]).status.code(), Some(1));
}

#[test]
fn the_doubtful_operators_of_the_document_are_read_as_asked() {
    let eval = |args: &[&str]| {
        let output = run(&[&["eval", "--syntax", "rpn"], args].concat());
        stdout(&output).lines().next().unwrap_or_default().to_string()
    };
    assert_eq!(eval(&["9 2 rem"]), "4");
    assert_eq!(eval(&["--rem", "remainder", "9 2 rem"]), "1");
    assert_eq!(eval(&["2 3 x^y"]), "9");
    assert_eq!(eval(&["--pow", "y^x", "2 3 x^y"]), "8");
    // The remainder has the sign of the divisor.
    assert_eq!((eval(&["-7 3 mod"]), eval(&["7 -3 mod"])), ("2".into(), "-2".into()));
    let line = br#"{"formula": "9 2 rem", "syntax": "rpn", "inputs": []}"#;
    let answer = lines(&run_on(line, &["eval", "--batch", "--rem", "remainder"]));
    assert_eq!(answer[0]["value"], 1);
}

/// A core group and a chip group with records of their own; the event `CHIP` is at 0x80.
fn two_groups() -> Vec<u8> {
    use ::counterpoint::catalog::{CatalogBuilder, Domain, Event, Formula, Group};
    let of = |name: &str, domain, offset, primary| Event {
        group_record_offset: offset,
        group_record_length: 88,
        counter_offset: 24,
        primary_group_index: primary,
        ..Event::new(name, domain)
    };
    let group = |name: &str, domain, offset, event: u16| Group {
        group_record_offset: offset,
        group_record_length: 88,
        ..Group::new(name, domain, &[event])
    };
    // By the document's reading, the primary group of both events of the chip is the second one.
    let builder = CatalogBuilder::new(1)
        .event(of("CORE", Domain::CORE, 0, 0))
        .event(of("CHIP", Domain::CHIP, 0x80, 1))
        .event(of("OTHER", Domain::CHIP, 0x80, 1))
        .group(group("G0", Domain::CORE, 0, 0))
        .group(group("G1", Domain::CHIP, 0x80, 1))
        .group(group("G2", Domain::CHIP, 0x100, 2))
        .formula(Formula::new("RATIO", "CORE CHIP /"));
    builder.build().unwrap().encode().unwrap()
}

#[test]
fn the_record_of_an_event_is_its_own() {
    let catalog = file("two-groups", &two_groups());
    let request = |names: &[&str]| {
        let args = ["catalog", "request", "--records", "--catalog", &catalog];
        let output = run(&[&args[..], names].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        output.stdout
    };
    // The domain, the size and the offset are the first fields of a request.
    let of_event = request(&["CHIP"]);
    assert_eq!(of_event, request(&["G1"]), "its record is that of its group");
    assert_ne!(of_event, request(&["G2"]));
    assert_eq!(of_event, request(&["OTHER"]));
}

#[test]
fn a_reading_of_indexes_is_found_or_selected() {
    let catalog = file("readings", &two_groups());
    let group_of_chip = |more: &[&str]| {
        let args = ["catalog", "dump", "--json", &catalog];
        let records = lines(&run(&[&args[..], more].concat()));
        let of = |row: &&Value| row["record"] == "event" && row["name"] == "CHIP";
        records.iter().find(of).unwrap()["resolved_primary_group"].clone()
    };
    assert_eq!(group_of_chip(&[]), group_of_chip(&["--reading", "document"]));
    assert_ne!(group_of_chip(&[]), group_of_chip(&["--reading", "domain"]));
    let check = |more: &[&str]| stdout(&run(&[&["catalog", "check", &catalog], more].concat()));
    assert!(check(&[]).contains("indexes count from the first record of all"), "{}", check(&[]));
    assert!(!check(&["--reading", "document"]).contains("readings-differ"));
}

#[test]
fn a_formula_without_a_finite_value_has_none() {
    let catalog = file("infinite", &two_groups());
    for (values, why) in [
        (&["CORE=1", "CHIP=0"][..], "division by zero"),
        (&["CORE=0", "CHIP=0"], "division by zero"),
        (&["CORE=1e308", "CHIP=1e-308"], "larger than any double"),
    ] {
        let args = [&["catalog", "formula", &catalog, "RATIO"][..], values].concat();
        let output = run(&args);
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(1), ""), "{values:?}");
        assert!(stderr(&output).to_lowercase().contains(why), "{values:?}: {}", stderr(&output));
        assert_eq!(run(&[&args[..], &["--json"]].concat()).status.code(), Some(1), "{values:?}");
    }
}

/// The indexes and names of the base are resolved by the rules of the document and of real catalogs.
#[test]
fn dump_resolves_indexes_and_variants_of_the_base() {
    let records = lines(&run(&["catalog", "dump", "--json", BASE]));
    let of = |kind: &'static str| records.iter().filter(move |record| record["record"] == kind);
    let resolved = |keys: [&str; 4]| {
        let of_event = |event: &Value| json!(keys.map(|key| event[key].clone()));
        of("event").map(of_event).collect::<Vec<_>>()
    };
    let none = Value::Null;
    let groups =
        resolved(["domain", "resolved_domain", "primary_group_index", "resolved_primary_group"]);
    // The group of the chip is the fourth of all, and the first of its domain.
    assert_eq!(groups[2], json!([2, "core", 1, 1]));
    assert_eq!(groups[6], json!([3, "thread", 0, none]), "it has no group record");
    assert_eq!(groups[8], json!([1, "chip", 0, 3]));
    let variants = resolved(["name", "resolved_user", "resolved_kernel", "resolved_last_sample"]);
    assert_eq!(variants[2], json!(["CORE_GAMMA", 3, none, none]));
    let formulas = resolved([
        "formula_index",
        "resolved_formula",
        "resolved_formula_name",
        "resolved_address",
    ]);
    assert_eq!(formulas[0], json!([0xffff, none, none, 24]), "0xffff is no formula");
    assert_eq!(formulas[9], json!([0, 0, "XFER_BW", 32]));
    let of_chip = of("group").find(|group| group["domain"] == 1).unwrap();
    let slot = &of_chip["resolved_events"][0];
    assert_eq!(json!([of_chip["event_indexes"][0], slot["slot"], slot["event"]]), json!([0, 0, 8]));
    assert_eq!(
        of_chip["resolved_events"].as_array().unwrap().len() as u64,
        of_chip["event_count"].as_u64().unwrap()
    );
}

/// Formulas had no unit before version 0.17, and a length of 32 bits in 0.12.
#[test]
fn formulas_of_older_versions_are_read_by_their_format() {
    use ::counterpoint::catalog::{CatalogBuilder, Formula};
    let builder = CatalogBuilder::new(1).formula(Formula::new("RATIO", "A B /"));
    let mut old = builder.build().unwrap().encode().unwrap();
    // The length of the unit follows the fixed part, the name, the empty description and the formula.
    let unit = 4096 + 16 + 8 + 2 + 8;
    assert_eq!(old[unit..unit + 2], [0, 2]);
    old[unit + 1] = 0;
    let mut wide = old.clone();
    wide[4096..4100].rotate_left(2);
    let formula = |bytes: &[u8], format: &[&str]| {
        let output = run_on(bytes, &[&["catalog", "dump", "--json", "-"], format].concat());
        let records = lines(&output);
        let formula = records.into_iter().find(|record| record["record"] == "formula");
        formula.map(|formula| formula["formula"].clone())
    };
    assert_eq!(formula(&old, &["--format", "0.16"]), Some(json!("A B /")));
    assert_eq!(formula(&wide, &["--format", "0.12"]), Some(json!("A B /")));
    for bytes in [&old, &wide] {
        let check = run_on(bytes, &["catalog", "check", "-"]);
        assert_eq!(check.status.code(), Some(1), "it is not of version 0.17");
    }
}

/// The findings about flags and groups, which are notes.
#[test]
fn formulas_and_groups_are_compared_with_their_events() {
    use ::counterpoint::catalog::{CatalogBuilder, Domain, Event, Formula, Group};
    let event = |name: &str, flags| Event {
        group_record_length: 64,
        counter_offset: 24,
        flags,
        ..Event::new(name, Domain::CORE)
    };
    let group =
        |flags| Group { group_record_length: 64, flags, ..Group::new("G", Domain::CORE, &[0]) };
    let found = |name: &str, flags: u32, formula: Formula| {
        let builder = CatalogBuilder::new(1).event(event("IN", 2)).event(event("OUT", 2));
        let bytes = builder.group(group(flags)).formula(formula).build().unwrap().encode().unwrap();
        let codes = lines(&run(&["catalog", "check", "--json", &file(name, &bytes)]));
        let is_note = |found: &&Value| found["severity"] == "info";
        let notes =
            codes.iter().filter(is_note).map(|found| found["code"].as_str().unwrap().to_string());
        notes.collect::<Vec<_>>()
    };
    let formula = |text: &str, flags| Formula { flags, ..Formula::new("F", text) };
    let grouped = Formula::GROUPED;
    assert_eq!(found("whole", 2, formula("IN 2 *", 2 | grouped)), [""; 0]);
    assert_eq!(found("group-states", 0, formula("IN 2 *", 2 | grouped)), ["states"]);
    assert_eq!(found("formula-states", 2, formula("IN 2 *", grouped)), ["states"]);
    assert_eq!(found("not-in-group", 2, formula("OUT 2 *", 2 | grouped)), ["not-in-group"]);
    assert_eq!(found("no-group", 2, formula("OUT 2 *", 2)), [""; 0], "it is not grouped");
}
