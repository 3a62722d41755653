//! Decodes bytes to text.

use std::borrow::Cow;

use super::quote::is_blank;
use crate::diagnostic::{Code, Diagnostic};

/// Decodes the text of a file that should be UTF-8; a line that is not valid UTF-8 is skipped.
///
/// Offsets do not change: such a line becomes a comment, with a `?` for each invalid byte.
/// Invalid bytes in comments are not reported.
///
/// ```
/// use counterpoint_definitions::papi::{decode, parse};
///
/// let (text, mut diagnostics) = decode(b"EVENT,A,NOT_DERIVED,CYCLES\nEVENT,\xb5,NOT_DERIVED,CYCLES\n");
/// diagnostics.extend(parse(&text).diagnostics);
/// assert_eq!(diagnostics[0].code.name(), "not-utf8");
/// assert_eq!(diagnostics[0].span, 33..34);
/// ```
pub fn decode(bytes: &[u8]) -> (Cow<'_, str>, Vec<Diagnostic>) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return (Cow::Borrowed(text), Vec::new());
    }
    let mut text = String::with_capacity(bytes.len());
    let mut diagnostics = Vec::new();
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        match std::str::from_utf8(line) {
            Ok(line) => text.push_str(line),
            Err(error) => {
                let start = text.len();
                for chunk in line.utf8_chunks() {
                    text.push_str(chunk.valid());
                    text.extend(chunk.invalid().iter().map(|_| '?'));
                }
                if text[start..].trim_start_matches(is_blank).starts_with('#') {
                    continue;
                }
                // The first byte is a character of its own, or was written above.
                let first = text[start..].chars().next().map_or(0, char::len_utf8);
                text.replace_range(start..start + first, &"#".repeat(first));
                let at = start + error.valid_up_to();
                diagnostics.push(
                    Diagnostic::new(
                        Code::NotUtf8,
                        at..at + 1,
                        "this byte is not part of a UTF-8 character",
                    )
                    .help("save the file as UTF-8"),
                );
            }
        }
    }
    (Cow::Owned(text), diagnostics)
}
