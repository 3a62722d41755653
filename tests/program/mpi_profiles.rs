//! Profiles of ranks: `profile --mpi`, and `report` of the recordings of all.

use crate::mpi::{folder, ranks};
use crate::schema::check;
use crate::{has_tools, run, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Every rank spends as much time in `advance`; rank 2 spends as much again in `hydro`, and the others wait for it below MPI.
const RANKS: &str = r#"
#include <stdlib.h>
volatile unsigned long sink;
#define SPIN(name, factor) __attribute__((noinline)) void name(long n) { \
    unsigned long sum = 0; \
    for (long i = 0; i < n; i++) { sum = sum * factor + i; __asm__ volatile("" :: "r"(sum)); } \
    sink += sum; }
SPIN(advance, 31)
SPIN(hydro, 33)
SPIN(progress, 35)
__attribute__((noinline)) void MPI_Allreduce(long n) { progress(n); sink++; }
__attribute__((noinline)) void exchange(long n) { MPI_Allreduce(n); sink++; }
int main(void) {
    int is_slow = atoi(getenv("OMPI_COMM_WORLD_RANK")) == 2;
    advance(200000000);
    if (is_slow) hydro(200000000); else exchange(200000000);
    return 0;
}
"#;

/// The recordings of four ranks; `None` without a compiler.
fn recordings(name: &str, options: &[&str]) -> Option<(PathBuf, Vec<String>)> {
    if !has_tools(&["gcc"]) {
        return None;
    }
    let folder = folder(name);
    let (source, program) = (folder.join("ranks.c"), folder.join("ranks"));
    fs::write(&source, RANKS).unwrap();
    let mut gcc = Command::new("gcc");
    gcc.args([
        "-g",
        "-O1",
        "-fno-omit-frame-pointer",
        "-mno-omit-leaf-frame-pointer",
        "-fno-optimize-sibling-calls",
        "-o",
    ]);
    assert!(gcc.args([&program, &source]).status().unwrap().success());
    let program = program.display().to_string();
    let mut args = vec!["profile", "--mpi", "-e", "task-clock:u", "--call-graph", "dwarf"];
    args.extend(options.iter().chain(&["--", &program]));
    for (number, output) in ranks(&folder, 4, &args).iter().enumerate() {
        assert!(output.status.success(), "{number}: {}", stderr(output));
        let says = match number {
            0 => {
                "counterpoint: the recordings of 4 ranks are written to counterpoint.{rank}.perf\n"
            }
            _ => "",
        };
        assert_eq!(stderr(output), says, "{number}");
    }
    let file = |rank: u32| folder.join(format!("counterpoint.{rank}.perf")).display().to_string();
    let files = (0..4).map(file).collect();
    Some((folder, files))
}

/// What `report` prints of files with these options.
fn report(files: &[String], options: &[&str]) -> String {
    let mut args = vec!["report"];
    args.extend(options);
    args.extend(files.iter().map(String::as_str));
    let output = run(&args);
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

fn json(files: &[String], options: &[&str]) -> Value {
    let text = report(files, &[&["--format", "json"], options].concat());
    check("profile", &text, "report of ranks");
    serde_json::from_str(&text).unwrap()
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("{key}: {value}"))
}

