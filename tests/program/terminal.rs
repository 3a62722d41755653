//! The output of `stat` on a terminal: its width, and colours.

use crate::{counterpoint, run, stderr, stdout};
use nix::pty::{Winsize, openpty};
use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};

/// Runs the program with its standard error on a terminal of so many columns, and returns what it wrote there.
fn on_terminal(columns: u16, args: &[&str], variables: &[(&str, &str)]) -> String {
    shown(columns, args, variables, |command, terminal| command.stderr(terminal))
}

/// The same with a stream that `attach` chooses.
pub(crate) fn shown(
    columns: u16,
    args: &[&str],
    variables: &[(&str, &str)],
    attach: impl Fn(&mut Command, Stdio) -> &mut Command,
) -> String {
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    let terminal = openpty(&size, None).unwrap();
    let mut command = counterpoint(args);
    command.env_remove("NO_COLOR").env("TERM", "xterm").envs(variables.iter().copied());
    let mut child = attach(&mut command, Stdio::from(terminal.slave)).spawn().unwrap();
    // It holds the other end of the terminal.
    drop(command);
    let mut bytes = Vec::new();
    // When the last process has closed the other end, the kernel returns an error.
    let _ = File::from(terminal.master).read_to_end(&mut bytes);
    child.wait().unwrap();
    String::from_utf8(bytes).unwrap().replace("\r\n", "\n")
}

fn args(color: &str) -> Vec<&str> {
    let events =
        "task-clock,page-faults:u,context-switches,cpu-migrations,minor-faults,major-faults";
    vec!["stat", "--color", color, "-r", "2", "-e", events, "--", "true"]
}

fn without_marks(text: &str) -> String {
    text.replace("\x1b[1;31m", "").replace("\x1b[0m", "")
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for columns in [40, 60, 79] {
        let text = on_terminal(columns, &args("never"), &[]);
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= columns.into(), "{widest} of {columns}:\n{text}");
        assert!(text.contains("task-clock") && text.contains("seconds time elapsed"), "{text}");
    }
    // Elsewhere, lines are as long as they are.
    assert!(stderr(&run(&args("never"))).lines().any(|line| line.chars().count() > 60));
    let wide = on_terminal(300, &args("never"), &[]);
    let words = |text: &str| text.split_whitespace().next().map(str::to_string);
    assert_eq!(words(&wide), words(&on_terminal(40, &args("never"), &[])));
}

#[test]
fn what_was_not_counted_is_red_where_colours_are_wanted() {
    // An event that never happens because the process has ended is not counted.
    let never =
        |color| ["stat", "--color", color, "-D", "60000", "-e", "page-faults", "--", "true"];
    let red = "\x1b[1;31m";
    let on = |color, variables: &[(&str, &str)]| on_terminal(200, &never(color), variables);
    assert!(on("auto", &[]).contains(red));
    assert!(on("always", &[("NO_COLOR", "1")]).contains(red));
    assert!(!on("auto", &[("NO_COLOR", "1")]).contains(red));
    assert!(!on("never", &[]).contains(red));
    let piped = |color| stderr(&run(&never(color)));
    assert!(piped("always").contains(red) && !piped("auto").contains(red));
    assert_eq!(without_marks(&piped("always")).lines().nth(3), piped("never").lines().nth(3));
    let refused = run(&["stat", "--color", "sometimes", "true"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("auto, always, never"), "{}", stderr(&refused));
}

/// What does not fit stands below the last column, and no word is lost or broken.
#[test]
fn tables_of_events_fit_on_the_terminal() {
    for args in [
        &["doctor"][..],
        &["list", "vmstat"],
        &["list", "--pmu", "skl", "L1D"],
        &["list", "software"],
        &["show", "skl::L1D:REPLACEMENT"],
        &["show", "ipc"],
        &["plan", "page-faults,task-clock,net/lo/rx_bytes/,no-such-event"],
        &[
            "plan",
            "--pmu",
            "skl",
            "cycles,instructions,L1D:REPLACEMENT,BR_MISP_RETIRED:ALL_BRANCHES",
        ],
    ] {
        let stdout_of = |args: &[&str]| stdout(&run(args));
        let text = shown(80, args, &[], |command, terminal| command.stdout(terminal));
        let whole = stdout_of(args);
        // Times that are measured are not the same twice.
        let word = |word: &str| if word.parse::<u64>().is_ok() { "0" } else { word }.to_string();
        let words = |text: &str| text.split_whitespace().map(word).collect::<Vec<_>>();
        assert_eq!(words(&text), words(&whole), "{args:?}");
        let longest = words(&whole).iter().map(|word| word.chars().count()).max().unwrap_or(0);
        for line in text.lines().filter(|_| longest <= 40) {
            assert!(line.chars().count() <= 80, "{args:?}: {line}");
        }
    }
    let json = shown(80, &["doctor", "--json"], &[], |command, terminal| command.stdout(terminal));
    let is_whole = |line: &str| serde_json::from_str::<serde_json::Value>(line).is_ok();
    assert!(json.lines().count() > 3 && json.lines().all(is_whole), "{json}");
}
