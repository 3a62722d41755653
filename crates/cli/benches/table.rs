//! A job of 10,000 ranks with 200 values each: `export` to Parquet, `merge`, and the memory of both, beside a program that only reads the files.
//!
//! `cargo bench -p counterpoint-cli --features parquet --bench table` needs 1 GB of disk, and fails when a limit is passed.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use nix::sys::resource::{UsageWho, getrusage};
use row::{Limit, alone, compared};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;
use turns::{in_turn, pairs};

#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const ROUNDS: usize = 5;
/// In seconds.
const EXPORT: Limit = Limit::Most(2.5);
const MERGE: Limit = Limit::Most(3.0);
/// In megabytes.
const EXPORTED: Limit = Limit::Most(300.0);
const RANKS: usize = 10_000;
const REGIONS: usize = 20;
const EVENTS: usize = 10;

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ranks");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    (0..RANKS).for_each(|rank| {
        fs::write(folder.join(format!("rank.{rank:05}.jsonl")), report(rank)).unwrap();
    });
    let table = folder.with_extension("parquet");
    let program = env!("CARGO_BIN_EXE_counterpoint");
    let reports = folder.to_str().unwrap();
    // The memory is that of the greatest child so far: the export is first, and its memory is noted before the merge.
    let export = || run(program, &["export", "-o", table.to_str().unwrap(), reports]);
    export();
    let exported = most_memory();
    let rounds = in_turn(
        ROUNDS,
        [
            &mut || run("sh", &["-c", &format!("cat {reports}/* | wc -c")]),
            &mut { export },
            &mut || run(program, &["merge", "--json", reports]),
        ],
    );
    let merged = most_memory();
    let size = fs::metadata(&table).unwrap().len() as f64 / 1e6;
    let [export, merge] = [1, 2].map(|ours| pairs(&rounds, ours, 0));
    let within = [
        compared("export of 10,000 ranks x 200", "s", "cat", &export, EXPORT),
        alone("its memory", "MB", &[exported], EXPORTED),
        alone("its file", "MB", &[size], Limit::None),
        compared("merge of the same", "s", "cat", &merge, MERGE),
        // That of the export was less, or it is the greater of both.
        alone("its memory", "MB", &[merged], Limit::None),
    ];
    let _ = fs::remove_dir_all(&folder);
    let _ = fs::remove_file(&table);
    if within.contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The report of a rank, as a program with regions writes it.
fn report(rank: usize) -> String {
    let mut text = String::new();
    for region in 0..REGIONS {
        for event in 0..EVENTS {
            let value = 1_000_000_007 * (rank + 3) % (977 * (region + 1) * (event + 1)) + 100_000;
            writeln!(
                text,
                "{{\"schema\":1,\"region\":\"region {region}\",\"calls\":12,\"job\":\"4711\",\"rank\":{rank},\"ranks\":{RANKS},\"local_rank\":{},\"host\":\"node{}\",\"pid\":{},\"event\":\"event_{event}\",\"canonical\":\"emr::EVENT_{event}:ANY\",\"value\":{value},\"status\":\"counted\",\"coverage\":1.0,\"unit\":null,\"raw\":{value},\"enabled_ns\":1000000{event},\"running_ns\":1000000{event}}}",
                rank % 64,
                rank / 64,
                rank + 1000
            )
            .unwrap();
        }
    }
    text
}

/// The seconds that a command takes.
fn run(program: &str, args: &[&str]) -> f64 {
    let begun = Instant::now();
    let status = Command::new(program).args(args).stdout(Stdio::null()).status().unwrap();
    assert!(status.success(), "{program} {args:?}");
    begun.elapsed().as_secs_f64()
}

/// The most memory that a command has had, in megabytes.
fn most_memory() -> f64 {
    getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss() as f64 * 1024.0 / 1e6
}
