//! The result of a comparison of profiles, in words.

use super::side::Design;
use super::table::{Row, Table};
use crate::show;
use counterpoint::symbols::ShortNames;
use counterpoint_compare::Verdict;

/// The most functions that a sentence names.
const NAMED: usize = 5;

/// The verdict on an event, and what it does not say.
pub fn verdict_sentences(table: &Table, names: &ShortNames) -> Vec<String> {
    let is_shares = table.design == Design::Shares;
    let rows = |wanted: Verdict| -> Vec<&Row> {
        table.rows.iter().filter(|row| row.verdict == Some(wanted)).collect()
    };
    let (more, less) = (rows(Verdict::More), rows(Verdict::Less));
    let mut sentences: Vec<String> =
        if is_shares { None } else { whole(table) }.into_iter().collect();
    for (rows, is_more) in [(&more, true), (&less, false)] {
        if !rows.is_empty() {
            let clauses: Vec<String> = rows.iter().map(|row| clause(row, table, names)).collect();
            let clauses = show::listed(&clauses, NAMED);
            sentences.push(match (is_shares, is_more) {
                (true, true) => format!("The share of {clauses} is greater in B."),
                (true, false) => format!("The share of {clauses} is smaller in B."),
                (false, true) => format!("B has more in {clauses}."),
                (false, false) => format!("B has less in {clauses}."),
            });
        }
    }
    let uncertain = rows(Verdict::Uncertain);
    if !uncertain.is_empty() {
        let names: Vec<String> =
            uncertain.iter().map(|row| names.short(&row.function).to_string()).collect();
        let names = show::listed(&names, NAMED);
        sentences.push(if is_shares {
            format!("The share of {names} may differ; more samples will tell.")
        } else {
            format!("{names} may differ; more runs will tell.")
        });
    }
    if more.is_empty() && less.is_empty() {
        sentences.push(if is_shares {
            "No function was found whose share differs by more than chance.".to_string()
        } else {
            "No function was found that differs by more than noise.".to_string()
        });
    }
    if is_shares {
        sentences.push("Chance is that of taking samples: two runs of one program may differ by more, and a function that takes less time makes the shares of all others greater.".to_string());
        sentences.extend(time(table));
    }
    sentences.extend(table.notes.iter().cloned());
    sentences
}

/// The time of all samples on both sides, if the event is a clock.
fn time(table: &Table) -> Option<String> {
    let [base, other] = [0, 1].map(|side| table.ms(side, table.count(side) as f64));
    let (base, other) = (base?, other?);
    Some(format!(
        "The sampled time is {base:.0} ms in A and {other:.0} ms in B ({:.3} of it).",
        other / base
    ))
}

/// What a run has on both sides.
fn whole(table: &Table) -> Option<String> {
    let comparison = table.whole()?;
    let [base, other] = [0, 1].map(|side| table.amount(side, table.count(side)));
    let unit = if table.each.is_some() { "ms" } else { table.counted() };
    let of = comparison.difference;
    let change = table.change(of.estimate);
    let word = if change < 0.0 { "less" } else { "more" };
    let percent = match base {
        0.0 => String::new(),
        base => format!(" ({:.1} %)", 100.0 * change.abs() / base),
    };
    let is_noise = of.low <= 0.0 && 0.0 <= of.high;
    let difference = if is_noise {
        "which is no more than noise".to_string()
    } else {
        let change = with_margin(change.abs(), table.change(of.margin()));
        format!("which is {change} {unit} {word}{percent}")
    };
    Some(format!("A run has {base:.1} {unit} in A and {other:.1} {unit} in B, {difference}."))
}

/// The function, and how it changed.
fn clause(row: &Row, table: &Table, names: &ShortNames) -> String {
    let of = row.comparison.difference;
    let change = with_margin(table.change(of.estimate.abs()), table.change(of.margin()));
    format!("{} (by {change} {})", names.short(&row.function), table.unit())
}

fn with_margin(change: f64, margin: f64) -> String {
    // Of runs that all differ by the same, and are few, there is none.
    if margin.is_finite() { format!("{change:.1} ± {margin:.1}") } else { format!("{change:.1}") }
}
