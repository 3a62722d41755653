//! The keys of JSON, which the page of the machine formats lists.

use crate::{root, run, stderr, stdout};
use serde_json::Value;
use std::collections::BTreeSet;

/// The keys of an object and of those in it, but for addresses.
fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                if !key.starts_with("0x") {
                    found.insert(key.clone());
                }
                keys(value, found);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

/// The words in backticks of a section of the page.
fn listed(heading: &str) -> BTreeSet<String> {
    let page = std::fs::read_to_string(root().join("docs/formats.md")).unwrap();
    let (_, section) = page.split_once(&format!("\n## {heading}\n")).unwrap();
    let section = section.split("\n#").next().unwrap();
    let spans = section.split('`').skip(1).step_by(2);
    let words = spans.flat_map(|span| span.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.map(str::to_string).collect()
}

/// Asserts that all keys of these lines are listed, and returns them.
fn assert_listed(heading: &str, lines: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in lines.lines() {
        keys(&serde_json::from_str(line).unwrap(), &mut found);
    }
    let listed = listed(heading);
    let missing: Vec<&String> = found.difference(&listed).collect();
    assert!(missing.is_empty(), "the page does not list {missing:?}");
    found
}

fn printed(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    stdout(&output)
}

#[test]
fn the_page_lists_every_key_of_doctor() {
    let findings = printed(&["doctor", "--json"]);
    let verified = stdout(&run(&["doctor", "--verify", "--json"]));
    let found = assert_listed("JSON of `doctor`", &[&*findings, &verified].concat());
    for key in ["command", "tolerance_reason", "greatest", "no_hardware"] {
        assert!(found.contains(key), "{key}: {found:?}");
    }
}

#[test]
fn the_page_lists_every_key_of_stat_and_merge() {
    let stat = |options: &[&str]| {
        let events = ["stat", "--json", "-e", "task-clock,page-faults,PAPI_TOT_INS"];
        printed(&[&events[..], options, &["--", "sleep", "0.2"]].concat())
    };
    let repeated = stat(&["-r", "2"]);
    let found = assert_listed("JSON of `stat`", &[&*repeated, &stat(&["-I", "50"])].concat());
    for key in ["host", "values", "interval_s", "failed_runs", "elapsed_runs_s", "multiplexed"] {
        assert!(found.contains(key), "{key}: {found:?}");
    }

    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = |rank: Option<u32>| {
        let name = folder.join(format!("keys-{rank:?}.jsonl"));
        let process = rank.map_or(String::new(), |rank| format!("\"rank\":{rank},"));
        let text = repeated.replace("\"schema\":1,", &format!("\"schema\":1,{process}"));
        let text = text.replace("\"event\"", "\"region\":\"r\",\"calls\":1,\"cpu\":0,\"event\"");
        std::fs::write(&name, text).unwrap();
        name.display().to_string()
    };
    let ranked = printed(&["merge", "--json", &file(Some(1)), &file(Some(2))]);
    let unranked = printed(&["merge", "--json", &file(None)]);
    let found = assert_listed("JSON of `merge`", &[ranked, unranked].concat());
    for key in
        ["min_pid", "max_rank", "max_file", "calls", "per_rank", "repeated_ranks", "processes"]
    {
        assert!(found.contains(key), "{key}: {found:?}");
    }
}

#[test]
fn the_page_lists_every_key_of_comparisons() {
    let options = ["stat", "-r", "2", "--json", "-e", "page-faults,PAPI_TOT_INS"];
    let compared = printed(&[&options[..], &["--compare", "true", "true"]].concat());
    let found = assert_listed("JSON of comparisons", &compared);
    for key in ["base", "outliers", "ratio_low", "verdict", "sentences", "design"] {
        assert!(found.contains(key), "{key}: {found:?}");
    }
}

#[test]
fn the_page_lists_every_key_of_profile() {
    let options = ["profile", "--format", "json", "-e", "page-faults:u", "-c", "1"];
    let fine = printed(&[&options[..], &["--", "true"]].concat());
    let coarse = printed(&[&options[..], &["--scale", "16", "--", "true"]].concat());
    let clock = printed(&["profile", "--format", "json", "-F", "100", "--", "true"]);
    let keys = "function,line,module,pid,tid,comm,cpu";
    let sorted = printed(&[&options[..], &["--sort", keys, "--", "true"]].concat());
    let found = assert_listed("JSON of `profile`", &[&*fine, &coarse, &clock, &sorted].concat());
    for key in ["host", "period", "frequency", "buckets", "symbols", "functions", "end", "sorted"] {
        assert!(found.contains(key), "{key}: {found:?}");
    }
}
