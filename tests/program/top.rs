//! `counterpoint top`, in a terminal of the test.

use crate::{counterpoint, has_tools, may_count_cpus, run, stderr};
use nix::fcntl::OFlag;
use nix::pty::{grantpt, posix_openpt, ptsname_r, unlockpt};
use nix::sys::termios::{Termios, tcgetattr};
use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Takes the name `argv[1]`, prints much, and spends three quarters of `argv[2]` seconds of CPU time in `hottest` and a quarter in `warmer`. With a third argument, it has page faults.
const SPIN: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
volatile unsigned long sink;
__attribute__((noinline)) void hottest(void) { for (int i = 0; i < 30000; i++) sink = sink * 31 + i; }
__attribute__((noinline)) void warmer(void) { for (int i = 0; i < 10000; i++) sink = sink * 33 + i; }
int main(int argc, char **argv) {
    prctl(PR_SET_NAME, argv[1]);
    fputs("NOISE on standard error\n", stderr);
    puts("NOISE on standard output");
    fflush(stdout);
    double end = atof(argv[2]);
    while ((double)clock() / CLOCKS_PER_SEC < end) {
        hottest();
        warmer();
        if (argc > 3) {
            char *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            *page = 1;
            munmap(page, 4096);
        }
    }
    return 7;
}
"#;

/// The program, built once; `None` if the machine has no C compiler.
pub(crate) fn spin() -> Option<PathBuf> {
    static BUILT: std::sync::Once = std::sync::Once::new();
    if !has_tools(&["gcc", "stty"]) {
        return None;
    }
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("spin");
    BUILT.call_once(|| build(&program, SPIN));
    Some(program)
}

pub(crate) fn build(program: &Path, text: &str) {
    let source = program.with_extension("c");
    std::fs::write(&source, text).unwrap();
    let mut gcc = Command::new("gcc");
    gcc.args(["-O1", "-g", "-o"]).args([program, &source]);
    assert!(gcc.status().unwrap().success());
}

/// The program in a terminal.
pub(crate) struct Top {
    child: Child,
    /// The end of the terminal at which a person sits.
    keyboard: File,
    /// The other end, until the program has ended.
    terminal: Option<File>,
    before: Termios,
    drawn: Arc<Mutex<Drawn>>,
    reader: Option<JoinHandle<()>>,
}

/// The text that has been written to the terminal.
struct Drawn {
    parser: vt100::Parser,
    bytes: Vec<u8>,
}

/// Whatever is waited for comes sooner, even on a machine that is busy with other tests.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A new terminal: the end at which a person sits, and the other one. No other process inherits them.
fn terminal(columns: u16, rows: u16) -> (File, File) {
    let flags = OFlag::O_RDWR | OFlag::O_NOCTTY | OFlag::O_CLOEXEC;
    let person = posix_openpt(flags).unwrap();
    grantpt(&person).unwrap();
    unlockpt(&person).unwrap();
    let mut open = File::options();
    open.read(true).write(true).custom_flags(OFlag::O_NOCTTY.bits());
    let terminal = open.open(ptsname_r(&person).unwrap()).unwrap();
    set_size(&terminal, columns, rows);
    (File::from(OwnedFd::from(person)), terminal)
}

fn set_size(terminal: &File, columns: u16, rows: u16) {
    let mut stty = Command::new("stty");
    stty.args(["rows", &rows.to_string(), "cols", &columns.to_string()]);
    assert!(stty.stdin(Stdio::from(terminal.try_clone().unwrap())).status().unwrap().success());
}

