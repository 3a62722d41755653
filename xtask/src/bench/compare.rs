//! `cargo xtask bench --compare REV`: the same benchmarks of another commit, in turn with those of this one.

#[path = "../../bench/row.rs"]
mod row;

use super::benches::{Bench, benches};
use crate::project::{root, target};
use row::median;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The number of times each side runs a benchmark.
const ROUNDS: usize = 5;

/// Runs the benchmarks whose names contain one of `names` on both sides, and prints the ratio of each row.
pub(super) fn run(revision: &str, names: &[String]) -> Result<(), String> {
    let base = Base::checked_out(revision)?;
    let sides = [root(), base.folder.clone()];
    println!("{:<46}\t{:>12}\t{:>12}\t{:>8}\t{:>17}", "", "now", revision, "ratio", "its spread");
    let mut slower = 0;
    for bench in benches(&sides[0], names)? {
        let mut rounds: Vec<[Vec<Row>; 2]> = Vec::new();
        for round in 0..ROUNDS {
            let mut rows = [Vec::new(), Vec::new()];
            // Each side is first in every other round.
            for side in [round % 2, 1 - round % 2] {
                rows[side] = self::rows(&bench, &sides[side])?;
            }
            rounds.push(rows);
        }
        println!("{}", bench.title());
        slower += compared(&rounds);
    }
    match slower {
        0 => Ok(()),
        slower => Err(format!("{slower} rows are slower than at {revision}")),
    }
}

/// A checked-out commit, which is removed in the end.
struct Base {
    folder: PathBuf,
}

impl Base {
    fn checked_out(revision: &str) -> Result<Base, String> {
        let base = Base { folder: target().join("bench/base") };
        base.remove();
        let mut add = git(&["worktree", "add", "--quiet", "--force", "--detach"]);
        let status = add.arg(&base.folder).arg(revision).status();
        if status.map_err(|error| format!("git: {error}"))?.success() {
            Ok(base)
        } else {
            Err(format!("git has no commit {revision}"))
        }
    }

    fn remove(&self) {
        // There is none before the first run.
        drop(git(&["worktree", "remove", "--force"]).arg(&self.folder).output());
    }
}

impl Drop for Base {
    fn drop(&mut self) {
        self.remove();
    }
}

fn git(arguments: &[&str]) -> Command {
    let mut git = Command::new("git");
    git.args(arguments).current_dir(root());
    git
}

/// A row of a benchmark: its name, its median, and the unit.
struct Row {
    name: String,
    value: f64,
    unit: String,
}

/// The rows of a benchmark of one side; none if that side does not have it.
fn rows(bench: &Bench, side: &Path) -> Result<Vec<Row>, String> {
    let mut command = bench.command(side);
    if side != root() {
        command.env("CARGO_TARGET_DIR", target().join("bench/built"));
    }
    // That a limit is exceeded is not of interest here.
    let output = command.stderr(Stdio::piped()).output();
    let output = output.map_err(|error| format!("cargo: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let row = |line: &str| {
        let mut columns = line.split('\t').map(str::trim);
        let name = columns.next()?.to_string();
        let (value, unit) = columns.next()?.split_once(' ')?;
        Some(Row { name, value: value.parse().ok()?, unit: unit.to_string() })
    };
    let rows: Vec<Row> = text.lines().filter_map(row).collect();
    if rows.is_empty() && side == root() {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    } else {
        Ok(rows)
    }
}

/// Prints each row that both sides have in every round; returns how many are slower now in all of them.
fn compared(rounds: &[[Vec<Row>; 2]]) -> usize {
    let mut slower = 0;
    let first = rounds.first().map_or(&[][..], |[now, _]| now);
    // A name may stand for several rows, one for each peer.
    let mut known: Vec<&str> = Vec::new();
    for Row { name, unit, .. } in first {
        if known.contains(&name.as_str()) {
            continue;
        }
        known.push(name);
        let of = |rows: &[Row]| rows.iter().find(|row| row.name == *name).map(|row| row.value);
        let pairs = rounds.iter().map(|[now, base]| of(now).zip(of(base)));
        let Some(pairs) = pairs.collect::<Option<Vec<(f64, f64)>>>() else { continue };
        let (nows, bases): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let (now, base) = (median(&nows), median(&bases));
        let ratios = || pairs.iter().map(|(now, base)| now / base);
        let least = ratios().fold(f64::INFINITY, f64::min);
        let most = ratios().fold(0.0, f64::max);
        let verdict = match (least, most) {
            (least, _) if least > 1.0 + NOISE => "slower",
            (_, most) if most < 1.0 - NOISE => "faster",
            _ => "",
        };
        slower += usize::from(verdict == "slower");
        let [now_text, base_text] = [now, base].map(|value| format!("{value:.2} {unit}"));
        let spread = format!("{least:.3} to {most:.3}");
        println!(
            "  {name:<44}\t{now_text:>12}\t{base_text:>12}\tx {:>6.3}\t{spread:>17}\t{verdict}",
            now / base
        );
    }
    slower
}

/// The change that a row may show by chance in every round: another place of the code in memory.
const NOISE: f64 = 0.03;
