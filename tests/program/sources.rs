//! Numbers that the kernel shows in files, in `stat`, `list` and `show`.

use crate::{counterpoint, rows, run, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::process::Command;

fn of<'v>(rows: &'v [Value], event: &str) -> &'v Value {
    rows.iter().find(|row| row["event"] == event).unwrap_or_else(|| panic!("{event} in {rows:?}"))
}

#[test]
fn numbers_of_files_are_rows_like_others_and_levels_have_their_extremes() {
    const EVENTS: &str = "memory/MemFree/,vmstat/pgfault/,io/rchar/,hwmon/no_such/temp1/";
    let copy = "head -c 3000000 /dev/zero >/dev/null; sleep 0.3";
    let output = run(&["stat", "--json", "-e", EVENTS, "--", "sh", "-c", copy]);
    assert!(output.status.success(), "{}", stderr(&output));
    let rows = rows(&output).0;
    let memory = of(&rows, "memory/MemFree/");
    let number = |key: &str| memory[key].as_f64().unwrap();
    assert!(number("least") <= number("value") && number("value") <= number("greatest"));
    assert!(number("least") > 0.0, "{memory}");
    assert_eq!((&memory["unit"], memory.get("raw")), (&"bytes".into(), None));
    assert_eq!(of(&rows, "vmstat/pgfault/")["raw"], of(&rows, "vmstat/pgfault/")["value"]);
    assert!(memory["note"].as_str().unwrap().contains("whole machine"), "{memory}");
    let read = of(&rows, "io/rchar/");
    if read["status"] == "counted" {
        assert!((3e6..3.5e6).contains(&read["value"].as_f64().unwrap()), "{read}");
        assert!(read.get("note").is_none() && read.get("least").is_none(), "{read}");
    }
    let missing = of(&rows, "hwmon/no_such/temp1/");
    assert_eq!(missing["value"], Value::Null);
    assert!(missing["reason"].as_str().unwrap().contains("/sys/class/hwmon"), "{missing}");
    let text = stderr(&run(&["stat", "-e", EVENTS, "--", "sleep", "0.1"]));
    assert!(
        text.lines().any(|line| line.contains("bytes memory/MemFree/") && line.contains(" to "))
    );
    assert!(text.contains("counted for the whole machine, not for the target alone"), "{text}");
}

#[test]
fn intervals_have_their_own_levels_and_counts() {
    let spin = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
    let events = "memory/MemFree/,process/Threads/,cputime/user/";
    let output = run(&["stat", "--json", "-I", "50", "-e", events, "--", "sh", "-c", spin]);
    let rows = rows(&output).0;
    let threads: Vec<&Value> =
        rows.iter().filter(|row| row["event"] == "process/Threads/").collect();
    assert!(threads.len() >= 2, "{rows:?}");
    assert_eq!((&threads[0]["least"], &threads[0]["greatest"]), (&1.0.into(), &1.0.into()));
    let user: f64 = rows
        .iter()
        .filter(|row| row["event"] == "cputime/user/")
        .map(|row| row["value"].as_f64().unwrap())
        .sum();
    assert!(user > 0.0 && rows.iter().all(|row| row.get("interval_s").is_some()), "{rows:?}");
}

/// What becomes true in a later interval is said there, once; a command without an interval says it as well.
#[test]
fn an_interval_in_which_a_process_was_gone_says_so_and_has_no_number() {
    let mut process = Command::new("sleep").arg("0.35").spawn().unwrap();
    let pid = process.id().to_string();
    let events = "process/VmRSS/,io/rchar/";
    let waiting = std::thread::spawn(move || process.wait());
    let args = ["stat", "-p", &pid, "-I", "100", "-e", events];
    let text = stderr(&run(&[&args[..], &["--", "sleep", "0.9"]].concat()));
    waiting.join().unwrap().unwrap();
    let said = |what: &str| text.lines().filter(|line| line.contains(what)).count();
    assert_eq!(said(&format!("/proc/{pid}/status does not exist")), 1, "{text}");
    assert!(said("<not counted>") >= 4, "{text}");
    assert!(text.lines().all(|line| !line.contains(" 0      io/rchar/") || line < "0.4"), "{text}");
    // In CSV, each row has its note and its reason.
    let csv = run(&["stat", "--csv", "-e", "vmstat/pgfault/,hwmon/none/temp1/", "--", "true"]);
    let text = stdout(&csv);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].contains(",least,greatest,note,reason,"), "{text}");
    assert!(lines[1].contains("for the whole machine, not for the target alone"), "{text}");
    assert!(lines[2].contains("/sys/class/hwmon"), "{text}");
}