impl Top {
    pub(crate) fn start(columns: u16, rows: u16, args: &[&str], variables: &[(&str, &str)]) -> Top {
        let (master, slave) = terminal(columns, rows);
        let before = tcgetattr(&slave).unwrap();
        let end = || Stdio::from(slave.try_clone().unwrap());
        // As a shell in the foreground starts it: jobs in the background ignore interrupts.
        let mut command = Command::new("env");
        command.args(["--default-signal=INT,HUP,TERM", env!("CARGO_BIN_EXE_counterpoint"), "top"]);
        command
            .args(args)
            .env_remove("NO_COLOR")
            .env("TERM", "xterm")
            .envs(variables.iter().copied());
        let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
        let [rows, columns] = [rows, columns].map(|size| NonZeroU16::new(size).unwrap());
        let drawn = Drawn { parser: vt100::Parser::new(rows, columns, 0), bytes: Vec::new() };
        let drawn = Arc::new(Mutex::new(drawn));
        let (to, mut from) = (drawn.clone(), master.try_clone().unwrap());
        let reader = std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // When both ends of the terminal are closed, the kernel returns an error.
            while let Ok(count @ 1..) = from.read(&mut bytes) {
                let mut drawn = to.lock().unwrap_or_else(PoisonError::into_inner);
                drawn.parser.process(&bytes[..count]);
                drawn.bytes.extend(&bytes[..count]);
            }
        });
        let (terminal, reader) = (Some(slave), Some(reader));
        Top { child, keyboard: master, terminal, before, drawn, reader }
    }

    /// On a spinning program of this name.
    pub(crate) fn spinning(columns: u16, rows: u16, options: &[&str], name: &str) -> Option<Top> {
        let spin = spin()?;
        let command = ["--", spin.to_str().unwrap(), name, "1000"];
        Some(Top::start(columns, rows, &[&["-d", "0.25"], options, &command].concat(), &[]))
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// The screen.
    fn text(&self) -> String {
        let drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        drawn.parser.screen().contents()
    }

    fn bytes(&self) -> String {
        let drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&drawn.bytes).into_owned()
    }

    /// Waits for a screen; returns it.
    pub(crate) fn wait(&mut self, what: &str, is_so: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        loop {
            let text = self.text();
            if is_so(&text) {
                return text;
            }
            assert!(begun.elapsed() < PATIENCE, "no {what}:\n{text}");
            if let Some(status) = self.child.try_wait().unwrap() {
                panic!("{what}: ended, {status:?}:\n{}", self.text());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn wait_for(&mut self, text: &str) -> String {
        self.wait(text, |screen| screen.contains(text))
    }

    fn resize(&mut self, columns: u16, rows: u16) {
        let [to_rows, to_columns] = [rows, columns].map(|size| NonZeroU16::new(size).unwrap());
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        drawn.parser.screen_mut().set_size(to_rows, to_columns);
        set_size(self.terminal.as_ref().unwrap(), columns, rows);
    }

    fn signal(&self, name: &str) {
        let mut kill = Command::new("kill");
        assert!(kill.args([name, &self.child.id().to_string()]).status().unwrap().success());
    }

    /// Waits for the end; the terminal is as it was before.
    pub(crate) fn end(mut self) -> Ended {
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(begun.elapsed() < PATIENCE, "it does not end:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(5));
        };
        let terminal = self.terminal.take().unwrap();
        assert!(tcgetattr(&terminal).unwrap() == self.before, "the modes of the terminal");
        // Nobody has this end any more, and so what is read ends.
        drop(terminal);
        self.reader.take().unwrap().join().unwrap();
        let drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        let screen = drawn.parser.screen();
        assert!(!screen.alternate_screen(), "the screen is given back");
        assert!(!screen.hide_cursor(), "the cursor is there");
        Ended {
            code: status.code(),
            screen: screen.contents(),
            bytes: String::from_utf8_lossy(&drawn.bytes).into_owned(),
        }
    }
}

/// The state at the end.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    screen: String,
    /// Everything that was written to the terminal.
    bytes: String,
}

impl Drop for Top {
    fn drop(&mut self) {
        // A test that failed leaves nothing running, not even the command.
        if self.child.try_wait().is_ok_and(|status| status.is_none()) {
            let _ = Command::new("kill").arg(self.child.id().to_string()).status();
            let _ = self.child.wait();
        }
    }
}

/// The first line of the screen that has a text.
pub(crate) fn line<'a>(screen: &'a str, text: &str) -> &'a str {
    screen.lines().find(|line| line.contains(text)).unwrap_or_else(|| panic!("{text}:\n{screen}"))
}

#[test]
fn the_hottest_function_the_thread_and_the_line_are_named() {
    let Some(mut top) = Top::spinning(80, 24, &[], "named-thread") else { return };
    // A line is `SHARE% ±ERROR% SAMPLES FUNCTION MODULE`.
    let samples = |screen: &str, name: &str| -> Option<f64> {
        let line = screen.lines().find(|line| line.contains(name))?;
        line.split('%').nth(2)?.split_whitespace().next()?.parse().ok()
    };
    // An interval in which the machine is busy with others has too few samples to tell; of a hundred, the function that has
    // three quarters has more than twice those of the other one, and none that has half of them has.
    let screen = top.wait("samples", |screen| {
        let (hottest, warmer) = (samples(screen, "hottest"), samples(screen, "warmer"));
        hottest.zip(warmer).is_some_and(|(hottest, warmer)| {
            hottest + warmer >= 100.0 && hottest > 2.2 * warmer && warmer > 0.0
        })
    });
    assert!(line(&screen, "hottest").contains("spin") && screen.contains("0 lost"), "{screen}");
    assert!(!screen.contains("NOISE"), "the command does not write into the screen:\n{screen}");
    for counter in ["task-clock", "context-switches", "page-faults"] {
        line(&screen, counter);
    }
    top.press("2");
    top.wait("threads", |screen| {
        let mut rows = screen.lines().filter(|line| line.contains("  named-thread  "));
        screen.contains(" tid  name") && rows.any(|row| row.contains("100.00%"))
    });
    top.press("\t");
    line(&top.wait_for("spin.c:8"), "spin.c:8");
    top.press("1?");
    top.wait_for("Any key closes this help");
    top.press("x");
    top.wait_for("hottest");
    top.press("q");
    let ended = top.end();
    assert_eq!((ended.code, ended.screen.trim()), (Some(0), ""));
}