#[test]
fn recordings_of_ranks_are_one_profile_and_ranks_are_compared() {
    let Some((_, files)) = recordings("profiles", &[]) else { return };
    let all = json(&files, &[]);
    let each: Vec<u64> = files
        .iter()
        .map(|file| json(std::slice::from_ref(file), &[])["samples"].as_u64().unwrap())
        .collect();
    assert_eq!(all["samples"], each.iter().sum::<u64>());
    let ranks = list(&all, "rank_samples");
    let counts: Vec<u64> = ranks.iter().map(|rank| rank["count"].as_u64().unwrap()).collect();
    assert_eq!(counts, each, "those of each rank are its own");
    let numbers: Vec<_> = ranks.iter().map(|rank| rank["rank"].as_u64()).collect();
    assert_eq!(numbers, [Some(0), Some(1), Some(2), Some(3)]);

    // Rank 2 has half of its samples in `hydro`, where the others have none.
    let of_hydro = |of: &&Value| of["function"] == "hydro" && of["name"] == "rank 2";
    let hydro = list(&all, "differences").iter().find(of_hydro).expect("the slow rank");
    let points = hydro["points"].as_f64().unwrap();
    assert!((30.0..70.0).contains(&points), "{hydro}");
    assert_eq!(hydro["others_percent"], 0.0);

    // Half of the samples of the others are below MPI, for which `exchange` calls.
    let below: Vec<u64> = ranks.iter().map(|rank| rank["below_mpi"].as_u64().unwrap()).collect();
    assert_eq!(below[2], 0, "{below:?}");
    let [call] = list(&all, "mpi") else { panic!("{}", all["mpi"]) };
    assert_eq!([&call["call"], &call["caller"]], ["MPI_Allreduce", "exchange"]);
    assert_eq!(call["count"], below.iter().sum::<u64>());
    assert!((25.0..50.0).contains(&call["percent"].as_f64().unwrap()), "{call}");

    let text = report(&files, &[]);
    assert!(text.contains(" more in hydro than the others: "), "{text}");
    assert!(text.contains("called by exchange") && text.contains("  rank 3\n"), "{text}");
    assert!(text.contains("% rank 2: ranks ") || text.contains("  rank 2: ranks "), "{text}");
}

#[test]
fn ranks_are_keys_and_roots() {
    let Some((folder, files)) = recordings("profile-keys", &[]) else { return };
    let sorted = json(&files, &["--sort", "rank,node,function"]);
    let rows = list(&sorted, "sorted");
    let sum = |rank: u64, function: &str| -> u64 {
        let is_it = |row: &&Value| row["rank"] == rank && row["function"] == function;
        rows.iter().filter(is_it).map(|row| row["count"].as_u64().unwrap()).sum()
    };
    assert!(sum(2, "hydro") > 0 && sum(1, "hydro") == 0 && sum(1, "progress") > 0, "{rows:?}");
    assert_eq!(rows.iter().filter(|row| row["node"].is_null()).count(), 0);

    let folded = report(&files, &["--format", "folded"]);
    for rank in 0..4 {
        let root = format!("rank {rank};");
        assert!(folded.lines().any(|line| line.starts_with(&root)), "{folded}");
    }
    assert!(folded.lines().all(|line| line.starts_with("rank ")), "{folded}");

    let page = folder.join("ranks.html").display().to_string();
    report(&files, &["--html", &page]);
    let page = fs::read_to_string(page).unwrap();
    for part in [r#""roots":["rank 3"]"#, "Differences between ranks", "Calls of MPI"] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn what_does_not_belong_together_is_said() {
    let Some((folder, mut files)) = recordings("profile-refused", &[]) else { return };
    let program = folder.join("ranks").display().to_string();
    let other = folder.join("other.perf").display().to_string();
    let args = ["profile", "--format", "perf", "-e", "task-clock:u", "-F", "99", "-o", &other];
    let mut command = crate::counterpoint(&args);
    command.args(["--", &program]).env("OMPI_COMM_WORLD_RANK", "7");
    assert!(command.output().unwrap().status.success());
    let refused = run(&["report", &files[0], &other]);
    let says = stderr(&refused);
    assert_eq!(refused.status.code(), Some(2), "{says}");
    assert!(says.contains("other.perf: `task-clock:u` was sampled at 99 samples"), "{says}");

    files.remove(3);
    assert!(report(&files, &[]).contains("no recording of rank 3"));
    files.push(files[0].clone());
    assert!(report(&files, &[]).contains("several recordings are of rank 0"));

    let outside = run(&["profile", "--mpi", "--", "true"]);
    assert!(stderr(&outside).contains("is not a rank of a parallel job"), "{}", stderr(&outside));
    let named = ranks(Path::new(&folder), 1, &["profile", "--mpi", "-o", "a.perf", "--", "true"]);
    assert!(stderr(&named[0]).contains("every rank would write this file"));
}
