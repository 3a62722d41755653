//! Records, as they are in the file.

use super::fields::Fields;
use super::layout::{RECORD, kind};
use std::io::{self, ErrorKind, Read, Seek};
use std::ops::{ControlFlow, Range};

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

/// Records one after another, each where it lies in a buffer of many.
pub(crate) struct RawRecords<R> {
    source: R,
    buffer: Vec<u8>,
    /// The bytes of the buffer that are read and not taken.
    held: Range<usize>,
}

/// The size of the buffer, in which the longest record has room, and others beside it.
pub(crate) const BUFFER: usize = 1 << 18;

impl<R: Read> RawRecords<R> {
    /// The records from here on.
    pub(crate) fn new(source: R) -> RawRecords<R> {
        RawRecords::with_buffer(source, vec![0; BUFFER])
    }

    /// The same in the buffer of others, because a new one is cleared first.
    pub(crate) fn with_buffer(source: R, buffer: Vec<u8>) -> RawRecords<R> {
        RawRecords { source, buffer, held: 0..0 }
    }

    pub(crate) fn into_buffer(self) -> Vec<u8> {
        self.buffer
    }

    /// The next record, of which no more than `left` bytes are there; the inner error is a sentence about the place where the records end early.
    pub(crate) fn next(
        &mut self,
        offset: u64,
        left: u64,
    ) -> io::Result<Result<Raw<'_>, &'static str>> {
        const CUT_OFF: &str = "the last record is cut off";
        if left < RECORD as u64 || !self.hold(RECORD)? {
            return Ok(Err(CUT_OFF));
        }
        let mut fields = Fields(&self.buffer[self.held.clone()]);
        let (kind, sizes) = fields.half().zip(fields.half()).unwrap_or_default();
        let [_, _, low, high] = sizes.to_ne_bytes();
        let size = usize::from(u16::from_ne_bytes([low, high]));
        if size < RECORD {
            return Ok(Err("a record is shorter than its header: what follows is not read"));
        }
        if size as u64 > left || !self.hold(size)? {
            return Ok(Err(CUT_OFF));
        }
        let start = self.held.start;
        self.held.start += size;
        Ok(Ok(Raw { offset, kind, bytes: &self.buffer[start..start + size] }))
    }

    /// Reads until so many bytes are held; false at the end of the file, which may have become shorter.
    fn hold(&mut self, size: usize) -> io::Result<bool> {
        while self.held.len() < size {
            self.buffer.copy_within(self.held.clone(), 0);
            self.held = 0..self.held.len();
            match self.source.read(&mut self.buffer[self.held.end..]) {
                Ok(0) => return Ok(false),
                Ok(read) => self.held.end += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }
}

impl<R: Read> RawRecords<R> {
    /// Calls `each` with the next bytes, in pieces, until it says that the rest is not wanted; those that a shorter file does not have are missing.
    pub(crate) fn pieces(
        &mut self,
        mut bytes: u64,
        mut each: impl FnMut(&[u8]) -> ControlFlow<()>,
    ) -> io::Result<ControlFlow<()>> {
        while bytes > 0 && self.hold(1)? {
            let piece = usize::try_from(bytes).unwrap_or(usize::MAX).min(self.held.len());
            let start = self.held.start;
            self.held.start += piece;
            bytes -= piece as u64;
            if each(&self.buffer[start..start + piece]).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

impl<R: Read + Seek> RawRecords<R> {
    /// Leaves bytes out that belong to the last record.
    pub(crate) fn skip(&mut self, bytes: u64) -> io::Result<()> {
        let held = usize::try_from(bytes).unwrap_or(usize::MAX).min(self.held.len());
        self.held.start += held;
        match i64::try_from(bytes - held as u64) {
            Ok(0) => Ok(()),
            Ok(rest) => self.source.seek_relative(rest),
            Err(_) => Err(ErrorKind::InvalidInput.into()),
        }
    }
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
