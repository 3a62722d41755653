//! `cargo xtask fuzz [--seconds N] [TARGET…]` runs the fuzz targets of the workspace one after the other.

use crate::project::{arguments, metadata, root, target};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SECONDS: u64 = 60;

/// A fuzz target; the folder `fuzz` of its crate contains `seeds/NAME`, which a test also reads, `corpus/NAME` and `artifacts/NAME`.
struct Target {
    folder: PathBuf,
    name: String,
    /// More files to start from, in addition to its seeds.
    more_seeds: Option<String>,
}

/// Runs the targets and prints a table; fails if a target finds something.
pub fn run() -> Result<(), String> {
    let (seconds, names) = options()?;
    let mut targets = targets()?;
    if let Some(unknown) = names.iter().find(|name| targets.iter().all(|t| t.name != **name)) {
        let known: Vec<&str> = targets.iter().map(|target| target.name.as_str()).collect();
        return Err(format!("unknown target `{unknown}`; the targets are {}", known.join(", ")));
    }
    targets.retain(|target| names.is_empty() || names.contains(&target.name));
    needed()?;
    let mut lines = Vec::new();
    let mut findings = 0;
    for target in &targets {
        println!("fuzzing {} for {seconds} s", target.name);
        let outcome = target.run(seconds)?;
        findings += usize::from(outcome.finding.is_some());
        lines.push(outcome.line(&target.name));
        if let Some(finding) = &outcome.finding {
            print!("{}", target.explain(finding, &outcome.log));
        }
    }
    println!(
        "\n{:<18} {:>10} {:>8} {:>9} {:>7}  result",
        "target", "runs", "runs/s", "coverage", "corpus"
    );
    lines.iter().for_each(|line| println!("{line}"));
    if findings == 0 { Ok(()) } else { Err(format!("{findings} targets with a finding")) }
}

fn options() -> Result<(u64, Vec<String>), String> {
    let (mut seconds, mut names) = (SECONDS, Vec::new());
    let mut given = arguments();
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "--seconds" => {
                let number = given.next().and_then(|number| number.parse().ok());
                seconds = number.ok_or("--seconds needs a number")?;
            }
            flag if flag.starts_with('-') => {
                return Err(format!("unknown option {flag}; usage: fuzz [--seconds N] [TARGET…]"));
            }
            _ => names.push(argument),
        }
    }
    Ok((seconds, names))
}

/// The binaries of the packages `crates/*/fuzz`, which are separate workspaces.
fn targets() -> Result<Vec<Target>, String> {
    let crates = fs::read_dir(root().join("crates")).map_err(|error| format!("crates: {error}"))?;
    let mut folders: Vec<PathBuf> =
        crates.flatten().map(|entry| entry.path().join("fuzz")).collect();
    folders.retain(|folder| folder.join("Cargo.toml").is_file());
    folders.sort();
    let mut targets = Vec::new();
    for folder in folders {
        let package = &metadata(&folder, &["--no-deps"])?["packages"][0];
        for target in package["targets"].as_array().into_iter().flatten() {
            let name = target["name"].as_str().unwrap_or_default().to_string();
            let more_seeds = package["metadata"]["seeds"][&name].as_str().map(str::to_string);
            targets.push(Target { folder: folder.clone(), name, more_seeds });
        }
    }
    Ok(targets)
}

