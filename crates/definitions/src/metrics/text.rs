//! A text, and where it is in its source.

use std::borrow::Cow;
use std::ops::Range;

/// A string, and where it is in the text.
pub(super) struct Text<'t> {
    pub(super) value: Cow<'t, str>,
    /// The string as written, without its quotes.
    raw: &'t str,
    start: usize,
}

impl<'t> Text<'t> {
    /// `raw` is the string as written, without its quotes, and `start` where it begins.
    #[cfg(feature = "json")]
    pub(super) fn new(value: Cow<'t, str>, raw: &'t str, start: usize) -> Text<'t> {
        Text { value, raw, start }
    }

    /// The place in the file of a range of the value.
    pub(super) fn place(&self, range: Range<usize>) -> Range<usize> {
        if self.value.len() == self.raw.len() {
            return self.start + range.start..self.start + range.end;
        }
        self.start + self.offset(range.start)..self.start + self.offset(range.end)
    }

    pub(super) fn span(&self) -> Range<usize> {
        self.start..self.start + self.raw.len()
    }

    /// The offset in the string as written of an offset in the value.
    fn offset(&self, wanted: usize) -> usize {
        let (mut at, mut offset) = (0, 0);
        while offset < wanted && at < self.raw.len() {
            let rest = &self.raw[at..];
            let (written, len) = match rest.strip_prefix('\\').map(str::as_bytes) {
                // A pair of surrogates is one character of four bytes; alone, JSON does not allow them.
                Some([b'u', hex @ ..]) => {
                    let code = hex.get(..4).and_then(|hex| std::str::from_utf8(hex).ok());
                    let code = code.and_then(|hex| u32::from_str_radix(hex, 16).ok());
                    match code.unwrap_or_default() {
                        0xd800..=0xdfff => (12, 4),
                        code => (6, char::from_u32(code).map_or(1, char::len_utf8)),
                    }
                }
                Some(_) => (2, 1),
                None => {
                    let len = rest.chars().next().map_or(1, char::len_utf8);
                    (len, len)
                }
            };
            at += written;
            offset += len;
        }
        at.min(self.raw.len())
    }
}

impl<'t> From<&'t str> for Text<'t> {
    /// A text that is its own source.
    fn from(text: &'t str) -> Text<'t> {
        Text { value: Cow::Borrowed(text), raw: text, start: 0 }
    }
}
