//! `cargo xtask mpi`: real ranks, started by the system's `mpirun`, whose reports are merged; one rank is slow and must be
//! named, a node is counted once, a report that is removed is missed, and reports survive the crash of a rank.

use crate::project::{root, target};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

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
    let launcher = launcher()?;
    println!("{}", launcher.version);
    succeed(
        Command::new("cargo")
            .args(["build", "--quiet", "-p", "counterpoint-cli"])
            .current_dir(root()),
    )?;
    let program = target().join("debug/counterpoint");
    for (size, slow) in JOBS {
        let folder = target().join(format!("mpi/{size}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Job { launcher: &launcher, program: &program, folder, size }.check(slow)?;
    }
    let (rounds, size) = CRASHES;
    for round in 0..rounds {
        let folder = target().join("mpi/crash");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Job { launcher: &launcher, program: &program, folder, size }
            .crash()
            .map_err(|problem| format!("round {round} of {rounds}: {problem}"))?;
    }
    println!("{size} ranks: the reports of all are whole in {rounds} of {rounds} crashes of one");
    Ok(())
}

struct Launcher {
    version: String,
    /// Options without which it does not start ranks here.
    options: Vec<&'static str>,
}

/// The `mpirun` of the system; nothing is installed.
fn launcher() -> Result<Launcher, String> {
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
        let id = Command::new("id").arg("-u").output().map_err(|error| format!("id: {error}"))?;
        if id.stdout.trim_ascii() == b"0" {
            options.push("--allow-run-as-root");
        }
    }
    Ok(Launcher { version, options })
}

struct Job<'j> {
    launcher: &'j Launcher,
    program: &'j Path,
    folder: PathBuf,
    size: u64,
}

impl Job<'_> {
    fn check(&self, slow: u64) -> Result<(), String> {
        let work = ["sh", "-c", WORK, "sh", &slow.to_string()];
        self.ranks(&["-e", "task-clock,page-faults"], &work)?;
        let (rows, summary) = self.merged()?;
        let [clock, faults, elapsed] = &rows[..] else {
            return Err(format!("{} rows", rows.len()));
        };
        for row in [clock, faults, elapsed] {
            self.expect(&row["processes"], self.size, "processes")?;
            self.expect(&row["max_rank"], slow, "the rank with the most")?;
        }
        self.expect(&summary["missing_ranks"], Value::Array(Vec::new()), "missing ranks")?;
        let text = succeed(Command::new(self.program).arg("merge").arg(&self.folder))?;
        let text = String::from_utf8_lossy(&text.stdout).into_owned();
        let words = text.lines().find(|line| line.contains("% longer than the mean"));
        println!("{} ranks:{}", self.size, words.unwrap_or(" nothing is said about the slow one"));
        if !words.is_some_and(|words| words.contains(&format!("rank {slow} on "))) {
            return Err(format!("rank {slow} is not named:\n{text}"));
        }

        let lost = self.size - 1;
        let report = self.folder.join(format!("{lost}.jsonl"));
        fs::remove_file(&report).map_err(|error| format!("{}: {error}", report.display()))?;
        let (_, summary) = self.merged()?;
        self.expect(&summary["missing_ranks"][0]["missing"], lost.to_string(), "missing ranks")?;

        match self.ranks(&["-a", "-e", "context-switches"], &["true"]) {
            Err(problem) if problem.contains("can be counted here") => {
                println!("skipped: this user may not count whole CPUs");
                return Ok(());
            }
            result => result?,
        };
        let (rows, _) = self.merged()?;
        let values = rows[0]["per_rank"].as_array().into_iter().flatten();
        let counted = values.filter(|value| value["status"] == "counted").count();
        self.expect(&Value::from(counted), 1, "ranks that count the node")
    }

    /// One rank crashes, and the reports of all are whole.
    fn crash(&self) -> Result<(), String> {
        let Err(problem) = self.ranks(&["-e", "task-clock,page-faults"], &["sh", "-c", CRASH])
        else {
            return Err("the job succeeds".to_string());
        };
        let (rows, summary) = self.merged().map_err(|wrong| format!("{wrong}\n{problem}"))?;
        // The elapsed time has no total.
        for row in rows.iter().filter(|row| row["event"] != "elapsed time") {
            self.expect(&row["processes"], self.size, "processes")?;
            self.expect(&row["status"], "counted", "the total")?;
        }
        self.expect(&summary["missing_ranks"], Value::Array(Vec::new()), "missing ranks")
    }

    /// Runs the ranks of a job under `stat --mpi`, each of which writes its report into the folder.
    fn ranks(&self, options: &[&str], command: &[&str]) -> Result<Output, String> {
        let mut mpirun = Command::new("mpirun");
        mpirun.args(&self.launcher.options).args(["-n", &self.size.to_string()]).arg(self.program);
        mpirun.args(["stat", "--mpi", "-o"]).arg(self.folder.join("{rank}.jsonl"));
        succeed(mpirun.args(options).arg("--").args(command))
    }

    /// The rows of the merged reports, and the summary.
    fn merged(&self) -> Result<(Vec<Value>, Value), String> {
        let output =
            succeed(Command::new(self.program).args(["merge", "--json"]).arg(&self.folder))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines: Result<Vec<Value>, _> = text.lines().map(serde_json::from_str).collect();
        let mut rows = lines.map_err(|error| format!("merge --json: {error}"))?;
        let summary = rows.pop().ok_or("merge --json prints nothing")?;
        Ok((rows, summary["summary"].clone()))
    }

    fn expect(&self, found: &Value, expected: impl Into<Value>, what: &str) -> Result<(), String> {
        let expected = expected.into();
        if *found == expected {
            Ok(())
        } else {
            Err(format!("{} ranks: {what}: {found} in place of {expected}", self.size))
        }
    }
}

fn succeed(command: &mut Command) -> Result<Output, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name}: {error}"))?;
    if output.status.success() {
        Ok(output)
    } else {
        Err(format!("{name}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)))
    }
}
