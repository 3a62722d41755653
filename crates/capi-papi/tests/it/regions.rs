//! The regions of the high-level interface, and their reports.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{fs, thread};

use super::built::{compile, has, ours, own, text};

/// The program with regions, whose reports go into a new directory.
fn regions(name: &str) -> (PathBuf, Command) {
    let [source, headers] = ["tests/c/regions.c", "include"].map(own);
    let program = compile("gcc", &source, Some(&headers), name);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-reports"));
    drop(fs::remove_dir_all(&folder));
    let command = over_ours(program.as_os_str(), &folder);
    (folder, command)
}

fn over_ours(program: &OsStr, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.env("LD_LIBRARY_PATH", ours()).env("PAPI_OUTPUT_DIRECTORY", folder);
    // Events of several components; those that this machine does not have are left out.
    let events = "rapl:::PSYS_ENERGY:PACKAGE0,perf::TASK-CLOCK,perf::PAGE-FAULTS";
    command.env("PAPI_EVENTS", events);
    command
}

/// The report of the program.
fn report_of(folder: &Path, command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let report = folder.join("papi_hl_output/rank_000000.json");
    fs::read_to_string(report).expect("a report")
}

#[test]
fn regions_are_reported_when_the_program_ends() {
    if !has("gcc") {
        println!("skipped: needs gcc");
        return;
    }
    let (folder, mut command) = regions("regions-output");
    let report = report_of(&folder, &mut command);
    assert_eq!(report.matches("\"name\":\"outer\"").count(), 1, "{report}");
    assert_eq!(report.matches("\"name\":\"inner\"").count(), 2, "{report}");
    assert_eq!(report.matches("\"parent_region_id\":\"0\"").count(), 2, "{report}");
    assert!(report.contains("\"perf::TASK-CLOCK\":{\"region_value\":"), "{report}");
    let has_energies = report.contains("\"component\":\"rapl\"");
    let energies = report.matches("\"rapl:::PSYS_ENERGY:PACKAGE0\":").count();
    // Its definition, and a value in each of the three regions.
    assert_eq!(energies, if has_energies { 4 } else { 0 }, "{report}");
    if !has("papi_hl_output_writer") {
        println!("skipped: reading the report needs PAPI's papi_hl_output_writer");
        return;
    }
    let mut writer = Command::new("papi_hl_output_writer");
    writer.args(["--source", "papi_hl_output", "--type", "summary"]).current_dir(&folder);
    let summary = writer.output().expect("it starts");
    assert!(summary.status.success(), "{}", String::from_utf8_lossy(&summary.stderr));
    let summary = text(&summary);
    let (_, inner) = summary.split_once("\"inner\"").expect("the region");
    assert!(inner.contains("\"Region count\": 2"), "{summary}");
}

#[test]
fn an_instant_value_is_the_count_itself_and_events_that_are_left_out_are_named() {
    if !has("gcc") {
        println!("skipped: needs gcc");
        return;
    }
    let (folder, mut command) = regions("instants");
    let events = "perf::TASK-CLOCK=instant, perf::PAGE-FAULTS=delta,perf::NO-SUCH-EVENT";
    command.env("PAPI_EVENTS", events).env("PAPI_REPORT", "1");
    let output = command.output().expect("it starts");
    let error = String::from_utf8_lossy(&output.stderr);
    let says = "PAPI_EVENTS: perf::NO-SUCH-EVENT is left out: Event does not exist";
    assert!(error.contains(says), "{error}");
    let report = folder.join("papi_hl_output/rank_000000.json");
    let report = fs::read_to_string(report).expect("a report");
    assert_eq!(text(&output), format!("\n\nPAPI-HL Output:\n{report}\n"));
    let kind = |event: &str, kind: &str| {
        format!("\"{event}\":{{\"component\":\"perf_event\",\"type\":\"{kind}\"}}")
    };
    assert!(report.contains(&kind("perf::TASK-CLOCK", "instant")), "{report}");
    assert!(report.contains(&kind("perf::PAGE-FAULTS", "delta")), "{report}");
    // The regions by their numbers: outer, inner, inner. A count only grows, and the outer one ends last.
    let values: Vec<u64> = report
        .split("\"perf::TASK-CLOCK\":")
        .skip(2)
        .map(|rest| {
            let digits = rest.trim_start_matches("{\"region_value\":").trim_start_matches('"');
            let (digits, _) = digits.split_once('"').expect("a number");
            digits.parse().expect("a number")
        })
        .collect();
    let [outer, first, second] = values[..] else { panic!("{report}") };
    assert!(first < second && second < outer, "{values:?}");
}

#[test]
fn no_report_replaces_another() {
    if !has("gcc") {
        println!("skipped: needs gcc");
        return;
    }
    let (folder, mut command) = regions("kept");
    command.arg("fork");
    let first = report_of(&folder, &mut command);
    let names = |folder: &Path| -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a directory");
        let name = |entry: fs::DirEntry| entry.file_name().into_string().expect("UTF-8");
        entries.map(|entry| name(entry.expect("an entry"))).collect()
    };
    // The child of the program may end after it.
    let end = Instant::now() + Duration::from_secs(20);
    while names(&folder.join("papi_hl_output")).len() < 2 && Instant::now() < end {
        thread::sleep(Duration::from_millis(20));
    }
    let reports = names(&folder.join("papi_hl_output"));
    let of_child = |name: &String| name.starts_with("rank_000000-") && name.ends_with(".json");
    assert!(reports.len() == 2 && reports.iter().any(of_child), "{reports:?}");

    // The reports of an earlier run are kept; its directory is of an earlier second.
    thread::sleep(Duration::from_millis(1100));
    let mut again = over_ours(command.get_program(), &folder);
    report_of(&folder, &mut again);
    let folders = names(&folder);
    let earlier = folders.iter().find(|name| name.starts_with("papi_hl_output-"));
    let earlier = folder.join(earlier.expect("the earlier reports"));
    let kept = fs::read_to_string(earlier.join("rank_000000.json")).expect("the report");
    assert_eq!((folders.len(), kept), (2, first), "{folders:?}");
}
