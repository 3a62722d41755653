//! Bad input: what is wrong, where, and what to type instead.

use crate::{counterpoint, run, stderr, stdout};
use std::path::Path;
use std::process::Command;

#[test]
fn an_unknown_event_names_its_near_misses_and_its_place() {
    let output = run(&["stat", "-e", "task-clock,page-fualts", "--", "true"]);
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    assert!(
        text.contains("no event is called `page-fualts`") && text.contains("`page-faults`"),
        "{text}"
    );
    let lines: Vec<&str> = text.lines().collect();
    let list = lines.iter().position(|line| line.contains("task-clock,page-fualts")).unwrap();
    assert_eq!(lines[list + 1].find('^'), lines[list].find("page-fualts"));
}

#[test]
fn definitions_have_near_misses_too() {
    let file = "fixtures/definitions/first.csv";
    let text = stderr(&run(&["stat", "-f", file, "-e", "FAULTS_PER_SM", "--", "true"]));
    assert!(text.contains("did you mean `FAULTS_PER_MS`"), "{text}");
}

#[test]
fn broken_lists_are_drawn() {
    for (list, says) in [
        ("task-clock,,cs", "missing"),
        ("{task-clock,cs", "not closed"),
        ("msr/tsc", "not closed"),
        ("no-such-pmu/event=1/", "no PMU is called"),
        ("task-clock:q", "`q` is not a valid modifier for `task-clock`"),
        ("page-faults:uuuu", "`uuuu` is not a valid modifier for `page-faults`"),
    ] {
        let output = run(&["stat", "-e", list, "--", "true"]);
        assert_eq!(output.status.code(), Some(2), "{list}");
        assert!(stderr(&output).contains(says), "{list}: {}", stderr(&output));
    }
}

#[test]
fn a_file_with_errors_is_said_and_the_rest_counts() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("half.csv");
    std::fs::write(
        &file,
        "EVENT,BAD,DERIVED_INFIX,(N0,page-faults\nEVENT,GOOD,DERIVED_ADD,page-faults,page-faults\n",
    )
    .unwrap();
    let path = file.to_str().unwrap();
    let output = run(&["stat", "-f", path, "-e", "GOOD,page-faults", "--json", "--", "true"]);
    let (rows, _) = crate::rows(&output);
    assert_eq!(rows[0]["value"].as_f64().unwrap(), 2.0 * rows[1]["value"].as_f64().unwrap());
    assert!(
        stderr(&output).contains("error") && stderr(&output).contains("(N0"),
        "{}",
        stderr(&output)
    );
    let checked = run(&["check", path]);
    assert_eq!(checked.status.code(), Some(1));
    assert!(stdout(&checked).contains("1 error"), "{}", stdout(&checked));
    assert_eq!(run(&["check", "no/such/file.csv"]).status.code(), Some(2));
}

#[test]
fn a_division_by_zero_is_no_number() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("zero.csv");
    std::fs::write(&file, "EVENT,ZERO,DERIVED_INFIX,N0/(N1-N1),page-faults,task-clock\n").unwrap();
    let output = run(&["stat", "-f", file.to_str().unwrap(), "-e", "ZERO", "--json", "--", "true"]);
    let (rows, _) = crate::rows(&output);
    assert_eq!(rows[0]["status"], "not-counted");
    assert!(rows[0]["value"].is_null());
    assert_eq!(rows[0]["reason"], "division by zero");
}

#[test]
fn a_definition_whose_term_is_unknown_says_which() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unknown.csv");
    std::fs::write(&file, "EVENT,ODD,DERIVED_ADD,page-faults,page-fautls\n").unwrap();
    let output = run(&[
        "stat",
        "-f",
        file.to_str().unwrap(),
        "-e",
        "ODD,page-faults",
        "--json",
        "--",
        "true",
    ]);
    let (rows, _) = crate::rows(&output);
    assert_eq!(rows[0]["status"], "not-supported");
    let reason = rows[0]["reason"].as_str().unwrap();
    assert!(reason.contains("page-fautls") && reason.contains("page-faults"), "{reason}");
    assert_eq!(rows[1]["status"], "counted");
}

#[test]
fn where_nothing_can_be_counted_nothing_runs() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ran.txt");
    let _ = std::fs::remove_file(&file);
    let script = format!("echo x >> {}", file.display());
    // No PMU counts at an address that is no breakpoint's: four bytes, not aligned.
    let output = run(&["stat", "-e", "mem:0x1003/4:w", "--", "sh", "-c", &script]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let text = stderr(&output);
    assert!(text.contains("<not supported>") && text.contains("none of these events"), "{text}");
    assert!(!file.exists());
}

