//! `--own-cost`: what counting and sampling add to a command.

use crate::schema::check;
use crate::{objects, run, stderr, stdout};

#[test]
fn counting_says_what_it_added() {
    let output =
        run(&["stat", "--own-cost", "-r", "6", "-e", "page-faults", "--", "sleep", "0.05"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stderr(&output);
    let sentence = text.lines().find(|line| line.contains("counting added")).unwrap();
    assert!(sentence.contains("to the elapsed time"), "{sentence}");
    assert!(sentence.contains("(6 runs with it and 6 without, in turn)"), "{sentence}");
}

#[test]
fn the_record_has_the_bounds() {
    // The command leaves a line for each run: ten that are counted, and ten that are not.
    let folder = crate::symbols::folder("own-cost");
    let log = folder.join("log");
    let script = format!("echo run >> {}; sleep 0.02", log.display());
    let output =
        run(&["stat", "--own-cost", "--json", "-e", "page-faults", "--", "sh", "-c", &script]);
    assert!(output.status.success(), "{}", stderr(&output));
    check("stat", &stdout(&output), "--own-cost");
    assert_eq!(std::fs::read_to_string(&log).unwrap().lines().count(), 20);
    let objects = objects(&output);
    let summary = &objects.last().unwrap()["summary"];
    assert_eq!((&summary["runs"], &summary["own_cost"]["rounds"]), (&10.into(), &10.into()));
    let elapsed = &summary["own_cost"]["elapsed_percent"];
    let [low, estimate, high] =
        ["low", "estimate", "high"].map(|key| elapsed[key].as_f64().unwrap());
    assert!(low <= estimate && estimate <= high, "{elapsed}");
    // Counting page faults does not double the time of a command that sleeps.
    assert!(low < 100.0, "{elapsed}");
    assert!(stderr(&output).contains("counting added"), "{}", stderr(&output));
}

#[test]
fn sampling_says_what_it_added_after_the_profile() {
    let output = run(&["profile", "--own-cost", "--", "sh", "-c", "echo shown; sleep 0.02"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stderr(&output);
    assert!(text.contains("sampling added"), "{text}");
    assert!(text.contains("(10 runs with it and 10 without, in turn)"), "{text}");
    // What the further runs print is thrown away.
    assert_eq!(stdout(&output).matches("shown").count(), 1);
}

#[test]
fn a_command_that_fails_is_not_run_again() {
    let output = run(&["profile", "--own-cost", "--", "sh", "-c", "exit 3"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(!stderr(&output).contains("sampling added"), "{}", stderr(&output));
    assert!(stderr(&output).contains("not measured, as the command failed"), "{}", stderr(&output));
}
