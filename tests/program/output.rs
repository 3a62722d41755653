//! The file of `-o`: its name, its other writers, and what it may be.

use crate::{counterpoint, run, stderr, stdout};
use ::counterpoint::Reporter;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const STAT: [&str; 4] = ["stat", "--json", "-e", "page-faults"];

/// An empty directory for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("output-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Counts `true` into the file of this name, outside a parallel job but for `variables`.
fn written_to(folder: &Path, name: &str, variables: &[(&str, &str)]) -> Output {
    let mut command = counterpoint(&STAT);
    command.arg("-o").arg(folder.join(name)).args(["--", "true"]);
    for variable in Reporter::RANK_VARIABLES {
        command.env_remove(variable);
    }
    command.envs(variables.iter().copied()).output().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn placeholders_in_names_are_replaced() {
    let folder = folder("names");
    let name = "%%{rank}{-{}-{{abc}-{{{rank}}-%h-%q{CELL}-%p.json";
    let output = written_to(&folder, name, &[("CELL", "a%p"), ("PMIX_RANK", "12")]);
    assert!(output.status.success(), "{}", stderr(&output));
    let [file] = &names(&folder)[..] else { panic!("{:?}", names(&folder)) };
    let report = fs::read_to_string(folder.join(file)).unwrap();
    let row: serde_json::Value = serde_json::from_str(report.lines().next().unwrap()).unwrap();
    let (host, pid) = (row["host"].as_str().unwrap(), &row["pid"]);
    assert_eq!(
        *file,
        format!("%12{{-{{}}-{{abc}}-{{12}}-{host}-a%p-{pid}.json"),
        "a value is not replaced again"
    );
    assert_eq!(row["rank"], 12);
}

/// The help of `-o`, the error and the book list the same placeholders.
#[test]
fn placeholders_are_listed_alike_everywhere() {
    let error = stderr(&run(&[&STAT[..], &["-o", "%x", "--", "true"]].concat()));
    let at = error.find("%p is the process id").unwrap();
    let listed = error[at..].lines().next().unwrap();
    assert!(listed.ends_with("{{ an opening brace"), "{listed}");
    for command in
        [&["stat", "--help"][..], &["profile", "--help"], &["catalog", "request", "--help"]]
    {
        let help = stdout(&run(command));
        let words: Vec<&str> = help.split_whitespace().collect();
        assert!(words.join(" ").contains(listed), "{command:?}: {help}");
    }
    let page = fs::read_to_string(crate::root().join("docs/reports.md")).unwrap();
    assert!(page.replace('`', "").contains(&format!("In the name of the file, {listed}.")));
}

#[test]
fn a_placeholder_without_a_value_is_refused_before_anything_runs() {
    let folder = folder("refused");
    for (name, problem, help) in [
        ("a.%x", "`%x` is not a placeholder", "%q{VARIABLE}"),
        ("a.%é", "`%é` is not a placeholder", "%p is the process id"),
        ("50%", "`%` is not a placeholder", "%% a percent sign"),
        ("a.%q", "`%q` is not a placeholder", "%h the host"),
        ("a.%{rank}", "`%{` is not a placeholder", "{rank} the rank"),
        ("a.{pid}", "`{pid}` is not a placeholder", "{{ an opening brace"),
        ("a.%q{}", "the environment variable `` is not set", ""),
        ("a.%q{NO_SUCH_CELL}", "the environment variable `NO_SUCH_CELL` is not set", ""),
        ("a.{rank}", "this process has no rank: none of OMPI_COMM_WORLD_RANK, ", "%p"),
    ] {
        let output = written_to(&folder, name, &[]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        let text = stderr(&output);
        assert!(text.contains(problem) && text.contains(help), "{name}: {text}");
        assert!(text.contains(name), "{text}");
    }
    assert_eq!(names(&folder), [""; 0]);
}

/// Waits until a process holds the file, as the kernel lists it.
fn wait_for_lock(file: &Path) {
    let begun = Instant::now();
    let is_locked = || {
        let inode = format!(":{} ", fs::metadata(file).ok()?.ino());
        let locks = fs::read_to_string("/proc/locks").unwrap();
        locks.lines().find(|line| line.contains("FLOCK") && line.contains(&inode)).map(|_| ())
    };
    while is_locked().is_none() {
        assert!(begun.elapsed() < Duration::from_secs(30), "it is not locked");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_file_that_is_being_written_is_not_written_by_another_process() {
    let folder = folder("locked");
    let file = folder.join("report.jsonl");
    let args = [&STAT[..], &["-o", file.to_str().unwrap(), "--", "sleep", "2"]].concat();
    let mut first = counterpoint(&args).spawn().unwrap();
    wait_for_lock(&folder.join(".report.jsonl.part"));
    let marker = folder.join("ran");
    for (append, problem, help) in [
        (&[][..], "another process is writing this file", "can also be written with --append"),
        (
            &["--append"],
            "another process is overwriting this file",
            "use --append in every process",
        ),
    ] {
        let output = counterpoint(&STAT)
            .arg("-o")
            .arg(&file)
            .args(append)
            .args(["--", "touch"])
            .arg(&marker)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        let text = stderr(&output);
        assert!(text.contains(problem) && text.contains(help), "{text}");
        assert!(text.contains("%p"), "{text}");
    }
    assert!(!marker.exists(), "nothing is run in vain");
    assert!(first.wait().unwrap().success());
    let report = fs::read_to_string(&file).unwrap();
    assert!(report.contains("page-faults") && report.ends_with("}}\n"), "{report}");
    assert!(written_to(&folder, "report.jsonl", &[]).status.success(), "it is free again");
}

#[test]
fn appended_reports_of_several_processes_are_all_there() {
    let folder = folder("appended");
    let (json, csv) = (folder.join("all.jsonl"), folder.join("all.csv"));
    let start = |format: &str, file: &Path| {
        let mut command =
            counterpoint(&["stat", "--format", format, "-e", "page-faults,task-clock"]);
        command.arg("--append").arg("-o").arg(file).args(["--", "sh", "-c", "sleep 0.1"]);
        command.spawn().unwrap()
    };
    let children: Vec<_> = (0..8).map(|_| start("json", &json)).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let text = fs::read_to_string(&json).unwrap();
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 8 * 3);
    for report in lines.chunks(3) {
        assert_eq!(report[0]["pid"], report[2]["summary"]["pid"], "reports do not mix");
    }
    let table = stdout(&run(&["merge", json.to_str().unwrap()]));
    assert!(table.starts_with("1 report of 8 processes\n"), "{table}");

    // The ranks of a job end at the same time.
    let children: Vec<_> = (0..16).map(|_| start("csv", &csv)).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert!(start("csv", &csv).wait().unwrap().success(), "and one later");
    let text = fs::read_to_string(&csv).unwrap();
    assert!(text.starts_with("event,canonical,"), "{text}");
    let headers = text.lines().filter(|line| line.starts_with("event,canonical,")).count();
    assert_eq!((headers, text.lines().count()), (1, 1 + 17 * 2), "{text}");
    let alone = run(&[&STAT[..], &["--append", "--", "true"]].concat());
    assert_eq!(alone.status.code(), Some(2), "there is no file to append to");
}

/// Lines of text do not say which process wrote them.
#[test]
fn intervals_are_appended_only_with_the_name_of_their_process() {
    let folder = folder("intervals");
    let file = folder.join("all");
    let appended = |format: &str| {
        let mut command = counterpoint(&["stat", "-e", "page-faults", "-I", "50", "--append"]);
        command.args(["--format", format, "-o"]).arg(&file).args(["--", "sleep", "0.2"]);
        command.output().unwrap()
    };
    let refused = appended("text");
    assert_eq!(refused.status.code(), Some(2));
    let text = stderr(&refused);
    assert!(text.contains("--append -I: lines of text do not name their process"), "{text}");
    assert!(!file.exists(), "nothing is begun");
    assert!(appended("json").status.success());
    assert!(fs::read_to_string(&file).unwrap().lines().count() > 2);
}

/// A result is written in few calls, however many names and numbers it has.
#[test]
fn results_are_buffered() {
    let folder = folder("buffered");
    let trace = folder.join("trace");
    let traced = Command::new("strace")
        .args(["-e", "trace=write", "-P"])
        .arg(folder.join(".out.json.part"))
        .arg("-o")
        .arg(&trace)
        .arg(env!("CARGO_BIN_EXE_counterpoint"))
        .args(["profile", "--format", "json", "-e", "page-faults:u", "-c", "1", "-o"])
        .arg(folder.join("out.json"))
        .args(["--", "true"])
        .output();
    if !traced.is_ok_and(|output| output.status.success()) {
        return println!("skipped: strace is not installed, or cannot trace here");
    }
    let length = fs::metadata(folder.join("out.json")).unwrap().len();
    let writes =
        fs::read_to_string(&trace).unwrap().lines().filter(|l| l.contains("write(")).count();
    assert!(length > 1000 && (1..10).contains(&writes), "{writes} for {length} bytes");
}

#[test]
fn binary_formats_do_not_meet_a_terminal_or_the_output_of_the_command() {
    let folder = folder("binary");
    for (format, name) in [("gmon", "gmon.out"), ("pprof", "profile.pb")] {
        let profile = |more: &[&str], stdout: Stdio| {
            Command::new(env!("CARGO_BIN_EXE_counterpoint"))
                .args(["profile", "-e", "page-faults:u", "-c", "1", "--format", format])
                .args(more)
                .args(["--", "echo", "hello"])
                .current_dir(&folder)
                .stdout(stdout)
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
                .wait_with_output()
                .unwrap()
        };
        let output = profile(&[], Stdio::piped());
        assert_eq!(stdout(&output), "hello\n", "only what the command writes");
        assert!(stderr(&output).contains(&format!("written to {name}")), "{}", stderr(&output));
        assert!(fs::metadata(folder.join(name)).unwrap().len() > 0);

        let shared = || Stdio::from(fs::File::create(folder.join("shared")).unwrap());
        for (target, why) in [
            ("-", "standard output is also that of the command"),
            ("shared", "the command writes to it too"),
            ("/dev/ptmx", "it is a terminal"),
        ] {
            let output = profile(&["-o", target], shared());
            assert_eq!(output.status.code(), Some(2), "{target}");
            let text = stderr(&output);
            assert!(text.contains(why) && text.contains(&format!("-o {name}")), "{text}");
        }
        let output = profile(&["-o", "x", "--append"], Stdio::piped());
        assert!(stderr(&output).contains("a file of this format holds one result"));
        let output = profile(&["-o", "/dev/null"], Stdio::null());
        assert!(output.status.success(), "{}", stderr(&output));
    }
}
