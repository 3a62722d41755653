//! The output of `stat` on a terminal: its width, and colours.

use crate::{counterpoint, run, stderr};
use nix::pty::{Winsize, openpty};
use std::fs::File;
use std::io::Read;
use std::process::Stdio;

/// Runs the program with its standard error on a terminal of so many columns, and returns what it wrote there.
fn on_terminal(columns: u16, args: &[&str], variables: &[(&str, &str)]) -> String {
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    let terminal = openpty(&size, None).unwrap();
    let mut command = counterpoint(args);
    command.env_remove("NO_COLOR").env("TERM", "xterm").envs(variables.iter().copied());
    let mut child = command.stderr(Stdio::from(terminal.slave)).spawn().unwrap();
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
