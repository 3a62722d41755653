//! The framing of sections: splits them into records, and records into texts, by their lengths.

use crate::catalog::FormatVersion;
use crate::error::{DecodeError, DecodeErrorKind};
use crate::page0::{Page0, Section};

/// Iterates over the records of a section as bytes; stops after a wrong length.
#[derive(Clone, Debug)]
pub(crate) struct Frames<'a> {
    /// The file up to the end of the section.
    bytes: &'a [u8],
    at: usize,
    index: usize,
    count: usize,
    section: Section,
    wide_length: bool,
}

/// One record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<'a> {
    pub(crate) section: Section,
    pub(crate) index: usize,
    /// The offset of the record in the file.
    pub(crate) offset: usize,
    /// At least as long as the fixed part of the section's records.
    pub(crate) bytes: &'a [u8],
}

impl<'a> Frames<'a> {
    pub(crate) fn new(
        file: &'a [u8],
        page0: &Page0,
        section: Section,
        format: FormatVersion,
    ) -> Frames<'a> {
        let wide_length = section == Section::Formula && format == FormatVersion::V0_12;
        let range = page0.range(section, file.len()).unwrap_or(0..0);
        let count = if range.is_empty() { 0 } else { usize::from(page0.extent(section).count) };
        let bytes = file.get(..range.end).unwrap_or_default();
        Frames { bytes, at: range.start, index: 0, count, section, wide_length }
    }

    /// The only record of these bytes, which are not in a file.
    pub(crate) fn single(bytes: &'a [u8], section: Section) -> Frames<'a> {
        Frames { bytes, at: 0, index: 0, count: 1, section, wide_length: false }
    }

    /// The offset of the next record, or of the end of the records.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// An upper limit of the number of records left, for reserving memory.
    ///
    /// It is the number that page 0 claims if the section has 64 bytes for each; otherwise, the records are counted up to the first with a wrong length, so that a claim alone takes little memory.
    pub(crate) fn left(&self) -> usize {
        const USUAL: usize = 64;
        let (claimed, room) = (self.count - self.index, self.bytes.len().saturating_sub(self.at));
        if claimed <= room / USUAL { claimed } else { self.clone().map_while(Result::ok).count() }
    }

    #[cold]
    fn fail(&mut self, field: &'static str, kind: DecodeErrorKind) -> DecodeError {
        let index = self.index;
        self.index = self.count;
        DecodeError { section: self.section, index: Some(index), offset: self.at, field, kind }
    }
}

impl<'a> Iterator for Frames<'a> {
    type Item = Result<Frame<'a>, DecodeError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.index == self.count {
            return None;
        }
        let (end, needed) = (self.bytes.len(), self.section.fixed_part());
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        if rest.len() < needed {
            let kind =
                DecodeErrorKind::RecordCut { index: self.index, count: self.count, end, needed };
            return Some(Err(self.fail("record", kind)));
        }
        let length = match rest.first_chunk() {
            Some(wide) if self.wide_length => u32::from_be_bytes(*wide) as usize,
            _ => usize::from(be16(rest, 0)),
        };
        if length < needed {
            return Some(Err(
                self.fail("length", DecodeErrorKind::RecordTooShort { length, needed })
            ));
        }
        let Some(bytes) = rest.get(..length) else {
            return Some(Err(self.fail("length", DecodeErrorKind::RecordPastEnd { length, end })));
        };
        let frame = Frame { section: self.section, index: self.index, offset: self.at, bytes };
        self.at += length;
        self.index += 1;
        Some(Ok(frame))
    }
}

impl<'a> Frame<'a> {
    /// The text whose length field is at `at`, without the length field.
    #[inline]
    pub(crate) fn text(&self, at: usize, field: &'static str) -> Result<&'a [u8], DecodeError> {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let Some(length) = rest.first_chunk() else {
            return Err(self.text_error(at, field, None));
        };
        let length = u16::from_be_bytes(*length);
        rest.get(2..usize::from(length)).ok_or_else(|| self.text_error(at, field, Some(length)))
    }

    #[cold]
    fn text_error(&self, at: usize, field: &'static str, length: Option<u16>) -> DecodeError {
        let end = self.offset + self.bytes.len();
        let kind = match length {
            None => DecodeErrorKind::TextCut { end },
            Some(length @ 0..2) => DecodeErrorKind::TextLength { length },
            Some(length) => DecodeErrorKind::TextPastRecord { length, end },
        };
        self.error(at, field, kind)
    }

    pub(crate) fn error(
        &self,
        at: usize,
        field: &'static str,
        kind: DecodeErrorKind,
    ) -> DecodeError {
        let (section, index, offset) = (self.section, Some(self.index), self.offset + at);
        DecodeError { section, index, offset, field, kind }
    }
}

/// The big-endian number at `at`, or 0 if the record is too short.
#[inline]
pub(crate) fn be16(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |two| u16::from_be_bytes(*two))
}

/// The big-endian number at `at`, or 0 if the record is too short.
#[inline]
pub(crate) fn be32(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |four| u32::from_be_bytes(*four))
}