#[test]
fn nothing_changes_during_a_pause() {
    let Some(mut top) = Top::spinning(80, 24, &[], "spin") else { return };
    top.wait_for("hottest");
    top.press("p");
    let paused = top.wait_for("PAUSED");
    // Four intervals.
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(1) {
        assert_eq!(top.text(), paused);
        std::thread::sleep(Duration::from_millis(20));
    }
    top.press("s");
    top.wait_for("by function");
    top.press(" ");
    let of_clock = line(&paused, "task-clock ").to_string();
    top.wait("new interval", |screen| {
        !screen.contains("PAUSED") && !screen.contains(&of_clock) && screen.contains("hottest")
    });
    top.press("\x03");
    assert_eq!(top.end().code, Some(0), "Ctrl-C is a key");
}

#[test]
fn rows_are_filtered_by_what_is_typed() {
    let Some(mut top) = Top::spinning(80, 24, &[], "spin") else { return };
    let both = |screen: &str| screen.contains("hottest") && screen.contains("warmer");
    top.wait("both functions", both);
    top.press("/WARM");
    top.wait("filtered", |s| s.contains("filter: WARM") && s.contains("warmer") && !both(s));
    // The kernel has functions with most letters, such as those for an IRQ.
    top.press("\x7f\x7f\x7f\x7fzqx\r");
    top.wait_for("no row contains");
    top.press("/\x1b");
    top.wait("both functions again", both);
    // A sequence that comes in two parts is one key, and an escape alone another.
    top.press("\x1b");
    assert_eq!(top.end().code, Some(0));
}

