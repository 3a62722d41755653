//! CSV (RFC 4180), which every command writes in the same way.

use crate::failure::Failure;

/// The byte that separates columns, which must not occur in numbers or words; `\t` is a tab, as in perf.
pub fn separator(text: &str) -> Result<u8, Failure> {
    let bytes = if text == "\\t" { b"\t" } else { text.as_bytes() };
    let in_fields = |b: u8| b.is_ascii_alphanumeric() || b"\".-\n\r".contains(&b);
    match bytes {
        [byte] if !in_fields(*byte) => Ok(*byte),
        _ => Err(Failure::new(format!("`{text}` cannot separate fields"))
            .help("write one ASCII character, for example --csv=';'")),
    }
}
