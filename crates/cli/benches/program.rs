//! The whole process of `counterpoint stat -e task-clock true` beside `perf stat` and beside the least C program that does it,
//! what a profile takes longer than its command, and the CPU time of lists and of commands with 20,000 definitions.
//!
//! `cargo bench -p counterpoint-cli --bench program` measures interleaved rounds, and fails when a limit is passed.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint::perf::process::children_times;
use row::{Limit, alone, compared};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use turns::{in_turn, pairs, scaled, turns};

#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const ROUNDS: usize = 200;
const OF_PERF: f64 = 1.0 / 6.0;
const OF_MINIMAL: f64 = 1.3;

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    let stat = ["stat", "-e", "task-clock", "true"];
    let mut ours = Case::new(&installed().to_string_lossy(), &stat);
    let mut peers = vec![("the command alone", Case::new("true", &[]), Limit::None)];
    match minimal() {
        Ok(path) => peers.push((
            "minimal C",
            Case::new(&path.to_string_lossy(), &["true"]),
            Limit::Times(OF_MINIMAL),
        )),
        Err(reason) => println!("skipped: minimal C: {reason}"),
    }
    match Command::new("perf").arg("--version").output() {
        Ok(_) => peers.push(("perf stat", Case::new("perf", &stat), Limit::Times(OF_PERF))),
        Err(_) => {
            println!("skipped: perf stat: not installed (Debian: apt-get install linux-perf)")
        }
    }
    // In pairs: who always comes after `perf` finds the caches full of it.
    let mut within: Vec<bool> = peers
        .iter_mut()
        .map(|(name, peer, limit)| {
            compared("stat -e task-clock true", "µs", name, &wall_times(&mut ours, peer), *limit)
        })
        .collect();
    within.push(metrics());
    within.extend(profiles());
    within.extend(lists());
    within.extend(definitions());
    if within.contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// A metric that is built in, beside the event that it is computed from.
fn metrics() -> bool {
    const LATER: Limit = Limit::Times(2.0);
    let program = installed();
    let [mut metric, mut event] =
        [["stat", "-M", "cpu_utilization", "true"], ["stat", "-e", "task-clock", "true"]]
            .map(|args| Case::new(&program.to_string_lossy(), &args));
    let rounds = wall_times(&mut metric, &mut event);
    compared("stat -M cpu_utilization true", "µs", "stat -e", &rounds, LATER)
}

/// Measures the time that a profile adds to its command: with samples of the kernel, whose functions' names are to be found, and without.
fn profiles() -> [bool; 2] {
    const LATER: Limit = Limit::More(10.0);
    /// Nearly all of its time is in the kernel.
    const COMMAND: [&str; 5] = ["dd", "if=/dev/zero", "of=/dev/null", "bs=1M", "count=1000"];
    let program = installed();
    ["task-clock", "task-clock:u"].map(|event| {
        let args = [&["profile", "-c", "1000000", "-e", event], &COMMAND[..]].concat();
        let mut ours = Case::new(&program.to_string_lossy(), &args);
        let mut alone = Case::new(COMMAND[0], &COMMAND[1..]);
        let rounds = scaled(&turns(50, 1, || ours.run(), || alone.run()), 1e-6);
        compared(&format!("profile -e {event}, dd of 1 GB"), "ms", "alone", &rounds, LATER)
    })
}

/// The CPU time of lists of events, beside the tools that print such lists.
fn lists() -> Vec<bool> {
    let lists = [
        (["list", "--presets"], "papi_avail", &[][..], "papi-tools", Limit::Most(3.0)),
        (["list", "--all"], "perf", &["list"][..], "linux-perf", Limit::Most(300.0)),
    ];
    let program = installed();
    let row = |(words, peer, args, package, limit): ([&str; 2], &str, &[&str], &str, Limit)| {
        let name = format!("{} {}, CPU time", words[0], words[1]);
        let mut ours = Case::new(&program.to_string_lossy(), &words);
        let mut theirs = Case::new(peer, args);
        if Command::new(peer).arg("--help").output().is_err() {
            println!("skipped: {peer}: not installed (Debian: apt-get install {package})");
            let rounds: Vec<f64> = (0..20).map(|_| 1e3 * ours.cpu_seconds()).collect();
            return alone(&name, "ms", &rounds, limit);
        }
        let rounds = in_turn(20, [&mut || ours.cpu_seconds(), &mut || theirs.cpu_seconds()]);
        compared(&name, "ms", peer, &scaled(&pairs(&rounds, 0, 1), 1e3), limit)
    };
    lists.into_iter().map(row).collect()
}

