//! The same events of the same command, counted by `perf stat` and by ours in turn.

use super::cores::Cores;
use super::record::Row;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

const ROUNDS: usize = 7;

/// A loop of the shell: much the same work in each run, for some milliseconds.
const WORK: &str = "i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done";

/// Counts that differ by less than this share are called near, whatever their spread is.
const NEAR: f64 = 0.001;

/// The counts of the rounds, by event.
type Counts = BTreeMap<String, Vec<f64>>;

/// A row for each event: perf's median is what is expected.
pub(super) fn rows(program: &Path, cores: &Cores, events: &[&str]) -> Result<Vec<Row>, String> {
    let perf = Path::new("perf");
    let (mut theirs, mut ours) = (Counts::new(), Counts::new());
    for round in 0..ROUNDS {
        let mut turns = [(perf, &mut theirs), (program, &mut ours)];
        // Neither is always the first one.
        turns.rotate_left(round % 2);
        for (program, counts) in turns {
            count(program, cores, events, counts)?;
        }
    }
    let row = |event: &&str| {
        let counts = |of: &Counts| of.get(*event).cloned().unwrap_or_default();
        Row::of(&line(event, counts(&theirs), counts(&ours)))
    };
    Ok(events.iter().map(row).collect())
}

/// Adds the counts of a run, in the columns of `perf stat -x`: the value, its unit and the event.
fn count(
    program: &Path,
    cores: &Cores,
    events: &[&str],
    counts: &mut Counts,
) -> Result<(), String> {
    let failed = |error: String| format!("{}: {error}", program.display());
    let output = cores
        .command(program)
        .args(["stat", "-x", ";", "-e", &events.join(","), "--", "sh", "-c", WORK])
        .output()
        .map_err(|error| failed(error.to_string()))?;
    let text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(failed(text.into_owned()));
    }
    for line in text.lines() {
        let columns: Vec<&str> = line.split(';').collect();
        let [value, _, event, ..] = columns[..] else { continue };
        if let Ok(value) = value.parse() {
            counts.entry(event.to_owned()).or_default().push(value);
        }
    }
    Ok(())
}

fn line(event: &str, mut theirs: Vec<f64>, mut ours: Vec<f64>) -> serde_json::Value {
    let mut line = json!({"kernel": "shell", "event": event, "way": "perf-stat", "rounds": 0});
    if theirs.len() < ROUNDS || ours.len() < ROUNDS {
        line["verdict"] = json!("not-counted");
        let who = if theirs.len() < ROUNDS { "perf stat" } else { "counterpoint stat" };
        line["reason"] = json!(format!("{who} did not count it in every round"));
        return line;
    }
    theirs.sort_by(f64::total_cmp);
    ours.sort_by(f64::total_cmp);
    let median = |counts: &[f64]| counts[ROUNDS / 2];
    let range = |counts: &[f64]| counts[ROUNDS - 1] - counts[0];
    let (expected, measured) = (median(&theirs), median(&ours));
    let difference = (measured - expected).abs();
    let allowed = (NEAR * expected).max(range(&theirs)).max(range(&ours));
    let verdict = match difference {
        0.0 => "exact",
        near if near <= allowed => "near",
        _ => "differs",
    };
    let tolerance = if expected > 0.0 { allowed / expected } else { 0.0 };
    for (key, value) in [
        ("expected", expected),
        ("tolerance", (tolerance * 1e4).round() / 1e4),
        ("measured", measured),
        ("least", ours[0]),
        ("greatest", ours[ROUNDS - 1]),
        ("rounds", ROUNDS as f64),
    ] {
        line[key] = json!(value);
    }
    line["verdict"] = json!(verdict);
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_that_perf_counts_too_are_compared_in_turn() {
        if std::process::Command::new("perf").arg("--version").output().is_err() {
            return println!("skipped: perf is not installed");
        }
        // Both are perf: it is the comparison that is tested, with events that every machine has.
        let rows =
            rows(Path::new("perf"), &Cores::default(), &["page-faults", "task-clock"]).unwrap();
        for (row, event) in rows.iter().zip(["page-faults", "task-clock"]) {
            assert_eq!((row.event(), row.way()), (event, "perf-stat"));
            assert!(["exact", "near"].contains(&row.verdict()), "{row:?}");
            assert!(row.expected().parse::<f64>().unwrap() > 0.0, "{row:?}");
        }
    }

    #[test]
    fn a_difference_beyond_the_spread_is_told() {
        let verdict = |theirs: f64, ours: f64| {
            let counts = |middle: f64| (0..ROUNDS).map(|n| middle + n as f64).collect();
            line("branches:u", counts(theirs), counts(ours))["verdict"].clone()
        };
        assert_eq!(verdict(1000.0, 1000.0), "exact");
        assert_eq!(verdict(1000.0, 1005.0), "near");
        assert_eq!(verdict(1000.0, 1050.0), "differs");
        let missing = line("cycles:u", vec![], vec![1.0; ROUNDS]);
        assert_eq!(missing["reason"], "perf stat did not count it in every round");
    }
}
