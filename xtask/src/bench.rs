//! `cargo xtask bench`: runs the benchmarks and prints one table.

mod benches;
mod compare;

use crate::project::{arguments, root};
use benches::Bench;
use std::collections::BTreeSet;
use std::path::Path;

/// Runs the benchmarks of the workspace, and those that compare it with other projects, and prints one table; with `--compare`, runs those of the workspace in turn with those of another commit.
pub fn run() -> Result<(), String> {
    let arguments: Vec<String> = arguments().collect();
    let names = match arguments.as_slice() {
        [option, revision, names @ ..] if option == "--compare" => {
            return compare::run(revision, names);
        }
        names => names,
    };
    if let Some(option) = names.iter().find(|name| name.starts_with('-')) {
        return Err(format!("{option}: usage: cargo xtask bench [--compare REV] [NAME…]"));
    }
    // Before the benchmarks, which take long.
    let reasons = reasons()?;
    let beside = root().join("xtask/bench");
    let mut table = Table::default();
    for folder in [root(), beside] {
        let benches = match benches::benches(&folder, names) {
            Ok(benches) => benches,
            // Their packages come from a registry, and are not dependencies of the workspace itself.
            Err(reason) if folder != root() => {
                println!("skipped the comparison with other projects: {reason}");
                continue;
            }
            Err(reason) => return Err(reason),
        };
        benches.iter().for_each(|bench| table.add(bench, &folder));
    }
    table.print(&reasons);
    match table.unexplained(&reasons) {
        0 if table.failed.is_empty() => Ok(()),
        0 => Err(format!("failed: {}", table.failed.join(", "))),
        over => Err(format!(
            "{over} rows exceed their limit, and xtask/bench/over.txt does not say why; failed: {:?}",
            table.failed
        )),
    }
}

/// The reason why rows are over their limits, and what was tried.
struct Reason {
    /// The benchmark, as its section is named.
    section: &'static str,
    /// The prefix of the names of the rows.
    rows: &'static str,
    text: &'static str,
}

/// The reasons that are known, in the order of the file.
fn reasons() -> Result<Vec<Reason>, String> {
    let lines = include_str!("../bench/over.txt").lines().filter(|line| !line.starts_with('#'));
    let reason = |line: &'static str| {
        let mut parts = line.splitn(3, " | ").filter(|part| !part.is_empty());
        let parts = (parts.next(), parts.next(), parts.next());
        let (Some(section), Some(rows), Some(text)) = parts else {
            return Err(format!("xtask/bench/over.txt: not `BENCHMARK | ROWS | REASON`: {line}"));
        };
        Ok(Reason { section, rows, text })
    };
    lines.map(reason).collect()
}

#[derive(Default)]
struct Table {
    /// The name of each benchmark, and its rows.
    sections: Vec<(String, Vec<String>)>,
    failed: Vec<String>,
}

impl Table {
    /// Runs a benchmark, and collects its rows from its output: the lines with tabs, as written by `xtask/bench/row.rs`.
    fn add(&mut self, bench: &Bench, folder: &Path) {
        let name = bench.title();
        println!("running {name}");
        let output = bench.command(folder).output();
        let (text, success) = match output {
            Ok(output) => {
                (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.success())
            }
            Err(error) => (error.to_string(), false),
        };
        text.lines()
            .filter(|line| line.starts_with("skipped:"))
            .for_each(|line| println!("{line}"));
        let rows: Vec<String> =
            text.lines().filter(|line| line.contains('\t')).map(String::from).collect();
        // It must fail if and only if a row exceeds its limit.
        if rows.is_empty() || success == rows.iter().any(|row| is_over(row)) {
            print!("{text}");
            self.failed.push(name.clone());
        }
        self.sections.push((name, rows));
    }

    /// Prints the rows, with the numbers of the reasons for those that are over their limits, and then these reasons.
    fn print(&self, reasons: &[Reason]) {
        println!(
            "\n{:<46}\t{:>12}\t{:>12}\t{:>30}\t{:>8}\t{:>20}\t{:>10}",
            "", "ours", "minimum", "peer", "ratio", "spread", "limit"
        );
        let mut used = BTreeSet::new();
        for (name, rows) in &self.sections {
            println!("{name}");
            for row in rows {
                match reason(name, row, reasons) {
                    Some(at) if is_over(row) => {
                        println!("  {row} [{}]", at + 1);
                        used.insert(at);
                    }
                    _ => println!("  {row}"),
                }
            }
        }
        used.iter().for_each(|&at| println!("\n[{}] {}", at + 1, reasons[at].text));
    }

    /// The number of rows that are over their limits without a reason.
    fn unexplained(&self, reasons: &[Reason]) -> usize {
        let rows =
            self.sections.iter().flat_map(|(name, rows)| rows.iter().map(move |row| (name, row)));
        rows.filter(|(name, row)| is_over(row) && reason(name, row, reasons).is_none()).count()
    }
}

/// The index of the reason for a row of a section.
fn reason(section: &str, row: &str, reasons: &[Reason]) -> Option<usize> {
    let is_for = |reason: &Reason| reason.section == section && row.starts_with(reason.rows);
    reasons.iter().position(is_for)
}

fn is_over(row: &str) -> bool {
    row.ends_with("\tover")
}
