//! The table as files of Parquet.

use crate::Row;
use crate::arrow::{Batch, ROWS, TableError, rows, schema};
use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::ChunkReader;
use std::io::Write;

/// Writes a file of Parquet, compressed by Snappy; columns repeat most of their values, which are written once for each group of rows.
#[derive(Debug)]
pub struct Writer<W: Write + Send> {
    to: ArrowWriter<W>,
    batch: Batch,
}

impl<W: Write + Send> Writer<W> {
    /// Writes the beginning.
    ///
    /// # Errors
    ///
    /// Returns the error of `to`.
    pub fn new(to: W) -> Result<Writer<W>, TableError> {
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("counterpoint ", env!("CARGO_PKG_VERSION")).to_string())
            .build();
        let to = ArrowWriter::try_new(to, schema(), Some(properties)).map_err(of_parquet)?;
        Ok(Writer { to, batch: Batch::default() })
    }

    /// Writes a row.
    ///
    /// # Errors
    ///
    /// Returns the error of the writer below.
    pub fn push(&mut self, row: &Row<'_>) -> Result<(), TableError> {
        self.batch.push(row);
        if self.batch.len() == ROWS {
            self.to.write(&self.batch.finish()?).map_err(of_parquet)?;
        }
        Ok(())
    }

    /// Writes a batch of [`Batch::finish`], which another thread may have made.
    ///
    /// # Errors
    ///
    /// Returns an error if the batch has other columns, or the error of the writer below.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), TableError> {
        self.to.write(batch).map_err(of_parquet)
    }

    /// Writes what is left and the end, and returns the writer below.
    ///
    /// # Errors
    ///
    /// Returns the error of the writer below.
    pub fn finish(mut self) -> Result<W, TableError> {
        if !self.batch.is_empty() {
            self.to.write(&self.batch.finish()?).map_err(of_parquet)?;
        }
        self.to.into_inner().map_err(of_parquet)
    }
}

/// Reads a file of Parquet and calls `each` with its rows.
///
/// # Errors
///
/// Returns an error if it is not a whole file of Parquet, and those of [`rows`].
pub fn read(
    from: impl ChunkReader + 'static,
    mut each: impl FnMut(&Row<'_>),
) -> Result<(), TableError> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(from).map_err(of_parquet)?;
    for batch in reader.with_batch_size(ROWS).build().map_err(of_parquet)? {
        rows(&batch?, &mut each)?;
    }
    Ok(())
}

fn of_parquet(error: ParquetError) -> TableError {
    TableError::Arrow(ArrowError::from(error))
}
