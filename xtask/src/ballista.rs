//! `cargo xtask ballista`: a scheduler and two executors as processes, asked about reports that `stat` wrote a moment before: the answers are those of `merge`, of the embedded engine to the bit, and never wrong when an executor is killed.

use crate::project::{root, target};
use serde_json::Value;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const RANKS: usize = 8;

/// Rows of the long query: work for some seconds, so that an executor can be killed within it.
const ROWS: usize = 40_000_000;

pub fn run() -> Result<(), String> {
    let manifest = root().join("datafusion/Cargo.toml");
    let cargo = |words: &[&str]| {
        println!("==> cargo {}", words.join(" "));
        let mut command = Command::new("cargo");
        command.arg(words[0]).arg("--manifest-path").arg(&manifest).args(&words[1..]);
        let status = command.current_dir(root()).status().map_err(|error| error.to_string())?;
        if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}")) }
    };
    cargo(&["fmt", "--check"])?;
    cargo(&["clippy", "--release", "--all-targets", "--", "-D", "warnings"])?;
    cargo(&["test", "--release"])?;
    cargo(&["build", "--release"])?;
    succeed(Command::new("cargo").args(["build", "-p", "counterpoint-cli"]).current_dir(root()))?;
    let folder = target().join("ballista");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let cluster = Cluster::start(&folder)?;
    cluster.answers_as_merge_does()?;
    cluster.answers_to_the_bit()?;
    cluster.loses_an_executor()
}

