//! `counterpoint check` on files as they are found in the world.

use crate::{root, run, stderr, stdout};
use std::path::PathBuf;

/// PAPI's own file, where it is installed: `COUNTERPOINT_PAPI_EVENTS`, or the usual places.
fn papi_events() -> Option<PathBuf> {
    let named = std::env::var_os("COUNTERPOINT_PAPI_EVENTS").map(PathBuf::from);
    let usual = ["/usr/share/papi/papi_events.csv", "/usr/local/share/papi/papi_events.csv"]
        .map(PathBuf::from);
    named.into_iter().chain(usual).find(|path| path.exists())
}

#[test]
fn papi_events_has_its_known_blemishes_and_no_others() {
    let Some(path) = papi_events() else {
        println!("skipped: no papi_events.csv here; name one with COUNTERPOINT_PAPI_EVENTS");
        return;
    };
    let output = run(&["check", path.to_str().unwrap()]);
    let text = stdout(&output);
    let count = |code: &str| text.lines().filter(|line| line.starts_with(code)).count();
    assert_eq!(count("error"), 1, "{text}");
    assert_eq!(count("error[joined-lines]"), 1);
    assert_eq!(count("warning[defined-twice]"), 13);
    assert_eq!(count("warning[one-term]"), 4);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_file_is_fixed_in_place_and_means_the_same() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("untidy.csv");
    std::fs::write(
        &file,
        "# mine\r\nCPU , perf\r\n EVENT, A ,DERIVED_ADD, page-faults ,, task-clock,LDESC,Both\r\n",
    )
    .unwrap();
    let path = file.to_str().unwrap();
    assert_eq!(run(&["check", "--fix", path]).status.code(), Some(0));
    let fixed = std::fs::read_to_string(&file).unwrap();
    assert_eq!(
        fixed,
        "# mine\nCPU,perf\nEVENT,A,DERIVED_ADD,page-faults,task-clock,LDESC,\"Both\"\n"
    );
    let again = run(&["check", "--fix", path]);
    assert_eq!(stdout(&again), "1 file, 1 definition, 0 warnings, 0 errors\n");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), fixed);
}

#[test]
fn files_of_the_environment_are_loaded_and_a_missing_one_loses_nothing() {
    let first = root().join("fixtures/definitions/first.csv");
    let files = format!("{}:/no/such/file.csv", first.display());
    for variable in ["COUNTERPOINT_EVENTS", "PAPI_USER_EVENTS_FILE"] {
        let mut command =
            crate::counterpoint(&["stat", "-e", "FAULTS_PER_MS", "--json", "--", "true"]);
        let output = command.env(variable, &files).output().unwrap();
        let (rows, _) = crate::rows(&output);
        assert_eq!(rows[0]["status"], "counted");
        assert!(stderr(&output).contains("/no/such/file.csv"), "{}", stderr(&output));
    }
}

#[test]
fn a_line_that_is_no_utf8_costs_that_line() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("latin1.csv");
    std::fs::write(
        &file,
        b"EVENT,A\xb5,NOT_DERIVED,page-faults\nEVENT,B,NOT_DERIVED,page-faults\n",
    )
    .unwrap();
    let output = run(&["check", file.to_str().unwrap()]);
    assert!(stdout(&output).contains("error[not-utf8]"), "{}", stdout(&output));
    assert!(
        stdout(&output).ends_with("1 file, 1 definition, 1 warning, 1 error\n"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn a_file_that_is_no_utf8_is_not_fixed() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("latin1-untidy.csv");
    for text in [
        &b"EVENT, A\xb5,NOT_DERIVED,page-faults\n"[..],
        b"# \xb5\nEVENT , B,NOT_DERIVED,page-faults\n",
    ] {
        std::fs::write(&file, text).unwrap();
        let output = run(&["check", "--fix", file.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2));
        assert!(
            stderr(&output).contains("not fixed, because it is not UTF-8"),
            "{}",
            stderr(&output)
        );
        assert_eq!(std::fs::read(&file).unwrap(), text);
    }
}

#[test]
fn a_broken_file_is_not_shown_whole_before_counting() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("broken.csv");
    std::fs::write(&file, "EVENT,A\n".repeat(50)).unwrap();
    let path = file.to_str().unwrap();
    let output = run(&["stat", "-f", path, "-e", "page-faults", "--", "true"]);
    let text = stderr(&output);
    assert_eq!(text.matches("error[missing-type]").count(), 10, "{text}");
    assert!(text.contains(&format!("40 more errors: counterpoint check {path}\n")), "{text}");
}

#[test]
fn blocks_of_software_events_and_tracepoints_are_checked_for_a_pmu() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("software.csv");
    let text = "CPU,perf\nEVENT,SWITCHES,NOT_DERIVED,sched:sched_switch\nEVENT,ALL_FAULTS,NOT_DERIVED,page-faults\n";
    std::fs::write(&file, text).unwrap();
    let output = run(&["check", "--pmu", "skx", file.to_str().unwrap()]);
    let summary =
        "2 definitions apply to a machine with skx\n1 file, 2 definitions, 0 warnings, 0 errors\n";
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), summary));
}

#[test]
fn every_code_is_explained() {
    for code in counterpoint::definitions::Code::ALL {
        let page = stdout(&run(&["check", "--explain", code.name()]));
        assert!(page.starts_with(&format!("# {}\n", code.name())), "{page}");
    }
}

#[test]
fn a_long_line_is_named_and_not_drawn() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("long-line.csv");
    let texts = ",LDESC,\"y\"".repeat(1000);
    std::fs::write(&file, format!("\nCPU,spr\nEVENT,A,NOT_DERIVED,cycles{texts}\nX\n")).unwrap();
    let path = file.to_str().unwrap();
    let text = stdout(&run(&["check", path]));
    assert!(text.len() < 300_000, "{}", text.len());
    assert!(text.contains(&format!("--> {path}:3:38\n")), "{}", &text[..400]);
    assert!(text.contains(&format!("--> {path}:4:1\n")) && text.contains("4 | X\n"), "{path}");
}