/// A command that ends before the delay is no fault of the machine.
#[test]
fn a_command_that_ends_before_the_delay_is_said_to_be_the_reason() {
    let events = "vmstat/pgfault/,memory/MemFree/,io/rchar/,page-faults";
    let text = stderr(&run(&["stat", "-D", "5000", "-e", events, "--", "true"]));
    assert!(text.contains("vmstat/pgfault/, memory/MemFree/, io/rchar/: counting had not begun"));
    assert!(
        text.contains("nothing was counted: the command ended before counting began"),
        "{text}"
    );
}

#[test]
fn each_cpu_has_a_row_of_its_own() {
    let output = run(&["stat", "--json", "-a", "-A", "-e", "cputime/idle/", "--", "sleep", "0.1"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let rows = rows(&output).0;
    let shown = fs::read_to_string("/proc/stat").unwrap();
    let is_cpu = |line: &&str| line.starts_with("cpu") && !line.starts_with("cpu ");
    assert_eq!(rows.len(), shown.lines().filter(is_cpu).count());
    assert!(rows.iter().all(|row| row["cpu"].is_u64() && row["unit"] == "ns"), "{rows:?}");
}

#[test]
fn sources_are_listed_and_shown() {
    let listed = stdout(&run(&["list", "vmstat/pgfault/"]));
    assert!(listed.contains("vmstat/pgfault/") && listed.contains("Page faults"), "{listed}");
    let shown = stdout(&run(&["show", "io:::rchar"]));
    assert!(shown.contains("io/rchar/") && shown.contains("Bytes read by system calls"), "{shown}");
    for event in ["io:::rchar", "net/lo/rx_bytes/", "vmstat/pgfault/", "net_lo/rx_bytes/"] {
        let text = stdout(&run(&["plan", event]));
        assert_eq!(text, format!("no counter needed: {event}\n"));
        let output = run(&["encode", event]);
        let text = stdout(&output) + &stderr(&output);
        assert!(text.contains("needs no counter, and has no encoding"), "{text}");
    }
    for command in ["show", "plan"] {
        let output = run(&[command, "net/nic7/rx_bytes/"]);
        let text = stdout(&output);
        assert!(text.contains("/proc/net/dev has no `nic7`, but "), "{text}");
    }
    let output = run(&["stat", "-e", "net/lo/rx_byte/", "--", "true"]);
    assert!(!output.status.success());
    let text = stderr(&output);
    assert!(text.contains("net/lo/rx_byte/"), "{text}");
}

/// What a level has beside its mean, notes and reasons come back from a table, and ranks are not added up to a level.
#[test]
fn reports_with_numbers_of_files_are_exported_and_merged() {
    let events = "memory/MemFree/,vmstat/pgfault/,hwmon/no_such/temp1/,process/VmHWM/";
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("export-of-sources");
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    let report = |rank: &str| -> Vec<Value> {
        let file = path(&format!("{rank}.jsonl"));
        let args = ["stat", "--json", "-o", &file, "-e", events, "--", "true"];
        let ranks = [("OMPI_COMM_WORLD_RANK", rank), ("OMPI_COMM_WORLD_SIZE", "2")];
        assert!(counterpoint(&args).envs(ranks).status().unwrap().success());
        let text = fs::read_to_string(file).unwrap();
        text.lines().map(|row| serde_json::from_str(row).unwrap()).collect()
    };
    let (written, other) = (report("0"), report("1"));
    for table in ["table.csv", "table.parquet"] {
        let output = run(&["export", "-o", &path(table), &path("0.jsonl")]);
        assert!(output.status.success(), "{}", stderr(&output));
        let back = stdout(&run(&["export", "--format", "report", &path(table)]));
        let back: Vec<Value> = back.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
        assert_eq!(back, written, "{table}");
    }
    let level = of(&written, "memory/MemFree/");
    assert!(level["least"].is_number() && level["greatest"].is_number(), "{level}");
    let output = run(&["merge", "--json", &path("0.jsonl"), &path("1.jsonl")]);
    let merged = rows(&output).0;
    let faults = |rows| of(rows, "vmstat/pgfault/")["value"].as_u64().unwrap();
    assert_eq!(faults(&merged), faults(&written) + faults(&other));
    assert_eq!(of(&merged, "memory/MemFree/").get("value").unwrap_or(&Value::Null), &Value::Null);
    let level = of(&merged, "memory/MemFree/")["reason"].as_str().unwrap();
    assert_eq!(level, "levels do not add up");
    let reason = of(&merged, "hwmon/no_such/temp1/")["reason"].as_str().unwrap();
    assert!(reason.contains("/sys/class/hwmon"), "{reason}");
}

/// Metrics of this project's language and of perf's are formulas over them.
#[test]
fn numbers_of_files_are_terms_of_metrics_and_of_definitions() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("metrics-of-sources");
    fs::create_dir_all(&folder).unwrap();
    let own = "metric read_per_fault\n  formula `io/rchar/` / `minor_faults`\n  about Bytes that are read for each page fault.\n";
    let perfs = r#"[{"MetricName": "faults_per_fault", "MetricExpr": "vmstat@pgfault@ / vmstat@pgfault@"}]"#;
    let (own_file, perfs_file) = (folder.join("own.txt"), folder.join("perf.json"));
    fs::write(&own_file, own).unwrap();
    fs::write(&perfs_file, perfs).unwrap();
    for (file, metric) in [(&own_file, "read_per_fault"), (&perfs_file, "faults_per_fault")] {
        let file = file.to_str().unwrap();
        let output = run(&["stat", "--json", "--metrics", file, "-M", metric, "--", "ls", "/"]);
        assert!(output.status.success(), "{}", stderr(&output));
        let rows = rows(&output).0;
        let value = of(&rows, metric);
        assert!(value["value"].as_f64().is_some_and(|value| value > 0.0), "{value}");
    }
}

/// A small command has less memory than the process that becomes it, every time.
#[test]
fn the_memory_of_the_held_process_is_never_that_of_the_command() {
    let has_number = (0..20).any(|_| {
        let output = run(&["stat", "-e", "max_rss", "-j", "--", "/bin/true"]);
        let text = format!("{}{}", stdout(&output), stderr(&output));
        let value = text.split("\"value\":").nth(1).and_then(|rest| rest.split(',').next());
        let bytes: Option<u64> = value.and_then(|value| value.parse().ok());
        // One that is larger than the held process has a right number.
        bytes.is_some_and(|bytes| bytes < 2 << 20)
    });
    assert!(!has_number);
}

#[test]
fn a_name_without_an_instance_is_no_name() {
    for name in ["net/''/rx_bytes/", "net/\"\"/rx_bytes/", "disk/''/reads/"] {
        let output = run(&["stat", "-e", name, "--", "true"]);
        assert_eq!(output.status.code(), Some(2), "{name}: {}", stderr(&output));
    }
}

/// As with events that no counter counts.
#[test]
fn a_run_of_which_no_number_is_shown_is_a_failure() {
    for (events, code) in [
        ("net/no_such/rx_bytes/,memory/no_such/", 2),
        ("net/no_such/rx_bytes/,memory/MemFree/", 0),
        ("net/no_such/rx_bytes/,page-faults", 0),
        ("net/no_such/rx_bytes/,duration_time", 0),
    ] {
        let output = run(&["stat", "-e", events, "--", "true"]);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{events}: {text}");
        assert!(text.contains("/proc/net/dev has no `no_such`"), "{text}");
        assert_eq!(text.contains("none of these events can be counted here"), code == 2, "{text}");
    }
    let failed = run(&["stat", "-e", "memory/no_such/", "--", "sh", "-c", "exit 3"]);
    assert_eq!(failed.status.code(), Some(3), "the command says more: {}", stderr(&failed));
}

#[test]
fn a_wrong_component_has_the_names_that_are_meant() {
    for (event, meant) in [
        ("memry/MemFree/", "did you mean `memory/MemFree/`"),
        ("meminfo/MemFree/", "did you mean `memory/MemFree/`"),
        ("cputme/user/", "did you mean `cputime/user/`"),
        ("vmsat/pgfault/", "did you mean `vmstat/pgfault/`"),
        ("interrupts/LOX/", "did you mean `irq/"),
        ("nothing_like_it/x/", "its PMUs are"),
    ] {
        let text = stderr(&run(&["stat", "-e", event, "--", "true"]));
        assert!(text.contains(meant), "{event}: {text}");
    }
}
