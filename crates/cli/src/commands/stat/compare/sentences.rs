//! The result of a comparison, in words.

use super::ranking;
use super::side::ELAPSED;
use super::table::{Against, Design, Heading, Row, Table};
use super::why;
use crate::show::{self, decimal, to_margin};
use counterpoint_compare::{Group, Verdict};

/// The most events that a sentence names.
const NAMED: usize = 8;
/// The greatest ratio of the two sides of an interval that is written with `±`.
const LOPSIDED: f64 = 1.5;
/// The least difference of two groups that is worth a word, as a part of the higher one.
const LEAST: f64 = 0.05;
/// With fewer runs it is not known how slowly the noise of a machine changes.
const FEW: usize = 20;

/// The verdict on each side, which of a sweep is in the table only, the ranking, and the notes.
pub fn all(table: &Table) -> impl Iterator<Item = String> {
    let sides = table.sides.iter().enumerate().skip(1).filter(|_| !table.is_sweep());
    let verdicts = sides.flat_map(|(index, side)| verdict(table, index, side));
    let why = table.why.iter().flat_map(|why| why::sentences(why, table));
    verdicts.chain(ranking::sentences(table)).chain(why).chain(notes(table))
}

/// The notes about the way in which the sides were measured.
pub fn notes(table: &Table) -> impl Iterator<Item = String> {
    design(table).into_iter().chain(groups(table)).chain(table.notes.iter().cloned())
}

/// The sentences about runs that are of two groups.
fn groups(table: &Table) -> Vec<String> {
    let of_side = |side: usize| {
        let of_row = move |row: &'_ Row| Some((name(row), two(row, side)?));
        table.rows.iter().filter_map(of_row).collect::<Vec<(String, String)>>()
    };
    let sides = table.sides.iter().enumerate().map(|(index, side)| (side, of_side(index)));
    let sides: Vec<_> = sides.filter(|(_, events)| !events.is_empty()).collect();
    if !table.is_sweep() {
        let sentence = |(side, events): &(&Heading, Vec<(String, String)>)| {
            let events: Vec<String> =
                events.iter().map(|(name, groups)| format!("in {name}, {groups}")).collect();
            let events = events.join("; ");
            format!(
                "The runs of {} are of two groups, and the mean is between them: {events}.",
                side.label
            )
        };
        return sides.iter().map(sentence).collect();
    }
    let elapsed = sides.iter().filter(|(_, events)| events.iter().any(|(name, _)| name == ELAPSED));
    let labels: Vec<String> = elapsed.map(|(side, _)| side.label.clone()).collect();
    let text = || {
        let labels = show::listed(&labels, NAMED);
        format!(
            "The elapsed times of {labels} are of two groups each, and the mean is between them; --json has all values."
        )
    };
    (!labels.is_empty()).then(text).into_iter().collect()
}

/// The two groups of a side, if they differ by more than the way in which they are counted.
fn two(row: &Row, side: usize) -> Option<String> {
    let [low, high] = row.cells[side].as_ref()?.groups?;
    let difference = high.mean - low.mean;
    let is_large = difference > LEAST * high.mean.abs() && !(row.is_count && difference < 2.0);
    // Where the kernel counts times in ticks, a short run has one or none.
    let is_large = is_large && low.mean.abs() > LEAST * high.mean.abs();
    let text = |of: Group| {
        let (number, unit) = in_unit(of.mean, row);
        format!("{} around {number}{unit}", of.count)
    };
    is_large.then(|| format!("{} and {}", text(low), text(high)))
}

/// The sentences about one side against the base.
pub fn verdict(table: &Table, index: usize, side: &Heading) -> Vec<String> {
    let rows = |wanted: fn(Verdict) -> bool| {
        let all =
            table.rows.iter().filter_map(move |row| Some((row, row.against[index].as_ref()?)));
        all.filter(move |(_, against)| wanted(against.verdict))
    };
    let found = |is_amount: bool| {
        rows(|verdict| matches!(verdict, Verdict::More | Verdict::Less))
            .filter(move |(row, _)| row.is_amount() == is_amount)
            .map(|(row, against)| clause(row, against))
            .collect::<Vec<String>>()
    };
    let mut sentences = Vec::new();
    let (amounts, others) = (found(true), found(false));
    if !amounts.is_empty() {
        sentences.push(format!("{} {}.", side.label, show::listed(&amounts, NAMED)));
    }
    if !others.is_empty() {
        sentences.push(format!("In {}, {}.", side.label, show::listed(&others, NAMED)));
    }
    let uncertain: Vec<String> =
        rows(|verdict| verdict == Verdict::Uncertain).map(|(row, _)| name(row)).collect();
    if !uncertain.is_empty() {
        sentences.push(format!(
            "{} may differ in {}; more runs will tell.",
            side.label,
            show::listed(&uncertain, NAMED)
        ));
    }
    let equal: Vec<String> = rows(|verdict| verdict == Verdict::NoDifference)
        .map(|(row, against)| format!("{}{}", name(row), within(row, index, against)))
        .collect();
    if !equal.is_empty() {
        let letters = format!("{} and {}", table.sides[0].label, side.label);
        sentences.push(format!(
            "No difference between {letters} was found in {}.",
            show::listed(&equal, NAMED)
        ));
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
        Design::Samples | Design::InOrder => {
            let few = if table.sides.iter().any(|side| side.runs < FEW) {
                format!(
                    " With fewer than {FEW} runs, a slow change may look like a difference more often than in 5 of 100 comparisons."
                )
            } else {
                String::new()
            };
            let instead = if table.design == Design::InOrder {
                "without --setup and --cleanup, the commands take turns"
            } else {
                "stat --compare runs commands in turn"
            };
            Some(format!(
                "The sides were measured one after the other, so that a change of the machine between them counts as a difference; {instead}.{few}"
            ))
        }
    }
}

