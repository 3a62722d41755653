//! Where names stand in a formula's text.

use crate::formula::{Formula, Syntax};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The names in reverse polish text that stand before `end`, each where it first does.
pub(super) fn before(text: &str, end: usize, syntax: Syntax) -> Vec<(String, Range<usize>)> {
    let mut names: Vec<(String, Range<usize>)> = Vec::new();
    let mut seen = HashSet::new();
    if is_infix(text) {
        return names;
    }
    for span in words(text).take_while(|span| span.end <= end) {
        let word = &text[span.clone()];
        // A word that alone is a formula of itself is a name; operators and numbers are not.
        let alone = Formula::parse(word, syntax).ok();
        let is_name = alone.is_some_and(|formula| formula.inputs().eq([word]));
        if is_name && seen.insert(word) {
            names.push((word.to_string(), span));
        }
    }
    names
}

/// Where each word of a formula's text first stands; its names are among them.
pub(super) fn places(text: &str) -> HashMap<&str, Range<usize>> {
    let mut places = HashMap::new();
    let mut add = |span: Range<usize>| {
        places.entry(&text[span.clone()]).or_insert(span);
    };
    if is_infix(text) {
        infix_words(text).for_each(&mut add);
    } else {
        words(text).for_each(&mut add);
    }
    places
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

/// What stands between backquotes, and runs of the bytes that names and numbers have.
fn infix_words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let in_name =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'%' | b':');
    let bytes = text.as_bytes();
    let length = |from: usize, is_in: &dyn Fn(&u8) -> bool| {
        bytes[from..].iter().position(|byte| !is_in(byte)).unwrap_or(bytes.len() - from)
    };
    let mut at = 0;
    std::iter::from_fn(move || {
        at += length(at, &|byte| *byte != b'`' && !in_name(byte));
        let quoted = *bytes.get(at)? == b'`';
        let start = at + usize::from(quoted);
        let end = match quoted {
            true => start + length(start, &|byte| *byte != b'`'),
            false => start + length(start, &in_name),
        };
        at = (end + usize::from(quoted)).min(bytes.len());
        Some(start..end)
    })
}
