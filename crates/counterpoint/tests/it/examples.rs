//! The examples, run as their comments say.

use crate::live::can_count;
use counterpoint::Reporter;
use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Mutex;

fn example(name: &str) -> Command {
    // A program of an earlier build must not stand for an example that is gone.
    let source = format!("{}/examples/{name}.rs", env!("CARGO_MANIFEST_DIR"));
    assert!(std::path::Path::new(&source).is_file(), "{source} does not exist");
    // Beside `deps/`, in which this test lies.
    let mut path: PathBuf = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.push("examples");
    path.push(name);
    if !path.exists() {
        // `cargo test` has built them, unless it was asked for this test alone.
        static BUILDING: Mutex<()> = Mutex::new(());
        let _alone = BUILDING.lock();
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "-q", "-p", "counterpoint", "--features", "symbols"]);
        let built = cargo.args(["--example", name]).status();
        assert!(built.unwrap().success());
    }
    let mut command = Command::new(path);
    for variable in ["PAPI_EVENTS"].into_iter().chain(Reporter::RANK_VARIABLES) {
        command.env_remove(variable);
    }
    command
}

fn stdout(command: &mut Command) -> String {
    let output: Output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn regions_are_printed_and_take_events_and_rank_from_the_environment() {
    if !can_count() {
        return;
    }
    let table = stdout(&mut example("regions"));
    for name in ["region", "step", "assemble", "solve"] {
        assert!(table.lines().any(|line| line.starts_with(name)), "{name} in {table}");
    }
    let json = stdout(
        example("regions")
            .arg("--json")
            .env("PAPI_EVENTS", "task-clock, no-such-event ,page-faults:u")
            .env("PMI_RANK", "12"),
    );
    let lines: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let solve: Vec<&Value> = lines
        .iter()
        .filter(|line| line["region"] == "solve" && line.get("thread").is_none())
        .collect();
    let events: Vec<&Value> = solve.iter().map(|line| &line["event"]).collect();
    assert_eq!(events, ["task-clock", "page-faults:u", "no-such-event", "duration_time"]);
    assert!(solve.iter().all(|line| line["calls"] == 8 && line["rank"] == 12), "{json}");
    let host = counterpoint::perf::process::host_name();
    assert!(solve.iter().all(|line| line["host"] == host.as_str() && line["pid"].is_u64()));
    assert_eq!(solve[2]["status"], "not-supported");
    assert!(solve[2]["reason"].as_str().unwrap().contains("no event is called"), "{json}");

    let braces = "{task-clock,page-faults}:u, software/config=2,name=faults/";
    let json = stdout(example("regions").arg("--json").env("PAPI_EVENTS", braces));
    let first: Vec<Value> =
        json.lines().take(3).map(|line| serde_json::from_str(line).unwrap()).collect();
    let events: Vec<&Value> = first.iter().map(|line| &line["event"]).collect();
    assert_eq!(events, ["task-clock", "page-faults", "faults"], "the name that is given: {json}");

    let nothing = example("regions").env("PAPI_EVENTS", "no-such-event").output().unwrap();
    assert!(!nothing.status.success());
}

#[test]
fn the_exporter_prints_text_that_ends_as_openmetrics_asks() {
    if !can_count() {
        return;
    }
    let text = stdout(example("openmetrics").arg("task-clock,page-faults"));
    assert!(text.starts_with("# TYPE counterpoint_events counter\n"), "{text}");
    assert!(text.ends_with("# EOF\n"), "{text}");
    let samples: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(!samples.is_empty(), "{text}");
    for sample in samples {
        assert!(sample.starts_with("counterpoint_events_total{event=\""), "{sample}");
        let value: f64 = sample.rsplit(' ').next().unwrap().parse().unwrap();
        assert!(value >= 0.0, "{sample}");
    }
}