/// The clause about the size of the difference that a side has in an event.
fn clause(row: &Row, against: &Against) -> String {
    let (name, size) = (name(row), size(row, against));
    let is_more = against.verdict == Verdict::More;
    match (row.is_time(), row.is_count) {
        (true, _) => format!("takes {size} {} {name}", if is_more { "more" } else { "less" }),
        (_, true) => format!("has {size} {} {name}", if is_more { "more" } else { "fewer" }),
        _ => format!("{name} is {size} {}", if is_more { "higher" } else { "lower" }),
    }
}

/// The same as a sentence of its own.
pub fn difference(row: &Row, against: &Against, side: &Heading, base: &Heading) -> String {
    let (clause, side, base) = (clause(row, against), &side.label, &base.label);
    if row.is_amount() {
        format!("{side} {clause} than {base}")
    } else {
        format!("in {side}, {clause} than in {base}")
    }
}

/// The change in percent with its margin, or the plain difference if there is no ratio.
pub fn size(row: &Row, against: &Against) -> String {
    let Some(ratio) = against.comparison.ratio else {
        let (value, unit) = in_unit(against.comparison.difference.estimate.abs(), row);
        return format!("{value}{unit}");
    };
    let change = |ratio: f64| 100.0 * (ratio - 1.0).abs();
    let (estimate, margin) = (change(ratio.estimate), 100.0 * ratio.margin());
    let digits = |value: f64| to_margin(value, margin);
    let (one, two) = (ratio.estimate - ratio.low, ratio.high - ratio.estimate);
    match () {
        () if margin == 0.0 => format!("{} %", to_margin(estimate, estimate)),
        () if one.max(two) > LOPSIDED * one.min(two) => {
            let (low, high) = (change(ratio.low), change(ratio.high));
            let (least, most) = (digits(low.min(high)), digits(low.max(high)));
            format!("{} % ({least} to {most} %)", digits(estimate))
        }
        () => format!("{} % ± {} %", digits(estimate), digits(margin)),
    }
}

/// Up to which change the sides may still differ.
fn within(row: &Row, side: usize, against: &Against) -> String {
    if row.is_the_same(side) {
        return " (the same in every run)".to_string();
    }
    let Some(ratio) = against.comparison.ratio else { return String::new() };
    let most = 100.0 * (ratio.high - 1.0).abs().max((ratio.low - 1.0).abs());
    match most {
        0.0 => " (equal in every round)".to_string(),
        100.0.. => " (within more than 100 %: the runs vary too much)".to_string(),
        _ => format!(" (within {} %)", to_margin(most, most)),
    }
}

/// The number and the unit as people read them.
pub fn in_unit(value: f64, row: &Row) -> (String, String) {
    match scale(row) {
        (factor, "msec") => (format!("{:.2}", value * factor), " msec".to_string()),
        (_, "") => (decimal(value), String::new()),
        (_, unit) => (decimal(value), format!(" {unit}")),
    }
}

/// The unit in which people read the values, and the factor to it.
pub fn scale(row: &Row) -> (f64, &str) {
    match row.unit.as_deref() {
        // The time of one call of a benchmark.
        Some("ns") if row.most() < 1e5 => (1.0, "ns"),
        Some("ns") => (1e-6, "msec"),
        Some("s") if row.most() < 10.0 => (1e3, "msec"),
        unit => (1.0, unit.unwrap_or_default()),
    }
}

/// The event, and its place if there are several.
pub fn name(row: &Row) -> String {
    match row.location.words() {
        place if place.is_empty() => row.name.clone(),
        place => format!("{} of {place}", row.name),
    }
}
