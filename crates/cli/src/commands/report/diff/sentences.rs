//! The result of a comparison of profiles, in words.

use super::table::{Row, Table};
use crate::show;
use counterpoint_compare::Verdict;

/// The most functions that a sentence names.
const NAMED: usize = 5;

/// The verdict on an event, and what it does not say.
pub fn verdict_sentences(table: &Table) -> Vec<String> {
    let rows = |wanted: Verdict| -> Vec<&Row> {
        table.rows.iter().filter(|row| row.verdict == Some(wanted)).collect()
    };
    let (more, less) = (rows(Verdict::More), rows(Verdict::Less));
    let mut sentences = Vec::new();
    for (rows, word) in [(&more, "greater"), (&less, "smaller")] {
        if !rows.is_empty() {
            let clauses: Vec<String> = rows.iter().map(|row| clause(row)).collect();
            sentences
                .push(format!("The share of {} is {word} in B.", show::listed(&clauses, NAMED)));
        }
    }
    let uncertain = rows(Verdict::Uncertain);
    if !uncertain.is_empty() {
        let names: Vec<String> = uncertain.iter().map(|row| row.function.clone()).collect();
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
    sentences
}

/// The function and how its share changed, in percentage points.
fn clause(row: &Row) -> String {
    let of = row.comparison.difference;
    let (change, margin) = (100.0 * of.estimate.abs(), 100.0 * of.margin());
    format!("{} (by {change:.1} ± {margin:.1} percentage points)", row.function)
}
