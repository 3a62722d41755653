//! Records that were compressed, by `perf record -z`: one stream of Zstandard in pieces, each in a record of the file.

use super::layout::{RECORD, kind};
use super::record::{BUFFER, Raw, RawRecords, following};
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::{ControlFlow, Range};

/// The most memory of a window, which is what Zstandard's highest level takes.
const MOST_WINDOW: u64 = 128 << 20;

/// The most bytes of records for a byte of the file: perf's recordings take a tenth of theirs, and a file that lies could go on for hours.
const MOST_FOLD: u64 = 1000;

/// Calls `each` for every record that was compressed, until it says that the rest is not wanted; returns a sentence if the rest cannot be read.
pub(crate) fn records<R: Read + Seek>(
    source: &mut BufReader<R>,
    data: Range<u64>,
    mut each: impl FnMut(Raw<'_>) -> ControlFlow<()>,
) -> io::Result<Option<&'static str>> {
    const DAMAGED: &str = "the compressed records are damaged: the rest of them is not read";
    source.seek(SeekFrom::Start(data.start))?;
    let mut pieces = Pieces {
        records: RawRecords::new(source.get_mut()),
        left: data.end - data.start,
        piece: Vec::new(),
        at: 0,
        ended: 0,
    };
    let most = data.end.saturating_mul(MOST_FOLD);
    let mut offset = data.end;
    let mut buffer = vec![0; BUFFER];
    // Each process that perf recorded with may have ended its frame.
    while pieces.has_more()? {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MOST_WINDOW);
        let Ok(decoder) = StreamingDecoder::new_with_decoder(&mut pieces, decoder) else {
            return Ok(Some(DAMAGED));
        };
        let mut records = RawRecords::with_buffer(decoder, buffer);
        loop {
            match records.next(offset, most.saturating_sub(offset)) {
                Ok(Ok(raw)) => {
                    offset += raw.bytes.len() as u64;
                    if raw.kind < kind::FIRST && each(raw).is_break() {
                        return Ok(None);
                    }
                }
                // The frame ends between records, or within one.
                Ok(Err(_)) => break,
                Err(_) => return Ok(Some(DAMAGED)),
            }
        }
        buffer = records.into_buffer();
    }
    Ok(None)
}

/// The bytes of the stream, and what ends it: perf flushes what it has compressed, and does not end the frame.
struct Pieces<'a, R> {
    records: RawRecords<&'a mut R>,
    left: u64,
    piece: Vec<u8>,
    at: usize,
    /// The bytes of [`END`] that have been read.
    ended: usize,
}

/// An empty last block, and the place of a checksum that nobody compares.
const END: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

impl<R: Read + Seek> Pieces<'_, R> {
    /// Returns true if there are bytes of the recording left.
    fn has_more(&mut self) -> io::Result<bool> {
        while self.at == self.piece.len() {
            if self.left == 0 {
                return Ok(false);
            }
            self.piece.clear();
            self.at = 0;
            let Ok(raw) = self.records.next(0, self.left)? else {
                self.left = 0;
                return Ok(false);
            };
            self.left -= raw.bytes.len() as u64;
            let body = &raw.bytes[RECORD..];
            match raw.kind {
                kind::COMPRESSED => self.piece.extend(body),
                kind::COMPRESSED2 => {
                    // The size, and then as many bytes.
                    let size = body.first_chunk().map_or(0, |size| u64::from_ne_bytes(*size));
                    let rest = body.get(8..).unwrap_or_default();
                    let size = usize::try_from(size).unwrap_or(usize::MAX).min(rest.len());
                    self.piece.extend(&rest[..size]);
                }
                _ => {
                    let following = following(&raw).min(self.left);
                    self.left -= following;
                    self.records.skip(following)?;
                }
            }
        }
        Ok(true)
    }
}

impl<R: Read + Seek> Read for Pieces<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.has_more()? {
            let rest = &self.piece[self.at..];
            let length = rest.len().min(buffer.len());
            buffer[..length].copy_from_slice(&rest[..length]);
            self.at += length;
            return Ok(length);
        }
        let rest = &END[self.ended..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.ended += length;
        Ok(length)
    }
}
