//! Events that are places: addresses that are watched, and functions.

use super::error::{SyntaxError, SyntaxErrorKind, error};
use super::event::{Breakpoint, Probe, Source};
use super::modifiers::{Modifiers, letters, split_modifiers};

/// `mem:ADDRESS[/LENGTH][:rwx][:modifiers]`
pub(super) fn breakpoint(text: &str, at: usize) -> Result<(Source, Modifiers), SyntaxError> {
    let mut parts = text.split(':').scan(at, |next, part| {
        let start = *next;
        *next += part.len() + 1;
        Some((part, start))
    });
    parts.next();
    let (place, start) = parts.next().unwrap_or(("", at));
    let (address, length) = match place.split_once('/') {
        None => (place, None),
        Some((address, length)) => (address, Some((length, start + address.len() + 1))),
    };
    let address_span = start..start + address.len();
    let address = match number(address) {
        Some(Some(address)) => address,
        Some(None) => return error(address_span, SyntaxErrorKind::NumberTooBig),
        None => return error(address_span, SyntaxErrorKind::BadAddress),
    };
    let length = match length {
        None => None,
        Some((length, start)) => match number(length) {
            Some(Some(length @ 1..=8)) => Some(length),
            _ => return error(start..start + length.len(), SyntaxErrorKind::BadLength),
        },
    };
    let mut point = Breakpoint { address, length, read: true, write: true, execute: false };
    let mut modifiers = Modifiers::default();
    let mut accessed = false;
    for (index, (part, start)) in parts.enumerate() {
        let is_access = !part.is_empty() && part.bytes().all(|b| b"rwx".contains(&b));
        if index == 0 && is_access {
            point.read = part.contains('r');
            point.write = part.contains('w');
            point.execute = part.contains('x');
            accessed = true;
        } else if index <= usize::from(accessed) {
            modifiers = letters(part, start)?;
        } else {
            return error(start - 1..start, SyntaxErrorKind::UnknownModifier(':'));
        }
    }
    Ok((Source::Breakpoint(point), modifiers))
}

/// `uprobe:FILE:FUNCTION[+OFFSET][:modifiers]` or `uretprobe:FILE:FUNCTION[:modifiers]`; a file whose name has a colon, a comma or a brace is in quotes.
pub(super) fn probe(text: &str, at: usize) -> Result<(Source, Modifiers), SyntaxError> {
    let bad = || error(at..at + text.len(), SyntaxErrorKind::BadProbe);
    let (word, rest) = text.split_once(':').unwrap_or((text, ""));
    let at_return = word == "uretprobe";
    let quote = rest.chars().next().filter(|first| matches!(first, '\'' | '"'));
    let (file, place) = match quote {
        Some(quote) => match rest[1..].split_once(quote) {
            Some((file, rest)) => (file, rest.strip_prefix(':').unwrap_or(&rest[rest.len()..])),
            None => {
                return error(at + word.len() + 1..at + text.len(), SyntaxErrorKind::UnclosedQuote);
            }
        },
        None => rest.split_once(':').unwrap_or(rest.split_at(rest.len())),
    };
    let (place, modifiers) = match split_modifiers(place) {
        // Names of C++ have colons, too.
        (name, Some(modifiers)) if !name.ends_with(':') && place[name.len()..].starts_with(':') => {
            (name, modifiers)
        }
        _ => (place, Modifiers::default()),
    };
    let start = at + (place.as_ptr() as usize - text.as_ptr() as usize);
    let span = start..start + place.len();
    let (function, offset) = match place.rsplit_once('+') {
        // `operator+` has no number behind it.
        Some((function, offset)) if offset.starts_with(|c: char| c.is_ascii_digit()) => {
            (function, number(offset).flatten())
        }
        _ => (place, Some(0)),
    };
    if file.is_empty() || function.is_empty() {
        return bad();
    }
    let Some(offset) = offset.filter(|offset| !at_return || *offset == 0) else {
        return error(span, SyntaxErrorKind::BadOffset);
    };
    let (file, function) = (file.to_string(), function.to_string());
    Ok((Source::Probe(Probe { file, function, offset, at_return }), modifiers))
}

/// The length of a probe at the begin of a list; `None` if the list begins with another event.
///
/// What is in quotes or in parentheses, such as the parameters of a function, is part of it.
///
/// ```
/// use counterpoint_pmu::syntax::probe_length;
///
/// assert_eq!(probe_length("uprobe:./a:f(int, int),cycles"), Some(22));
/// assert_eq!(probe_length("cpu/event=1,umask=2/"), None);
/// ```
pub fn probe_length(list: &str) -> Option<usize> {
    if !["uprobe:", "uretprobe:"].iter().any(|word| list.starts_with(word)) {
        return None;
    }
    let (mut depth, mut quote) = (0_u32, None);
    for (at, letter) in list.char_indices() {
        match (letter, quote) {
            (_, Some(open)) if letter == open => quote = None,
            (_, Some(_)) => {}
            // Only the file is in quotes.
            ('\'' | '"', None) if list[..at].ends_with("probe:") => quote = Some(letter),
            ('(', None) => depth += 1,
            (')', None) => depth = depth.saturating_sub(1),
            (',' | '{' | '}', None) if depth == 0 => return Some(at),
            _ => {}
        }
    }
    // What is never closed ends at the next comma, so that the rest of the list has its own errors.
    let is_closed = depth == 0 && quote.is_none();
    let end = list.find([',', '{', '}']).filter(|_| !is_closed);
    Some(end.unwrap_or(list.len()))
}

/// A decimal or `0x` number: `None` when the text is none, `Some(None)` when it is too big.
pub(super) fn number(text: &str) -> Option<Option<u64>> {
    let (digits, radix) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    is_number.then(|| u64::from_str_radix(digits, radix).ok())
}
