//! `counterpoint dispatch`: registers by names, and every line of a batch with one answer.

use crate::{run, run_on, stderr, stdout};
use serde_json::{Value, json};

fn answers(args: &[&str], lines: &[&str]) -> Vec<Value> {
    let text = lines.iter().flat_map(|line| [*line, "\n"]).collect::<String>();
    let output = run_on(text.as_bytes(), args);
    assert!(output.status.success());
    stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_batch_answers_every_line() {
    let lines = [
        r#"{"model":"core","events":[{"i":0},{"i":20,"plm":1}],"dfl_plm":8,"unavail":[16]}"#,
        r#"{"model":"core","events":[{"i":20},{"i":20}],"dfl_plm":8,"explain":true}"#,
        r#"{"model":"core","events":[{"i":20}],"dfl_plm":8,"mod_in":{"for":"itanium2"}}"#,
        r#"{"model":"none","events":[],"dfl_plm":8}"#,
        "",
    ];
    let answers = answers(&["dispatch", "--batch"], &lines);
    let registers = json!({
        "ret": "SUCCESS",
        "code": 0,
        "pmcs": [[0, "0x51003c", "0x186"], [1, "0x520012", "0x187"]],
        "pmds": [[0, "0xc1"], [1, "0xc2"]],
        "pmc_alt": ["0x186", "0x187"],
        "pmd_alt": ["0x0", "0x1"],
    });
    assert_eq!(answers[0], registers);
    assert_eq!(answers[1]["ret"], "NOASSIGN");
    assert_eq!(answers[1]["conflict"], json!([0, 1]));
    assert_eq!(answers[1]["kind"], "EVTMANY");
    assert_eq!(answers[2], json!({"ret": "MAGIC", "code": -8}));
    assert_eq!(answers[3]["ret"], "INVAL");
    assert!(answers[3]["message"].as_str().unwrap().contains("none"), "{}", answers[3]);
    assert_eq!(answers.len(), lines.len());
}

#[test]
fn the_model_may_stand_on_the_command_line() {
    let found = answers(
        &["dispatch", "--model", "intel_nhm", "--batch"],
        &[r#"{"events":[],"dfl_plm":8}"#, r#"{"str":"ARITH:DIV"}"#],
    );
    assert_eq!(found[0]["pmcs"], json!([]));
    assert_eq!(found[1], json!({"ret": "SUCCESS", "code": 0, "event": 9, "umasks": [1]}));
}

#[test]
fn events_by_name_show_their_counters_and_registers() {
    let output = run(&["dispatch", "--model", "core", "--plm", "u", "UNHALTED_CORE_CYCLES,MUL"]);
    let lines: Vec<Vec<String>> = stdout(&output)
        .lines()
        .map(|line| line.split_whitespace().map(str::to_owned).collect())
        .collect();
    let expected = [
        "PMD 17 0x30a UNHALTED_CORE_CYCLES",
        "PMD 1 0xc2 MUL",
        "PMC 16 0x38d 0xa0",
        "PMC 1 0x187 0x510012",
    ];
    assert_eq!(lines, expected.map(|line| line.split(' ').map(str::to_owned).collect::<Vec<_>>()));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_refusal_names_the_events_in_each_others_way() {
    let output = run(&["dispatch", "--model", "core", "L1D_REPL", "MUL", "DIV"]);
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(said.contains("conflicting constraints"), "{said}");
    assert!(said.contains("MUL and DIV need 2 counters, and only 1 can hold them: 1"), "{said}");
    let output = run(&["dispatch", "--model", "core", "MULL"]);
    assert!(stderr(&output).contains("did you mean `MUL`?"), "{}", stderr(&output));
    let output = run(&["dispatch", "--model", "cor", "MUL"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn every_model_names_its_cycles() {
    let output = run(&["dispatch", "--json"]);
    let models: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(models.len(), 61);
    let montecito = models.iter().find(|model| model["model"] == "montecito").unwrap();
    assert_eq!(montecito["cycles"], "CPU_OP_CYCLES_ALL");
    assert_eq!(montecito["instructions"], "IA64_INST_RETIRED");
}

#[test]
fn what_is_no_request_is_said_briefly() {
    let long = format!(r#"{{"model":"core","dfl_plm":"{}"}}"#, "x".repeat(100_000));
    let many = format!(
        r#"{{"model":"core","dfl_plm":8,"explain":true,"events":[{}]}}"#,
        vec![r#"{"i":1}"#; 20_000].join(",")
    );
    let lines = [
        r#"{"model":"core","dfl_plm":8,"mod_in":5}"#,
        r#"{"model":"core","dfl_plm":8,"events":[5]}"#,
        r#"{"model":"itanium2","dfl_plm":8,"mod_in":{"irange":{"used":1,"limits":[1]}}}"#,
        r#"{"model":"core","dfl_plm":"0x+8"}"#,
        long.as_str(),
        many.as_str(),
    ];
    let found = answers(&["dispatch", "--batch"], &lines);
    let wanted = [
        "`counters` must be in an object, not in 5",
        "`i` must be in an object, not in 5",
        "`start` must be in an object, not in 1",
        "`dfl_plm` must be a whole number or a \"0x…\" string, not \"0x+8\"",
    ];
    for (answer, wanted) in found.iter().zip(wanted) {
        assert_eq!((&answer["ret"], &answer["message"]), (&json!("INVAL"), &json!(wanted)));
    }
    assert!(found[4]["message"].as_str().unwrap().len() < 200);
    assert_eq!(found[5]["conflict"].as_array().unwrap().len(), 512);
}

#[test]
fn input_that_the_model_would_not_look_at_is_refused() {
    let said = |model, input| {
        let output = run(&["dispatch", "--model", model, "--mod-in", input]);
        assert_eq!(output.status.code(), Some(2));
        stderr(&output)
    };
    let typo = said("core", r#"{"peb_used":1}"#);
    assert!(typo.contains("core does not have the key `peb_used`"), "{typo}");
    assert!(typo.contains("its keys are `counters`, `pebs_used`"), "{typo}");
    assert!(said("power7", r#"{"counters":[]}"#).contains("takes no input but the events"));
    assert!(said("core", "7").contains("--mod-in is not a JSON object: 7"));
    assert!(said("core", "{").contains("--mod-in is not a JSON object: EOF"));
}
