//! Every line of a machine format is what `counterpoint schema` says, and each key is described.

use crate::{counterpoint, run, run_on, stderr, stdout};
use counterpoint::{EventSet, Target};
use serde_json::Value;
use std::collections::BTreeSet;

const BASE: &str = "fixtures/catalog24x7/base.bin";
const ZEN4: &str = "fixtures/machines/amd-zen4";
const HYBRID: &str = "fixtures/machines/intel-hybrid";
const PERFMON: &str = "fixtures/pmu/vendor/perfmon";

/// A loop that takes long enough to be sampled.
const BUSY: &str = "i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done";

/// Commands that write each format.
const WRITERS: &[(&str, &[&str])] = &[
    ("stat", &["stat", "-e", "task-clock,page-faults,cycles", "--json", "true"]),
    ("stat", &["stat", "-r", "3", "-e", "task-clock", "--json", "true"]),
    ("stat", &["stat", "-M", "page_fault_rate", "--json", "true"]),
    ("stat", &["stat", "-I", "100", "-e", "page-faults", "--json", "sleep", "0.25"]),
    ("compare", &["stat", "-r", "3", "--compare", "true", "sleep 0", "--json"]),
    ("profile", &["profile", "-e", "page-faults", "-c", "1", "--format", "json", "true"]),
    ("profile", &["profile", "-e", "page-faults", "-c", "1", "-g", "--format", "json", "true"]),
    ("profile", &["profile", "-e", "page-faults", "-s", "comm,cpu", "--format", "json", "true"]),
    (
        "profile",
        &["profile", "-F", "999", "-e", "task-clock", "--format", "json", "sh", "-c", BUSY],
    ),
    ("wall", &["profile", "--wall", "--format", "json", "sh", "-c", BUSY]),
    (
        "function-metrics",
        &[
            "profile",
            "-M",
            "fault_rate",
            "-f",
            "fixtures/definitions/metrics/first.metrics",
            "--format",
            "json",
            "sh",
            "-c",
            BUSY,
        ],
    ),
    ("memory", &["profile", "--memory", "--format", "json", "true"]),
    ("list", &["list", "--json", "--machine", HYBRID]),
    ("list", &["list", "--json", "--machine", ZEN4, "cache"]),
    ("list", &["list", "--json", "--pmus", "--all"]),
    ("list", &["list", "--json", "--presets", "--machine", ZEN4]),
    ("list", &["list", "--json", "--metrics", "--machine", HYBRID]),
    ("show", &["show", "--json", "--machine", ZEN4, "cycles", "PAPI_TOT_CYC", "duration_time"]),
    ("show", &["show", "--json", "--machine", HYBRID, "INST_RETIRED:ANY_P", "cpu_atom/cycles/"]),
    ("show", &["show", "--json", "--machine", HYBRID, "ipc", "mem:0x10:w"]),
    (
        "show",
        &["show", "--json", "--machine", HYBRID, "INSTR_RETIRED_ANY", "power/energy-pkg/", "r1a8"],
    ),
    ("encode", &["encode", "--json", "--pmu", "spr", "INST_RETIRED:ANY_P", "NO_SUCH"]),
    ("encode", &["encode", "--json", "--perf-syntax", "--machine", HYBRID, "cycles,page-faults"]),
    ("plan", &["plan", "--json", "--pmu", "spr", "BR_INST_RETIRED", "INST_RETIRED:ANY_P"]),
    ("plan", &["plan", "--json", "page-faults", "cycles"]),
    ("check", &["check", "--json", "fixtures/definitions/malformed/cmpd.csv"]),
    ("check", &["check", "--json", "--metrics", "fixtures/definitions/metrics"]),
    ("check", &["check", "--json", "--on", "spr,mtl", "ipc,L1D_CACHE_REFILL,memory_bandwidth"]),
    ("doctor", &["doctor", "--json"]),
    ("doctor", &["doctor", "--json", "--machine", "fixtures/machines/vm-no-pmu"]),
    ("doctor", &["doctor", "--json", "--verify"]),
    ("dispatch", &["dispatch", "--json"]),
    ("dispatch", &["dispatch", "--json", "--events", "core"]),
    ("dispatch", &["dispatch", "--json", "--model", "core", "L1D_REPL", "MUL"]),
    ("dispatch", &["dispatch", "--json", "--model", "core", "MUL", "MUL", "MUL"]),
    ("catalog-dump", &["catalog", "dump", "--json", BASE]),
    ("catalog-check", &["catalog", "check", "--json", BASE]),
    ("catalog-events", &["catalog", "events", "--json", BASE]),
    (
        "catalog-events",
        &["catalog", "events", "--json", BASE, "--value", "domain=1,offset=0x18,core=0,lpar=0"],
    ),
    ("catalog-formula", &["catalog", "formula", "--json", BASE]),
];

#[test]
fn what_commands_write_is_what_their_schemas_say() {
    for (format, args) in WRITERS {
        let output = run(args);
        check(format, &stdout(&output), &format!("{args:?}: {}", stderr(&output)));
    }
    let vendor = run(&[
        "show",
        "--json",
        "--machine",
        HYBRID,
        "--vendor-events",
        PERFMON,
        "small_dispatch:all",
    ]);
    check("show", &stdout(&vendor), "an event of a vendor's files");
}

