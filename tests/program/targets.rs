//! Counting what runs already: processes, threads, CPUs, cgroups, and the machine's own PMUs.

use crate::{access, may_count_cpus, rows, run, stderr, stdout};
use std::process::{Child, Command};

/// A process with a second thread, both busy, until it is dropped.
struct Busy(Child);

impl Busy {
    fn start() -> Busy {
        let script = "while :; do :; done";
        Busy(Command::new("sh").args(["-c", script]).spawn().unwrap())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_process_is_attached_to() {
    let busy = Busy::start();
    let pid = busy.0.id().to_string();
    let output = run(&[
        "stat",
        "-p",
        &pid,
        "-e",
        "task-clock,context-switches",
        "--timeout",
        "200",
        "--json",
    ]);
    let (rows, _) = rows(&output);
    assert!(rows[0]["value"].as_f64().unwrap() > 1e6, "{rows:?}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn threads_have_a_row_each() {
    let (one, two) = (Busy::start(), Busy::start());
    let threads = format!("{},{}", one.0.id(), two.0.id());
    let args =
        ["stat", "-t", &threads, "--per-thread", "-e", "task-clock", "--timeout", "200", "--json"];
    let (rows, _) = rows(&run(&args));
    let mut ids: Vec<u64> = rows.iter().map(|row| row["thread"].as_u64().unwrap()).collect();
    ids.sort_unstable();
    let mut wanted = [u64::from(one.0.id()), u64::from(two.0.id())];
    wanted.sort_unstable();
    assert_eq!(ids, wanted);
    for row in rows {
        let comm = std::fs::read_to_string(format!("/proc/{}/comm", row["thread"])).unwrap();
        assert_eq!(row["comm"], comm.trim_end());
    }
    let id = one.0.id().to_string();
    let args = ["stat", "-p", &id, "--per-thread", "-e", "task-clock", "--timeout", "100"];
    let text = stderr(&run(&args));
    let line = text.lines().find(|line| line.contains(&format!("TID{id}"))).unwrap();
    let comm = std::fs::read_to_string(format!("/proc/{id}/comm")).unwrap();
    let (_, behind) = line.split_once(" task-clock ").unwrap();
    assert!(behind.trim_start().starts_with(comm.trim_end()), "{text}");
}

#[test]
fn all_cpus_are_counted_and_told_apart() {
    let Some(_alone) = may_count_cpus() else { return };
    let online = counterpoint::perf::Host::local().online_cpus();
    let (all, _) = rows(&run(&["stat", "-a", "-e", "cpu-clock", "--json", "--", "sleep", "0.2"]));
    let clock = all[0]["value"].as_f64().unwrap();
    let wanted = 0.2e9 * online.len() as f64;
    assert!(clock > 0.9 * wanted && clock < 3.0 * wanted, "{clock} of {wanted}");
    let (each, _) = rows(&run(&["stat", "-a", "-A", "-e", "cpu-clock", "--json", "--", "true"]));
    let cpus: Vec<u64> = each.iter().map(|row| row["cpu"].as_u64().unwrap()).collect();
    assert_eq!(cpus, online.iter().map(u64::from).collect::<Vec<_>>());
    let first = online.iter().next().unwrap().to_string();
    let (one, _) = rows(&run(&[
        "stat",
        "-C",
        &first,
        "--per-core",
        "-e",
        "cpu-clock",
        "--json",
        "--",
        "true",
    ]));
    assert!(one[0]["core"].is_u64() && one[0]["socket"].is_u64(), "{one:?}");
    let (sockets, _) =
        rows(&run(&["stat", "-a", "--per-socket", "-e", "cpu-clock", "--json", "--", "true"]));
    assert!(!sockets.is_empty() && sockets.iter().all(|row| row["socket"].is_u64()));
}

#[test]
fn rows_of_dies_nodes_and_caches_add_up_to_the_machine() {
    let Some(_alone) = may_count_cpus() else { return };
    let online = counterpoint::perf::Host::local().online_cpus().len() as f64;
    let options = [("--per-die", "die"), ("--per-node", "node"), ("--per-cache=L1", "cache_level")];
    for (option, key) in options {
        let output = run(&["stat", "-a", option, "-e", "cpu-clock", "-j", "--", "sleep", "0.1"]);
        if stderr(&output).contains("does not show in /sys") {
            println!("skipped: {}", stderr(&output));
            continue;
        }
        let (rows, _) = rows(&output);
        assert!(rows.iter().all(|row| row[key].is_u64()), "{rows:?}");
        let sum: f64 = rows.iter().map(|row| row["value"].as_f64().unwrap()).sum();
        assert!(sum > 0.09e9 * online, "{option}: {rows:?}");
        let csv = run(&["stat", "-a", option, "-e", "cpu-clock", "--csv", "--", "true"]);
        assert_eq!(stdout(&csv).lines().count(), 1 + rows.len(), "{}", stdout(&csv));
    }
    for (args, expected) in [
        (&["-a", "--per-cache=L9"][..], "use --per-core, --per-socket or -A"),
        (&["-a", "--per-cache=big"], "write the level as L1, L2 or L3"),
        (&["--per-die"], "counterpoint stat -a --per-die -- COMMAND"),
    ] {
        let output = run(&[&["stat"], args, &["-e", "cpu-clock", "--", "true"]].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
}

#[test]
fn a_cgroup_is_counted() {
    let Some(_alone) = may_count_cpus() else { return };
    // The root cgroup holds everything, and so the command, which certainly runs while it is counted.
    let busy = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
    let output = run(&["stat", "-G", "/", "-e", "task-clock", "--json", "--", "sh", "-c", busy]);
    if stdout(&output).is_empty() {
        assert!(stderr(&output).contains("cgroup /: "), "{}", stderr(&output));
        println!("skipped: no cgroups of performance events here: {}", stderr(&output));
        return;
    }
    let (rows, summary) = rows(&output);
    let user = summary["summary"]["user_s"].as_f64().unwrap();
    if rows[0]["raw"].is_null() && is_root_cgroup_idle_for_perf(busy) {
        println!("skipped: this kernel counts nothing for the root cgroup, as perf shows");
        return;
    }
    // A cgroup counts while one of its tasks runs, so that a part of the time may be left out.
    let raw = rows[0]["raw"].as_f64().unwrap_or_else(|| panic!("{rows:?} {}", stderr(&output)));
    assert!(raw / 1e9 > user / 2.0, "{rows:?}, of a command of {user} s");
    let missing = run(&["stat", "-G", "no/such/cgroup", "-e", "task-clock", "--timeout", "100"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(stderr(&missing).contains("no/such/cgroup"), "{}", stderr(&missing));
}

#[test]
fn each_cgroup_has_rows_with_its_name() {
    let Some(_alone) = may_count_cpus() else { return };
    let name = format!("counterpoint-test-{}", std::process::id());
    let host = counterpoint::perf::Host::local();
    let folder = match counterpoint::cgroup_directory(&host, std::path::Path::new(&name)) {
        Ok(folder) => folder,
        Err(error) => {
            println!("skipped: {error}");
            return;
        }
    };
    if std::fs::create_dir(&folder).is_err() {
        println!("skipped: needs the right to create cgroups");
        return;
    }
    let busy = "i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done";
    let work = format!("echo $$ > {}/cgroup.procs; {busy}", folder.display());
    let cgroups = format!("/,{name}");
    let stat = |format: &[&str]| {
        let args = ["stat", "-a", "--for-each-cgroup", &cgroups, "-e", "task-clock,page-faults"];
        run(&[&args[..], format, &["--", "sh", "-c", &work]].concat())
    };
    let (rows, _) = rows(&stat(&["-j"]));
    let separated = stderr(&stat(&["-x,"]));
    let text = stderr(&stat(&[]));
    std::fs::remove_dir(&folder).unwrap();
    let named: Vec<_> =
        rows.iter().map(|row| (row["event"].as_str(), row["cgroup"].as_str())).collect();
    let events = ["task-clock", "page-faults"].map(Some);
    let expected = ["/", &name].map(|cgroup| events.map(|event| (event, Some(cgroup))));
    assert_eq!(named, expected.concat());
    assert!(rows[2]["value"].as_f64().is_some_and(|ns| ns > 1e6), "{rows:?}");
    let fields: Vec<&str> = separated.lines().nth(2).unwrap().split(',').collect();
    assert_eq!(fields[1..4], ["msec", "task-clock", &name], "{separated}");
    assert!(text.lines().any(|line| line.contains(&name) && line.contains("task-clock")), "{text}");
}

#[test]
fn a_user_is_named_by_number_or_name() {
    let id = std::process::Command::new("id").arg("-u").output().unwrap();
    let id = stdout(&id).trim().to_string();
    let name = std::process::Command::new("id").arg("-un").output().unwrap();
    let work = "for i in 1 2 3 4 5 6 7 8; do /bin/true; done";
    for user in [&id, stdout(&name).trim()] {
        let output = run(&["stat", "-u", user, "-j", "-e", "page-faults", "--", "sh", "-c", work]);
        if stderr(&output).contains("ermission") || stderr(&output).contains("/etc/passwd") {
            println!("skipped: {}", stderr(&output));
            continue;
        }
        let (rows, _) = rows(&output);
        assert!(rows[0]["value"].as_f64().is_some_and(|faults| faults > 100.0), "{rows:?}");
    }
    let unknown = run(&["stat", "-u", "no such user", "true"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("no user is called `no such user`"), "{}", stderr(&unknown));
}

/// Returns true if perf, too, counts nothing for the root cgroup: kernels can lose events that run there.
fn is_root_cgroup_idle_for_perf(busy: &str) -> bool {
    let args = ["stat", "-a", "-x,", "-e", "task-clock", "-G", "/", "--", "sh", "-c", busy];
    let output = std::process::Command::new("perf").args(args).output();
    output.is_ok_and(|output| stderr(&output).starts_with("<not counted>"))
}

#[test]
fn the_time_stamp_counter_counts() {
    let access = access();
    if !std::path::Path::new("/sys/bus/event_source/devices/msr/events/tsc").exists()
        || !access.is_privileged()
    {
        println!("skipped: needs the PMU `msr` and root");
        return;
    }
    let (counted, _) = rows(&run(&["stat", "-e", "msr/tsc/", "--json", "--", "true"]));
    assert!(counted[0]["value"].as_f64().unwrap() > 1e5, "{counted:?}");
    // It has no privilege levels, and says so instead of failing.
    let output = run(&["stat", "-e", "msr/tsc/u", "--json", "--", "true"]);
    let (levels, _) = rows(&output);
    assert_eq!(levels[0]["status"], "counted");
    assert!(levels[0]["note"].as_str().unwrap().contains("every privilege level"), "{levels:?}");
}

#[test]
fn tracepoints_count_where_tracefs_is_readable() {
    let readable = std::fs::read("/sys/kernel/tracing/events/sched/sched_switch/id").is_ok();
    let output = run(&["stat", "-e", "sched:sched_switch", "--json", "--", "sleep", "0.05"]);
    if !readable {
        println!("skipped: tracefs cannot be read here; the refusal is looked at instead");
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("mount -t tracefs"), "{}", stderr(&output));
        return;
    }
    let (rows, _) = rows(&output);
    assert!(rows[0]["value"].as_f64().is_some_and(|switches| switches >= 1.0), "{rows:?}");
}

#[test]
fn each_occurrence_of_a_tracepoint_is_sampled_unless_there_is_a_rate() {
    if std::fs::read("/sys/kernel/tracing/events/sched/sched_process_fork/id").is_err() {
        println!("skipped: tracefs cannot be read here");
        return;
    }
    let profiled = |rate: &[&str]| {
        let event = ["-e", "sched:sched_process_fork", "--format", "json"];
        let command = ["--", "sh", "-c", "for i in 1 2 3 4 5 6 7; do /bin/true; done"];
        let output = run(&[&["profile"], rate, &event[..], &command].concat());
        let profile = serde_json::from_str::<serde_json::Value>(&stdout(&output));
        profile.unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)))
    };
    let each = profiled(&[]);
    assert_eq!((&each["samples"], &each["period"]), (&7.into(), &1.into()), "{each}");
    // The copies of an event on CPUs and in children have periods of their own, so that how many samples there are is open.
    let every_third = profiled(&["-c", "3"]);
    assert!(every_third["samples"].as_u64().is_some_and(|samples| samples < 7), "{every_third}");
    assert_eq!(every_third["period"], 3, "{every_third}");
}

#[test]
fn a_recording_of_this_machine_lists_the_same() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("recorded");
    let _ = std::fs::remove_dir_all(&folder);
    let path = folder.to_str().unwrap();
    let recorded = run(&["doctor", "--record", path]);
    assert!(recorded.status.success(), "{}", stderr(&recorded));
    let (live, again) = (run(&["list"]), run(&["list", "--machine", path]));
    let without_tracepoints = |output| {
        let text: String = stdout(output);
        text.lines()
            .filter(|line| !line.contains("subsystem:name"))
            .map(str::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(without_tracepoints(&live), without_tracepoints(&again));
}
