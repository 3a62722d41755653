//! The program, run as a user runs it.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test fails by panic, and says what it skips"
)]

mod annotate;
mod any_line;
mod arguments;
mod asked;
mod book;
mod cargo;
mod cases;
mod catalog;
mod catalog_buffers;
mod check;
mod check_on;
mod compare;
mod completions;
mod components;
mod control;
mod debug_files;
mod definitions;
mod dispatch;
mod dispatch_levels;
mod encode;
mod eval;
mod export;
mod exporter;
mod filtered;
mod formats;
mod gate;
mod hardware;
mod hostile;
mod keys;
mod limits;
mod list;
mod load;
mod manual;
mod merge;
mod merge_by;
mod merge_papi;
mod metrics;
mod mpi;
mod mpi_profiles;
mod openmp;
mod output;
mod own_cost;
mod perf_commands;
mod perf_options;
mod perf_table;
mod privileges;
mod probes;
mod profile;
mod profile_compare;
mod profile_diff;
mod profile_firefox;
mod profile_jit;
mod profile_memory;
mod profile_metrics;
mod profile_off_cpu;
mod profile_page;
mod profile_regions;
mod profile_stacks;
mod profile_wall;
mod progress;
mod query;
mod readme;
mod recordings;
mod refusals;
mod regions_of_papi;
mod replaced;
mod replaced_files;
mod report;
mod runs;
mod schema;
mod series;
mod signals;
mod sort;
mod sources;
mod spe;
mod stat;
mod sweep;
mod symbols;
mod targets;
mod temporary;
mod terminal;
mod times;
mod top;
mod top_live;
mod traces;
mod verify;
mod why;

#[path = "../../fixtures/seeds.rs"]
mod seeds;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The program, to be run in the folder of the workspace.
fn counterpoint(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
    command.args(args).current_dir(root());
    command
}

/// Runs it to its end.
fn run(args: &[&str]) -> Output {
    counterpoint(args).output().unwrap()
}

/// Returns true if this machine has the programs that a test needs; otherwise says so.
fn has_tools(tools: &[&str]) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_missing =
        |tool: &&&str| !std::env::split_paths(&path).any(|folder| folder.join(**tool).is_file());
    let missing: Vec<&&str> = tools.iter().filter(is_missing).collect();
    if !missing.is_empty() {
        println!("skipped: not installed: {missing:?}");
    }
    missing.is_empty()
}

/// Runs it to its end on these bytes as its standard input.
fn run_on(input: &[u8], args: &[&str]) -> Output {
    let mut child = counterpoint(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writing = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    // A command that refuses a line does not read the rest.
    let _ = writing.join().unwrap();
    output
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The objects of a machine format.
fn objects(output: &Output) -> Vec<serde_json::Value> {
    let text = stdout(output);
    let lines = text.lines().filter(|line| line.starts_with('{'));
    lines.map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

/// The rows of `stat --json`, and the summary.
fn rows(output: &Output) -> (Vec<serde_json::Value>, serde_json::Value) {
    let mut rows = objects(output);
    let summary = rows.pop().unwrap_or_else(|| panic!("no JSON; stderr: {}", stderr(output)));
    assert!(summary.get("summary").is_some(), "the last line sums up: {summary}");
    (rows, summary)
}

/// Returns a guard if this process may count whole CPUs, one test at a time; otherwise says so.
///
/// The kernel stops and restarts the clock of a CPU's events whenever one of them comes or goes, and the times of cgroups that are counted meanwhile are then wrong.
fn may_count_cpus() -> Option<MutexGuard<'static, ()>> {
    static ALONE: Mutex<()> = Mutex::new(());
    let access = access();
    let may = access.is_privileged() || access.paranoid.is_some_and(|level| level <= 0);
    if !may {
        println!(
            "skipped: this user may not count whole CPUs (perf_event_paranoid {:?})",
            access.paranoid
        );
    }
    may.then(|| ALONE.lock().unwrap_or_else(PoisonError::into_inner))
}

fn access() -> counterpoint::perf::Access {
    counterpoint::perf::Host::local().access()
}

#[path = "../../fixtures/spe.rs"]
mod spe_written;
