//! What `stat` does around the runs of a command, as hyperfine does.

use crate::{objects, rows, run, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A file to which commands add lines.
struct Log(PathBuf);

impl Log {
    fn new(name: &str) -> Log {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("runs");
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name);
        let _ = fs::remove_file(&path);
        Log(path)
    }

    /// A command for a shell that adds a line.
    fn line(&self, word: &str) -> String {
        format!("echo {word} >> {}", self.0.display())
    }

    fn words(&self) -> String {
        fs::read_to_string(&self.0).unwrap_or_default().replace('\n', " ").trim_end().to_string()
    }
}

#[test]
fn one_command_is_warm_and_prepared() {
    let log = Log::new("one");
    let [setup, prepare, conclude, cleanup, command] =
        ["setup", "prepare", "conclude", "cleanup", "run"].map(|word| log.line(word));
    let options = ["stat", "-r", "2", "--warmup", "1", "-e", "page-faults", "--json"];
    let around = ["--setup", &setup, "--prepare", &prepare, "--conclude", &conclude];
    let command = ["--cleanup", &cleanup, "--", "sh", "-c", &command];
    let output = run(&[&options[..], &around, &command].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let runs = ["prepare run conclude"; 3].join(" ");
    assert_eq!(log.words(), format!("setup {runs} cleanup"));
    let (rows, summary) = rows(&output);
    assert_eq!(summary["summary"]["runs"], 2, "a warm-up is left out");
    assert_eq!(rows[0]["runs"], 2, "{rows:?}");
}

/// The page faults of `sh` that prepares a run are not those of the command.
#[test]
fn what_prepares_a_run_is_not_counted() {
    let faults = |options: &[&str]| {
        let args = [&["stat", "--json", "-e", "page-faults"], options, &["--", "true"]].concat();
        rows(&run(&args)).0[0]["value"].as_f64().unwrap()
    };
    let (plain, prepared) = (faults(&[]), faults(&["--prepare", "ls /", "--conclude", "ls /"]));
    assert!((plain - prepared).abs() < 15.0, "{plain} and {prepared}");
}

#[test]
fn a_failure_around_a_run_says_which_it_is() {
    for option in ["--setup", "--prepare", "--conclude", "--cleanup"] {
        for command in [&["--", "true"][..], &["--compare", "true", "sh -c :"]] {
            let args =
                [&["stat", "-r", "2", "-e", "page-faults", option, "exit 3"], command].concat();
            let output = run(&args);
            assert_eq!(output.status.code(), Some(2), "{args:?}");
            let expected = format!("`{option} exit 3` failed: exit status 3");
            assert!(stderr(&output).contains(&expected), "{args:?}: {}", stderr(&output));
        }
    }
    let log = Log::new("failed");
    let cleanup = log.line("cleanup");
    let args = ["stat", "--prepare", "false", "--cleanup", &cleanup, "--", "true"];
    assert_eq!(run(&args).status.code(), Some(2));
    assert_eq!(log.words(), "cleanup", "what was set up is cleaned up");
}

/// A setup may undo that of another command, so that commands with setups do not take turns.
#[test]
fn each_command_has_its_setup() {
    let log = Log::new("setups");
    let [one, two, cleanup] = ["one", "two", "cleanup"].map(|word| log.line(word));
    let [a, b] = ["a", "b"].map(|word| format!("sh -c \"{}\"", log.line(word)));
    let options = ["stat", "-r", "2", "--warmup", "0", "-e", "page-faults", "--json"];
    let around = ["--setup", &one, "--setup", &two, "--cleanup", &cleanup];
    let output = run(&[&options[..], &around, &["--compare", &a, &b]].concat());
    assert_eq!(log.words(), "one a a cleanup two b b cleanup", "{}", stderr(&output));
    let (_, summary) = rows(&output);
    assert_eq!(summary["summary"]["design"], "samples");
    let sentences = summary["summary"]["sentences"].to_string();
    assert!(
        sentences.contains("without --setup and --cleanup, the commands take turns"),
        "{sentences}"
    );
    let args = ["stat", "--prepare", "true", "--prepare", "true", "--", "true"];
    let output = run(&args);
    assert!(stderr(&output).contains("2 times --prepare for 1 command"), "{}", stderr(&output));
}

#[test]
fn a_reference_is_the_base() {
    let args = ["stat", "-r", "2", "-e", "page-faults", "--json", "--reference", "sh -c :"];
    let names = ["--command-name", "mine", "--", "true"];
    let (_, summary) = rows(&run(&[&args[..], &names].concat()));
    let titles: Vec<&Value> =
        summary["summary"]["sides"].as_array().unwrap().iter().map(|side| &side["title"]).collect();
    assert_eq!(titles, ["sh -c :", "mine"]);
    let args = [&args[..], &["--compare", "true", "true"]].concat();
    let sides = rows(&run(&args)).1["summary"]["sides"].as_array().unwrap().len();
    assert_eq!(sides, 3);
}

#[test]
fn commands_have_names() {
    let text = stderr(&run(&["stat", "--command-name", "build", "-e", "page-faults", "true"]));
    assert!(text.contains("stats for 'build'"), "{text}");
    let args =
        ["stat", "-r", "2", "-e", "page-faults", "--command-name", "old", "--command-name", "new"];
    let text = stdout(&run(&[&args[..], &["--compare", "true", "true"]].concat()));
    assert!(text.contains(" A: old (2 runs)\n B: new (2 runs)\n"), "{text}");
    let output = run(&[&args[..], &["--", "true"]].concat());
    // The name of one command is the first.
    assert!(stderr(&output).contains("stats for 'old'"), "{}", stderr(&output));
}

#[test]
fn a_command_reads_a_file() {
    let args = ["stat", "-r", "1", "--warmup", "0", "-e", "page-faults", "--show-output"];
    let output = run(&[&args[..], &["--compare", "head -c 9 < README.md", "true"]].concat());
    assert!(stdout(&output).contains("# Counter"), "{}", stdout(&output));
}

#[test]
fn no_shell_is_the_usual_way() {
    let args =
        ["stat", "-N", "-r", "2", "-e", "page-faults", "--json", "--compare", "true", "true"];
    assert_eq!(objects(&run(&args)).len(), 3);
    assert!(run(&["stat", "-N", "-e", "page-faults", "--", "true"]).status.success());
}

/// A command of a millisecond is longer with events, which text says if the time is one of several runs.
#[test]
fn a_short_command_is_said_to_be_short() {
    let text = |args: &[&str]| {
        let output = run(args);
        stdout(&output) + &stderr(&output)
    };
    let sentence = "-n counts nothing, and shows the time alone";
    let long = text(&["stat", "-r", "2", "-e", "page-faults", "sleep", "0.02"]);
    assert!(!long.contains(sentence), "{long}");
    assert!(!text(&["stat", "-r", "2", "-n", "true"]).contains(sentence));
    assert!(!text(&["stat", "-e", "page-faults", "true"]).contains(sentence));
    // On a machine that is busy, a short command may take long.
    let short =
        (0..50).any(|_| text(&["stat", "-r", "2", "-e", "page-faults", "true"]).contains(sentence));
    assert!(short);
}
