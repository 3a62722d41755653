//! `stat --sweep`, `-L` and `-P`.

use crate::{objects, rows, run, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Touches this many megabytes.
const TOUCH: &str = "dd if=/dev/zero of=/dev/null count=1 status=none bs={n}M";

/// The names of the sides of a comparison in JSON.
fn sides(args: &[&str]) -> Vec<String> {
    let output =
        run(&[&["stat", "-r", "1", "-e", "page-faults", "--warmup", "0", "--json"], args].concat());
    let (_, summary) = rows(&output);
    let sides = summary["summary"]["sides"].as_array().unwrap();
    sides.iter().map(|side| side["side"].as_str().unwrap().to_string()).collect()
}

#[test]
fn values_are_listed_or_ranged() {
    let echo = ["--", "echo", "{n}", "{m}"];
    let of = |args: &[&str]| sides(&[args, &echo].concat()).join(", ");
    assert_eq!(of(&["--sweep", "n=1,2,4"]), "n=1, n=2, n=4");
    assert_eq!(of(&["--sweep", "n=1..8", "--step", "2"]), "n=1, n=3, n=5, n=7");
    assert_eq!(of(&["--sweep", "n=0..0.3", "--step", "0.1"]), "n=0, n=0.1, n=0.2, n=0.3");
    assert_eq!(of(&["-L", "n", "-O2,-O3"]), "n=-O2, n=-O3");
    assert_eq!(of(&["-P", "n", "-1", "1"]), "n=-1, n=0, n=1");
    assert_eq!(of(&["-P", "n", "1", "2", "--step", "0.5"]), "n=1, n=1.5, n=2");
    assert_eq!(
        of(&["-L", "m", "a,b", "--sweep", "n=1..3", "--step", "2"]),
        "m=a n=1, m=a n=3, m=b n=1, m=b n=3"
    );
    let two = ["--sweep", "n=1,2", "--compare", "echo {n}", "printf {n}"];
    assert_eq!(sides(&two).join(", "), "A n=1, A n=2, B n=1, B n=2");
    let reference = ["--reference", "true", "--sweep", "n=1,2", "--", "echo", "{n}"];
    assert_eq!(sides(&reference).join(", "), "reference, n=1, n=2");
    assert_eq!(sides(&["--sweep", "n=1..40", "--", "echo", "{n}"]).len(), 40);
}

#[test]
fn an_event_is_compared_over_the_parameter() {
    let args = [
        "stat",
        "-r",
        "8",
        "-e",
        "page-faults",
        "--json",
        "--sweep",
        "n=1,2,4",
        "--compare",
        TOUCH,
    ];
    let (lines, _) = rows(&run(&args));
    let faults: Vec<&Value> = lines.iter().filter(|line| line["event"] == "page-faults").collect();
    assert_eq!(faults.len(), 2);
    for (line, n) in faults.iter().zip(["2", "4"]) {
        assert_eq!(line["base"]["parameters"]["n"], "1", "{line}");
        assert_eq!(line["other"]["parameters"]["n"], n, "{line}");
        assert_eq!(line["verdict"], "more", "{line}");
    }
    let csv =
        stdout(&run(&[&args[..5], &["--csv", "--sweep", "n=1,2", "--compare", TOUCH]].concat()));
    let (heading, lines) = csv.split_once('\n').unwrap();
    assert!(heading.ends_with(",verdict,base_parameter_n,other_parameter_n"), "{csv}");
    assert!(lines.lines().all(|line| line.ends_with(",1,2")), "{csv}");
}

#[test]
fn the_text_is_a_table_of_each_event() {
    let args = ["stat", "-r", "8", "-e", "page-faults", "--sweep", "n=1,2,4", "--compare", TOUCH];
    let text = stdout(&run(&args));
    assert!(text.starts_with(&format!("\n {TOUCH} (8 runs of each side)\n")), "{text}");
    let (_, table) = text.split_once("\n page-faults\n").unwrap();
    let first: Vec<&str> =
        table.lines().map(|line| line.split_whitespace().next().unwrap_or("")).collect();
    assert_eq!(first[..4], ["1", "2", "4", ""], "{text}");
    assert!(text.contains("÷ n=1"), "{text}");
    assert!(table.lines().nth(2).unwrap().ends_with(" more"), "{text}");
    let markdown = stdout(&run(&[&["stat", "--format", "markdown"], &args[1..]].concat()));
    assert!(markdown.contains("\n| page-faults | 4 | "), "{markdown}");
    assert!(markdown.contains("- n=4: `dd "), "{markdown}");
}

/// Values are put into what prepares a run, and into names.
#[test]
fn parameters_are_everywhere() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sweep");
    fs::create_dir_all(&folder).unwrap();
    let log = folder.join("log");
    let _ = fs::remove_file(&log);
    let prepare = format!("echo {{n}} >> {}", log.display());
    let args =
        ["stat", "-r", "2", "--warmup", "0", "-e", "page-faults", "--json", "--prepare", &prepare];
    let names = ["--command-name", "n is {n}", "--sweep", "n=7,8", "--", "true"];
    let (_, summary) = rows(&run(&[&args[..], &names].concat()));
    assert_eq!(summary["summary"]["sides"][1]["title"], "n is 8");
    let mut lines: Vec<String> =
        fs::read_to_string(&log).unwrap().lines().map(str::to_string).collect();
    lines.sort();
    assert_eq!(lines, ["7", "7", "8", "8"]);
}

