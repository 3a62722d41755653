//! Checks common to all kinds of records: lengths, texts, padding, and the bytes after the last record.

use super::{Checker, placed};
use crate::diagnostic::Code;
use crate::page0::Section;
use crate::text::{EACH, HIGH, Text, zeros};

type Texts<'a> = &'a [(&'static str, Option<&'a Text>)];

impl Checker<'_> {
    pub(super) fn framing(&mut self, section: Section) {
        let catalog = self.catalog;
        match section {
            Section::Page0 | Section::Request | Section::Result => {}
            Section::Schema => {
                for (index, at, schema) in placed(catalog, section, &catalog.schemas) {
                    let contents =
                        (!schema.rest.is_empty()).then_some(16 + 8 * schema.fields.len());
                    let whole = schema.fields.len() == usize::from(schema.field_count);
                    self.record(
                        (section, index),
                        at,
                        schema.length.into(),
                        contents.filter(|_| whole),
                    );
                }
            }
            Section::Event => {
                for (index, at, event) in placed(catalog, section, &catalog.events) {
                    let texts = event.texts();
                    let padding =
                        self.texts((section, index), at, 0x14, &texts, event.rest.is_empty());
                    self.record((section, index), at, event.length.into(), padding);
                }
            }
            Section::Group => {
                for (index, at, group) in placed(catalog, section, &catalog.groups) {
                    let texts = group.texts();
                    let padding =
                        self.texts((section, index), at, 0x30, &texts, group.rest.is_empty());
                    self.record((section, index), at, group.length.into(), padding);
                }
            }
            Section::Formula => {
                for (index, at, formula) in placed(catalog, section, &catalog.formulas) {
                    let all = formula.texts();
                    let texts = if catalog.format.has_unit() { &all[..] } else { &all[..3] };
                    let padding =
                        self.texts((section, index), at, 0x10, texts, formula.rest.is_empty());
                    self.record((section, index), at, formula.length as usize, padding);
                }
            }
        }
        self.tail(section);
    }

    /// Checks a record's length and, if it is not zero, its padding, which begins at `padding`.
    fn record(
        &mut self,
        (section, index): (Section, usize),
        at: usize,
        length: usize,
        padding: Option<usize>,
    ) {
        let place = (section, Some(index));
        if !length.is_multiple_of(16) {
            self.add(Code::UnalignedLength, place, at, "length", || {
                format!("the record's length {length} is not a multiple of 16")
            });
        }
        if let Some(padding) = padding {
            self.add(
                Code::Padding,
                place,
                at + padding,
                "padding",
                || "the record's padding is not zero",
            );
        }
    }

    /// Checks the texts of a record, the first of which has its length field at `first`.
    ///
    /// Returns the start of the padding if the padding is not zero.
    fn texts(
        &mut self,
        (section, index): (Section, usize),
        at: usize,
        first: usize,
        texts: Texts<'_>,
        padding_is_zero: bool,
    ) -> Option<usize> {
        let place = (section, Some(index));
        let mut begin = first;
        for (field, text) in texts {
            let text = (*text)?;
            self.text(place, at + begin, field, text.raw());
            begin += 2 + text.raw().len();
        }
        (!padding_is_zero).then_some(begin)
    }

    /// Checks a text whose length field is at byte `at` of the file.
    fn text(
        &mut self,
        place: (Section, Option<usize>),
        at: usize,
        field: &'static str,
        raw: &[u8],
    ) {
        let is_name = place.0 == Section::Event && field == "name";
        if is_clean(raw, is_name) || (raw.is_empty() && field != "name") {
            return;
        }
        let end = raw.iter().position(|byte| *byte == 0);
        if end.unwrap_or(raw.len()) == 0 && field == "name" {
            self.add(Code::EmptyName, place, at, field, || "the name is empty");
        }
        if raw.len() % 2 == 1 {
            self.add(Code::OddLength, place, at, field, || {
                format!("the text's length {} is odd", raw.len() + 2)
            });
        }
        let text = &raw[..end.unwrap_or(raw.len())];
        if let Some(byte) = text.iter().position(|byte| !byte.is_ascii()) {
            self.add(Code::NotAscii, place, at + 2 + byte, field, || {
                format!("`{}` is not ASCII", text.escape_ascii())
            });
        }
        if let Some(byte) = text.iter().position(u8::is_ascii_control) {
            self.add(Code::ControlCharacter, place, at + 2 + byte, field, || {
                format!("`{}` has a control character", text.escape_ascii())
            });
        }
        if is_name && let Some(byte) = wrong_in_name(text) {
            self.add(Code::EventName, place, at + 2 + byte, field, || {
                let wrong = char::from(text[byte]);
                format!("the name `{}` has a `{wrong}`", text.escape_ascii())
            });
        }
        match end {
            None if raw.is_empty() => {}
            None => self.add(Code::NotTerminated, place, at, field, || {
                format!("`{}` does not end with a NUL", raw.escape_ascii())
            }),
            Some(end) if raw[end..].iter().all(|byte| *byte == 0) => {}
            Some(end) => self.add(Code::AfterTerminator, place, at + 2 + end, field, || {
                format!("the NUL is followed by data: `{}`", raw[end..].escape_ascii())
            }),
        }
    }

    /// Checks the bytes of a section after its records.
    fn tail(&mut self, section: Section) {
        let catalog = self.catalog;
        let Some(range) = catalog.page0.range(section, catalog.size) else { return };
        let used = range.start + catalog.lengths(section).sum::<usize>();
        let found = catalog.outside.iter().find_map(|stretch| {
            let skipped = used.saturating_sub(stretch.offset);
            let bytes = stretch.bytes.get(skipped..)?;
            let first = bytes.iter().position(|byte| *byte != 0)?;
            Some(stretch.offset + skipped + first).filter(|at| *at < range.end)
        });
        if let Some(at) = found {
            self.add(Code::Tail, (section, None), at, "tail", || {
                format!("the last record, which ends at {used:#x}, is followed by data")
            });
        }
    }
}

