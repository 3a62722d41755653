//! `cargo xtask ci`: everything that must pass.

use crate::project::root;
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, IsTerminal};
use std::process::Command;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Each step as it can be typed, with the environment variables it needs.
const STEPS: &[(&str, &[(&str, &str)])] = &[
    // The README's second command comes first.
    ("cargo test --workspace --features full", &[]),
    // The program of the README's first command.
    ("cargo test -p counterpoint-cli --test left_out --locked", &[]),
    ("cargo check -p counterpoint-definitions --no-default-features --features papi --locked", &[]),
    // Without the standard library and fused operations, and the loops for every processor, where the others are for those with AVX2.
    ("cargo test -p counterpoint-formula --no-default-features --locked", &[]),
    ("cargo test -p counterpoint-formula --no-default-features --features fast --locked", &[]),
    ("cargo check -p counterpoint-perf --no-default-features --locked", &[]),
    ("cargo check -p counterpoint --no-default-features --locked", &[]),
    ("cargo check -p counterpoint --no-default-features --features intel --locked", &[]),
    ("cargo check -p counterpoint-pmu --no-default-features --features amd --locked", &[]),
    ("cargo check -p counterpoint-pmu --no-default-features --features arm --locked", &[]),
    ("cargo check -p counterpoint-pmu --no-default-features --features power --locked", &[]),
    ("cargo check -p counterpoint-pmu --no-default-features --features s390x --locked", &[]),
    ("cargo check -p counterpoint-pmu --no-default-features --features sparc --locked", &[]),
    ("cargo check -p counterpoint-pmu --no-default-features --features mips --locked", &[]),
    ("cargo check -p counterpoint-pmu --no-default-features --features riscv --locked", &[]),
    ("cargo check -p counterpoint --no-default-features --features definitions --locked", &[]),
    ("cargo check -p counterpoint --no-default-features --features files --locked", &[]),
    ("cargo check -p counterpoint --no-default-features --features json --locked", &[]),
    ("cargo check -p counterpoint --no-default-features --features profile --locked", &[]),
    ("cargo check -p counterpoint --no-default-features --features libpfm3 --locked", &[]),
    ("cargo check -p counterpoint --no-default-features --features unwind --locked", &[]),
    ("cargo check -p counterpoint --no-default-features --features verify --locked", &[]),
    ("cargo check -p counterpoint-cli --no-default-features --locked", &[]),
    ("cargo fmt --all --check", &[]),
    ("cargo clippy --workspace --all-targets --features full --locked -- -D warnings", &[]),
    ("cargo doc --workspace --no-deps --locked", &[("RUSTDOCFLAGS", "-D warnings")]),
    ("cargo xtask tidy", &[]),
    ("cargo xtask public-api", &[]),
    ("cargo xtask capi --header", &[]),
    ("cargo xtask book", &[]),
    ("cargo xtask package", &[]),
];

/// The number of the last lines of a step that failed that are printed again at the end.
const LAST_LINES: usize = 60;

/// Runs every step, even if an earlier one fails, so that one run shows all problems. The end of
/// what each failed step printed is repeated last, because only the end of a long log is read.
pub fn run() -> Result<(), String> {
    let mut failed = Vec::new();
    for (step, environment) in STEPS {
        println!("\n==> {step}");
        let begun = Instant::now();
        let (passed, last) = run_step(step, environment)
            .unwrap_or_else(|error| (false, VecDeque::from([format!("{step}: {error}")])));
        println!(
            "==> {} in {:.1} s",
            if passed { "passed" } else { "FAILED" },
            begun.elapsed().as_secs_f64()
        );
        if !passed {
            failed.push((*step, last));
        }
    }
    if failed.is_empty() {
        return Ok(());
    }
    for (step, last) in &failed {
        println!("\n==> the end of {step}, which failed:");
        for line in last {
            println!("{line}");
        }
    }
    let steps: Vec<&str> = failed.iter().map(|(step, _)| *step).collect();
    Err(format!("failed: {}", steps.join("; ")))
}

/// Runs a step; returns true if it passed, with the last lines that it printed.
fn run_step(step: &str, environment: &[(&str, &str)]) -> io::Result<(bool, VecDeque<String>)> {
    let (output, input) = io::pipe()?;
    let mut words = step.split(' ');
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).envs(environment.iter().copied()).current_dir(root());
    if io::stdout().is_terminal() {
        command.env("CARGO_TERM_COLOR", "always");
    }
    let mut child = command.stdout(input.try_clone()?).stderr(input).spawn()?;
    // The command holds the ends of the pipe that are written to.
    drop(command);

    let (send, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).into_owned();
            // Nobody listens if the step has ended.
            let _ = send.send(line.clone());
            println!("{line}");
        }
    });
    let passed = child.wait()?.success();

    let mut last = VecDeque::new();
    // A process that the step left behind may hold the pipe open: its end is not waited for.
    let till = Instant::now() + Duration::from_secs(2);
    while let Ok(line) = lines.recv_timeout(till.saturating_duration_since(Instant::now())) {
        if last.len() == LAST_LINES {
            last.pop_front();
        }
        last.push_back(line);
    }
    Ok((passed, last))
}
