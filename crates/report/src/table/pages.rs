//! The sizes that a file of Parquet says it has, before memory is taken for them.
//!
//! The reader of Parquet believes them. They are in structures of Thrift's compact protocol, of which no more is read here than that.

use super::arrow::{TableError, damaged};
use arrow_schema::ArrowError;
use parquet::arrow::ProjectionMask;
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::ChunkReader;

/// The most bytes of the pages that are in memory together, one of each column and its dictionary, and of the footer.
const LARGEST: u64 = 128 << 20;
/// The size that most headers of pages fit into.
const USUAL_HEADER: u64 = 1 << 12;
/// The longest header of a page, which may have the least and the greatest value.
const LONGEST_HEADER: u64 = 1 << 20;
/// The depth of structures within each other.
const DEEPEST: usize = 32;

/// Checks that the lists of the footer fit into it.
pub(crate) fn check_footer(from: &impl ChunkReader) -> Result<(), TableError> {
    const TRAILER: u64 = 8;
    let length = from.len();
    let start = length.checked_sub(TRAILER).ok_or_else(|| damaged("it is too short"))?;
    let trailer = from.get_bytes(start, TRAILER as usize).map_err(of_parquet)?;
    let [a, b, c, d, ..] = trailer[..] else { return Err(damaged("it is too short")) };
    let footer = u64::from(u32::from_le_bytes([a, b, c, d]));
    if footer > LARGEST {
        return Err(damaged(&format!("its footer is longer than {} MiB", LARGEST >> 20)));
    }
    let start = start.checked_sub(footer).ok_or_else(|| damaged("its footer is longer than it"))?;
    let bytes = from.get_bytes(start, footer as usize).map_err(of_parquet)?;
    let mut thrift = Thrift { rest: &bytes };
    thrift.structure(DEEPEST, &mut |_, _| ()).ok_or_else(|| damaged("its footer is torn"))
}

/// Checks that the pages of the columns that are read fit into memory.
pub(crate) fn check(
    from: &impl ChunkReader,
    metadata: &ParquetMetaData,
    mask: &ProjectionMask,
) -> Result<(), TableError> {
    for group in metadata.row_groups() {
        let mut together = 0;
        for (index, column) in group.columns().iter().enumerate() {
            if mask.leaf_included(index) {
                let (start, length) = column.byte_range();
                // A dictionary stays while the pages after it are read.
                together += 2 * largest_page(from, start, length)?;
            }
        }
        if together > 2 * LARGEST {
            let most = LARGEST >> 20;
            return Err(damaged(&format!("the pages of its columns are larger than {most} MiB")));
        }
    }
    Ok(())
}

/// The size of the largest of the pages that follow each other.
fn largest_page(from: &impl ChunkReader, start: u64, length: u64) -> Result<u64, TableError> {
    let (mut at, mut largest) = (start, 0);
    let end = start.checked_add(length).filter(|end| *end <= from.len());
    let end = end.ok_or_else(|| damaged("a column is beyond its end"))?;
    while at < end {
        // Most headers are short.
        let usual = header(from, at, USUAL_HEADER.min(end - at));
        let header = usual.or_else(|| header(from, at, LONGEST_HEADER.min(end - at)));
        let [length, size, compressed] =
            header.ok_or_else(|| damaged("the header of a page is torn"))?;
        if size > LARGEST || compressed > end - at {
            return Err(damaged("a page is larger than it can be"));
        }
        largest = largest.max(size);
        at = at.saturating_add(length).saturating_add(compressed);
    }
    Ok(largest)
}

/// The length of the header of a page that begins at a place, and the sizes of the page, uncompressed and compressed.
fn header(from: &impl ChunkReader, at: u64, most: u64) -> Option<[u64; 3]> {
    let bytes = from.get_bytes(at, most as usize).ok()?;
    let (mut thrift, mut sizes) = (Thrift { rest: &bytes }, [0; 2]);
    thrift.structure(DEEPEST, &mut |field, number| {
        if let Some(size) =
            usize::try_from(field.wrapping_sub(2)).ok().and_then(|at| sizes.get_mut(at))
        {
            *size = u64::try_from(number).unwrap_or(u64::MAX);
        }
    })?;
    let length = bytes.len() - thrift.rest.len();
    Some([length as u64, sizes[0], sizes[1]])
}