/// Commands that look 30 of 20,000 definitions up, each within its limit or not.
///
/// The period is longer than the command, so that no time is spent on samples.
fn definitions() -> Vec<bool> {
    /// Seconds.
    const MOST: Limit = Limit::Most(0.3);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("definitions.csv");
    let line = |index: usize| match index % 50 {
        0 => format!("EVENT,D{index},DERIVED_ADD,page-faults,task-clock\n"),
        _ => {
            format!("EVENT,D{index},DERIVED_INFIX,N0/N1+N2,page-faults,task-clock,D{}\n", index - 1)
        }
    };
    std::fs::write(&file, (0..20_000).map(line).collect::<String>()).unwrap();
    let names: Vec<String> = (0..30).map(|index| format!("D{}", 600 * index + 49)).collect();
    let (list, file) = (names.join(","), file.to_string_lossy());
    let mut show = vec!["show", "-f", &file];
    show.extend(names.iter().take(10).map(String::as_str));
    let commands = [
        vec!["stat", "-f", &file, "-e", &list, "true"],
        vec!["profile", "-f", &file, "-c", "1000000000", "-e", &list, "--format", "json", "true"],
        show,
        vec!["plan", "-f", &file, &list],
    ];
    let program = installed();
    let row = |args: &Vec<&str>| {
        let mut case = Case::new(&program.to_string_lossy(), args);
        let rounds: Vec<f64> = (0..5).map(|_| case.cpu_seconds()).collect();
        alone(&format!("{} with 20,000 definitions, CPU time", args[0]), "s", &rounds, MOST)
    };
    commands.iter().map(row).collect()
}

/// The CPU time of all children that have ended.
fn cpu_seconds_of_children() -> f64 {
    let (user, system) = children_times().unwrap();
    (user + system).as_secs_f64()
}

/// Microseconds of two commands, in each of a number of rounds.
fn wall_times(ours: &mut Case, peer: &mut Case) -> Vec<(f64, f64)> {
    scaled(&turns(ROUNDS, 1, || ours.run(), || peer.run()), 1e-3)
}

/// A command that is run again and again.
struct Case(Command);

impl Case {
    fn new(program: &str, args: &[&str]) -> Case {
        let mut command = Command::new(program);
        command.args(args).stdout(Stdio::null()).stderr(Stdio::null());
        Case(command)
    }

    fn run(&mut self) {
        let status = self.0.status().unwrap();
        assert!(status.success(), "{:?}", self.0);
    }

    /// Runs it, and returns its CPU time.
    fn cpu_seconds(&mut self) -> f64 {
        let before = cpu_seconds_of_children();
        self.run();
        cpu_seconds_of_children() - before
    }
}

/// The program, copied as an installation does: as the linker leaves it, its pages lie one by one in memory, and a start takes a tenth longer.
fn installed() -> PathBuf {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("counterpoint");
    std::fs::copy(env!("CARGO_BIN_EXE_counterpoint"), &program).unwrap();
    program
}

fn minimal() -> Result<PathBuf, String> {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("minimal_stat");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/minimal_stat.c");
    match Command::new("cc").arg("-O2").arg("-o").arg(&program).arg(source).status() {
        Ok(status) if status.success() => Ok(program),
        Ok(_) => Err("cc failed".to_string()),
        Err(error) => Err(format!("cc: {error}")),
    }
}
