//! Columns as formulas read them: a block of rows at a time, as doubles.

use arrow_buffer::BooleanBuffer;
use counterpoint::formula;
use std::ops::Range;

/// One value per row, in one or several chunks.
pub(crate) struct Column<'a> {
    chunks: Vec<Chunk<'a>>,
    /// The row after the last one of each chunk.
    ends: Vec<usize>,
}

/// Rows that follow each other in memory.
pub(crate) struct Chunk<'a> {
    pub(crate) values: Values<'a>,
    /// One bit per row, set if the row has a value. Without it every row has one.
    pub(crate) validity: Option<&'a BooleanBuffer>,
    pub(crate) rows: usize,
}

/// The place of the values of a chunk.
pub(crate) enum Values<'a> {
    /// In memory, as they are needed: they are not copied.
    Doubles(&'a [f64]),
    /// In another form.
    Converted(Convert<'a>),
}

/// Writes the doubles of the rows from a number on.
pub(crate) type Convert<'a> = Box<dyn Fn(usize, &mut [f64]) + Sync + 'a>;

/// Memory for the rows of one block that have to be converted.
#[derive(Default)]
pub(crate) struct Scratch {
    values: Vec<f64>,
    validity: Vec<u64>,
}

impl<'a> Column<'a> {
    pub(crate) fn new(chunks: Vec<Chunk<'a>>) -> Column<'a> {
        let mut end = 0;
        let ends = chunks.iter().map(|chunk| {
            end += chunk.rows;
            end
        });
        let ends = ends.collect();
        Column { chunks, ends }
    }

    /// The same number in every row; NaN in every row of a column without values.
    pub(crate) fn repeated(number: f64, rows: usize) -> Column<'a> {
        let values = Values::Converted(Box::new(move |_, out| out.fill(number)));
        Column::new(vec![Chunk { values, validity: None, rows }])
    }

    pub(crate) fn rows(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The rows of a block, in place if that is possible.
    pub(crate) fn block<'s>(
        &'s self,
        rows: Range<usize>,
        scratch: &'s mut Scratch,
    ) -> formula::Column<'s> {
        let first = self.ends.partition_point(|end| *end <= rows.start);
        match self.chunks.get(first) {
            Some(chunk) if rows.end <= self.ends[first] => {
                let start = rows.start - (self.ends[first] - chunk.rows);
                chunk.block(start..start + rows.len(), scratch)
            }
            _ => self.gathered(rows, first, scratch),
        }
    }

    /// The rows of a block that begins in the chunk `first` and ends in a later one.
    fn gathered<'s>(
        &'s self,
        rows: Range<usize>,
        first: usize,
        scratch: &'s mut Scratch,
    ) -> formula::Column<'s> {
        scratch.values.resize(rows.len(), f64::NAN);
        scratch.validity.clear();
        scratch.validity.resize(rows.len().div_ceil(64), 0);
        let mut at = 0;
        for (chunk, end) in self.chunks.iter().zip(&self.ends).skip(first) {
            let start = rows.start + at - (end - chunk.rows);
            let count = (chunk.rows - start).min(rows.len() - at);
            chunk.convert(start, &mut scratch.values[at..at + count]);
            for row in 0..count {
                let is_valid = chunk.validity.is_none_or(|bits| bits.value(start + row));
                scratch.validity[(at + row) / 64] |= u64::from(is_valid) << ((at + row) % 64);
            }
            at += count;
            if at == rows.len() {
                break;
            }
        }
        formula::Column::with_validity(&scratch.values[..rows.len()], &scratch.validity)
    }
}

impl<'a> Chunk<'a> {
    fn block<'s>(&'s self, rows: Range<usize>, scratch: &'s mut Scratch) -> formula::Column<'s> {
        let Scratch { values, validity } = scratch;
        let bits = self.validity.map(|bits| {
            let words = bits.slice(rows.start, rows.len());
            validity.clear();
            validity.extend(words.bit_chunks().iter_padded());
            &validity[..]
        });
        let values = match &self.values {
            Values::Doubles(doubles) => &doubles[rows],
            Values::Converted(_) => {
                values.resize(rows.len(), f64::NAN);
                self.convert(rows.start, &mut values[..rows.len()]);
                &values[..rows.len()]
            }
        };
        formula::Column { values, validity: bits }
    }

    fn convert(&self, first: usize, out: &mut [f64]) {
        match &self.values {
            Values::Doubles(doubles) => out.copy_from_slice(&doubles[first..first + out.len()]),
            Values::Converted(convert) => convert(first, out),
        }
    }
}
