//! Short names that are all different.

use super::pieces::{Kind, Piece, closed, parts, pieces, pieces_of_type, placeholder, plain};
use std::collections::{HashMap, HashSet};

/// The depth of arguments in arguments that are shortened; deeper ones are shown as they are.
const DEEPEST: usize = 6;

/// The short names of names that are all different, in their order.
pub(super) fn shortened(names: &[&str], depth: usize) -> Vec<String> {
    let cut = if depth == 0 { pieces } else { pieces_of_type };
    let cut: Vec<Vec<Piece<'_>>> = names.iter().map(|name| cut(name)).collect();
    let mut short: Vec<String> = cut.iter().map(|pieces| plain(pieces)).collect();
    let mut same: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, name) in short.iter().enumerate() {
        same.entry(name).or_default().push(index);
    }
    let same: Vec<Vec<usize>> = same.into_values().filter(|of| of.len() > 1).collect();
    for indexes in same {
        let of: Vec<&[Piece<'_>]> = indexes.iter().map(|index| cut[*index].as_slice()).collect();
        for (index, name) in indexes.iter().zip(told_apart(&of, depth)) {
            short[*index] = name;
        }
    }
    if are_different(&short) { short } else { names.iter().map(|name| name.to_string()).collect() }
}

fn are_different<T: Eq + std::hash::Hash>(all: &[T]) -> bool {
    all.iter().collect::<HashSet<_>>().len() == all.len()
}

/// Names that have the same text, with the pieces in which they differ.
fn told_apart(names: &[&[Piece<'_>]], depth: usize) -> Vec<String> {
    let whole = |pieces: &&[Piece<'_>]| pieces.iter().map(|piece| piece.text).collect::<String>();
    let kinds = |pieces: &[Piece<'_>]| pieces.iter().map(|of| of.kind).collect::<Vec<_>>();
    let first = kinds(names[0]);
    if depth > DEEPEST {
        return names.iter().map(whole).collect();
    }
    if names.iter().any(|name| kinds(name) != first) {
        // One has more pieces than another, such as the mark of a copy.
        return without_equal(names).unwrap_or_else(|| names.iter().map(whole).collect());
    }
    let column = |at: usize| names.iter().map(|name| name[at].text).collect::<Vec<_>>();
    let shown = |at: usize, texts: &[String]| {
        let name = |(pieces, text): (&&[Piece<'_>], &String)| {
            let of = |(index, piece): (usize, &Piece<'_>)| {
                if index == at { text.clone() } else { placeholder(*piece).to_string() }
            };
            pieces.iter().enumerate().map(of).collect::<String>()
        };
        names.iter().zip(texts).map(name).collect()
    };
    for kind in [Kind::Arguments, Kind::Parameters, Kind::Mark, Kind::Return] {
        let mut places = first.iter().enumerate().filter(|(_, of)| **of == kind).map(|(at, _)| at);
        if let Some(at) = places.find(|at| are_different(&column(*at))) {
            return shown(at, &lists(&column(at), depth));
        }
    }
    // No piece tells all of them apart: each that differs is shown.
    let differs = |at: &usize| column(*at).iter().any(|text| *text != names[0][*at].text);
    let differs: HashSet<usize> = (0..first.len()).filter(differs).collect();
    let name = |pieces: &&[Piece<'_>]| {
        let of = |(at, piece): (usize, &Piece<'_>)| {
            if differs.contains(&at) { piece.text } else { placeholder(*piece) }.to_string()
        };
        pieces.iter().enumerate().map(of).collect()
    };
    names.iter().map(name).collect()
}

/// Names of different pieces with those kinds that not all of them have, or have alike; `None` if they are equal then.
fn without_equal(names: &[&[Piece<'_>]]) -> Option<Vec<String>> {
    let kinds = [Kind::Mark, Kind::Parameters, Kind::Arguments, Kind::Return];
    (1..=kinds.len()).find_map(|count| {
        let shown = |piece: &Piece<'_>| {
            if kinds[..count].contains(&piece.kind) { piece.text } else { placeholder(*piece) }
                .to_string()
        };
        let names: Vec<String> =
            names.iter().map(|name| name.iter().map(shown).collect()).collect();
        are_different(&names).then_some(names)
    })
}

/// Lists in brackets that are all different: `(int, …)` where one item alone tells them apart, or else as they are.
fn lists(texts: &[&str], depth: usize) -> Vec<String> {
    let as_they_are = || texts.iter().map(|text| text.to_string()).collect();
    let lists: Option<Vec<List<'_>>> = texts.iter().map(|text| List::read(text)).collect();
    let Some(lists) = lists else { return as_they_are() };
    let count = lists[0].items.len();
    if lists.iter().any(|list| list.items.len() != count || list.after != lists[0].after) {
        return as_they_are();
    }
    let column = |at: usize| lists.iter().map(|list| list.items[at]).collect::<Vec<_>>();
    let Some(at) = (0..count).find(|at| are_different(&column(*at))) else { return as_they_are() };
    let items = shortened(&column(at), depth + 1);
    let (before, behind) =
        (if at > 0 { "…, " } else { "" }, if at + 1 < count { ", …" } else { "" });
    let list = |(list, item): (&List<'_>, String)| {
        let (open, close) = list.brackets;
        format!("{open}{before}{item}{behind}{close}")
    };
    lists.iter().zip(items).map(list).collect()
}

/// A list in brackets, with what is behind it.
struct List<'t> {
    brackets: (char, char),
    items: Vec<&'t str>,
    after: &'t str,
}

impl<'t> List<'t> {
    fn read(text: &'t str) -> Option<List<'t>> {
        let brackets = match text.bytes().next()? {
            b'<' => ('<', '>'),
            b'(' => ('(', ')'),
            _ => return None,
        };
        let length = closed(text)?;
        let items = parts(text.get(1..length - 1)?, ",")?;
        let items = items.into_iter().map(|item| item.trim_end_matches(',').trim()).collect();
        Some(List { brackets, items, after: &text[length..] })
    }
}
