//! Mini-apps of parallel computing, whose sources are in a directory of the user: built with OpenMP, and run in small.

use super::job::{Job, Launcher, THREADS, succeed};
use crate::project::target;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A mini-app.
struct App {
    /// How the name of the folder with its sources begins.
    name: &'static str,
    /// The commands that make the program `app` there.
    build: &'static str,
    arguments: &'static [&'static str],
    /// What it reads: the name of a file, and its text.
    input: Option<(&'static str, &'static str)>,
    sizes: [u64; 2],
}

const APPS: [App; 3] = [
    App {
        name: "LULESH",
        build: "mpicxx -g -O2 -fopenmp -DUSE_MPI=1 *.cc -o app",
        arguments: &["-s", "4", "-i", "20"],
        input: None,
        // It runs on cubes of ranks.
        sizes: [8, 27],
    },
    App {
        name: "HPCCG",
        build: "mpicxx -g -O2 -fopenmp -DUSING_MPI -DUSING_OMP *.cpp -o app",
        arguments: &["8", "8", "8"],
        input: None,
        sizes: [4, 16],
    },
    App {
        name: "CloverLeaf",
        build: "make COMPILER=GNU OPTIONS='-g -fallow-argument-mismatch' C_OPTIONS=-g clover_leaf && mv clover_leaf app",
        arguments: &[],
        input: Some(("clover.in", CLOVER)),
        sizes: [4, 16],
    },
];

const CLOVER: &str = "*clover
state 1 density=0.2 energy=1.0
state 2 density=1.0 energy=2.5 geometry=rectangle xmin=0.0 xmax=5.0 ymin=0.0 ymax=2.0
x_cells=64
y_cells=64
xmin=0.0
ymin=0.0
xmax=10.0
ymax=10.0
initial_timestep=0.04
timestep_rise=1.5
max_timestep=0.04
end_step=20
*endclover
";

/// Builds and runs the mini-apps whose sources are there.
pub fn check(directory: &Path, launcher: &Launcher, program: &Path) -> Result<(), String> {
    for app in &APPS {
        let Some(sources) = sources(directory, app.name)? else {
            println!("skipped: {} has no folder {}*", directory.display(), app.name);
            continue;
        };
        let built = build(app, &sources)?;
        for size in app.sizes {
            run(app, &built, Job::new(launcher, program, &format!("{}-{size}", app.name), size)?)
                .map_err(|problem| format!("{}: {problem}", app.name))?;
        }
    }
    Ok(())
}

/// The folder with the sources of a mini-app.
fn sources(directory: &Path, name: &str) -> Result<Option<PathBuf>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", directory.display());
    for entry in directory.read_dir().map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let found = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if path.is_dir() && found.starts_with(&name.to_lowercase()) {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// Builds a mini-app in a copy of its sources; returns the program.
fn build(app: &App, sources: &Path) -> Result<PathBuf, String> {
    let copy = target().join("mpi").join(app.name);
    let _ = fs::remove_dir_all(&copy);
    fs::create_dir_all(target().join("mpi")).map_err(|error| error.to_string())?;
    succeed(Command::new("cp").arg("-r").arg(sources).arg(&copy))?;
    succeed(Command::new("sh").args(["-c", app.build]).current_dir(&copy))?;
    Ok(copy.join("app"))
}

/// Every rank has a report, the counts add up, and the samples of all ranks are on one page.
fn run(app: &App, built: &Path, job: Job<'_>) -> Result<(), String> {
    if let Some((name, text)) = app.input {
        fs::write(job.folder.join(name), text).map_err(|error| format!("{name}: {error}"))?;
    }
    let built = built.display().to_string();
    let command = [&[built.as_str()], app.arguments].concat();
    job.ranks(&["-e", "task-clock,page-faults,context-switches"], &command)?;
    let (rows, summary) = job.merged(&[])?;
    job.expect(&summary["missing_ranks"], Value::Array(Vec::new()), "missing ranks")?;
    job.expect(&Value::from(rows.len()), 4, "rows")?;
    for row in &rows {
        job.expect(&row["processes"], job.size, "processes")?;
        // The elapsed time has no total.
        if row["event"] != "elapsed time" {
            let values = row["per_rank"].as_array().into_iter().flatten();
            let sum: u64 = values.filter_map(|value| value["value"].as_u64()).sum();
            job.expect(&row["value"], sum, "the total")?;
        }
    }
    let samples = job.profile(&command)?;
    println!(
        "{}, {} ranks of {THREADS} threads: {} page faults add up, and {samples} samples are on one page",
        app.name, job.size, rows[1]["value"]
    );
    Ok(())
}