#[test]
fn answers_to_lines_are_what_their_schemas_say() {
    let eval = b"{\"formula\":\"N0/N1\",\"inputs\":[6,4]}\n{\"formula\":\"1/0\"}\n{\"formula\":\"(\"}\nno\n";
    let dispatch = b"{\"model\":\"core\",\"events\":[\"MUL\"],\"dfl_plm\":8,\"flags\":2}\n{\"model\":\"core\",\"str\":\"MUL\"}\n{\"model\":\"cor\"}\n{}\n";
    let encode = b"cycles\nspr::INST_RETIRED:ANY_P\nNO_SUCH:x\n";
    for (format, lines, args) in [
        ("eval", &eval[..], &["eval", "--batch"][..]),
        ("dispatch", dispatch, &["dispatch", "--batch"]),
        ("encode", encode, &["encode", "--batch"]),
    ] {
        check(format, &stdout(&run_on(lines, args)), format);
    }
}

#[test]
fn reports_of_regions_and_merged_reports_are_what_their_schemas_say() {
    let events = EventSet::new(Target::ThisThread).event("task-clock,page-faults");
    let regions = events.regions().unwrap().timeline(10);
    drop(regions.region("solve"));
    let report = regions.report().to_json();
    assert!(report.contains("\"timeline\""), "{report}");
    check("regions", &report, "regions");
    let folder = std::env::temp_dir().join(format!("counterpoint-schema-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let paths = ["0", "1"].map(|rank| {
        let path = folder.join(format!("{rank}.jsonl")).display().to_string();
        let args = ["stat", "-e", "page-faults", "--json", "-o", &path, "true"];
        let status = counterpoint(&args).env("OMPI_COMM_WORLD_RANK", rank).status().unwrap();
        assert!(status.success());
        path
    });
    for by in ["rank", "node"] {
        let merged = run(&["merge", "--json", "--by", by, &paths[0], &paths[1]]);
        check("merge", &stdout(&merged), &stderr(&merged));
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn each_key_of_each_format_is_described() {
    for name in names() {
        let mut missing = Vec::new();
        undescribed(&schema(&name), &mut missing);
        assert!(missing.is_empty(), "{name}: keys without a description: {missing:?}");
    }
}

#[test]
fn every_option_for_json_has_a_schema() {
    let listed = stdout(&run(&["schema"]));
    let help = stdout(&run(&["--help"]));
    let inner = stdout(&run(&["catalog", "--help"]));
    let commands = |help: &str, before: &str| -> Vec<String> {
        let lines = help.lines().filter_map(|line| line.strip_prefix("  "));
        let words = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()));
        words.filter_map(|line| Some(format!("{before}{}", line.split(' ').next()?))).collect()
    };
    let mut found = 0;
    for command in [commands(&help, ""), commands(&inner, "catalog ")].concat() {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let help = stdout(&run(&words));
        for option in ["--json", "--batch"] {
            // Descriptions of commands that name the option are indented further.
            let mut lines = help.lines().filter_map(|line| line.strip_prefix("      "));
            if lines.any(|line| line.starts_with(option)) {
                assert!(listed.contains(&format!("{command} {option}")), "{command} {option}");
                found += 1;
            }
        }
    }
    assert!(found > 15, "{found}");
}

#[test]
fn an_unknown_format_is_answered_with_the_near_ones() {
    let output = run(&["schema", "profil"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("did you mean `profile`?"), "{}", stderr(&output));
}

/// Checks that each line is as the schema says, and has no key that is not in it.
pub(crate) fn check(format: &str, lines: &str, context: &str) {
    let mut schema = schema(format);
    close(&mut schema);
    let validator = jsonschema::validator_for(&schema).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!lines.is_empty(), "{format}: {context}");
    for line in lines {
        let wrong: Vec<String> = validator.iter_errors(&line).map(|e| e.to_string()).collect();
        assert!(wrong.is_empty(), "{format}: {line}\n{wrong:?}\n{context}");
    }
}

/// Permits objects no keys but those that the schema names.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.values_mut().for_each(close);
            let is_map = members.contains_key("additionalProperties");
            if members.get("properties").is_some_and(Value::is_object) && !is_map {
                members.insert("unevaluatedProperties".to_string(), false.into());
            }
        }
        Value::Array(members) => members.iter_mut().for_each(close),
        _ => {}
    }
}

fn names() -> BTreeSet<String> {
    let text = stdout(&run(&["schema"]));
    text.lines().filter_map(|line| Some(line.split_whitespace().next()?.to_string())).collect()
}

fn schema(name: &str) -> Value {
    let output = run(&["schema", name]);
    let schema: Value =
        serde_json::from_str(&stdout(&output)).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(jsonschema::meta::is_valid(&schema), "{name}");
    schema
}

/// The keys without a description, in a schema and those inside it.
fn undescribed(schema: &Value, missing: &mut Vec<String>) {
    match schema {
        Value::Object(members) => {
            for (key, of) in
                members.get("properties").and_then(Value::as_object).into_iter().flatten()
            {
                if of.get("description").is_none() {
                    missing.push(format!(
                        "{}.{key}",
                        members.get("description").unwrap_or(&Value::Null)
                    ));
                }
            }
            members.values().for_each(|of| undescribed(of, missing));
        }
        Value::Array(of) => of.iter().for_each(|of| undescribed(of, missing)),
        _ => {}
    }
}
