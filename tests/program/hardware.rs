//! The program on a processor's own counters; without a PMU each test says that it was skipped.

use crate::{access, rows, run, stderr, stdout};
use counterpoint_fixtures::is_qemu_power;

/// The names of the machine's core PMUs; none, with a line that says so, where it shows none.
fn core_pmus() -> Option<Vec<String>> {
    let pmus = access().core_pmus;
    if pmus.is_empty() {
        println!("skipped: this machine shows no hardware PMU");
        return None;
    }
    Some(pmus)
}

#[test]
fn cycles_and_instructions_are_counted_as_one_group() {
    if core_pmus().is_none() {
        return;
    }
    let output = run(&["stat", "--json", "-e", "{cycles:u,instructions:u}", "--", "true"]);
    let (rows, _) = rows(&output);
    assert_eq!(rows.len(), 2);
    for row in &rows {
        assert_eq!(row["status"], "counted", "{row}");
        assert!(row["value"].as_u64().unwrap() > 1000, "{row}");
    }
    assert_eq!(rows[0]["running_ns"], rows[1]["running_ns"]);
}

/// The summary of `counterpoint plan` for events on the machine's own PMU, if the tables have its counters.
fn planned(events: &str) -> Option<serde_json::Value> {
    let text = stdout(&run(&["plan", "--json", events]));
    let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let summary = lines.filter_map(|line| line.get("summary").cloned()).next()?;
    (summary["known"] == "counters").then_some(summary)
}

#[test]
fn events_that_fit_are_counted_together_without_braces() {
    if core_pmus().is_none() {
        return;
    }
    let events = "cycles:u,instructions:u,r1:u,r3:u";
    let Some(plan) = planned(events) else {
        return println!("skipped: the counters of this PMU stand in no table");
    };
    assert_eq!(plan["passes"], 1, "{plan}");
    let output = run(&["stat", "--json", "-e", events, "--", "true"]);
    let (rows, summary) = rows(&output);
    for row in &rows {
        assert_eq!(row["status"], "counted", "{row}");
        // Groups are switched at different times; members of one have the same.
        assert_eq!(row["enabled_ns"], rows[0]["enabled_ns"], "{rows:?}");
    }
    assert_eq!(summary["summary"]["multiplexed"], serde_json::json!([]));
}

/// As many events as the plan says fit one pass have the whole time, and one more is said beforehand to be too many.
#[test]
fn the_plan_holds_on_this_pmu() {
    if core_pmus().is_none() {
        return;
    }
    let list = |codes: u64| {
        let codes: Vec<String> = (1..=codes).map(|code| format!("r{code:x}:u")).collect();
        format!("cycles:u,{}", codes.join(","))
    };
    let Some(fitting) =
        (1..30).rev().find(|n| planned(&list(*n)).is_some_and(|p| p["passes"] == 1))
    else {
        return println!("skipped: the counters of this PMU stand in no table");
    };
    let script = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
    let stat = |codes| run(&["stat", "--json", "-e", &list(codes), "--", "sh", "-c", script]);
    for row in rows(&stat(fitting)).0 {
        assert_eq!(row["status"], "counted", "{fitting} codes beside cycles: {row}");
    }
    let output = stat(fitting + 1);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("need 2 passes on"), "{said}");
    let (rows, summary) = rows(&output);
    assert_eq!(summary["summary"]["multiplexed"][0]["passes"], 2);
    for row in rows {
        assert!(row["status"] == "estimated" || row["status"] == "counted", "{row}");
    }
}

#[test]
fn a_formula_of_hardware_events_is_computed() {
    if core_pmus().is_none() {
        return;
    }
    let file = std::env::temp_dir().join(format!("counterpoint-ipc-{}.csv", std::process::id()));
    std::fs::write(&file, "EVENT,IPC,DERIVED_INFIX,N0/N1,instructions,cycles\n").unwrap();
    let list = ["stat", "--json", "-f", file.to_str().unwrap()];
    let events = ["-e", "IPC,cycles,instructions", "--", "true"];
    let output = run(&[&list[..], &events[..]].concat());
    std::fs::remove_file(&file).unwrap();
    let (rows, _) = rows(&output);
    let value = |name: &str| {
        let row = rows.iter().find(|row| row["event"] == name).unwrap();
        row["value"].as_f64().unwrap_or_else(|| panic!("{row}"))
    };
    let expected = value("instructions") / value("cycles");
    assert!((value("IPC") - expected).abs() <= expected * 0.05, "{rows:?}");
}

/// Twenty events are more than any PMU counts at once; each is estimated, and says how much of the time it was counted.
#[test]
fn too_many_events_are_estimated_and_say_so() {
    if core_pmus().is_none() {
        return;
    }
    // A code that the processor does not know opens as well, and takes a counter.
    let events: Vec<String> = (1..=20).map(|code| format!("r{code:x}:u")).collect();
    let events = events.join(",");
    let script = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
    let output = run(&["stat", "--json", "-e", &events, "--", "sh", "-c", script]);
    let (rows, _) = rows(&output);
    assert_eq!(rows.len(), 20);
    let estimated: Vec<_> = rows.iter().filter(|row| row["status"] == "estimated").collect();
    if rows.iter().all(|row| row["status"] == "not-counted") {
        return println!("skipped: no counter of this PMU has any of these codes");
    }
    if rows.iter().all(|row| row["status"] == "counted") {
        return println!("skipped: this PMU has counters for 20 events at once");
    }
    assert!(!estimated.is_empty(), "{rows:?}");
    for row in &estimated {
        let coverage = row["coverage"].as_f64().unwrap();
        assert!(coverage > 0.0 && coverage < 1.0, "{row}");
    }
}

