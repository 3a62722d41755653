//! `--why`: of what the difference of two commands in time is made.
//!
//! The elapsed time of a run is split over the states of its threads and, with a hardware PMU, over the slots of top-down
//! analysis (`split`); further runs, which take turns as well, are profiled, and compared by function.
//! Each part has an interval of its own, and what differs by more than noise is said in words (`sentences`).

mod explanation;
mod json;
mod sentences;
mod split;

pub use explanation::{Kind, Part, Why};
#[cfg(test)]
pub use json::Part as Line;
pub use json::lines;
pub use sentences::sentences;
pub use split::{RUNNING, add, slots};

use super::super::args::StatArgs;
use super::side::ELAPSED;
use super::table::{Row, Table};
use crate::commands::profile::{self, Compared};
use crate::commands::samples::diff;
use crate::failure::Failure;
use split::STATES;

/// The samples of a second: enough to see a function of a few percent in a run of a tenth of a second.
const HERTZ: &str = "4000";
/// The rounds that are profiled without `-r`: as many as were counted, within these.
const ROUNDS: std::ops::RangeInclusive<usize> = 10..=30;

/// Explains the comparison of two commands, which are profiled for it.
pub fn explain(args: &StatArgs, table: &Table) -> Why {
    let elapsed = table.rows.iter().find(|row| row.name == ELAPSED);
    let mut why = Why {
        base: elapsed.and_then(|row| row.cells[0].as_ref()?.mean).unwrap_or(f64::NAN),
        parts: table.rows.iter().filter_map(part).collect(),
        tables: Vec::new(),
        sides: None,
        notes: Vec::new(),
        exit_code: 0,
    };
    match profiled(args, table) {
        Ok((compared, notes)) => {
            why.notes.extend(notes);
            with_functions(&mut why, compared);
        }
        Err(failure) => {
            why.notes.push(format!("Functions were not profiled: {}.", failure.text));
            why.exit_code = failure.code;
        }
    }
    why
}

fn with_functions(why: &mut Why, compared: Compared) {
    let Compared { sides, notes, exit_code } = compared;
    why.notes.extend(notes);
    why.exit_code = exit_code;
    match diff::tables(&sides, diff::Design::Rounds) {
        Ok(tables) => {
            why.parts.extend(tables.iter().flat_map(functions));
            why.tables = tables;
            why.sides = Some(sides);
        }
        Err(failure) => {
            why.notes.push(format!("Functions were not compared: {}.", failure.text));
        }
    }
}

/// The part that a row is, if it is one.
fn part(row: &Row) -> Option<Part> {
    let kind = match &*row.name {
        name if STATES.contains(&name) => Kind::State,
        name if split::is_slots(name) => Kind::Slots,
        _ => return None,
    };
    let against = row.against[1].as_ref()?;
    let seconds = if row.unit.as_deref() == Some("ns") { 1e-9 } else { 1.0 };
    Some(Part {
        kind,
        name: row.name.clone(),
        module: None,
        difference: against.comparison.difference.times(seconds),
        verdict: against.verdict,
    })
}

/// The functions with enough samples for a verdict.
fn functions(table: &diff::Table) -> impl Iterator<Item = Part> {
    let kind = if table.is_waiting { Kind::Waiting } else { Kind::Function };
    let seconds = table.change(1.0) / 1000.0;
    table.rows.iter().filter_map(move |row| {
        Some(Part {
            kind,
            name: row.function.clone(),
            module: row.module.clone(),
            difference: row.comparison.difference.times(seconds),
            verdict: row.verdict?,
        })
    })
}

/// Profiles the commands in turn; without the times of waiting, which is noted, where they cannot be had.
fn profiled(args: &StatArgs, table: &Table) -> Result<(Compared, Option<String>), Failure> {
    let [base, other] = &*args.compare.compare else {
        return Err(Failure::new("there are not two commands"));
    };
    let counted = table.sides.iter().map(|side| side.runs).max().unwrap_or(0);
    let counted = counted.clamp(*ROUNDS.start(), *ROUNDS.end());
    let rounds = args.repeat.map_or(counted, |asked| asked.max(2) as usize).to_string();
    let mut options = vec!["-e", "task-clock", "-F", HERTZ, "-r", &rounds];
    let flags = [
        (args.html.is_some(), "-g"),
        (args.compare.ignore_failure, "--ignore-failure"),
        (args.compare.show_output, "--show-output"),
    ];
    options.extend(flags.iter().filter(|(is_given, _)| *is_given).map(|(_, option)| *option));
    let of_time = options.clone();
    options.push("--off-cpu");
    match profile::compared([base, other], &options) {
        Ok(compared) => Ok((compared, None)),
        Err(interrupted) if interrupted.code > 128 => Err(interrupted),
        Err(failure) => {
            let compared = profile::compared([base, other], &of_time)?;
            let note = format!("The time of waiting was not profiled: {}.", failure.text);
            Ok((compared, Some(note)))
        }
    }
}
