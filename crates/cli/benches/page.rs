//! The time that a browser takes to open the page of a profile of a million samples.
//!
//! `cargo bench -p counterpoint-cli --bench page` opens it several times with Chromium, without a window, and fails when a limit is passed; the time begins with the start of the browser, which an empty page takes as well.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use row::{Limit, alone};
use samples::{CALLCHAIN, CPU, Drawn, IDENTIFIER, IP, PID, TID, TIME, code, event, pair, written};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;
use turns::in_turn;

#[path = "../../../xtask/bench/row.rs"]
mod row;
mod samples;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const ROUNDS: usize = 5;
const SAMPLES: u64 = 1_000_000;
/// The different call chains.
const CHAINS: u64 = 5_000;
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
/// Seconds.
const OPEN: Limit = Limit::Most(2.0);

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    let is_there = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    let Some(browser) = BROWSERS.into_iter().find(is_there) else {
        println!("skipped: no browser (Debian: apt-get install chromium)");
        return ExitCode::SUCCESS;
    };
    let (recording, folder) = (profiled(), Path::new(env!("CARGO_TARGET_TMPDIR")));
    let (page, empty) = (folder.join("million.html"), folder.join("empty.html"));
    std::fs::write(&empty, "<!DOCTYPE html><p>nothing").unwrap();
    let mut report = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
    report.arg("report").arg(&recording).args(["-o", "/dev/null", "--html"]).arg(&page);
    assert!(report.status().unwrap().success());
    let profile = folder.join("browser");
    let open = |page: &Path, expected: &str| {
        let mut command = Command::new(browser);
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]);
        command.arg(format!("--user-data-dir={}", profile.display())).arg("--dump-dom");
        let begun = Instant::now();
        let output = command.arg(format!("file://{}", page.display())).output().unwrap();
        let taken = begun.elapsed().as_secs_f64();
        assert!(String::from_utf8_lossy(&output.stdout).contains(expected), "{output:?}");
        taken
    };
    // The script has drawn the flame graph.
    let rounds = in_turn(ROUNDS, [&mut || open(&page, "<rect "), &mut || open(&empty, "nothing")]);
    let of = |which: usize| rounds.iter().map(|round| round[which]).collect::<Vec<f64>>();
    let size = page.metadata().unwrap().len() as f64 / 1e6;
    let within = [
        alone("the page of a million samples", "MB", &[size], Limit::None),
        alone("an empty page in a browser", "s", &of(1), Limit::None),
        alone("the page of a million samples in a browser", "s", &of(0), OPEN),
    ];
    [recording, page, empty].iter().for_each(|file| drop(std::fs::remove_file(file)));
    drop(std::fs::remove_dir_all(&profile));
    if within.contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Samples of four threads by a clock, with call chains of 10 to 40 frames of the code of this program.
fn profiled() -> PathBuf {
    let kinds = IDENTIFIER | IP | TID | TIME | CPU | CALLCHAIN;
    let events = [event("task-clock:u", 1, &[(0, 1), (8, 1), (16, 1_000_000), (24, kinds)])];
    let code = code();
    let mut drawn = Drawn(7);
    let mut place = || code.range.start + drawn.below(code.range.end - code.range.start);
    let places: Vec<u64> = (0..2_000).map(|_| place()).collect();
    let mut chains: Vec<Vec<u64>> = vec![vec![places[0]; 10]];
    while (chains.len() as u64) < CHAINS {
        // A chain has callers of an earlier one, and functions of its own inside.
        let other = &chains[drawn.below(chains.len() as u64) as usize];
        let callers = &other[drawn.below(other.len() as u64) as usize..];
        let own = 1 + drawn.below(40 - callers.len().min(30) as u64);
        let inner: Vec<u64> = (0..own).map(|_| places[drawn.below(2_000) as usize]).collect();
        chains.push([&inner, callers].concat());
    }
    let mut number = 0;
    written("million.perf", &events, &code, SAMPLES, || {
        number += 1;
        let chain = &chains[drawn.below(CHAINS).min(drawn.below(CHAINS)) as usize];
        let thread = pair(PID + drawn.below(4) as u32);
        let head = [1, chain[0], thread, 1000 * number, 0, chain.len() as u64 + 1, -512_i64 as u64];
        [&head[..], chain].concat()
    })
}
