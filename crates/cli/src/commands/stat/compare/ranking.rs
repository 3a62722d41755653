//! Which of several commands is the fastest, and how much slower the others are.

use super::side::ELAPSED;
use super::table::{Cell, Heading, Table};
use crate::show;
use counterpoint_compare::{Comparison, Interval, Verdict, verdicts};

/// The fewest sides that are ranked.
const FEWEST: usize = 3;
/// The most sides that have a sentence of their own.
const MOST: usize = 12;
/// The most sides that a sentence names.
const NAMED: usize = 8;

/// A side that is not the fastest.
struct Slower<'a> {
    side: &'a Heading,
    /// Its elapsed time divided by that of the fastest.
    ratio: Option<Interval>,
    /// The fastest, and the side before it, if it cannot be told apart from them.
    equals: Vec<&'a Heading>,
}

/// The sentences about the ranking of three sides or more by their elapsed time; none if there is no such time, or a single run.
pub fn sentences(table: &Table) -> Vec<String> {
    let Some((fastest, slower)) = ranked(table) else { return Vec::new() };
    let is_equal = |of: &Slower<'_>| of.equals.iter().any(|side| std::ptr::eq(*side, fastest));
    let ties = slower.iter().filter(|of| is_equal(of)).count();
    let first = match ties {
        0 => format!("{} is the fastest", fastest.label),
        _ => format!("{} has the shortest elapsed time", fastest.label),
    };
    if !table.is_sweep() && slower.len() < MOST {
        let others = slower.iter().map(|of| of.sentence(fastest));
        return [first + "."].into_iter().chain(others).collect();
    }
    let is_named =
        |side: &&Heading| slower.iter().any(|of| std::ptr::eq(of.side, *side) && is_equal(of));
    let equals = table.sides.iter().filter(is_named).map(|side| side.label.clone());
    vec![match ties {
        0 => first + ".",
        _ if ties == slower.len() => {
            "The sides cannot be told apart by their elapsed time.".to_string()
        }
        _ => {
            let equals = show::listed(&equals.collect::<Vec<_>>(), NAMED);
            format!("{first}; {equals} cannot be told apart from it.")
        }
    }]
}

impl Slower<'_> {
    fn sentence(&self, fastest: &Heading) -> String {
        let (side, fastest) = (&self.side.label, &fastest.label);
        let equals: Vec<String> = self.equals.iter().map(|of| of.label.clone()).collect();
        let equals = (!equals.is_empty()).then(|| show::listed(&equals, NAMED));
        match (self.ratio.map(times), equals) {
            (Some(times), None) => format!("{side} takes {times} {fastest}."),
            (Some(times), Some(equals)) => {
                format!("{side} takes {times} {fastest}, and cannot be told apart from {equals}.")
            }
            (None, None) => format!("{side} takes longer than {fastest}."),
            (None, Some(equals)) => format!("{side} cannot be told apart from {equals}."),
        }
    }
}

/// The fastest side, and the others from the second on.
fn ranked(table: &Table) -> Option<(&Heading, Vec<Slower<'_>>)> {
    let row = table.rows.iter().find(|row| row.name == ELAPSED)?;
    let cells = table.sides.iter().zip(&row.cells);
    let mut all: Vec<(&Heading, &Cell, f64)> = cells
        .filter_map(|(side, cell)| Some((side, cell.as_ref()?, cell.as_ref()?.mean?)))
        .collect();
    all.sort_by(|(.., one), (.., two)| one.total_cmp(two));
    let (first, rest) = all.split_first().filter(|(_, rest)| rest.len() + 1 >= FEWEST)?;
    let compared = |one: &Cell, two: &Cell| one.compare(two, table.design);
    let with_first: Option<Vec<Comparison>> =
        rest.iter().map(|(_, cell, _)| compared(first.1, cell)).collect();
    let with_first = with_first?;
    // The second is before itself only the first.
    let with_last: Option<Vec<Comparison>> =
        rest.windows(2).map(|pair| compared(pair[0].1, pair[1].1)).collect();
    let all: Vec<Comparison> = with_first.iter().copied().chain(with_last?).collect();
    let verdicts = verdicts(&all);
    let is_equal = |at: usize| verdicts[at] != Verdict::More;
    let slower = rest.iter().enumerate().map(|(at, (side, ..))| {
        let before = at.checked_sub(1).filter(|before| is_equal(rest.len() + before));
        let equals = is_equal(at).then_some(first.0);
        Slower {
            side,
            ratio: with_first[at].ratio,
            equals: equals.into_iter().chain(before.map(|before| rest[before].0)).collect(),
        }
    });
    Some((first.0, slower.collect()))
}

/// Such as `1.52 times as long (1.45 to 1.60) as`.
fn times(ratio: Interval) -> String {
    let Interval { estimate, low, high, .. } = ratio;
    // As many decimals as show two digits of the interval.
    let decimals = (1.0 - (high - low).log10().floor()).clamp(2.0, 6.0) as usize;
    format!("{estimate:.decimals$} times as long ({low:.decimals$} to {high:.decimals$}) as")
}