struct Cluster {
    folder: PathBuf,
    programs: PathBuf,
    scheduler: String,
    processes: Vec<Child>,
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for process in &mut self.processes {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

impl Cluster {
    fn start(folder: &Path) -> Result<Cluster, String> {
        let programs = root().join("datafusion/target/release");
        let [scheduler, first, second] = [free_port(1)?, free_port(2)?, free_port(2)?];
        let scheduler = format!("127.0.0.1:{scheduler}");
        let mut cluster =
            Cluster { folder: folder.to_path_buf(), programs, scheduler, processes: Vec::new() };
        let listen = cluster.scheduler.clone();
        cluster.spawn("counterpoint-scheduler", &["--listen", &listen])?;
        wait_for(&listen)?;
        for port in [first, second] {
            let own = format!("127.0.0.1:{port}");
            cluster.spawn(
                "counterpoint-executor",
                &["--scheduler", &listen, "--listen", &own, "--threads", "1"],
            )?;
            wait_for(&own)?;
        }
        Ok(cluster)
    }

    fn spawn(&mut self, program: &str, words: &[&str]) -> Result<(), String> {
        println!("==> {program} {}", words.join(" "));
        let mut command = Command::new(self.programs.join(program));
        command.args(words).stdout(Stdio::null());
        self.processes.push(command.spawn().map_err(|error| format!("{program}: {error}"))?);
        Ok(())
    }

    fn query(&self, is_remote: bool, sql: &str, files: &[PathBuf]) -> Command {
        let mut command = Command::new(self.programs.join("counterpoint-query"));
        if is_remote {
            command.args(["--ballista", &self.scheduler]);
        }
        command.arg("--scratch").arg(&self.folder).args(["--format", "json", sql]).args(files);
        command
    }

    fn both(&self, sql: &str, files: &[PathBuf]) -> Result<String, String> {
        let embedded = succeed(&mut self.query(false, sql, files))?;
        let remote = succeed(&mut self.query(true, sql, files))?;
        if embedded != remote {
            return Err(format!("{sql}: {embedded:?} embedded, {remote:?} on the cluster"));
        }
        Ok(remote)
    }

    /// The sums over the ranks of a job are those of `merge`.
    fn answers_as_merge_does(&self) -> Result<(), String> {
        let program = target().join("debug/counterpoint");
        let mut files = Vec::new();
        for rank in 0..RANKS {
            let file = self.folder.join(format!("rank.{rank}.jsonl"));
            let mut stat = Command::new(&program);
            stat.args(["stat", "--json", "-e", "task-clock,page-faults,cycles", "-o"])
                .arg(&file)
                .args(["--", "sh", "-c", "exit 0"])
                .env("PMI_RANK", rank.to_string())
                .env("PMI_SIZE", RANKS.to_string());
            succeed(&mut stat)?;
            files.push(file);
        }
        let merged = succeed(Command::new(&program).args(["merge", "--json"]).args(&files))?;
        let sql = "SELECT event, cp_sum(value, status, coverage, counted_elsewhere)['value'] AS value, cp_sum(value, status)['status'] AS status FROM reports WHERE kind = 'value' GROUP BY event ORDER BY event";
        let answer = self.both(sql, &files)?;
        let by_event = |text: &str| -> Result<Vec<(String, Option<f64>)>, String> {
            let mut rows = Vec::new();
            for line in text.lines() {
                let row: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
                if let Some(event) = row["event"].as_str() {
                    rows.push((event.to_string(), row["value"].as_f64()));
                }
            }
            rows.sort_by(|one, other| one.0.cmp(&other.0));
            Ok(rows)
        };
        let (answer, merged) = (by_event(&answer)?, by_event(&merged)?);
        if answer != merged || answer.len() != 3 {
            return Err(format!("the cluster says {answer:?}, merge {merged:?}"));
        }
        println!("==> {RANKS} ranks: the sums are those of merge: {answer:?}");
        Ok(())
    }

    /// Formulas and sums of doubles are the same to the bit, however the rows are divided.
    fn answers_to_the_bit(&self) -> Result<(), String> {
        let files = self.rows()?;
        let sql = "SELECT event, cp_sum(cp_formula('100 * a / (a + b)', value, coverage), status) AS x, cp_mean(value, status)['value'] AS mean FROM reports GROUP BY event ORDER BY event";
        let answer = self.both(sql, &files)?;
        println!("==> the same to the bit: {}", answer.trim_end().replace('\n', " "));
        Ok(())
    }

    /// Files of values that are not whole.
    fn rows(&self) -> Result<Vec<PathBuf>, String> {
        let mut files = Vec::new();
        for part in 0..4 {
            let path = self.folder.join(format!("rows.{part}.parquet"));
            let sql = format!(
                "COPY (SELECT CAST(1 AS BIGINT) AS \"table\", 'value' AS kind, CASE WHEN value % 3 = 0 THEN 'a' ELSE 'b' END AS event, 1e6 / value AS value, 'counted' AS status, 1.0 / (1 + value % 100) AS coverage FROM generate_series({}, {})) TO '{}' STORED AS PARQUET",
                part * ROWS / 4 + 1,
                (part + 1) * ROWS / 4,
                path.display()
            );
            succeed(&mut self.query(false, &sql, &[]))?;
            files.push(path);
        }
        Ok(files)
    }

    /// With an executor killed within a query, its answer is right, or an error.
    fn loses_an_executor(mut self) -> Result<(), String> {
        let files: Vec<PathBuf> =
            (0..4).map(|part| self.folder.join(format!("rows.{part}.parquet"))).collect();
        let sql = "SELECT event, cp_sum(sqrt(abs(sin(value))) * value, status) AS x, count(*) AS n FROM reports GROUP BY event ORDER BY event";
        let begun = Instant::now();
        let right = succeed(&mut self.query(true, sql, &files))?;
        let whole = begun.elapsed();
        let mut command = self.query(true, sql, &files);
        let asked = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let asked = asked.map_err(|error| format!("counterpoint-query: {error}"))?;
        std::thread::sleep(whole / 3);
        let executor = self.processes.last_mut().ok_or("no executor")?;
        executor.kill().map_err(|error| error.to_string())?;
        let killed = Instant::now();
        let output = asked.wait_with_output().map_err(|error| error.to_string())?;
        let answer = String::from_utf8_lossy(&output.stdout).into_owned();
        let is_right = output.status.success() && answer == right;
        let is_refused = !output.status.success() && answer.is_empty();
        if !is_right && !is_refused {
            return Err(format!("an executor was killed: {answer:?}, where {right:?} is right"));
        }
        println!(
            "==> an executor was killed after {:.1} s: {} after {:.1} s more",
            (whole / 3).as_secs_f64(),
            if is_right { "the right answer" } else { "an error" },
            killed.elapsed().as_secs_f64()
        );
        Ok(())
    }
}

/// The first of so many ports in a row that nobody uses.
fn free_port(count: u16) -> Result<u16, String> {
    for _ in 0..100 {
        let first = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let first = first.map_err(|error| error.to_string())?.port();
        let is_free = |port: u16| TcpListener::bind(("127.0.0.1", port)).is_ok();
        if (first..first.saturating_add(count)).all(is_free) {
            return Ok(first);
        }
    }
    Err("no port is free".to_string())
}

fn wait_for(address: &str) -> Result<(), String> {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(30) {
        if TcpStream::connect(address).is_ok() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Err(format!("nothing listens at {address}"))
}

/// The output of a command; its errors are printed as they come.
fn succeed(command: &mut Command) -> Result<String, String> {
    command.stdout(Stdio::piped());
    let output = command.stderr(Stdio::inherit()).spawn().and_then(Child::wait_with_output);
    let output = output.map_err(|error| format!("{:?}: {error}", command.get_program()))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("{command:?}: {}", output.status))
    }
}
