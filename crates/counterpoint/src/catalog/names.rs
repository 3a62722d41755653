//! Where names stand in a formula's text.

use crate::formula::{Formula, Syntax};
use std::ops::Range;

/// The names in reverse polish text that stand before `end`, each where it first does.
pub(super) fn before(text: &str, end: usize, syntax: Syntax) -> Vec<(String, Range<usize>)> {
    let mut names: Vec<(String, Range<usize>)> = Vec::new();
    if is_infix(text) {
        return names;
    }
    for span in words(text).take_while(|span| span.end <= end) {
        let word = &text[span.clone()];
        // A word that alone is a formula of itself is a name; operators and numbers are not.
        let alone = Formula::parse(word, syntax).ok();
        let is_name = alone.is_some_and(|formula| formula.inputs().eq([word]));
        if is_name && names.iter().all(|(name, _)| name != word) {
            names.push((word.to_string(), span));
        }
    }
    names
}

/// Where a name of a formula first stands in its text.
pub(super) fn find(text: &str, name: &str) -> Range<usize> {
    let found = if is_infix(text) {
        let mut places = text.match_indices(name).map(|(at, _)| at..at + name.len());
        places.find(|span| is_whole(text, span))
    } else {
        words(text).find(|span| &text[span.clone()] == name)
    };
    found.unwrap_or(0..text.len())
}

fn is_infix(text: &str) -> bool {
    text.contains(['(', ')'])
}

fn words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    text.split_whitespace().map(|word| {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        at..at + word.len()
    })
}

/// Whether a name does not go on at either end.
fn is_whole(text: &str, span: &Range<usize>) -> bool {
    let in_name =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'%' | b':');
    let before = text.as_bytes()[..span.start].last();
    let after = text.as_bytes().get(span.end);
    !before.is_some_and(in_name) && !after.is_some_and(in_name)
}
