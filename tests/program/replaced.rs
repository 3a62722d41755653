//! Files that a result replaces: none is lost, and none is read at the same time.

use crate::{counterpoint, run, stderr, stdout};
use std::fs;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const STAT: [&str; 4] = ["stat", "--json", "-e", "page-faults"];

/// An empty directory for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("replaced-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A report in a file of this name.
fn report(folder: &Path, name: &str) -> String {
    let file = folder.join(name);
    let output = counterpoint(&STAT).arg("-o").arg(&file).args(["--", "true"]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    file.display().to_string()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The program, which can write no byte into a plain file, as if the disk were full.
fn on_a_full_disk(args: &[&str]) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\""]);
    shell.arg(env!("CARGO_BIN_EXE_counterpoint")).args(args).output().unwrap()
}

#[test]
fn a_result_does_not_overwrite_what_it_is_made_of() {
    let folder = folder("inputs");
    let (file, other) = (report(&folder, "a.jsonl"), report(&folder, "b.jsonl"));
    let (file, other) = (file.as_str(), other.as_str());
    let link = folder.join("link.jsonl");
    symlink(file, &link).unwrap();
    let link = link.to_str().unwrap();
    let before = fs::read(file).unwrap();
    for args in [
        &["export", "-o", file, file][..],
        &["export", "--format", "csv", "-o", link, other, file],
        &["export", "-o", file, folder.to_str().unwrap()],
        &["merge", "--html", file, file],
        &["merge", "--html", file, other, link],
        &["stat", "diff", "-o", file, file, other],
        &["stat", "--compare-with", file, "-o", file, "--", "true"],
        &["stat", "--from", file, "-M", "page_faults_per_second", "-o", file],
        &["stat", "-f", file, "-e", "page-faults", "-o", file, "--", "true"],
        &["stat", "-e", "page-faults", "-o", file, "--html", link, "--", "true"],
        &["report", file, "-o", file],
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        assert!(before == fs::read(file).unwrap(), "{args:?} overwrites its input");
    }
    let said = stderr(&run(&["merge", "--html", file, other, file]));
    assert!(said.contains("this file is read, and the result would overwrite it"), "{said}");
    let said = stderr(&run(&["export", "-o", file, file]));
    assert!(said.contains("this file is read, and the result would overwrite it"), "{said}");
    assert_eq!(names(&folder), ["a.jsonl", "b.jsonl", "link.jsonl"], "nothing is left");
}

/// A shell that appends to its own input would never end.
#[test]
fn standard_output_is_not_among_the_inputs() {
    let folder = folder("standard");
    let file = report(&folder, "a.jsonl");
    let before = fs::read(&file).unwrap();
    for args in [&["export", &file][..], &["merge", "--json", &file]] {
        let to = fs::OpenOptions::new().append(true).open(&file).unwrap();
        let output = counterpoint(args).stdout(to).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains("the result is written to this file"), "{args:?}");
        assert!(before == fs::read(&file).unwrap(), "{args:?}");
    }
    let output = counterpoint(&["export", "-o", &file, "-"])
        .stdin(fs::File::open(&file).unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(before == fs::read(&file).unwrap());
}

