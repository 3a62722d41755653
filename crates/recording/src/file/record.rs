//! Records, as they are in the file.

use super::fields::Fields;
use super::layout::{RECORD, kind};
use std::io::{self, ErrorKind, Read};

/// A record, not decoded.
#[derive(Clone, Copy, Debug)]
pub struct Raw<'a> {
    /// Its offset in the file; of a record that was compressed, the end of the file's records and its offset in what was compressed.
    pub offset: u64,
    /// Its type, `PERF_RECORD_…`.
    pub kind: u32,
    /// All of its bytes, with the header.
    pub bytes: &'a [u8],
}

/// Reads a record into a buffer for the longest one; the inner error is a sentence about the place where the records end early.
pub(crate) fn next<'a>(
    source: &mut impl Read,
    bytes: &'a mut [u8],
    offset: u64,
    left: u64,
) -> io::Result<Result<Raw<'a>, &'static str>> {
    let (header, rest) = bytes.split_at_mut(RECORD);
    if left < RECORD as u64 || !full(source, header)? {
        return Ok(Err("the last record is cut off"));
    }
    let mut fields = Fields(header);
    let (kind, sizes) = fields.half().zip(fields.half()).unwrap_or_default();
    let [_, _, low, high] = sizes.to_ne_bytes();
    let size = usize::from(u16::from_ne_bytes([low, high]));
    if size < RECORD {
        return Ok(Err("a record is shorter than its header: what follows is not read"));
    }
    if size as u64 > left || !full(source, &mut rest[..size - RECORD])? {
        return Ok(Err("the last record is cut off"));
    }
    Ok(Ok(Raw { offset, kind, bytes: &bytes[..size] }))
}

/// The number of bytes that are behind a record and belong to it.
pub(crate) fn following(raw: &Raw<'_>) -> u64 {
    let mut fields = Fields(&raw.bytes[RECORD..]);
    match raw.kind {
        kind::AUXTRACE => fields.word().unwrap_or(0),
        kind::TRACING_DATA => u64::from(fields.half().unwrap_or(0)).next_multiple_of(8),
        _ => 0,
    }
}

/// Fills the buffer; false at the end of the file, which may have become shorter.
fn full(source: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match source.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}
