use crate::root;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 200;
/// The whole process of the program, as a share of perf's.
const OF_PERF: f64 = 1.0 / 6.0;
/// The same, as a multiple of the least program that does it.
const OF_MINIMAL: f64 = 1.5;

/// Times `counterpoint stat -e task-clock true` beside its peers, then runs the benchmarks that have limits.
pub fn run() -> Result<(), String> {
    start_up()?;
    for (package, bench) in [
        ("counterpoint-perf", "read"),
        ("counterpoint-catalog24x7", "catalog"),
        ("counterpoint", "life"),
    ] {
        let status = Command::new("cargo")
            .args(["bench", "--quiet", "-p", package, "--bench", bench])
            .current_dir(root())
            .status()
            .map_err(|e| format!("cargo bench: {e}"))?;
        if !status.success() {
            return Err(format!("the benchmark `{bench}` of {package} failed"));
        }
    }
    Ok(())
}

struct Case {
    name: &'static str,
    command: Vec<String>,
    times: Vec<Duration>,
}

impl Case {
    fn new(name: &'static str, program: impl Into<String>, args: &[&str]) -> Case {
        let mut command = vec![program.into()];
        command.extend(args.iter().map(|arg| arg.to_string()));
        Case { name, command, times: Vec::new() }
    }

    fn time(&mut self) -> Result<(), String> {
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]).stdout(Stdio::null()).stderr(Stdio::null());
        let begun = Instant::now();
        let status = command.status().map_err(|e| format!("{}: {e}", self.command[0]))?;
        self.times.push(begun.elapsed());
        if status.success() { Ok(()) } else { Err(format!("{} failed", self.name)) }
    }

    fn median(&mut self) -> f64 {
        self.times.sort_unstable();
        self.times[self.times.len() / 2].as_secs_f64() * 1e6
    }
}

fn start_up() -> Result<(), String> {
    let program = release_build()?;
    let mut cases = vec![
        Case::new(
            "counterpoint stat",
            program.to_string_lossy(),
            &["stat", "-e", "task-clock", "true"],
        ),
        Case::new("the command alone", "true", &[]),
    ];
    match minimal() {
        Ok(minimal) => {
            cases.push(Case::new("minimal C program", minimal.to_string_lossy(), &["true"]))
        }
        Err(reason) => println!("skipped: minimal C program: {reason}"),
    }
    let has_perf = Command::new("perf")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok();
    if has_perf {
        cases.push(Case::new("perf stat", "perf", &["stat", "-e", "task-clock", "true"]));
    } else {
        println!("skipped: perf stat: not installed (Debian: apt-get install linux-perf)");
    }
    for _ in 0..ROUNDS {
        // Case by case within a round, so that all see the same machine.
        cases.iter_mut().try_for_each(Case::time)?;
    }
    println!("\n{:<20} {:>9} {:>8} {:>8}", "whole process", "µs", "ratio", "limit");
    let ours = cases[0].median();
    let mut over = Vec::new();
    for case in &mut cases {
        let median = case.median();
        let ratio = ours / median;
        let limit = match case.name {
            "perf stat" => Some(OF_PERF),
            "minimal C program" => Some(OF_MINIMAL),
            _ => None,
        };
        let shown = limit.map(|limit| format!("{limit:.3}")).unwrap_or_default();
        println!("{:<20} {:>9.0} {ratio:>8.3} {shown:>8}", case.name, median);
        if limit.is_some_and(|limit| ratio > limit) {
            over.push(case.name);
        }
    }
    if over.is_empty() {
        Ok(())
    } else {
        Err(format!("over the limit beside: {}", over.join(", ")))
    }
}

fn release_build() -> Result<PathBuf, String> {
    let status = Command::new("cargo")
        .args(["build", "--release", "--quiet", "-p", "counterpoint-cli"])
        .current_dir(root())
        .status()
        .map_err(|e| format!("cargo build: {e}"))?;
    if status.success() {
        Ok(target().join("release/counterpoint"))
    } else {
        Err("cargo build failed".to_string())
    }
}

fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

fn minimal() -> Result<PathBuf, String> {
    let program = target().join("minimal_stat");
    let source = root().join("xtask/src/minimal_stat.c");
    let status = Command::new("cc").arg("-O2").arg("-o").args([&program, &source]).status();
    match status {
        Ok(status) if status.success() => Ok(program),
        Ok(_) => Err("cc failed".to_string()),
        Err(error) => Err(format!("cc: {error}")),
    }
}