pub(crate) fn of_parquet(error: ParquetError) -> TableError {
    TableError::Arrow(ArrowError::from(error))
}

/// Bytes of the compact protocol.
struct Thrift<'a> {
    rest: &'a [u8],
}

impl Thrift<'_> {
    /// Passes a structure, and calls `number` with each whole number that is a field of it.
    fn structure(&mut self, depth: usize, number: &mut dyn FnMut(i64, i64)) -> Option<()> {
        let mut field: i64 = 0;
        loop {
            let byte = self.byte()?;
            let kind = byte & 0x0f;
            if kind == 0 {
                return Some(());
            }
            field = match byte >> 4 {
                0 => self.signed()?,
                more => field.checked_add(more.into())?,
            };
            match kind {
                // The value of a boolean field is its kind.
                1 | 2 => {}
                4..=6 => number(field, self.signed()?),
                kind => self.value(kind, depth)?,
            }
        }
    }

    /// Passes a value.
    fn value(&mut self, kind: u8, depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match kind {
            1..=3 => _ = self.byte()?,
            4..=6 => _ = self.signed()?,
            7 => self.skip(8)?,
            8 => {
                let length = self.unsigned()?;
                self.skip(length)?;
            }
            9 | 10 => {
                let byte = self.byte()?;
                let count = match byte >> 4 {
                    15 => self.unsigned()?,
                    few => few.into(),
                };
                self.values(count, &[byte & 0x0f], depth)?;
            }
            11 => {
                let count = self.unsigned()?;
                if count > 0 {
                    let kinds = self.byte()?;
                    self.values(count, &[kinds >> 4, kinds & 0x0f], depth)?;
                }
            }
            12 => self.structure(depth, &mut |_, _| ())?,
            _ => return None,
        }
        Some(())
    }

    /// Each value has a byte at least, so that no more are passed than there are.
    fn values(&mut self, count: u64, kinds: &[u8], depth: usize) -> Option<()> {
        if count > self.rest.len() as u64 {
            return None;
        }
        (0..count).try_for_each(|_| kinds.iter().try_for_each(|kind| self.value(*kind, depth)))
    }

    fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*byte)
    }

    fn skip(&mut self, count: u64) -> Option<()> {
        self.rest = self.rest.get(usize::try_from(count).ok()?..)?;
        Some(())
    }

    fn unsigned(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn signed(&mut self) -> Option<i64> {
        let number = self.unsigned()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(bytes: &[u8]) -> Option<Vec<(i64, i64)>> {
        let mut found = Vec::new();
        let mut thrift = Thrift { rest: bytes };
        thrift.structure(DEEPEST, &mut |field, number| found.push((field, number)))?;
        Some(found)
    }

    #[test]
    fn the_numbers_of_a_structure_are_found() {
        // Fields 1 to 3 are numbers, 4 is a text, 5 a list of two numbers, 6 true, and 20 a structure with a number.
        let bytes = [
            0x15, 0x02, 0x15, 0x80, 0x08, 0x15, 0x01, 0x18, 2, b'a', b'b', 0x19, 0x25, 2, 4, 0x11,
            0x0c, 0x28, 0x15, 0x06, 0x00, 0x00,
        ];
        assert_eq!(sizes(&bytes), Some(vec![(1, 1), (2, 512), (3, -1)]));
        for length in 0..bytes.len() {
            assert_eq!(sizes(&bytes[..length]), None, "{length} bytes");
        }
    }

    #[test]
    fn what_cannot_be_there_is_refused() {
        let long_list = [0x19, 0xf5, 0xff, 0xff, 0xff, 0xff, 0x07, 0x00];
        assert_eq!(sizes(&long_list), None);
        assert_eq!(sizes(&[0x18, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x00]), None, "a long text");
        assert_eq!(sizes(&[0x1c; 100]), None, "structures within each other");
        assert_eq!(
            sizes(&[0x15, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
            None
        );
    }
}