#[test]
fn every_signal_that_ends_it_restores_the_terminal() {
    let Some(spin) = spin() else { return };
    for (signal, code) in
        [("-TERM", 143), ("-INT", 130), ("-HUP", 129), ("-QUIT", 131), ("-USR1", 138)]
    {
        let Some(mut top) = Top::spinning(80, 24, &[], "spin") else { return };
        top.wait_for("hottest");
        top.signal(signal);
        assert_eq!(top.end().code, Some(code), "that of the command");
        // Without a command, it is that of the signal.
        let mut process = Command::new(&spin);
        let mut process = process
            .args(["spin", "1000"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let pid = process.id().to_string();
        let mut top = Top::start(80, 24, &["-d", "0.25", "-p", &pid], &[]);
        top.wait_for("hottest");
        top.signal(signal);
        let ended = top.end().code;
        process.kill().unwrap();
        process.wait().unwrap();
        assert_eq!(ended, Some(code), "{signal}");
    }
}

/// As a key and as a signal: the terminal is as it was before, until the program is continued.
#[test]
fn it_gives_the_terminal_back_while_it_is_suspended() {
    for as_key in [true, false] {
        let Some(mut top) = Top::spinning(80, 24, &[], "spin") else { return };
        top.wait_for("hottest");
        if as_key {
            top.press("\x1a")
        } else {
            top.signal("-TSTP")
        }
        let stat = format!("/proc/{}/stat", top.child.id());
        let state = || {
            std::fs::read_to_string(&stat).unwrap().rsplit(") ").next().unwrap()[..1].to_string()
        };
        let begun = Instant::now();
        while state() != "T" {
            assert!(begun.elapsed() < PATIENCE, "it is not suspended: {}", top.text());
            std::thread::sleep(Duration::from_millis(5));
        }
        let is_given_back = |top: &Top| {
            let drawn = top.drawn.lock().unwrap_or_else(PoisonError::into_inner);
            !drawn.parser.screen().alternate_screen() && !drawn.parser.screen().hide_cursor()
        };
        top.wait("screen given back", |_| true);
        let begun = Instant::now();
        while !is_given_back(&top) {
            assert!(begun.elapsed() < PATIENCE);
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(tcgetattr(top.terminal.as_ref().unwrap()).unwrap() == top.before);
        top.signal("-CONT");
        top.wait_for("hottest");
        assert!(!is_given_back(&top));
        top.press("q");
        assert_eq!(top.end().code, Some(0));
    }
}

#[test]
fn a_terminal_of_ascii_gets_nothing_else() {
    let Some(spin) = spin() else { return };
    let command = ["-d", "0.25", "--", spin.to_str().unwrap(), "spin", "1.5"];
    for (variable, value, is_ascii) in
        [("LC_ALL", "C", true), ("LC_ALL", "C.UTF-8", false), ("LC_CTYPE", "POSIX", true)]
    {
        let mut top = Top::start(80, 24, &command, &[("LC_ALL", ""), (variable, value)]);
        top.wait_for("hottest");
        let ended = top.end();
        assert_eq!(ended.bytes.is_ascii(), is_ascii, "{variable}={value}: {}", ended.screen);
    }
}

#[test]
fn it_ends_with_its_target_or_its_terminal() {
    let Some(spin) = spin() else { return };
    let spin = spin.to_str().unwrap();
    let command = ["-d", "0.25", "--", spin, "spin", "1.5"];
    let mut top = Top::start(80, 24, &command, &[]);
    top.wait_for("hottest");
    let Ended { code, screen, .. } = top.end();
    assert_eq!(code, Some(7), "the command's own");
    assert!(screen.contains("ended after") && screen.contains("0 samples lost"), "{screen}");
    // A busy machine may have left it no time in the last interval.
    let is_left = screen.contains("hottest") || screen.contains("did not run in this interval");
    assert!(is_left, "the last picture is left: {screen}");

    let mut process = Command::new(spin);
    let mut process =
        process.args(["spin", "1000"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let pid = process.id().to_string();
    let mut top = Top::start(80, 24, &["-d", "0.25", "-p", &pid], &[]);
    top.wait_for("hottest");
    process.kill().unwrap();
    process.wait().unwrap();
    let Ended { code, screen, .. } = top.end();
    assert_eq!(code, Some(0));
    assert!(screen.contains(&format!("process {pid}: ended after")), "{screen}");

    let mut top =
        Top::start(80, 24, &["-d", "0.25", "--iterations", "2", "--", spin, "spin", "1000"], &[]);
    top.wait_for("every 0.25 s");
    assert_eq!(top.end().code, Some(0));

    // Nobody sits at the other end any more.
    let (mut person, slave) = terminal(80, 24);
    let end = || Stdio::from(slave.try_clone().unwrap());
    let mut command = counterpoint(&["top", "--", spin, "spin", "1000"]);
    command.env("TERM", "xterm").stdin(end()).stdout(end()).stderr(end());
    let mut child = command.spawn().unwrap();
    drop((command, slave));
    assert!(person.read(&mut [0; 16]).unwrap() > 0);
    let children = format!("/proc/{0}/task/{0}/children", child.id());
    let children = std::fs::read_to_string(children).unwrap();
    assert!(!children.is_empty(), "the command runs");
    drop(person);
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < PATIENCE, "it goes on without a terminal");
        std::thread::sleep(Duration::from_millis(5));
    }
    let is_there = |pid: &str| Path::new("/proc").join(pid).exists();
    assert!(!children.split_whitespace().any(is_there), "the command is terminated");
}

#[test]
fn any_size_is_drawn_and_may_change() {
    let Some(mut top) = Top::spinning(20, 5, &[], "spin") else { return };
    top.wait_for("hottest");
    for (columns, rows) in [(80, 24), (300, 100), (40, 10), (20, 5), (80, 2), (1, 1), (2, 50)] {
        top.resize(columns, rows);
        // It draws anew, and again at the end of the next interval.
        let drawn = |top: &Top| top.bytes().matches("\x1b[0m").count();
        let before = drawn(&top);
        let begun = Instant::now();
        while drawn(&top) < before + 2 {
            assert!(begun.elapsed() < PATIENCE, "{columns}×{rows} is not drawn:\n{}", top.text());
            assert!(top.child.try_wait().unwrap().is_none(), "{columns}×{rows}: {}", top.bytes());
            std::thread::sleep(Duration::from_millis(5));
        }
        top.press("2?x13\x1b[B\x1b[C\x1b[D1");
    }
    top.resize(80, 24);
    top.wait("whole screen", |screen| screen.contains("hottest") && screen.contains("? help"));
    top.press("q");
    assert_eq!(top.end().code, Some(0));
}

#[test]
fn colours_are_there_only_where_they_are_wanted() {
    let Some(spin) = spin() else { return };
    let has_colours = |options: &[&str], variables: &[(&str, &str)]| {
        let command = ["-d", "0.25", "--", spin.to_str().unwrap(), "spin", "1000"];
        let mut top = Top::start(80, 24, &[options, &command].concat(), variables);
        top.wait_for("hottest");
        top.press("q");
        let bytes = top.end().bytes;
        let sequences = bytes.split("\x1b[").skip(1).filter_map(|rest| rest.split_once('m'));
        let mut codes = sequences.flat_map(|(codes, _)| codes.split(';'));
        codes.any(|code| matches!(code.parse(), Ok(30..=38 | 40..=48 | 90..=107)))
    };
    assert!(has_colours(&[], &[]));
    assert!(!has_colours(&[], &[("NO_COLOR", "1")]));
    assert!(!has_colours(&["--color", "never"], &[]));
    assert!(has_colours(&["--color", "always"], &[("NO_COLOR", "1")]));
}

#[test]
fn names_cannot_reach_the_terminal() {
    let Some(mut top) = Top::spinning(80, 24, &[], "a\x1b[31mb文") else { return };
    top.press("2");
    top.wait_for("a\\u001b[31mb文");
    // A wide character that does not fit is not cut in half.
    for columns in 40..62 {
        top.resize(columns, 24);
        top.wait("thread", |screen| screen.contains("100.00%"));
    }
    top.press("q");
    assert!(!top.end().bytes.contains("\x1b[31mb"));
}

#[test]
fn a_counter_that_is_not_counted_has_a_reason_and_no_number() {
    let counted = run(&["stat", "--json", "-e", "cycles", "true"]);
    if crate::stdout(&counted).contains("\"status\":\"counted\"") {
        println!("skipped: needs a machine without cycles");
        return;
    }
    let options = ["--stat", "cycles,page-faults"];
    let Some(mut top) = Top::spinning(100, 24, &options, "spin") else { return };
    let screen = top.wait_for("hottest");
    let cycles = line(&screen, "cycles: ");
    assert!(!cycles.contains(|c: char| c.is_ascii_digit()), "{screen}");
    assert!(cycles.split_whitespace().count() > 2, "{screen}");
    assert!(screen.contains("/s"), "{screen}");
    top.press("q");
    top.end();
}

#[test]
fn call_stacks_add_the_share_of_what_was_called() {
    let Some(mut top) = Top::spinning(100, 24, &["--call-graph", "dwarf"], "spin") else { return };
    // Main called all others; an interval with few samples does not show it.
    let share = |screen: &str| -> Option<f64> {
        let main = screen.lines().find(|line| line.contains(" main"))?;
        main.split('%').next()?.trim().parse().ok()
    };
    let screen = top.wait("main", |screen| {
        screen.contains("hottest") && share(screen).is_some_and(|share| share > 90.0)
    });
    line(&screen, "children");
    top.press("q");
    top.end();
}

#[test]
fn all_cpus_are_watched() {
    let Some(_alone) = may_count_cpus() else { return };
    let Some(spin) = spin() else { return };
    let command = ["-a", "-d", "0.5", "--", spin.to_str().unwrap(), "spin", "1000"];
    let mut top = Top::start(120, 60, &command, &[]);
    top.press("/hottest\r");
    top.wait("function", |screen| screen.contains("  hottest") && screen.contains("all CPUs"));
    top.press("q");
    assert_eq!(top.end().code, Some(0));
}

#[test]
fn mistakes_are_said_before_the_screen_is_taken() {
    for (args, words) in [
        (&["top"][..], "nothing to show: no command"),
        (&["top", "-d", "0.1", "-a"], "0.25 to 3600"),
        (&["top", "-e", "no-such-event", "--", "true"], "standard output is not a terminal"),
        (&["top", "-a"], "counterpoint profile prints tables"),
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(words), "{args:?}: {}", stderr(&output));
    }
    for (args, variables, words) in [
        (&["-p", "4194304"][..], &[][..], "4194304"),
        (&["-e", "no-such-event", "--", "true"], &[], "no-such-event"),
        (&["--stat", "no-such-event", "--", "true"], &[], "no-such-event"),
        (&["-M", "no_such_metric", "--", "true"], &[], "no_such_metric"),
        (&["--", "true"], &[("TERM", "dumb")], "TERM"),
    ] {
        let Ended { code, screen, bytes } = Top::start(80, 24, args, variables).end();
        assert_eq!(code, Some(2), "{args:?}");
        assert!(screen.contains("counterpoint: ") && screen.contains(words), "{args:?}: {screen}");
        assert!(!bytes.contains('\x1b'), "{bytes:?}");
    }
}
