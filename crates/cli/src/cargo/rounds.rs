//! Runs the benchmarks of two sides in turn.

use super::build::Built;
use super::runs::{Kind, Run};
use crate::commands::stat::compare::Side;
use crate::failure::Failure;
use crate::progress::Progress;
use counterpoint::Choice;
use counterpoint::records::Row;
use std::collections::HashSet;
use std::ffi::OsString;
use std::path::Path;

/// A benchmark of the base, and of the other side.
pub type Pair = [Built; 2];

/// How benchmarks are run.
pub struct Rounds<'a> {
    pub events: &'a [Choice],
    /// The number of rounds that count.
    pub number: u32,
    /// Arguments of the benchmarks.
    pub arguments: &'a [OsString],
    /// The directory for what benchmarks write.
    pub scratch: &'a Path,
}

impl Rounds<'_> {
    /// Runs all, each side of a benchmark right after the other; which is first is random.
    pub fn run(&self, pairs: &[Pair], titles: [String; 2]) -> Result<[Side; 2], Failure> {
        let mut progress = Progress::new(true);
        let mut kinds: Vec<[Kind; 2]> = Vec::new();
        for pair in pairs {
            progress.show(&format!("warm-up: {}", pair[0].name));
            let kind = |side: usize| self.of(&pair[side], &titles[side]).kind();
            kinds.push([kind(0)?, kind(1)?]);
        }
        let mut sides = titles.clone().map(|title| Side::new(title, None));
        for round in 1..=self.number {
            let mut rows = [Vec::new(), Vec::new()];
            for (pair, kinds) in pairs.iter().zip(&kinds) {
                progress.show(&format!("round {} of {}: {}", round, self.number, pair[0].name));
                let first = usize::from(fastrand::bool());
                for side in [first, 1 - first] {
                    rows[side].extend(self.of(&pair[side], &titles[side]).rows(&kinds[side])?);
                }
            }
            for (side, rows) in sides.iter_mut().zip(rows) {
                side.add_run(&numbered(rows));
            }
        }
        Ok(sides)
    }

    fn of<'r>(&'r self, built: &'r Built, title: &'r str) -> Run<'r> {
        Run { built, events: self.events, arguments: self.arguments, scratch: self.scratch, title }
    }
}

/// Benchmarks of one name, which a program may have, with their numbers.
fn numbered(mut rows: Vec<Row>) -> Vec<Row> {
    let mut known: HashSet<(Option<String>, String)> = HashSet::new();
    for row in &mut rows {
        let region = row.region.clone().unwrap_or_default();
        for number in 2.. {
            if known.insert((row.region.clone(), row.event.clone())) {
                break;
            }
            row.region = Some(format!("{region} ({number})"));
        }
    }
    rows
}
