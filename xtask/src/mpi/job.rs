//! A job: ranks that `mpirun` starts, each under `counterpoint`, and what `merge` makes of their reports.

use crate::project::target;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The `mpirun` of the system; nothing is installed.
pub struct Launcher {
    pub version: String,
    /// Options without which it does not start ranks here.
    options: Vec<&'static str>,
}

impl Launcher {
    pub fn of_system() -> Result<Launcher, String> {
        let Ok(output) = Command::new("mpirun").arg("--version").output() else {
            return Err(
                "mpirun is not installed; with Debian or Ubuntu: apt-get install openmpi-bin, or mpich"
                    .to_string(),
            );
        };
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let version = text.lines().take(2).map(str::trim).collect::<Vec<_>>().join(" ");
        let mut options = Vec::new();
        if text.contains("Open MPI") || text.contains("OpenRTE") {
            options.push("--oversubscribe");
            let id =
                Command::new("id").arg("-u").output().map_err(|error| format!("id: {error}"))?;
            if id.stdout.trim_ascii() == b"0" {
                options.push("--allow-run-as-root");
            }
        }
        Ok(Launcher { version, options })
    }
}

/// The threads of each rank, in programs with OpenMP.
pub const THREADS: u64 = 4;

/// Ranks that run in a folder, into which each writes a file.
pub struct Job<'j> {
    launcher: &'j Launcher,
    pub program: &'j Path,
    pub folder: PathBuf,
    pub size: u64,
}

impl Job<'_> {
    /// A job with an empty folder of this name.
    pub fn new<'j>(
        launcher: &'j Launcher,
        program: &'j Path,
        name: &str,
        size: u64,
    ) -> Result<Job<'j>, String> {
        let folder = target().join("mpi").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Job { launcher, program, folder, size })
    }

    /// Runs the ranks of a job under `stat --mpi`, each of which writes its report into the folder.
    pub fn ranks(&self, options: &[&str], command: &[&str]) -> Result<Output, String> {
        let mut mpirun = self.mpirun("stat", "jsonl");
        succeed(mpirun.args(options).arg("--").args(command))
    }

    /// `mpirun` with ranks under this command of `counterpoint`, each with a file of this kind in the folder.
    pub fn mpirun(&self, command: &str, kind: &str) -> Command {
        let mut mpirun = Command::new("mpirun");
        mpirun.args(&self.launcher.options).args(["-n", &self.size.to_string()]).arg(self.program);
        mpirun.args([command, "--mpi", "-o", &format!("{{rank}}.{kind}")]);
        mpirun.current_dir(&self.folder).env("OMP_NUM_THREADS", THREADS.to_string());
        mpirun
    }

    /// The rows of the merged reports, and the summary.
    pub fn merged(&self, options: &[&str]) -> Result<(Vec<Value>, Value), String> {
        let mut merge = Command::new(self.program);
        let output = succeed(merge.args(["merge", "--json"]).args(options).arg(&self.folder))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines: Result<Vec<Value>, _> = text.lines().map(serde_json::from_str).collect();
        let mut rows = lines.map_err(|error| format!("merge --json: {error}"))?;
        let summary = rows.pop().ok_or("merge --json prints nothing")?;
        Ok((rows, summary["summary"].clone()))
    }

    /// Runs the ranks under `profile --mpi`, and checks that the samples of all are in one profile and on one page; returns
    /// their number.
    pub fn profile(&self, command: &[&str]) -> Result<u64, String> {
        succeed(self.mpirun("profile", "perf").args(["-g", "--"]).args(command))?;
        let files = (0..self.size).map(|rank| self.folder.join(format!("{rank}.perf")));
        let files: Vec<PathBuf> = files.collect();
        let mut report = Command::new(self.program);
        let output = succeed(report.args(["report", "--format", "json"]).args(&files))?;
        let profile: Value = serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("report --format json: {error}"))?;
        let samples = profile["samples"].as_u64().unwrap_or_default();
        let ranks = profile["rank_samples"].as_array().into_iter().flatten();
        let counts: Vec<u64> = ranks.filter_map(|rank| rank["count"].as_u64()).collect();
        self.expect(&Value::from(counts.len()), self.size, "ranks in the profile")?;
        self.expect(&Value::from(counts.iter().sum::<u64>()), samples, "the samples of all")?;
        let page = self.folder.join("ranks.html");
        succeed(Command::new(self.program).args(["report", "--html"]).arg(&page).args(&files))?;
        let text = fs::read_to_string(&page).map_err(|e| format!("{}: {e}", page.display()))?;
        let last = format!("rank {}", self.size - 1);
        if text.contains(&last) { Ok(samples) } else { Err(format!("{last} is not on the page")) }
    }

    /// The first sentence of `merge` about who takes longer than the mean that has these words.
    pub fn sentence(&self, options: &[&str], words: &str) -> Result<String, String> {
        let merged =
            succeed(Command::new(self.program).arg("merge").args(options).arg(&self.folder))?;
        let text = String::from_utf8_lossy(&merged.stdout).into_owned();
        let is_it = |line: &&str| line.contains("% longer than the mean") && line.contains(words);
        let found = text.lines().find(is_it).map(|line| line.trim().to_string());
        found.ok_or_else(|| format!("{} ranks: nothing is said of {words}:\n{text}", self.size))
    }

    pub fn expect(
        &self,
        found: &Value,
        expected: impl Into<Value>,
        what: &str,
    ) -> Result<(), String> {
        let expected = expected.into();
        if *found == expected {
            Ok(())
        } else {
            Err(format!("{} ranks: {what}: {found} in place of {expected}", self.size))
        }
    }
}

/// Runs a command that must succeed.
pub fn succeed(command: &mut Command) -> Result<Output, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name}: {error}"))?;
    if output.status.success() {
        Ok(output)
    } else {
        Err(format!("{name}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)))
    }
}