#[test]
fn usage_is_explained() {
    for (args, says) in [
        (vec!["stat"], "nothing to count"),
        (vec!["stat", "--per-thread", "--", "true"], "needs a target with threads (-p, -t or -u)"),
        (vec!["stat", "-A", "--", "true"], "-A needs a CPU-wide target (-a or -C)"),
        (vec!["stat", "-A", "--", "true"], "stat -a -A"),
        (vec!["stat", "-C", "3-1", "--", "true"], "0-3,8"),
        (vec!["stat", "-C", "9999", "--", "true"], "CPU 9999"),
        (vec!["stat", "-p", "999999999"], "no process 999999999"),
        (vec!["stat", "-e", "", "--", "true"], "missing"),
        (vec!["stat", "--csv=1", "--", "true"], "cannot separate fields"),
        (vec!["stat", "--csv=", "--", "true"], "cannot separate fields"),
        (
            vec!["stat", "--machine", "fixtures/machines/amd-zen4", "--", "true"],
            "recorded machine cannot count",
        ),
        (vec!["list", "--machine", "no/such/machine"], "doctor --record"),
        (vec!["eval", "N0+N1", "N0=1"], "needs a value for `N1`"),
        (vec!["eval", "N0+N1", "N0"], "NAME=VALUE"),
    ] {
        let output = run(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(says), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn eval_draws_what_is_wrong_with_a_formula() {
    let output = run(&["eval", "N0*(N1+"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("N0*(N1+\n"), "{}", stderr(&output));
    assert!(stderr(&output).contains('^'));
    let first_line = |args: &[&str]| stdout(&run(args)).lines().next().map(str::to_string);
    let postfix = ["eval", "--syntax", "postfix", "N0|N1|2|*|+|", "N0=1", "N1=20"];
    assert_eq!(first_line(&postfix).as_deref(), Some("41"));
    assert_eq!(
        first_line(&["eval", "--syntax", "rpn", "a b -", "a=5", "b=7"]).as_deref(),
        Some("-2")
    );
}

#[test]
fn what_the_terminal_would_obey_is_spelled() {
    let output = run(&["stat", "-e", "task-clock", "--", "true", "\u{1b}[31mred"]);
    assert!(!stderr(&output).contains('\u{1b}'), "{:?}", stderr(&output));
    assert!(stderr(&output).contains("\\u001b[31mred"));
}

#[test]
fn a_reader_that_goes_away_is_no_crash() {
    let program = env!("CARGO_BIN_EXE_counterpoint");
    let output =
        Command::new("sh").args(["-c", &format!("{program} list | head -1")]).output().unwrap();
    assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
}

#[test]
fn a_result_that_cannot_be_written_leaves_the_command_and_its_status_alone() {
    let program = env!("CARGO_BIN_EXE_counterpoint");
    let line = format!(
        "set -o pipefail; {program} stat -I 20 --json -e task-clock -- sh -c 'sleep 0.2; exit 3' | true"
    );
    assert_eq!(Command::new("bash").args(["-c", &line]).status().unwrap().code(), Some(3));
    let full = |command: &str| {
        run(&["stat", "-o", "/dev/full", "-e", "task-clock", "--", "sh", "-c", command])
    };
    assert_eq!(full("exit 4").status.code(), Some(4));
    let output = full("exit 0");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("cannot be written"), "{}", stderr(&output));
}

#[test]
fn what_cannot_be_written_is_told_by_every_command() {
    for command in [
        "--help",
        "list page-faults",
        "list --pmus --json",
        "list --presets",
        "show page-faults",
        "encode spr::L1D",
        "plan page-faults",
        "check fixtures/definitions/first.csv",
        "check --explain unknown-type",
        "eval 1+1",
        "dispatch",
        "dispatch --model pentium4 --json global_power_events:RUNNING",
        "dispatch --model pentium4",
        "dispatch --model pentium4 --json",
        "doctor",
        "catalog dump fixtures/catalog24x7/base.bin",
        "completions bash",
        "man stat",
        "stat --json -e page-faults -- true",
        "profile --format json -- true",
    ] {
        let args: Vec<&str> = command.split(' ').collect();
        let full = std::fs::File::create("/dev/full").unwrap();
        let output = counterpoint(&args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{command}: {}", stderr(&output));
        assert!(stderr(&output).contains("No space left on device"), "{command}");
    }
}

#[test]
fn mistakes_say_what_is_meant_and_no_more() {
    for (command, says) in [
        ("stat -p 0", "0 is not in 1..=4294967295"),
        ("profile -t 0", "0 is not in 1..=4294967295"),
        ("list --pmus no-such", "`counterpoint list --pmus` lists those of this machine"),
        ("list PAPI_TOT_INS", "`counterpoint list --presets WORDS…`"),
        ("list --machine fixtures/machines/amd-zen4 --pmu breakpoint", "has no named events"),
        (
            "list --machine fixtures/machines/amd-zen4 --pmu breakpoin",
            "no PMU is called `breakpoin`",
        ),
        (
            "list --machine fixtures/machines/amd-zen4 --pmu tracepoint",
            "tracepoints cannot be read",
        ),
        ("plan --machine fixtures/machines/vm-no-pmu PAPI_TOT_INS", "PAPI_TOT_INS: "),
        ("show perf_event:::", "counterpoint: an event is missing"),
        ("show no-such", "counterpoint: no event is called `no-such` here"),
    ] {
        let output = run(&command.split(' ').collect::<Vec<_>>());
        assert_ne!(output.status.code(), Some(0), "{command}");
        let text = stdout(&output) + &stderr(&output);
        assert!(text.contains(says), "{command}: {text}");
    }
}
