//! A program that was linked with libpapi, whose regions are counted here when our library is preloaded.

use super::*;
use crate::merge::Reports;

/// The library, installed for these tests.
fn installed() -> PathBuf {
    let prefix = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("papi-hl-prefix");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["xtask", "capi", "--install"]).arg(&prefix);
    let output = cargo.args(["--debug", "counterpoint_papi_hl"]).current_dir(root()).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    prefix.join("lib/libcounterpoint_papi_hl.so.0")
}

#[test]
fn a_finished_program_reports_its_regions_here() {
    if !has_tools(&["gcc"]) {
        return;
    }
    let (folder, _) = Reports::new("regions-of-papi", &[]);
    let program = folder.0.join("program");
    let mut gcc = Command::new("gcc");
    gcc.arg(root().join("tests/program/c/regions_of_papi.c")).arg("-o").arg(&program);
    let built = gcc.args(["-lpapi", "-lpthread"]).output().unwrap();
    if !built.status.success() && stderr(&built).contains("papi") {
        println!("skipped: needs libpapi with its header: {}", stderr(&built));
        return;
    }
    assert!(built.status.success(), "{}", stderr(&built));
    let mut command = Command::new(&program);
    command.env("LD_PRELOAD", installed()).env("PAPI_OUTPUT_DIRECTORY", &folder.0);
    command
        .env("PAPI_EVENTS", "perf::PAGE-FAULTS,task-clock,no-such-event")
        .env("PAPI_REPORT", "1");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("solve"), "{}", stdout(&output));
    let reports = folder.0.join("counterpoint_regions");
    // The child has entered a region, and so has a report of its own.
    assert_eq!(std::fs::read_dir(&reports).unwrap().count(), 2);
    let merged = run(&["merge", "--json", reports.to_str().unwrap()]);
    assert_eq!(merged.status.code(), Some(0), "{}", stderr(&merged));
    let rows = objects(&merged);
    let row = |region: &str, event: &str| {
        let is_it = |row: &&serde_json::Value| row["region"] == region && row["event"] == event;
        rows.iter().find(is_it).unwrap_or_else(|| panic!("{region} {event}: {rows:?}"))
    };
    let faults = row("solve", "perf::PAGE-FAULTS");
    assert_eq!((&faults["status"], &faults["calls"]), (&"counted".into(), &6.into()), "{faults}");
    assert!(faults["value"].as_u64().is_some_and(|count| count >= 12), "{faults}");
    assert_eq!(row("child", "perf::PAGE-FAULTS")["calls"], 1);
    let wall = row("solve", "real_time_nsec");
    assert!(wall["max"].as_u64().is_some_and(|ns| ns > 0) && wall["unit"] == "ns", "{wall}");
    let unknown = row("solve", "no-such-event");
    assert!(unknown["value"].is_null() && unknown["reason"].is_string(), "{unknown}");
}
