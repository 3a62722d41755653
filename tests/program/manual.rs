//! The manual pages: every column is described, and the examples run.

use crate::temporary::Folder;
use crate::{has_tools, run, stderr, stdout};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// The pages that are written.
const PAGES: [&[&str]; 10] = [
    &[],
    &["stat"],
    &["stat", "diff"],
    &["list"],
    &["profile"],
    &["report"],
    &["report", "diff"],
    &["merge"],
    &["exporter"],
    &["events"],
];

/// The order of the sections; those of the options are not among them.
const SECTIONS: [&str; 11] = [
    "NAME",
    "SYNOPSIS",
    "DESCRIPTION",
    "EVENTS",
    "OUTPUT",
    "EXIT STATUS",
    "ENVIRONMENT",
    "FILES",
    "NOTES",
    "EXAMPLES",
    "SEE ALSO",
];

fn page(names: &[&str]) -> String {
    let output = run(&[&["man"], names].concat());
    assert_eq!(output.status.code(), Some(0), "{names:?}: {}", stderr(&output));
    stdout(&output)
}

fn sections(page: &str) -> Vec<&str> {
    page.lines().filter_map(|line| Some(line.strip_prefix(".SH ")?.trim_matches('"'))).collect()
}

/// The words that a page has in bold at the beginning of an item.
fn items(page: &str) -> Vec<String> {
    let after = page.split(".TP\n").skip(1).filter_map(|item| item.lines().next());
    let bold = after.filter_map(|line| line.strip_prefix(".BR ").or(line.strip_prefix(".B ")));
    bold.flat_map(|line| line.split(' ')).map(|word| word.replace('\\', "")).collect()
}

#[test]
fn pages_have_their_sections_in_order() {
    for names in PAGES {
        let page = page(names);
        let found = sections(&page);
        for needed in ["NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "SEE ALSO"] {
            let times = found.iter().filter(|name| **name == needed).count();
            assert_eq!(times, 1, "{names:?}: {needed} in {found:?}");
        }
        let places: Vec<usize> = found
            .iter()
            .filter_map(|name| SECTIONS.iter().position(|section| section == name))
            .collect();
        assert!(places.is_sorted(), "{names:?}: {found:?}");
    }
    for names in
        [&["stat"][..], &["stat", "diff"], &["list"], &["profile"], &["merge"], &["exporter"]]
    {
        let page = page(names);
        let found = sections(&page);
        let has = |name: &str| found.contains(&name);
        assert!(has("OPTIONS") && has("OUTPUT") && has("EXIT STATUS"), "{names:?}: {found:?}");
    }
}

/// The text after the options of `--help` is in the page, too.
#[test]
fn pages_that_are_not_written_have_the_examples_of_the_help() {
    let page = page(&["doctor"]);
    assert_eq!(sections(&page).last(), Some(&"SEE ALSO"));
    assert!(sections(&page).contains(&"EXIT STATUS"), "{page}");
    assert!(page.contains("\n  counterpoint doctor\n"), "{page}");
}

#[test]
fn every_column_of_csv_is_described() {
    let folder = Folder::new("manual-columns");
    let report = folder.path("0.jsonl");
    let written = run(&["stat", "--json", "-o", &report, "-e", "page-faults", "true"]);
    assert!(written.status.success(), "{}", stderr(&written));
    let compared = ["stat", "--csv", "-r", "2", "--compare", "true", "true"];
    for (names, args) in [
        (&["stat"][..], &["stat", "--csv", "-e", "page-faults", "true"][..]),
        (&["stat", "diff"], &compared),
        (&["merge"], &["merge", "--csv", &report]),
        (&["merge"], &["merge", "--csv", "--by", "rank", &report]),
    ] {
        let output = run(args);
        let text = stdout(&output);
        let heading = text.lines().next().unwrap_or_else(|| panic!("{}", stderr(&output)));
        let described = items(&page(names));
        let columns: Vec<&str> = heading.split(',').collect();
        assert!(columns.len() > 15 && columns[0] == "event", "{heading}");
        for column in columns {
            assert!(described.iter().any(|item| item == column), "{names:?}: {column}");
        }
    }
}

#[test]
fn every_example_runs() {
    let folder = Folder::new("manual-examples");
    let solve = folder.path("solve");
    // It takes some time of a processor, as an example that compares profiles needs samples.
    let script = "#!/bin/sh\ni=0\nwhile [ $i -lt 30000 ]; do i=$((i + 1)); done\n";
    std::fs::write(&solve, script).unwrap();
    std::fs::set_permissions(&solve, std::fs::Permissions::from_mode(0o755)).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_counterpoint")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut count = 0;
    for names in PAGES {
        let page = page(names);
        let examples = page.split(".SH EXAMPLES").nth(1).unwrap();
        for line in examples.lines().filter(|line| line.starts_with("counterpoint ")) {
            let mut shell = Command::new("sh");
            shell.args(["-c", line]).current_dir(&folder.0).env("PATH", &path);
            let output = shell.output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{line}: {}", stderr(&output));
            count += 1;
        }
    }
    assert!(count > 30, "{count} examples");
}

#[test]
fn groff_has_nothing_to_say_about_a_page() {
    if !has_tools(&["groff"]) {
        return;
    }
    let others: [&[&str]; 5] =
        [&["dispatch"], &["eval"], &["catalog", "dump"], &["annotate"], &["top"]];
    for names in PAGES.iter().chain(&others) {
        let mut groff = Command::new("groff");
        groff.args(["-man", "-Kutf8", "-Tutf8", "-rLL=120n", "-ww", "-z"]);
        groff.stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut child = groff.spawn().unwrap();
        child.stdin.take().unwrap().write_all(page(names).as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{}", stderr(&output));
    }
}
