//! `--fail-if`: comparisons as checks, also in the workflow of the guide.

use crate::book::blocks;
use crate::{has_tools, root, run, stderr};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Touches about 250 pages of memory, and about 500.
const FEWER: &str = "dd if=/dev/zero of=/dev/null count=1 status=none bs=1000K";
const MORE: &str = "dd if=/dev/zero of=/dev/null count=1 status=none bs=2000K";

fn compared(options: &[&str], other: &str) -> Output {
    let counted = ["stat", "-r", "5", "-e", "page-faults"];
    run(&[&counted[..], options, &["--compare", FEWER, other]].concat())
}

fn assert_answer(output: &Output, status: i32, words: &str) {
    let text = stderr(output);
    assert_eq!(output.status.code(), Some(status), "{text}");
    assert!(text.contains(words), "{words}: {text}");
}

#[test]
fn a_difference_that_is_not_noise_fails_in_its_direction_and_beyond_its_size() {
    if !has_tools(&["dd"]) {
        return;
    }
    let fails = "failed, page-faults>10%: B has ";
    assert_answer(&compared(&["--fail-if", "page-faults>10%"], MORE), 1, fails);
    assert_answer(&compared(&["--fail-if", "page-faults>100"], MORE), 1, "more page-faults than A");
    for holds in ["page-faults<10%", "page-faults>900%", "page-faults>10000", "elapsed>60s"] {
        assert_answer(&compared(&["--fail-if", holds], MORE), 0, "");
    }
    // Each of several is checked.
    let several = ["--fail-if", "page-faults<1%,elapsed>60s", "--fail-if", "PAGE-FAULTS>10%"];
    assert_answer(&compared(&several, MORE), 1, "failed, PAGE-FAULTS>10%");
}

#[test]
fn what_the_runs_do_not_show_fails_only_if_that_is_asked_for() {
    if !has_tools(&["dd"]) {
        return;
    }
    // The elapsed time of such short commands is never known to a billionth; by chance, either may seem slower.
    let tiny = ["--fail-if", "elapsed>0.0000001%,elapsed<0.0000001%"];
    let uncertain = [&tiny[..], &["--fail-if-uncertain"]].concat();
    let output = compared(&uncertain, FEWER);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let huge = ["--fail-if", "elapsed>100000%", "--fail-if-uncertain"];
    assert_answer(&compared(&huge, FEWER), 0, "");
}

#[test]
fn what_cannot_be_checked_has_not_passed() {
    let output = compared(&["--fail-if", "faults>1%"], FEWER);
    assert_answer(&output, 2, "`faults` is not compared");
    assert_answer(&output, 2, "-e faults");
    assert_answer(&compared(&["--fail-if", "page-faults>1ms"], FEWER), 2, "is not a time");
    assert_answer(&compared(&["--fail-if", "page-faults"], FEWER), 2, "write EVENT>SIZE");
    let no_group = ["stat", "-r", "3", "-e", "nothing/x=1/", "--fail-if", "elapsed>1%"];
    let output = run(&[&no_group[..], &["--compare", "true", "true"]].concat());
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[test]
fn reports_are_checked_as_commands_are() {
    if !has_tools(&["dd"]) {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gate");
    fs::create_dir_all(&folder).unwrap();
    let report = |name: &str, command: &str| {
        let path = folder.join(name).display().to_string();
        let options = ["stat", "-r", "5", "-e", "page-faults", "--json", "-o", &path, "--"];
        let words: Vec<&str> = command.split(' ').collect();
        assert!(run(&[&options[..], &words].concat()).status.success());
        path
    };
    let (base, other) = (report("base.json", FEWER), report("other.json", MORE));
    let diff = |condition: &str| run(&["stat", "diff", "--fail-if", condition, &base, &other]);
    assert_answer(&diff("page-faults>10%"), 1, "B has ");
    assert_answer(&diff("page-faults<10%"), 0, "");
    assert_answer(&diff("cycles>1%"), 2, "`cycles` is not compared");
}

/// An executable script that touches so many MiB.
fn script(path: &Path, mib: u32) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let text = format!("#!/bin/sh\ndd if=/dev/zero of=/dev/null count=1 status=none bs={mib}M\n");
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn the_workflow_of_the_guide_compares_on_a_machine_without_a_pmu() {
    if !has_tools(&["dd"]) {
        return;
    }
    let guide = fs::read_to_string(root().join("docs/compare.md")).unwrap();
    let workflow = blocks(&guide).into_iter().find(|block| block.tag == "yaml").unwrap().text;
    let steps = workflow.split("      - run: ").skip(1);
    let step = steps.map(|step| step.trim_start_matches("|\n").to_string());
    let step = step.into_iter().find(|step| step.contains("counterpoint stat")).unwrap();
    let folder: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("workflow");
    let work = folder.join("work");
    let path = format!(
        "{}:{}",
        Path::new(env!("CARGO_BIN_EXE_counterpoint")).parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    for (mib, status) in [(32, 0), (64, 1)] {
        script(&folder.join("base/solve"), 32);
        script(&work.join("solve"), mib);
        let mut shell = Command::new("sh");
        let output = shell.args(["-ec", &step]).current_dir(&work).env("PATH", &path).output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(status), "{}", stderr(&output));
        let table = fs::read_to_string(work.join("cost.md")).unwrap();
        assert!(table.contains("| page-faults") && table.contains("max\\_rss"), "{table}");
    }
}
