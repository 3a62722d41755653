//! The result of a comparison of profiles, in words.

use super::table::{Row, Table};
use crate::show;
use counterpoint::symbols::ShortNames;
use counterpoint_compare::Verdict;

/// The most functions that a sentence names.
const NAMED: usize = 5;

/// The verdict on an event, and what it does not say.
pub fn verdict_sentences(table: &Table, names: &ShortNames) -> Vec<String> {
    let rows = |wanted: Verdict| -> Vec<&Row> {
        table.rows.iter().filter(|row| row.verdict == Some(wanted)).collect()
    };
    let (more, less) = (rows(Verdict::More), rows(Verdict::Less));
    let mut sentences = Vec::new();
    for (rows, word) in [(&more, "greater"), (&less, "smaller")] {
        if !rows.is_empty() {
            let clauses: Vec<String> = rows.iter().map(|row| clause(row, names)).collect();
            sentences
                .push(format!("The share of {} is {word} in B.", show::listed(&clauses, NAMED)));
        }
    }
    let uncertain = rows(Verdict::Uncertain);
    if !uncertain.is_empty() {
        let names: Vec<String> =
            uncertain.iter().map(|row| names.short(&row.function).to_string()).collect();
        sentences.push(format!(
            "The share of {} may differ; more samples will tell.",
            show::listed(&names, NAMED)
        ));
    }
    if more.is_empty() && less.is_empty() {
        sentences
            .push("No function was found whose share differs by more than chance.".to_string());
    }
    sentences.push(
        "Chance is that of taking samples: two runs of one program may differ by more, and a function that takes less time makes the shares of all others greater.".to_string(),
    );
    sentences.extend(time(table));
    sentences.extend(table.notes.iter().cloned());
    sentences
}

/// The time of all samples on both sides, if the event is a clock.
fn time(table: &Table) -> Option<String> {
    let [base, other] = [0, 1].map(|side| table.ms(side, table.samples[side]));
    let (base, other) = (base?, other?);
    Some(format!(
        "The sampled time is {base:.0} ms in A and {other:.0} ms in B ({:.3} of it).",
        other / base
    ))
}

/// The function and how its share changed, in percentage points.
fn clause(row: &Row, names: &ShortNames) -> String {
    let of = row.comparison.difference;
    let (change, margin) = (100.0 * of.estimate.abs(), 100.0 * of.margin());
    format!("{} (by {change:.1} ± {margin:.1} percentage points)", names.short(&row.function))
}