#[test]
fn partitions_do_not_overwrite_what_is_read_later() {
    let folder = folder("partitions");
    let input = report(&folder, "a.jsonl");
    let table = folder.join("table");
    let table = table.to_str().unwrap();
    assert!(run(&["export", "-o", table, "--partition", "event", &input]).status.success());
    let part = Path::new(table).join("event=page-faults/part-0.parquet");
    let before = fs::read(&part).unwrap();
    let output = run(&["export", "-o", table, "--partition", "event", &input, table]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(before == fs::read(&part).unwrap());
}

#[test]
fn a_file_stays_as_it_was_if_the_disk_is_full() {
    let folder = folder("full");
    let input = report(&folder, "in.jsonl");
    let file = folder.join("out");
    let path = file.to_str().unwrap();
    let commands: [&[&str]; 9] = [
        &["stat", "--json", "-e", "page-faults", "-o", path, "--", "true"],
        &["stat", "-e", "page-faults", "-I", "1000", "-o", path, "--", "true"],
        &["stat", "-e", "page-faults", "--html", path, "--", "true"],
        &["stat", "-r", "2", "-o", path, "--compare", "true", "true"],
        &["stat", "diff", "-o", path, &input, &input],
        &["profile", "-e", "page-faults:u", "-c", "1", "--format", "folded", "-o", path, "true"],
        &["profile", "-e", "page-faults:u", "-c", "1", "--format", "perf", "-o", path, "true"],
        &["merge", "--html", path, &input],
        &["export", "--format", "csv", "-o", path, &input],
    ];
    for args in commands {
        for is_new in [false, true] {
            let _ = fs::remove_file(&file);
            if !is_new {
                fs::write(&file, "kept").unwrap();
            }
            let output = on_a_full_disk(args);
            assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
            assert!(stderr(&output).contains(path), "{args:?}: {}", stderr(&output));
            let left = fs::read_to_string(&file).ok();
            assert_eq!(left.as_deref(), (!is_new).then_some("kept"), "{args:?}");
        }
        assert_eq!(names(&folder), ["in.jsonl"], "{args:?} leaves nothing");
    }
}

#[test]
fn counts_that_cannot_be_written_are_on_standard_error() {
    let folder = folder("shown");
    let file = folder.join("out.json");
    let path = file.to_str().unwrap();
    for more in [&[][..], &["--append"]] {
        let args = [&STAT[..], more, &["-o", path, "--", "true"]].concat();
        let output = on_a_full_disk(&args);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(
            text.contains(&format!("{path}: ")) && text.contains("the result follows"),
            "{text}"
        );
        let rows: Vec<serde_json::Value> =
            text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        assert_eq!((rows.len(), &rows[0]["event"]), (2, &"page-faults".into()), "{text}");
    }
}

#[test]
fn definitions_survive_a_full_disk() {
    let folder = folder("fix");
    let file = folder.join("events.csv");
    let text = "EVENT , A , NOT_DERIVED , page-faults\n";
    fs::write(&file, text).unwrap();
    let output = on_a_full_disk(&["check", "--fix", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    assert_eq!(names(&folder), ["events.csv"]);
    assert!(run(&["check", "--fix", file.to_str().unwrap()]).status.success());
    assert_ne!(fs::read_to_string(&file).unwrap(), text, "it is in its plain form");
}

#[test]
fn a_replaced_file_keeps_its_permissions_and_links_to_it() {
    let folder = folder("kept");
    let (file, link) = (folder.join("file"), folder.join("link"));
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("file", &link).unwrap();
    let before = fs::metadata(&file).unwrap();
    report(&folder, "link");
    let after = fs::metadata(&file).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&file).unwrap().contains("page-faults"));
    assert_eq!((after.mode(), after.uid()), (before.mode(), before.uid()));
    assert_ne!(after.ino(), before.ino(), "it is another file, which was renamed");
    // A file that a process left when it was killed does not matter.
    fs::write(folder.join(".file.part"), "torn").unwrap();
    report(&folder, "file");
    assert_eq!(names(&folder), ["file", "link"]);
}

/// An interval is a result, which others may read while counting goes on.
#[test]
fn intervals_are_in_the_file_when_they_have_ended() {
    let folder = folder("intervals");
    let file = folder.join("out.json");
    fs::write(&file, "old").unwrap();
    let args = [&STAT[..], &["-I", "50", "-o", file.to_str().unwrap(), "--", "cat"]].concat();
    let mut child = counterpoint(&args).stdin(Stdio::piped()).spawn().unwrap();
    let begun = std::time::Instant::now();
    while !fs::read_to_string(&file).unwrap().contains("interval_s") {
        assert!(begun.elapsed().as_secs() < 30, "no interval is written");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    assert!(fs::read_to_string(&file).unwrap().contains("summary"));
}

/// A pipe whose reader has gone.
#[test]
fn a_result_that_nobody_reads_is_a_failure() {
    let folder = folder("unread");
    let fifo = folder.join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let path = fifo.to_str().unwrap();
    let input = report(&folder, "in.jsonl");
    let commands: [&[&str]; 4] = [
        &["stat", "--json", "-e", "page-faults", "-o", path, "--", "sleep", "0.3"],
        &["stat", "--json", "-e", "page-faults", "--html", path, "--", "sleep", "0.3"],
        &["profile", "-e", "page-faults:u", "-c", "1", "-o", path, "--", "sleep", "0.3"],
        &["stat", "-r", "2", "-o", path, "--compare", "sleep 0.1", "sleep 0.1"],
    ];
    for args in commands {
        let mut command = counterpoint(args);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(fs::File::open(&fifo).unwrap());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(path), "{args:?}: {}", stderr(&output));
    }
    let program = env!("CARGO_BIN_EXE_counterpoint");
    let line = format!(
        "{{ {program} stat --json -e page-faults --log-fd 3 -- sleep 0.2; echo status $? >&2; }} 3>&1 >/dev/null | true"
    );
    let output = Command::new("sh").args(["-c", &line]).output().unwrap();
    let text = stderr(&output);
    assert!(text.contains("status 2") && text.contains("file descriptor 3"), "{text}");
    assert!(text.contains("\"page-faults\""), "the counts are shown: {text}");
    // Standard output is the exception: `head` has seen enough.
    let line = format!("{{ {program} export {input} {input}; echo status $? >&2; }} | true");
    let output = Command::new("sh").args(["-c", &line]).output().unwrap();
    assert!(stderr(&output).contains("status 0"), "{}", stderr(&output));
}

/// Remarks are not the result.
#[test]
fn a_result_does_not_depend_on_who_reads_the_remarks() {
    let folder = folder("remarks");
    let file = folder.join("out.pb");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let args = ["profile", "-e", "page-faults:u", "-c", "1", "--format", "pprof"];
    let status = counterpoint(&args).stderr(writer).current_dir(&folder).arg("true").status();
    assert_eq!(status.unwrap().code(), Some(0));
    let mut bytes = Vec::new();
    let written = folder.join("profile.pb");
    fs::File::open(if file.exists() { file } else { written })
        .unwrap()
        .read_to_end(&mut bytes)
        .unwrap();
    assert!(!bytes.is_empty());
}

/// A result of `--append` begins a new line, and what is torn costs no other.
#[test]
fn what_is_torn_does_not_spoil_what_is_appended() {
    let folder = folder("torn");
    let file = PathBuf::from(report(&folder, "all.jsonl"));
    let whole = fs::read_to_string(&file).unwrap();
    fs::write(&file, &whole[..whole.len() - 30]).unwrap();
    let append = || {
        let args = [&STAT[..], &["--append", "-o", file.to_str().unwrap(), "--", "true"]].concat();
        assert!(run(&args).status.success());
    };
    append();
    append();
    let text = fs::read_to_string(&file).unwrap();
    let torn: Vec<&str> = text
        .lines()
        .filter(|line| serde_json::from_str::<serde_json::Value>(line).is_err())
        .collect();
    assert_eq!((torn.len(), text.lines().count()), (1, 6), "{text}");
    let path = file.to_str().unwrap();
    let merged = run(&["merge", "--json", path]);
    assert_eq!(merged.status.code(), Some(2));
    assert!(stderr(&merged).contains("line 2: "), "{}", stderr(&merged));
    let summary: serde_json::Value =
        serde_json::from_str(stdout(&merged).lines().last().unwrap()).unwrap();
    let processes = summary["summary"]["processes"].as_array().unwrap();
    assert_eq!(processes.len(), 3, "{summary}");
    assert_eq!(processes.iter().filter(|of| of["incomplete"] == true).count(), 1, "{summary}");
    let exported = run(&["export", path]);
    assert_eq!(exported.status.code(), Some(2));
    assert!(stderr(&exported).contains("line 2"), "{}", stderr(&exported));
    let rows = stdout(&exported);
    assert_eq!(rows.lines().filter(|row| row.contains("\"kind\":\"value\"")).count(), 3, "{rows}");
}

/// Another user may have put a link in the place of a partition.
#[test]
fn partitions_are_not_written_through_links_of_others() {
    let folder = folder("planted");
    let input = report(&folder, "a.jsonl");
    let (open, target) = (folder.join("open"), folder.join("target"));
    fs::create_dir(&target).unwrap();
    let export =
        |by: &str| run(&["export", "-o", open.to_str().unwrap(), "--partition", by, &input]);
    let host = ::counterpoint::perf::process::host_name();
    for (by, planted) in [
        ("event", PathBuf::from("event=page-faults")),
        ("event,host", PathBuf::from("event=page-faults")),
        ("host,event", Path::new(&format!("host={host}")).join("event=page-faults")),
    ] {
        let _ = fs::remove_dir_all(&open);
        let link = open.join(planted);
        let above = link.parent().unwrap();
        fs::create_dir_all(above).unwrap();
        fs::set_permissions(above, fs::Permissions::from_mode(0o777)).unwrap();
        symlink(&target, &link).unwrap();
        let output = export(by);
        assert_eq!(output.status.code(), Some(2), "{by}");
        assert!(stderr(&output).contains("it is a symbolic link"), "{by}: {}", stderr(&output));
        assert_eq!(names(&target), [""; 0], "{by}: nothing is written through the link");
        fs::remove_file(&link).unwrap();
        assert!(export(by).status.success(), "{by}");
    }
}