/// Returns true if a text, as most do, has nothing to report: one or two NULs at its end, an even length, and printable ASCII, not nothing; in names, only what the kernel accepts.
///
/// It looks at eight bytes at a time, because texts are short: branches that depend on their length cost more than their bytes.
fn is_clean(raw: &[u8], is_name: bool) -> bool {
    let [text @ .., before, 0] = raw else { return false };
    let text = if *before == 0 { text } else { &raw[..=text.len()] };
    let odd = |eight: &[u8; 8]| {
        let bytes = u64::from_le_bytes(*eight);
        unprintable(bytes) | if is_name { wrong_in_names(bytes) } else { 0 }
    };
    // The last eight overlap those before them.
    let ending = text.last_chunk().copied().unwrap_or_else(|| {
        let mut padded = [b'0'; 8];
        padded[..text.len()].copy_from_slice(text);
        padded
    });
    let (eights, _) = text.as_chunks();
    let odd = eights.iter().fold(odd(&ending), |all, eight| all | odd(eight));
    odd == 0 && raw.len().is_multiple_of(2) && !text.is_empty()
}

/// The highest bit of each byte below the blank, above the tilde, or outside ASCII; of others, only after one of those.
fn unprintable(bytes: u64) -> u64 {
    (!(bytes | HIGH).wrapping_sub(0x20 * EACH) | bytes | bytes.wrapping_add(EACH)) & HIGH
}

/// Not 0 if one of the bytes is not accepted by the kernel in the name of an event.
fn wrong_in_names(bytes: u64) -> u64 {
    b"/, ".iter().fold(0, |found, byte| found | zeros(bytes ^ (u64::from(*byte) * EACH)))
}

/// The first byte that the kernel does not accept in the name of an event.
fn wrong_in_name(name: &[u8]) -> Option<usize> {
    name.iter().position(|byte| matches!(byte, b'/' | b',' | b' '))
}