#[test]
fn a_sweep_is_a_page() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sweep");
    fs::create_dir_all(&folder).unwrap();
    let page = folder.join("page.html");
    let args = ["stat", "-r", "3", "-e", "page-faults", "--html", page.to_str().unwrap()];
    assert!(run(&[&args[..], &["--sweep", "n=1,2", "--compare", TOUCH]].concat()).status.success());
    let data = |text: &str| -> Value {
        let (_, rest) = text.split_once("id=\"data\">").unwrap();
        serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
    };
    let sections = data(&fs::read_to_string(&page).unwrap())["sections"].clone();
    let kinds: Vec<&Value> = sections.as_array().unwrap().iter().map(|of| &of["kind"]).collect();
    assert_eq!(kinds, ["curves", "curves", "table"]);
    assert_eq!(sections[1]["parameter"], "n");
    assert_eq!(sections[1]["at"], serde_json::json!([1.0, 2.0]));
    assert_eq!(sections[1]["series"][0]["points"].as_array().unwrap().len(), 2);
    assert!(run(&[&args[..], &["--compare", "true", "true"]].concat()).status.success());
    let sections = data(&fs::read_to_string(&page).unwrap())["sections"].clone();
    assert_eq!(sections[0]["kind"], "bars", "commands without a parameter are beside each other");
}

#[test]
fn a_condition_is_about_each_value() {
    let args = ["stat", "-r", "8", "-e", "page-faults", "--fail-if", "page-faults>10%"];
    let output = run(&[&args[..], &["--sweep", "n=1,2", "--compare", TOUCH]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("more page-faults than n=1"), "{}", stderr(&output));
    assert!(stderr(&output).contains("failed, page-faults>10%: n=2 has"), "{}", stderr(&output));
}

#[test]
fn what_is_no_sweep_says_what_to_type() {
    let refused = |args: &[&str], words: &[&str]| {
        let output = run(&[
            &["stat", "-e", "page-faults", "-r", "2"],
            args,
            &["--", "echo", "{n}"],
        ]
        .concat());
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        words.iter().for_each(|word| assert!(text.contains(word), "{args:?}: {word} in {text}"));
    };
    refused(&["--sweep", "n"], &["there are no values", "--sweep n=1,2,4"]);
    refused(&["--sweep", "=1,2"], &["no name of a parameter"]);
    refused(&["--sweep", "n=1..x"], &["`x` is not a number"]);
    refused(&["--sweep", "n=2..1"], &["no values"]);
    refused(&["--sweep", "n=1..2000"], &["more than 1000"]);
    refused(&["--sweep", "n=1..50", "--sweep", "m=1..50"], &["in no command"]);
    refused(&["--sweep", "n=1,2", "--step", "2"], &["no range before it"]);
    refused(&["--sweep", "n=1..2", "--step", "0"], &["no values"]);
    refused(&["--sweep", "n=1,2", "-L", "n", "3"], &["two sweeps"]);
    refused(&["-P", "n", "1", "x"], &["`x` is not a number"]);
    refused(&["-P", "n", "1", "8", "-D", "2"], &["-D is the delay", "--step"]);
    refused(&["--sweep", "m=1,2"], &["`m` is in no command", "write {m}"]);
    refused(&["--sweep", "n=1"], &["nothing to compare"]);
    refused(&["--sweep", "n=1,2", "--reference", "echo {n}"], &["--reference is one command"]);
    refused(&["--sweep", "n=1,2", "-I", "100"], &["cannot be used with"]);
    refused(&["--sweep", "n=1,2", "--compare-with", "x"], &["cannot be used with"]);
    assert!(objects(&run(&["stat", "--sweep", "n=1,2", "--from", "x"])).is_empty());
}