/// Checks that the required tools are installed, or returns the command that installs them.
fn needed() -> Result<(), String> {
    let works = |args: &[&str]| {
        let mut command = Command::new("cargo");
        command.args(args).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    if !works(&["+nightly", "--version"]) {
        return Err(
            "fuzzing needs a nightly compiler: rustup toolchain install nightly".to_string()
        );
    }
    if !works(&["+nightly", "fuzz", "--version"]) {
        return Err("fuzzing needs cargo-fuzz: cargo install cargo-fuzz".to_string());
    }
    Ok(())
}

struct Outcome {
    runs: u64,
    per_second: u64,
    coverage: String,
    corpus: String,
    /// The file with the input that caused a failure.
    finding: Option<PathBuf>,
    log: String,
}

impl Target {
    fn run(&self, seconds: u64) -> Result<Outcome, String> {
        let place = |kind: &str| self.folder.join(kind).join(&self.name);
        fs::create_dir_all(place("corpus")).map_err(|error| format!("{error}"))?;
        let mut command = Command::new("cargo");
        command.args(["+nightly", "fuzz", "run", "--target-dir"]).arg(target().join("fuzz"));
        command.arg(&self.name).arg(place("corpus")).arg(place("seeds"));
        command.args(self.more_seeds.as_ref().map(|seeds| self.folder.join(seeds)));
        command.args(["--", "-timeout=20", "-rss_limit_mb=4096", "-print_final_stats=1"]);
        command.arg(format!("-max_total_time={seconds}"));
        let folder = self.folder.parent().unwrap_or(&self.folder);
        let output =
            command.current_dir(folder).output().map_err(|e| format!("cargo fuzz: {e}"))?;
        let log = String::from_utf8_lossy(&output.stderr).into_owned();
        let finding = log.split("Test unit written to ").nth(1);
        let finding = finding.and_then(|rest| rest.lines().next()).map(PathBuf::from);
        if !output.status.success() && finding.is_none() {
            return Err(format!("{} could not be run:\n{log}", self.name));
        }
        Ok(Outcome::of(log, finding))
    }
}

impl Target {
    /// The finding, how to reproduce it, and how to turn it into a test.
    fn explain(&self, finding: &Path, log: &str) -> String {
        let shown = log.lines().skip_while(|line| !line.contains("panicked at")).take(3);
        let shown = shown.fold(String::new(), |all, line| all + "  " + line + "\n");
        let folder = self.folder.parent().unwrap_or(&self.folder).display();
        let (finding, name) = (finding.display(), &self.name);
        let seeds = self.folder.join("seeds").join(name);
        format!(
            "FOUND by {name}:\n{shown}\
             \x20 see it again:    (cd {folder} && cargo +nightly fuzz run {name} {finding})\n\
             \x20 make it smaller: (cd {folder} && cargo +nightly fuzz tmin {name} {finding})\n\
             \x20 make it a test:  cp {finding} {}/SAY_WHAT\n\
             \x20                  (the crate's test of that folder reads every file in it)\n",
            seeds.display()
        )
    }
}

impl Outcome {
    fn of(log: String, finding: Option<PathBuf>) -> Outcome {
        let stat = |name: &str| {
            let line = log.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
        };
        // Such as `#1234 DONE cov: 105 ft: 317 corp: 9/46b …`.
        let last = log.lines().rfind(|line| line.contains(" cov: ")).unwrap_or_default();
        let after = |name: &str| {
            let mut words = last.split_whitespace().skip_while(|word| *word != name);
            words.nth(1).unwrap_or("-").to_string()
        };
        let (runs, per_second) =
            (stat("stat::number_of_executed_units:"), stat("stat::average_exec_per_sec:"));
        Outcome { runs, per_second, coverage: after("cov:"), corpus: after("corp:"), finding, log }
    }

    fn line(&self, name: &str) -> String {
        let Outcome { runs, per_second, coverage, corpus, .. } = self;
        let corpus = corpus.split('/').next().unwrap_or_default();
        let result = self.finding.as_ref().map_or("ok".to_string(), |at| at.display().to_string());
        format!("{name:<18} {runs:>10} {per_second:>8} {coverage:>9} {corpus:>7}  {result}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_seeds() {
        let targets = targets().unwrap();
        assert!(targets.len() > 10);
        for target in targets {
            let seeds = target.folder.join("seeds").join(&target.name);
            assert!(seeds.read_dir().is_ok_and(|files| files.count() > 0), "{}", seeds.display());
        }
    }

    #[test]
    fn a_finding_is_told_with_what_to_type() {
        let folder = root().join("crates/pmu/fuzz");
        let target = Target { folder, name: "any_list".to_string(), more_seeds: None };
        let log = "thread '<unnamed>' panicked at a.rs:1:2:\nleft is not right\nstack\n==1== ERROR";
        let told = target.explain(Path::new("crash-1"), log);
        assert!(told.contains("  left is not right\n"), "{told}");
        assert!(told.contains("cargo +nightly fuzz run any_list crash-1"), "{told}");
        assert!(told.contains("crates/pmu/fuzz/seeds/any_list/SAY_WHAT"), "{told}");
    }

    #[test]
    fn the_numbers_of_a_log_are_found() {
        let log = "#9\tINIT   cov: 3 ft: 3 corp: 1/1b\n#1234\tDONE   cov: 105 ft: 317 corp: 9/46b lim: 4 exec/s: 7\n\
                   stat::number_of_executed_units: 1234\nstat::average_exec_per_sec:     7\n";
        let line = Outcome::of(log.to_string(), None).line("read");
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words, ["read", "1234", "7", "105", "9", "ok"]);
    }
}
