//! Regions in the threads of OpenMP teams: `merge --by thread` compares the threads of one number in all ranks.

use super::*;
use crate::merge::Reports;
use serde_json::{Value, json};
use std::sync::LazyLock;

/// The folder in which the C library is installed for these tests.
static PREFIX: LazyLock<PathBuf> = LazyLock::new(|| {
    let prefix = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("openmp-prefix");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["xtask", "capi", "--install"]).arg(&prefix);
    let output = cargo.args(["--debug", "counterpoint"]).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    prefix
});

/// Builds a program over the library; `None` if the machine lacks OpenMP.
fn built(compiler: &mut Command, sources: &[PathBuf], program: &Path) -> Option<()> {
    compiler.args(["-Wall", "-Wextra", "-Werror", "-fopenmp"]).args(sources);
    compiler.arg("-I").arg(PREFIX.join("include")).arg("-L").arg(PREFIX.join("lib"));
    let output = compiler.args(["-lcounterpoint", "-o"]).arg(program).output().unwrap();
    if !output.status.success()
        && ["libgomp", "omp.h"].iter().any(|of| stderr(&output).contains(of))
    {
        println!("skipped: needs OpenMP: {}", stderr(&output));
        return None;
    }
    assert!(output.status.success(), "{}", stderr(&output));
    Some(())
}

/// Runs a program with three threads in a team.
fn run_team(program: &Path, rank: u32, args: &[&str]) {
    let mut command = Command::new(program);
    command.args(args).env("LD_LIBRARY_PATH", PREFIX.join("lib")).env("OMP_NUM_THREADS", "3");
    command.env("OMP_DYNAMIC", "false").env("PAPI_EVENTS", "page-faults");
    command.env("OMPI_COMM_WORLD_RANK", rank.to_string()).env("OMPI_COMM_WORLD_SIZE", "2");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}{}", output.status, stderr(&output));
}

/// The rows of an event in a region: first that of all threads.
fn of<'r>(rows: &'r [Value], region: &str, event: &str) -> Vec<&'r Value> {
    rows.iter().filter(|row| row["region"] == region && row["event"] == event).collect()
}

#[test]
fn threads_of_one_number_are_compared_between_ranks() {
    if !has_tools(&["gcc"]) {
        return;
    }
    let (folder, _) = Reports::new("openmp", &[]);
    let program = folder.0.join("teams");
    let source = root().join("tests/program/c/teams.c");
    if built(Command::new("gcc").arg("-std=c11"), &[source], &program).is_none() {
        return;
    }
    for rank in 0..2 {
        let report = folder.0.join(format!("{rank}.jsonl"));
        run_team(&program, rank, &[report.to_str().unwrap(), "1", "1"]);
    }
    let folder = folder.0.to_str().unwrap();
    let rows = objects(&run(&["merge", "--by", "thread", "--json", folder]));

    // The counts are known, also of threads that came after others of their number.
    let faults = of(&rows, "team", "page-faults");
    let places = faults[0]["per_thread"].as_array().unwrap().iter();
    let places: Vec<Value> =
        places.map(|of| json!([of["rank"], of["thread"], of["value"]])).collect();
    let expected = [[0, 0, 30], [0, 1, 60], [0, 2, 90], [1, 0, 30], [1, 1, 60], [1, 2, 90]];
    assert_eq!(json!(places), json!(expected));
    let numbers = faults.iter().map(|row| json!([row["thread_number"], row["value"]]));
    let numbers: Vec<Value> = numbers.collect();
    assert_eq!(json!(numbers), json!([[null, 360], [0, 60], [1, 120], [2, 180]]));
    assert!(faults[1..].iter().all(|row| row["imbalance"].is_null()), "{faults:?}");
    let of_rank = of(&rows, "rank", "page-faults");
    assert_eq!((&of_rank[0]["min"], &of_rank[0]["max"]), (&json!(0), &json!(300)));
    assert_eq!(of_rank.len(), 1, "one thread of each rank entered it: {of_rank:?}");
    // Threads of inner teams have no number in the outer one, and come behind.
    let inner = of(&rows, "inner", "page-faults");
    let numbers: Vec<&Value> = inner[1..].iter().map(|row| &row["thread_number"]).collect();
    assert_eq!(json!(numbers), json!([0, 1, 3, 4]));

    // The slow thread and the slow rank, with their sizes.
    let slow = of(&rows, "one works", "task-clock");
    let shares: Vec<f64> = slow.iter().filter_map(|row| row["imbalance"].as_f64()).collect();
    let [of_all, zero, one, two] = shares[..] else { panic!("{slow:?}") };
    assert!((of_all - 5.0 / 7.0).abs() < 0.1 && (one - 1.0 / 3.0).abs() < 0.1, "{slow:?}");
    assert!(zero < 0.1 && two < 0.1, "{slow:?}");
    assert_eq!((&slow[0]["max_rank"], &slow[0]["max_thread"]), (&json!(1), &json!(1)));
    let text = stdout(&run(&["merge", "--by", "thread", folder]));
    check_chapter(&text);
    let words = "thread 1 of rank 1 on ";
    assert!(
        text.lines().any(|line| line.contains(words) && line.contains("in one works (task-clock)")),
        "{text}"
    );
    let text = stdout(&run(&["merge", folder]));
    let is_of_rank =
        |line: &str| line.contains(" rank 1 on ") && line.ends_with("in all work (task-clock)");
    assert!(text.lines().any(is_of_rank), "{text}");
}

/// Checks that the table of the chapter has lines of this one.
fn check_chapter(text: &str) {
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = text.lines().map(words).collect();
    let chapter = std::fs::read_to_string(root().join("docs/mpi.md")).unwrap();
    let block = chapter.split("$ counterpoint merge --by thread ").nth(1).unwrap();
    let shown: Vec<&str> = block.lines().skip(1).take_while(|line| *line != "…").collect();
    assert_eq!(shown.len(), 6, "{shown:?}");
    for line in shown {
        assert!(lines.contains(&words(line)), "{line}\n{text}");
    }
}

#[test]
fn threads_of_fortran_have_numbers() {
    if !has_tools(&["gfortran"]) {
        return;
    }
    let (folder, _) = Reports::new("openmp-fortran", &[]);
    let program = folder.0.join("teams");
    let module = PREFIX.join("include/counterpoint.f90");
    let sources = [module, root().join("tests/program/c/teams.f90")];
    let mut gfortran = Command::new("gfortran");
    gfortran.arg("-std=f2008").arg("-J").arg(&folder.0);
    if built(&mut gfortran, &sources, &program).is_none() {
        return;
    }
    let report = folder.0.join("0.jsonl");
    run_team(&program, 0, &[report.to_str().unwrap()]);
    let report = std::fs::read_to_string(&report).unwrap();
    let rows: Vec<Value> = report.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let faults = of(&rows, "team", "page-faults");
    let mut threads: Vec<(u64, u64)> = faults[1..]
        .iter()
        .filter_map(|row| Some((row["thread_number"].as_u64()?, row["value"].as_u64()?)))
        .collect();
    threads.sort_unstable();
    assert_eq!(threads, [(0, 30), (1, 60), (2, 90)], "{faults:?}");
}
