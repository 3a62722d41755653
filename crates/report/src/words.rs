//! Text for people.

use std::borrow::Cow;

/// The text without control characters, which a terminal would obey, or which would begin a line that is none of ours; each is spelled as in JSON, and `\n` and `\t` too.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return Cow::Borrowed(text);
    }
    let spell = |c: char| match c {
        '\n' | '\t' | '\r' => c.escape_default().to_string(),
        c if c.is_control() => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    };
    Cow::Owned(text.chars().map(spell).collect())
}

/// `a`, `a and b`, `a, b and c`, or, of more words than `most`, `a, b, … and 5 more`.
pub fn listed(words: &[String], most: usize) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [named @ .., last] if words.len() <= most => format!("{} and {last}", named.join(", ")),
        _ => format!("{} and {} more", words[..most].join(", "), words.len() - most),
    }
}
