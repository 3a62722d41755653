//! `counterpoint dispatch`: levels, registers that are not available, and requests without events.

use crate::dispatch::answers;
use crate::{run, stderr, stdout};
use serde_json::{Value, json};

#[test]
fn levels_are_four_letters_or_bits() {
    let pmcs = |model: &str, letters: &str, bits: u32| {
        let event = if model == "core" { "MUL" } else { "CPU_OP_CYCLES_ALL" };
        let output = run(&["dispatch", "--json", "--model", model, "--plm", letters, event]);
        let by_letters: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let line = format!(r#"{{"model":"{model}","events":["{event}"],"dfl_plm":{bits}}}"#);
        let by_bits = answers(&["dispatch", "--batch"], &[&line]).remove(0);
        let answer = |answer: &Value| ["ret", "pmcs"].map(|key| answer[key].clone());
        assert_eq!(answer(&by_letters), answer(&by_bits), "{model} {letters}");
        by_bits
    };
    // The levels are the lowest bits of the register of Montecito.
    for (letters, bits) in [("k", 1), ("1", 2), ("2", 4), ("u", 8), ("ku", 9), ("k12u", 15)] {
        let answer = pmcs("montecito", letters, bits);
        let value = answer["pmcs"][0][1].as_str().unwrap().trim_start_matches("0x").to_owned();
        assert_eq!(u64::from_str_radix(&value, 16).unwrap() & 15, u64::from(bits), "{answer}");
    }
    let refused = |answer: Value, why: &str| {
        assert_eq!(answer["ret"], "INVAL", "{answer}");
        assert!(answer["message"].as_str().unwrap().ends_with(why), "{answer}");
    };
    refused(pmcs("core", "1", 2), "have one that x86 does not distinguish");
    let none = answers(&["dispatch", "--batch"], &[r#"{"model":"core","events":["MUL"]}"#]);
    refused(none[0].clone(), "the default privilege levels are empty");
}

#[test]
fn levels_and_registers_that_the_document_does_not_have_are_refused_or_noted() {
    let lines = [
        r#"{"model":"mips_24k","events":[{"i":0}],"dfl_plm":16}"#,
        r#"{"model":"core","events":[{"i":0,"plm":32}],"dfl_plm":8}"#,
        r#"{"model":"intel_nhm","dfl_plm":8,"mod_in":{"lbr":{"used":1,"plm":16}}}"#,
        r#"{"model":"core","events":[{"i":0}],"dfl_plm":8}"#,
        r#"{"model":"core","events":[{"i":0,"flags":8}],"dfl_plm":8,"flags":3,"unavail":[999]}"#,
        r#"{"model":"intel_nhm","events":[{"i":0,"flags":7}],"dfl_plm":8,"flags":1,"unavail":[31]}"#,
    ];
    let found = answers(&["dispatch", "--batch"], &lines);
    let place = ["`dfl_plm`", "`events[0].plm`", "`mod_in.lbr.plm`"];
    for (answer, place) in found.iter().zip(place) {
        let said = answer["message"].as_str().unwrap();
        let four = "1 (PLM0, the kernel), 2 (PLM1), 4 (PLM2) and 8 (PLM3, the user)";
        assert_eq!(answer["ret"], "INVAL");
        assert!(said.starts_with(place) && said.contains(four), "{said}");
    }
    assert_eq!(found[3].get("note"), None);
    assert_eq!(found[4]["pmcs"], found[3]["pmcs"]);
    let note = found[4]["note"].as_str().unwrap();
    for part in ["of `flags`, only 1", "`events[0].flags`", "the model has no PMC 999"] {
        assert!(note.contains(part), "{note}");
    }
    assert_eq!(found[5]["note"], "`unavail`: the model has no PMC 31");
    for (args, says) in [
        (["--unavailable", "999"], "core has no PMC 999\n  help: its PMCs are 0, 1, 16, 17"),
        (["--unavailable", "2"], "core has no PMC 2"),
        (["--plm", "0x20"], "these processors have four levels, and 0x20 has others"),
        (["--plm", "h"], "letters of k 1 2 u, or a sum of 0x1 (k, PLM0)"),
    ] {
        let output = run(&[&["dispatch", "--model", "core", "MUL"], &args[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(says), "{args:?}: {}", stderr(&output));
    }
    let output = run(&["dispatch", "--model", "power7", "--unavailable", "2", "PM_CYC"]);
    assert_eq!(output.status.code(), Some(1), "a PMC of the model: {}", stderr(&output));
}

#[test]
fn cell_and_amd_refuse_a_request_without_events() {
    let models = stdout(&run(&["dispatch", "--json"]));
    let names = models.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let names: Vec<Value> = names.map(|model| model["model"].clone()).collect();
    let lines: Vec<String> = names
        .iter()
        .map(|name| format!(r#"{{"model":{name},"events":[],"dfl_plm":8,"unavail":[900]}}"#))
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    for (answer, name) in answers(&["dispatch", "--batch"], &lines).iter().zip(&names) {
        let name = name.as_str().unwrap();
        if name == "cell" || name.starts_with("amd64") {
            assert_eq!(answer["ret"], "INVAL", "{name}");
        } else {
            assert_eq!(
                (&answer["ret"], &answer["pmds"]),
                (&json!("SUCCESS"), &json!([])),
                "{name}"
            );
        }
        assert!(answer["note"].as_str().unwrap().ends_with("no PMC 900"), "{answer}");
    }
}
