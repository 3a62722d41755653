//! `cargo xtask mpi`: real ranks, started by the system's `mpirun`, whose reports are merged; one rank is slow and must be
//! named, a node is counted once, a report that is removed is missed, and reports survive the crash of a rank.
//!
//! A program of ours has known counts in each rank and thread (`probe`), and mini-apps in a directory are run if one is named (`apps`).

mod apps;
mod job;
mod probe;

use crate::project::{arguments, root, target};
use job::{Job, Launcher, succeed};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The numbers of ranks, and the slow one of each.
const JOBS: [(u64, u64); 3] = [(4, 2), (16, 11), (64, 33)];

/// Fills memory anew in the slow rank only, which is page faults and time.
const WORK: &str = r#"rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-$PMIX_RANK}}
if [ "$rank" = "$1" ]; then head -c 50000000 /dev/zero | tail -c 50000000 > /dev/null; fi"#;

/// The rounds in which a rank crashes, and their ranks.
const CRASHES: (u64, u64) = (20, 12);

/// Rank 1 crashes while the others work, which do not end at the launcher's signal.
const CRASH: &str = r#"rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-$PMIX_RANK}}
if [ "$rank" = 1 ]; then sleep 0.5; kill -SEGV $$; fi
trap '' TERM; head -c 1000000 /dev/zero | tail -c 1000000 > /dev/null; while :; do sleep 0.05; done"#;

pub fn run() -> Result<(), String> {
    let arguments: Vec<String> = arguments().collect();
    let directory = match &arguments[..] {
        [] => None,
        [directory] if !directory.starts_with('-') => Some(PathBuf::from(directory)),
        _ => return Err("usage: cargo xtask mpi [DIR]".to_string()),
    };
    let launcher = Launcher::of_system()?;
    println!("{}", launcher.version);
    succeed(
        Command::new("cargo")
            .args(["build", "--quiet", "-p", "counterpoint-cli"])
            .current_dir(root()),
    )?;
    let program = target().join("debug/counterpoint");
    for (size, slow) in JOBS {
        check(&Job::new(&launcher, &program, &size.to_string(), size)?, slow)?;
    }
    let (rounds, size) = CRASHES;
    for round in 0..rounds {
        crash(&Job::new(&launcher, &program, "crash", size)?)
            .map_err(|problem| format!("round {round} of {rounds}: {problem}"))?;
    }
    println!("{size} ranks: the reports of all are whole in {rounds} of {rounds} crashes of one");
    probe::check(&launcher, &program)?;
    directory.map_or(Ok(()), |directory| apps::check(&directory, &launcher, &program))
}

/// The slow rank is named, a missing report is found, and a node is counted once.
fn check(job: &Job<'_>, slow: u64) -> Result<(), String> {
    let work = ["sh", "-c", WORK, "sh", &slow.to_string()];
    job.ranks(&["-e", "task-clock,page-faults"], &work)?;
    let (rows, summary) = job.merged(&[])?;
    let [clock, faults, elapsed] = &rows[..] else {
        return Err(format!("{} rows", rows.len()));
    };
    for row in [clock, faults, elapsed] {
        job.expect(&row["processes"], job.size, "processes")?;
        job.expect(&row["max_rank"], slow, "the rank with the most")?;
    }
    job.expect(&summary["missing_ranks"], Value::Array(Vec::new()), "missing ranks")?;
    println!("{} ranks: {}", job.size, job.sentence(&[], &format!("rank {slow} on "))?);

    let lost = job.size - 1;
    let report = job.folder.join(format!("{lost}.jsonl"));
    fs::remove_file(&report).map_err(|error| format!("{}: {error}", report.display()))?;
    let (_, summary) = job.merged(&[])?;
    job.expect(&summary["missing_ranks"][0]["missing"], lost.to_string(), "missing ranks")?;

    match job.ranks(&["-a", "-e", "context-switches"], &["true"]) {
        Err(problem) if problem.contains("can be counted here") => {
            println!("skipped: this user may not count whole CPUs");
            return Ok(());
        }
        result => result?,
    };
    let (rows, _) = job.merged(&[])?;
    let values = rows[0]["per_rank"].as_array().into_iter().flatten();
    let counted = values.filter(|value| value["status"] == "counted").count();
    job.expect(&Value::from(counted), 1, "ranks that count the node")
}

/// One rank crashes, and the reports of all are whole.
fn crash(job: &Job<'_>) -> Result<(), String> {
    let Err(problem) = job.ranks(&["-e", "task-clock,page-faults"], &["sh", "-c", CRASH]) else {
        return Err("the job succeeds".to_string());
    };
    let (rows, summary) = job.merged(&[]).map_err(|wrong| format!("{wrong}\n{problem}"))?;
    // The elapsed time has no total.
    for row in rows.iter().filter(|row| row["event"] != "elapsed time") {
        job.expect(&row["processes"], job.size, "processes")?;
        job.expect(&row["status"], "counted", "the total")?;
    }
    job.expect(&summary["missing_ranks"], Value::Array(Vec::new()), "missing ranks")
}
