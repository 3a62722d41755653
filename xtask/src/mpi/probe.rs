//! A program of ours with OpenMP threads in MPI ranks, whose counts are known: a rank takes 300 page faults for its number,
//! and its threads 30, 60, 90 and so on. One rank is slow, and one thread.

use super::job::{Job, Launcher, THREADS, succeed};
use crate::capi;
use crate::project::{root, target};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// The numbers of ranks, with the slow rank and its slow thread.
const JOBS: [(u64, u64, u64); 2] = [(4, 2, 1), (16, 11, 3)];

/// The share by which a measured imbalance may differ from the one that was made.
const NEAR: f64 = 0.1;

pub fn check(launcher: &Launcher, program: &Path) -> Result<(), String> {
    let prefix = target().join("mpi/prefix");
    capi::install_names(&prefix, &["counterpoint"])?;
    let teams = prefix.join("teams");
    let mut mpicc = Command::new("mpicc");
    mpicc.args(["-O2", "-fopenmp", "-DWITH_MPI"]).arg(root().join("tests/program/c/teams.c"));
    mpicc.arg("-I").arg(prefix.join("include")).arg("-L").arg(prefix.join("lib"));
    mpicc.arg(format!("-Wl,-rpath,{}", prefix.join("lib").display()));
    match succeed(mpicc.args(["-lcounterpoint", "-o"]).arg(&teams)) {
        Err(problem) if problem.contains("No such file") => {
            println!("skipped: needs mpicc (Debian: libopenmpi-dev or libmpich-dev): {problem}");
            return Ok(());
        }
        result => result?,
    };
    let teams = teams.display().to_string();
    for (size, rank, thread) in JOBS {
        let job = Job::new(launcher, program, &format!("teams-{size}"), size)?;
        let [rank_name, thread_name] = [rank, thread].map(|number| number.to_string());
        let command = [&teams, "regions.{rank}.jsonl", &rank_name, &thread_name];
        succeed(job.mpirun("stat", "stat").args(["-e", "page-faults", "--"]).args(command))?;
        counts(&job)?;
        sizes(&job, rank, thread)?;
        let samples = job.profile(&command)?;
        println!(
            "{size} ranks of {THREADS} threads: all counts are exact, and {samples} samples are on one page"
        );
    }
    Ok(())
}

/// The page faults of each rank and thread are known.
fn counts(job: &Job<'_>) -> Result<(), String> {
    let (rows, summary) = job.merged(&[])?;
    job.expect(&summary["missing_ranks"], Value::Array(Vec::new()), "missing ranks")?;
    let row = row(&rows, "rank", "page-faults")?;
    for (rank, value) in (0..).zip(row["per_rank"].as_array().into_iter().flatten()) {
        job.expect(&value["value"], 300 * rank, "page faults of a rank")?;
    }
    job.expect(&row["value"], (0..job.size).map(|rank| 300 * rank).sum::<u64>(), "page faults")?;
    let (rows, _) = job.merged(&["--by", "thread"])?;
    let of_team = |row: &&Value| row["region"] == "team" && row["event"] == "page-faults";
    let mut rows = rows.iter().filter(of_team);
    let each = (1..=THREADS).map(|number| 30 * number);
    let all = rows.next().ok_or("merge --by thread has no row of the threads")?;
    job.expect(&all["value"], job.size * each.clone().sum::<u64>(), "page faults of threads")?;
    let members = all["per_thread"].as_array().into_iter().flatten();
    let counts: Vec<&Value> = members.map(|member| &member["value"]).collect();
    let expected: Vec<u64> = (0..job.size).flat_map(|_| each.clone()).collect();
    job.expect(&serde_json::json!(counts), expected, "page faults of each thread")?;
    for (number, count) in each.enumerate() {
        let of_number = rows.next().unwrap_or(&Value::Null);
        job.expect(&of_number["thread_number"], number, "the number of threads")?;
        job.expect(&of_number["value"], job.size * count, "page faults of threads of a number")?;
    }
    Ok(())
}

/// The slow rank and the slow thread are named, with their sizes: both take twice the time of the others.
fn sizes(job: &Job<'_>, rank: u64, thread: u64) -> Result<(), String> {
    for (options, region, members) in
        [(&[][..], "all work", job.size), (&["--by", "thread"], "one works", job.size * THREADS)]
    {
        let (rows, _) = job.merged(options)?;
        let row = row(&rows, region, "task-clock")?;
        job.expect(&row["max_rank"], rank, "the slow rank")?;
        if members > job.size {
            job.expect(&row["max_thread"], thread, "the slow thread")?;
        }
        let members = members as f64;
        let (expected, found) = (2.0 * members / (members + 1.0) - 1.0, row["imbalance"].as_f64());
        if !found.is_some_and(|found| (found - expected).abs() < NEAR) {
            return Err(format!("{region}: the imbalance {found:?} in place of {expected:.2}"));
        }
        let sentence = job.sentence(options, &format!("in {region} (task-clock)"))?;
        if !sentence.contains(&format!("rank {rank} on ")) {
            return Err(format!("rank {rank} is not named: {sentence}"));
        }
        println!("{} ranks of {THREADS} threads: {sentence}", job.size);
    }
    Ok(())
}

/// The first row of an event in a region.
fn row<'r>(rows: &'r [Value], region: &str, event: &str) -> Result<&'r Value, String> {
    let found = rows.iter().find(|row| row["region"] == region && row["event"] == event);
    found.ok_or_else(|| format!("no row of {event} in {region}"))
}
