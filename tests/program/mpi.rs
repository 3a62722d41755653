//! `stat --mpi`: ranks of parallel jobs, which the tests start as a launcher does.

use crate::{counterpoint, may_count_cpus, root, run, stderr, stdout};
use ::counterpoint::Reporter;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// An empty directory for a test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("mpi-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Leaves out what tells a process that it is a rank.
fn outside_jobs(command: &mut Command) -> &mut Command {
    let local_ranks = Reporter::local_rank_variables();
    let known = Reporter::RANK_VARIABLES.into_iter().chain(Reporter::JOB_VARIABLES);
    for variable in known.chain(local_ranks) {
        command.env_remove(variable);
    }
    command
}

/// One rank of a job, in this directory.
fn rank(folder: &Path, variables: &[(&str, String)], args: &[&str]) -> Command {
    let mut command = counterpoint(args);
    outside_jobs(&mut command).current_dir(folder).envs(variables.iter().cloned());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Starts so many ranks at the same time, as Open MPI does on one node, and returns what they print.
pub(crate) fn ranks(folder: &Path, size: u32, args: &[&str]) -> Vec<Output> {
    let start = |number: u32| {
        let variables = [
            ("OMPI_COMM_WORLD_RANK", number.to_string()),
            ("OMPI_COMM_WORLD_SIZE", size.to_string()),
            ("OMPI_COMM_WORLD_LOCAL_RANK", number.to_string()),
        ];
        rank(folder, &variables, args).spawn().unwrap()
    };
    let children: Vec<_> = (0..size).map(start).collect();
    children.into_iter().map(|child| child.wait_with_output().unwrap()).collect()
}

fn objects(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn merged(folder: &Path) -> (String, Vec<Value>) {
    let folder = folder.display().to_string();
    let text = run(&["merge", &folder]);
    assert!(text.status.success(), "{}", stderr(&text));
    let json = stdout(&run(&["merge", "--json", &folder]));
    (stdout(&text), json.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[test]
fn each_rank_writes_a_report_and_the_slow_one_is_named() {
    for (size, slow) in [(4, 2), (16, 11), (64, 0)] {
        let folder = folder(&format!("slow-{size}"));
        // Memory that is filled anew is page faults, and time.
        let work = format!(
            "if [ $OMPI_COMM_WORLD_RANK = {slow} ]; then head -c 50000000 /dev/zero | tail -c 50000000 > {}/filled; fi",
            folder.display()
        );
        let args = ["stat", "--mpi", "-e", "task-clock,page-faults", "--", "sh", "-c", &work];
        for (number, output) in ranks(&folder, size, &args).iter().enumerate() {
            assert!(output.status.success(), "{number}: {}", stderr(output));
            let says = match number {
                0 => format!(
                    "counterpoint: the reports of {size} ranks are written to counterpoint.{{rank}}.jsonl\n"
                ),
                _ => String::new(),
            };
            assert_eq!((stderr(output), stdout(output)), (says, String::new()), "rank {number}");
        }
        let (text, lines) = merged(&folder);
        let host = ::counterpoint::perf::process::host_name();
        let words = format!("rank {slow} on {host} takes ");
        assert!(
            text.contains(&words) && text.contains("% longer than the mean (task-clock)"),
            "{text}"
        );
        for row in &lines[..2] {
            assert_eq!(
                (&row["max_rank"], &row["processes"]),
                (&json!(slow), &json!(size)),
                "{row}"
            );
        }
        assert_eq!(lines[3]["summary"]["missing_ranks"], json!([]), "every rank has a report");
        fs::remove_file(folder.join("counterpoint.1.jsonl")).unwrap();
        let (text, _) = merged(&folder);
        assert!(text.contains(&format!("1 of {size} ranks has no report: 1\n")), "{text}");
        fs::remove_dir_all(&folder).unwrap();
    }
}

/// Starts the ranks of a job that work until they are killed, and waits until each counts.
fn working(folder: &Path, size: u32) -> Vec<Child> {
    // They do not end at a signal.
    let work = "trap '' TERM; head -c 1000000 /dev/zero | tail -c 1000000 > /dev/null; : > began.$PMI_RANK; for i in $(seq 6000); do sleep 0.01; done";
    let args = ["stat", "--mpi", "-e", "task-clock,page-faults", "--", "sh", "-c", work];
    let start = |number: u32| {
        let variables = [("PMI_RANK", number.to_string()), ("PMI_SIZE", size.to_string())];
        rank(folder, &variables, &args).process_group(0).spawn().unwrap()
    };
    let children = (0..size).map(start).collect();
    while (0..size).any(|number| !folder.join(format!("began.{number}")).exists()) {
        std::thread::sleep(Duration::from_millis(5));
    }
    children
}

/// Sends a signal to processes, or with `-` to their groups.
fn kill(signal: &str, group: &str, children: &[Child]) {
    let ids = children.iter().map(|child| format!("{group}{}", child.id()));
    let killed = Command::new("kill").args([signal, "--"]).args(ids).output().unwrap();
    assert!(killed.status.success(), "{}", stderr(&killed));
}

#[test]
fn reports_survive_the_launcher_that_kills_after_its_signal() {
    let folder = folder("killed");
    for round in 0..20 {
        let mut children = working(&folder, 4);
        kill("-TERM", "", &children);
        // Launchers wait for seconds: Open MPI 5, Slurm 30.
        let last = Instant::now() + Duration::from_secs(5);
        let report = |number: u32| folder.join(format!("counterpoint.{number}.jsonl"));
        while !(0..4).all(|number| report(number).exists()) && Instant::now() < last {
            std::thread::sleep(Duration::from_millis(1));
        }
        kill("-KILL", "-", &children);
        children.iter_mut().for_each(|child| _ = child.wait().unwrap());
        for number in 0..4 {
            let lines = objects(&report(number));
            let [clock, faults, summary] = &lines[..] else { panic!("{round}: {lines:?}") };
            for row in [clock, faults] {
                assert!(row["value"].as_u64().is_some_and(|value| value > 0), "{round}: {row}");
            }
            assert_eq!(summary["summary"]["checkpoint"], true, "{summary}");
            assert!(summary["summary"]["elapsed_s"].as_f64().is_some_and(|s| s > 0.0), "{summary}");
        }
        let (text, lines) = merged(&folder);
        let words = "a process was killed, and its counts are those until its last checkpoint";
        assert!(text.contains(words) && text.contains("rank 0, rank 1, rank 2"), "{text}");
        let sources = &lines[3]["summary"]["processes"];
        assert!(sources[3]["checkpoint_s"].is_f64(), "{sources}");
        for entry in fs::read_dir(&folder).unwrap() {
            fs::remove_file(entry.unwrap().path()).unwrap();
        }
    }
}

#[test]
fn a_rank_that_is_killed_without_a_signal_before_has_its_last_checkpoint() {
    let folder = folder("checkpoints");
    let mut children = working(&folder, 1);
    let report = folder.join("counterpoint.0.jsonl");
    assert!(!report.exists(), "there is no checkpoint yet, and no part of a report");
    while !report.exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let lines = objects(&report);
    assert_eq!(lines[2]["summary"]["checkpoint"], true);
    assert!(lines[2]["summary"]["elapsed_s"].as_f64().is_some_and(|s| s >= 1.0), "{lines:?}");
    kill("-KILL", "-", &children);
    children[0].wait().unwrap();
    assert_eq!(objects(&report), lines);
    // The next run replaces it, and what the killed one has left.
    let variables = [("PMI_RANK", "0".to_string())];
    let args = ["stat", "--mpi", "-e", "task-clock", "--", "sleep", "1.2"];
    let output = rank(&folder, &variables, &args).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let lines = objects(&report);
    assert_eq!((lines.len(), lines[1]["summary"].get("checkpoint")), (2, None), "{lines:?}");
}

#[test]
fn reports_record_what_the_launcher_tells() {
    let folder = folder("launchers");
    let args = ["stat", "--mpi", "-e", "page-faults", "--", "true"];
    let record = |variables: &[(&str, &str)], file: &str| {
        let variables: Vec<_> = variables.iter().map(|(n, v)| (*n, v.to_string())).collect();
        let output = rank(&folder, &variables, &args).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let lines = objects(&folder.join(file));
        let keys = ["job", "rank", "ranks", "local_rank"];
        let of = |line: &Value| keys.map(|key| line.get(key).cloned().unwrap_or(Value::Null));
        assert_eq!(of(&lines[0]), of(&lines[1]["summary"]), "rows and summary say the same");
        json!(of(&lines[0]))
    };
    let slurm = [
        ("SLURM_JOB_ID", "1234"),
        ("SLURM_PROCID", "5"),
        ("SLURM_NTASKS", "8"),
        ("SLURM_LOCALID", "1"),
    ];
    assert_eq!(record(&slurm, "counterpoint.1234.5.jsonl"), json!(["1234", 5, 8, 1]));
    let hydra = [("PMI_RANK", "3"), ("PMI_SIZE", "4"), ("MPI_LOCALRANKID", "3")];
    assert_eq!(record(&hydra, "counterpoint.3.jsonl"), json!([null, 3, 4, 3]));
    let flux = [("FLUX_JOB_ID", "f23"), ("FLUX_TASK_RANK", "1"), ("FLUX_TASK_LOCAL_ID", "0")];
    assert_eq!(record(&flux, "counterpoint.f23.1.jsonl"), json!(["f23", 1, null, 0]));
    let pals = [("PBS_JOBID", "9.pbs"), ("PALS_RANKID", "2"), ("PALS_LOCAL_RANKID", "0")];
    assert_eq!(record(&pals, "counterpoint.9.pbs.2.jsonl"), json!(["9.pbs", 2, null, 0]));
    let lsf = [("LSB_JOBID", "7"), ("JSM_NAMESPACE_RANK", "0"), ("JSM_NAMESPACE_SIZE", "2")];
    assert_eq!(record(&lsf, "counterpoint.7.0.jsonl"), json!(["7", 0, 2, null]));
    // A malformed variable is as if it were not set.
    let wrong = [("PMI_RANK", "-1"), ("SLURM_PROCID", "1"), ("SLURM_NTASKS", "many")];
    assert_eq!(record(&wrong, "counterpoint.1.jsonl"), json!([null, 1, null, null]));
}

#[test]
fn whole_nodes_are_counted_by_one_rank_each() {
    let Some(_alone) = may_count_cpus() else { return };
    let folder = folder("whole-nodes");
    let args = [
        "stat",
        "--mpi",
        "-a",
        "--per-socket",
        "-e",
        "cpu-clock,context-switches",
        "--",
        "sleep",
        "0.1",
    ];
    for output in ranks(&folder, 3, &args) {
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let other = &objects(&folder.join("counterpoint.2.jsonl"))[0];
    assert_eq!(
        (&other["value"], &other["status"]),
        (&Value::Null, &json!("not-counted")),
        "{other}"
    );
    assert_eq!(other["reason"], "counted by local rank 0 of this node");
    assert_eq!(other["counted_elsewhere"], true);
    let first = objects(&folder.join("counterpoint.0.jsonl"));
    let sum: u64 = first
        .iter()
        .filter(|row| row["event"] == "cpu-clock")
        .map(|row| row["value"].as_u64().unwrap())
        .sum();
    let (_, lines) = merged(&folder);
    let clocks = lines.iter().filter(|row| row["event"] == "cpu-clock");
    let total: u64 =
        clocks.map(|row| row["value"].as_u64().unwrap_or_else(|| panic!("{row}"))).sum();
    assert_eq!(total, sum, "once: {lines:?}");

    // Without a local rank, each rank counts the node, and says so.
    let variables = [("PMI_RANK", "0".to_string())];
    let output = rank(&folder, &variables, &args).output().unwrap();
    assert!(
        stderr(&output).contains("every rank counts the events of its whole node"),
        "{}",
        stderr(&output)
    );
    let note =
        objects(&folder.join("counterpoint.0.jsonl"))[0]["note"].as_str().unwrap().to_string();
    assert!(note.contains("the values of ranks do not add up"), "{note}");
}

#[test]
fn without_mpi_a_rank_is_only_a_label() {
    let folder = folder("labels");
    let variables = [("PMI_RANK", "3".to_string()), ("PMI_SIZE", "4".to_string())];
    let stat = |args: &[&str]| rank(&folder, &variables, args).output().unwrap();
    let table = stderr(&stat(&["stat", "-e", "page-faults", "--", "true"]));
    assert!(table.contains("stats for 'true' (rank 3 on "), "{table}");
    let failed = stat(&["stat", "--json", "-e", "page-faults", "--", "false"]);
    assert!(
        stderr(&failed).contains("counterpoint: rank 3: the command failed"),
        "{}",
        stderr(&failed)
    );
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "no file is written");
}

#[test]
fn what_cannot_work_under_mpi_is_refused_with_what_to_write() {
    let folder = folder("refused");
    let output = rank(&folder, &[], &["stat", "--mpi", "--", "true"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = stderr(&output);
    assert!(error.contains("this process is not a rank of a parallel job"), "{error}");
    assert!(error.contains("mpirun -n 4 counterpoint stat --mpi -- ./solve"), "{error}");
    let variables = [("PMI_RANK", "3".to_string())];
    let args = ["stat", "--mpi", "-o", "report.jsonl", "--", "true"];
    let output = rank(&folder, &variables, &args).output().unwrap();
    let error = stderr(&output);
    assert!(
        error.contains("every rank would write this file")
            && error.contains("'report.{rank}.jsonl'"),
        "{error}"
    );
    let args = ["stat", "--json", "-o", "{job}.jsonl", "--", "true"];
    let error = stderr(&rank(&folder, &variables, &args).output().unwrap());
    assert!(
        error.contains("this process is not in a job") && error.contains("PBS_JOBID"),
        "{error}"
    );
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn a_name_that_no_rank_has_is_said_once() {
    let folder = folder("said-once");
    let args = ["stat", "--mpi", "-e", "pwoer/energy-pkg/", "--", "true"];
    let outputs = ranks(&folder, 3, &args);
    assert!(stderr(&outputs[0]).starts_with("counterpoint: no PMU is called `pwoer`"));
    for (rank, output) in outputs.iter().enumerate() {
        assert_eq!(output.status.code(), Some(2));
        assert!(rank == 0 || stderr(output).is_empty(), "{rank}: {}", stderr(output));
    }
}

/// The energies that the processor tells.
const ENERGIES: &str = "/sys/bus/event_source/devices/power/events";

#[test]
fn an_energy_is_counted_by_one_rank_beside_its_command() {
    let entries = fs::read_dir(ENERGIES).into_iter().flatten();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let Some(name) = names.into_iter().find(|name| !name.contains('.')) else {
        println!("skipped: needs the PMU power (RAPL)");
        return;
    };
    let Some(_alone) = may_count_cpus() else { return };
    let folder = folder("energy");
    let events = format!("task-clock,power/{name}/");
    for output in ranks(&folder, 4, &["stat", "--mpi", "-e", &events, "--", "sleep", "0.1"]) {
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let (text, lines) = merged(&folder);
    let [clock, energy] = &lines[..2] else { panic!("{lines:?}") };
    assert!(clock["per_rank"].as_array().unwrap().iter().all(|value| value["value"].is_u64()));
    let values = energy["per_rank"].as_array().unwrap();
    assert_eq!(
        (&energy["status"], &values[0]["value"]),
        (&json!("counted"), &energy["value"]),
        "{text}"
    );
    for other in &values[1..] {
        assert_eq!(
            (&other["value"], &other["status"]),
            (&Value::Null, &json!("not-counted")),
            "{other}"
        );
    }
    assert!(
        objects(&folder.join("counterpoint.0.jsonl"))[1]["enabled_ns"].as_u64().unwrap()
            >= 100_000_000
    );
}

/// A launcher that starts the ranks of a job one after the other.
const LAUNCHER: &str = r#"#!/bin/sh
[ "$1" = -n ] || exit 9
size=$2; shift 2
rank=0
while [ $rank -lt $size ]; do
    SLURM_PROCID=$rank SLURM_NTASKS=$size SLURM_LOCALID=$rank "$@" || exit
    rank=$((rank + 1))
done
"#;

#[test]
fn every_command_of_the_chapter_works() {
    let chapter = fs::read_to_string(root().join("docs/mpi.md")).unwrap();
    let blocks: Vec<&str> =
        chapter.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap()).collect();
    assert_eq!(blocks.len(), 6, "the chapter has commands");
    let folder = folder("chapter");
    let program = |name: &str, text: &str| {
        fs::write(folder.join(name), text).unwrap();
        fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    };
    ["mpirun", "mpiexec", "srun"].iter().for_each(|launcher| program(launcher, LAUNCHER));
    program("solve", "#!/bin/sh\ntrue\n");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_counterpoint"), folder.join("counterpoint"))
        .unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    for block in blocks {
        if block.contains("power/energy-pkg/") && !Path::new(ENERGIES).join("energy-pkg").exists() {
            println!("skipped: needs the event power/energy-pkg/: {block}");
            continue;
        }
        let mut shell = Command::new("sh");
        outside_jobs(&mut shell).args(["-e", "-c", block]).current_dir(&folder).env("PATH", &path);
        let batch = block.contains("SLURM_JOB_ID").then_some("SLURM_JOB_ID");
        let batch = batch.or(block.contains("PBS_JOBID").then_some("PBS_JOBID"));
        batch.iter().for_each(|variable| _ = shell.env(variable, "17"));
        let output = shell.env("PBS_O_WORKDIR", &folder).output().unwrap();
        assert!(output.status.success(), "{block}\n{}", stderr(&output));
        let text = stdout(&output);
        if block.contains("profile --mpi") {
            assert!(
                text.contains("task-clock: ") && text.contains("  rank 3\n"),
                "{block}\n{text}"
            );
            continue;
        }
        assert!(text.contains("4 reports\n") && text.contains("page-faults"), "{block}\n{text}");
    }
}

#[test]
fn a_group_of_metrics_is_counted_alone() {
    let known = run(&["list", "--metrics", "--json"]);
    let known: Vec<Value> =
        stdout(&known).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let is_in_group = |metric: &&Value| {
        let groups = metric["groups"].as_array().unwrap();
        groups.iter().any(|group| group == "software")
    };
    let group: Vec<&Value> = known.iter().filter(is_in_group).map(|row| &row["name"]).collect();
    assert!(group.len() > 1 && group.len() < known.len(), "{group:?}");
    let folder = folder("group");
    for output in ranks(&folder, 2, &["stat", "--mpi", "-g", "software", "--", "true"]) {
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    for file in fs::read_dir(&folder).unwrap() {
        let rows = objects(&file.unwrap().path());
        let events: Vec<&Value> = rows.iter().filter_map(|row| row.get("event")).collect();
        assert_eq!(events, group);
    }
}