#[test]
fn the_list_shows_the_pmu_and_its_events() {
    let Some(pmus) = core_pmus() else { return };
    let text = stdout(&run(&["list"]));
    assert!(pmus.iter().all(|pmu| text.contains(pmu.as_str())), "{pmus:?} in {text}");
    let row = text.lines().find(|line| line.trim_start().starts_with("cycles")).unwrap();
    assert!(!row.contains("not"), "{row}");
}

/// The group's excess is known before the kernel is asked, which would take one event too many on arm64 and never run it.
#[test]
fn braces_that_do_not_fit_are_refused_with_the_plans_reason() {
    if core_pmus().is_none() {
        return;
    }
    let events: Vec<String> = (1..=30).map(|code| format!("r{code:x}:u")).collect();
    let list = format!("{{{}}}", events.join(","));
    if planned(&list).is_none() {
        return println!("skipped: the counters of this PMU stand in no table");
    }
    let output = run(&["stat", "--json", "-e", &list, "--", "true"]);
    let said = stderr(&output);
    assert!(said.contains("a group of 30 events does not fit in one pass on"), "{said}");
    assert!(said.contains("take some events out of the group"), "{said}");
    let (rows, _) = rows(&output);
    let (counted, refused): (Vec<_>, Vec<_>) =
        rows.iter().partition(|row| row["status"] == "counted");
    assert!(counted.len() > 1 && refused.len() > 1, "{rows:?}");
    for row in refused {
        assert_eq!(row["status"], "not-supported", "{row}");
        let reason = row["reason"].as_str().unwrap();
        assert!(reason.contains("no counter is left for it beside r1:u"), "{reason}");
    }
}

#[test]
fn presets_count_what_the_kernels_own_events_count() {
    if core_pmus().is_none() {
        return;
    }
    let script = "i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done";
    let events = "PAPI_TOT_CYC,cycles,PAPI_TOT_INS,instructions";
    let output = run(&["stat", "--json", "-e", events, "--", "sh", "-c", script]);
    let (rows, _) = rows(&output);
    let values: Vec<f64> = rows.iter().map(|row| row["value"].as_f64().unwrap()).collect();
    let mut pairs = values.chunks(2);
    if is_qemu_power() {
        println!("skipped: QEMU counts no run cycles, which PAPI_TOT_CYC is on POWER");
        pairs.next();
    }
    for pair in pairs {
        assert!((pair[0] - pair[1]).abs() <= pair[1] * 0.01, "{rows:?}");
        assert!(pair[0] > 1e6, "{rows:?}");
    }
}

/// A preset that is listed as available has a number, and any other says why it has none.
#[test]
fn presets_are_listed_as_they_can_be_counted() {
    if core_pmus().is_none() {
        return;
    }
    let text = stdout(&run(&["list", "--presets", "--json"]));
    let presets: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (available, others): (Vec<_>, Vec<_>) =
        presets.iter().partition(|preset| preset["status"] == "available");
    let names: Vec<&str> =
        available.iter().map(|preset| preset["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"PAPI_TOT_CYC") && names.contains(&"PAPI_TOT_INS"), "{names:?}");
    for preset in others {
        assert!(preset["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{preset}");
    }
    let script = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
    let output = run(&["stat", "--json", "-e", &names.join(","), "--", "sh", "-c", script]);
    for row in rows(&output).0 {
        assert!(row["value"].is_number(), "{row}");
    }
}

#[test]
fn two_percent_more_instructions_are_found() {
    if core_pmus().is_none() {
        return;
    }
    let script = std::env::temp_dir().join(format!("counterpoint-loop-{}.sh", std::process::id()));
    std::fs::write(&script, "i=0; while [ $i -lt $1 ]; do i=$((i+1)); done\n").unwrap();
    let of = |rounds: u32| format!("sh {} {rounds}", script.display());
    let compared = |rounds: u32| {
        let options = ["stat", "-r", "10", "--json", "-e", "instructions:u", "--compare"];
        let (lines, _) = rows(&run(&[&options[..], &[&of(20_000), &of(rounds)]].concat()));
        lines.into_iter().find(|line| line["event"] == "instructions:u").unwrap()
    };
    let more = compared(20_400);
    assert_eq!(more["verdict"], "more", "{more}");
    assert!((more["ratio"].as_f64().unwrap() - 1.02).abs() < 0.005, "{more}");
    let equal = compared(20_000);
    assert!((equal["ratio"].as_f64().unwrap() - 1.0).abs() < 0.005, "{equal}");
    std::fs::remove_file(script).unwrap();
}

#[test]
fn an_estimate_has_an_error_after_some_turns() {
    if core_pmus().is_none() {
        return;
    }
    let others: Vec<String> = (1..=12).map(|code| format!("r{code:x}:u")).collect();
    let events = format!("instructions:u,{}", others.join(","));
    let busy = "i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done";
    let output = run(&["stat", "--json", "-e", &events, "--", "sh", "-c", busy]);
    let (rows, _) = rows(&output);
    if rows[0]["status"] != "estimated" {
        return println!("skipped: thirteen events do not take turns: {}", rows[0]);
    }
    let [value, error] = ["value", "estimate_error"].map(|key| rows[0][key].as_f64().unwrap());
    assert!(error > 0.0 && error < value, "{}", rows[0]);
    let text = stderr(&run(&["stat", "-e", &events, "--", "sh", "-c", busy]));
    println!("{text}");
    assert!(
        text.contains("( ± ") && text.contains("is the standard error of an estimate"),
        "{text}"
    );
}
