//! What a comparison says, in words.

use super::table::{Against, Design, Heading, Row, Table};
use crate::show::decimal;
use counterpoint_compare::Verdict;

/// The verdict on each side, and the notes.
pub fn all(table: &Table) -> impl Iterator<Item = String> {
    let sides = table.sides.iter().enumerate().skip(1);
    let verdicts = sides.flat_map(|(index, side)| verdict(table, index, side));
    verdicts.chain(notes(table))
}

/// What is to be known about how the sides were measured.
pub fn notes(table: &Table) -> impl Iterator<Item = String> {
    design(table).into_iter().chain(table.notes.iter().cloned())
}

/// The sentences about one side against the base.
pub fn verdict(table: &Table, index: usize, side: &Heading) -> Vec<String> {
    let rows = |wanted: fn(Verdict) -> bool| {
        let all =
            table.rows.iter().filter_map(move |row| Some((row, row.against[index].as_ref()?)));
        all.filter(move |(_, against)| wanted(against.verdict))
    };
    let found: Vec<String> = rows(|verdict| matches!(verdict, Verdict::More | Verdict::Less))
        .map(|(row, against)| clause(row, against))
        .collect();
    let mut sentences = Vec::new();
    if !found.is_empty() {
        sentences.push(format!("{} {}.", side.letter, list(&found)));
    }
    let uncertain: Vec<String> =
        rows(|verdict| verdict == Verdict::Uncertain).map(|(row, _)| name(row)).collect();
    if !uncertain.is_empty() {
        sentences.push(format!(
            "{} may differ in {}; more runs will tell.",
            side.letter,
            list(&uncertain)
        ));
    }
    let equal: Vec<String> = rows(|verdict| verdict == Verdict::NoDifference)
        .map(|(row, against)| format!("{}{}", name(row), within(against)))
        .collect();
    if !equal.is_empty() {
        let letters = format!("{} and {}", table.sides[0].letter, side.letter);
        sentences.push(format!("No difference between {letters} was found in {}.", list(&equal)));
    }
    sentences
}

fn design(table: &Table) -> Option<String> {
    match table.design {
        _ if table.sides.iter().any(|side| side.runs < 2) => Some(
            "A single run shows nothing about noise; repeat each command, for example with -r 20."
                .to_string(),
        ),
        Design::Rounds => None,
        Design::Samples => Some(
            "The sides were measured one after the other, so that a change of the machine between them counts as a difference; stat --compare runs commands in turn."
                .to_string(),
        ),
    }
}

/// How much more or less a side has of an event.
fn clause(row: &Row, against: &Against) -> String {
    let size = size(row, against);
    let (more, less) =
        if row.is_time() || row.is_count { ("more", "less") } else { ("higher", "lower") };
    let way = if against.verdict == Verdict::More { more } else { less };
    // Events are counted one by one.
    let way = if way == "less" && row.is_count && !row.is_time() { "fewer" } else { way };
    let name = name(row);
    match (row.is_time(), row.is_count) {
        (true, _) => format!("takes {size} {way} {name}"),
        (_, true) => format!("has {size} {way} {name}"),
        _ => format!("has a {name} that is {size} {way}"),
    }
}

/// The change in percent with its margin, or the plain difference if there is no ratio.
pub fn size(row: &Row, against: &Against) -> String {
    match against.comparison.ratio {
        Some(ratio) => {
            let change = 100.0 * (ratio.estimate - 1.0).abs();
            let margin = 100.0 * ratio.margin();
            match margin {
                0.0 => format!("{} %", percent(change, change)),
                _ => format!("{} % ± {} %", percent(change, margin), percent(margin, margin)),
            }
        }
        None => {
            let (value, unit) = in_unit(against.comparison.difference.estimate.abs(), row);
            format!("{value}{unit}")
        }
    }
}

/// Up to which change the sides may still differ.
fn within(against: &Against) -> String {
    match against.comparison.ratio {
        Some(ratio) if against.comparison.p < 1.0 || ratio.margin() > 0.0 => {
            let most = 100.0 * (ratio.high - 1.0).abs().max((ratio.low - 1.0).abs());
            format!(" (within {} %)", percent(most, most))
        }
        Some(_) => " (the same in every run)".to_string(),
        None => String::new(),
    }
}

/// As many decimals as show two digits of the margin.
pub fn percent(value: f64, margin: f64) -> String {
    let decimals = match margin.abs() {
        10.0.. => 0,
        1.0.. => 1,
        0.1.. => 2,
        _ => 3,
    };
    format!("{value:.decimals$}")
}

/// The number and the unit as people read them.
pub fn in_unit(value: f64, row: &Row) -> (String, String) {
    match row.unit.as_deref() {
        Some("ns") => (format!("{:.2}", value / 1e6), " msec".to_string()),
        Some("s") if row.most() < 10.0 => (format!("{:.2}", value * 1e3), " msec".to_string()),
        Some(unit) if !unit.is_empty() => (decimal(value), format!(" {unit}")),
        _ => (decimal(value), String::new()),
    }
}

/// The event, and its place if there are several.
pub fn name(row: &Row) -> String {
    match row.location.words() {
        place if place.is_empty() => row.name.clone(),
        place => format!("{} of {place}", row.name),
    }
}

/// `a`, `a and b`, `a, b and c`.
fn list(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
