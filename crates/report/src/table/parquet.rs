//! The table as files of Parquet.

use super::arrow::{Batch, ROWS, TableError, known, little_endian, rows, undamaged};
use super::pages::{self, of_parquet};
use super::{Column, Row};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, Schema};
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::ChunkReader;
use std::io::Write;
use std::sync::Arc;

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
    /// Returns the error of `to`, and [`ArrowError::NotYetImplemented`](super::arrow::ArrowError) on a big-endian machine.
    pub fn new(to: W) -> Result<Writer<W>, TableError> {
        Writer::of(to, Batch::default())
    }

    /// Writes the beginning of a file of these columns only.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Writer::new`].
    pub fn with_columns(to: W, columns: &[Column]) -> Result<Writer<W>, TableError> {
        Writer::of(to, Batch::with_columns(columns))
    }

    fn of(to: W, batch: Batch) -> Result<Writer<W>, TableError> {
        little_endian("Parquet")?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("counterpoint ", env!("CARGO_PKG_VERSION")).to_string())
            .build();
        let to = ArrowWriter::try_new(to, Arc::clone(&batch.schema), Some(properties))
            .map_err(of_parquet)?;
        Ok(Writer { to, batch })
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

/// Reads a file of Parquet and calls `each` with its rows; the pages that are read together are at most 128 MiB long.
///
/// # Errors
///
/// Returns an error if it is not a whole file of Parquet or is damaged, or on a big-endian machine, and those of [`rows`]; `each` was called with the rows before it.
pub fn read(
    from: impl ChunkReader + 'static,
    mut each: impl FnMut(&Row<'_>),
) -> Result<(), TableError> {
    little_endian("Parquet")?;
    let mut batches = undamaged(|| batches(from))?;
    while let Some(batch) = undamaged(|| batches.next().transpose().map_err(TableError::from))? {
        rows(&batch, &mut each)?;
    }
    Ok(())
}

/// The columns of the table, batch by batch.
fn batches(from: impl ChunkReader + 'static) -> Result<ParquetRecordBatchReader, TableError> {
    pages::check_footer(&from)?;
    // The statements of the file about Arrow's types may be damaged, too.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let loaded = ArrowReaderMetadata::load(&from, options.clone()).map_err(of_parquet)?;
    let known = known(loaded.schema().fields());
    let mask = ProjectionMask::roots(loaded.parquet_schema(), known);
    pages::check(&from, loaded.metadata(), &mask)?;
    // A text that is repeated is in memory once.
    let fields = loaded.schema().fields().iter().map(|field| match field.data_type() {
        DataType::Utf8 => Arc::new(field.as_ref().clone().with_data_type(DataType::Utf8View)),
        _ => Arc::clone(field),
    });
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true).with_schema(schema);
    let loaded = ArrowReaderMetadata::try_new(Arc::clone(loaded.metadata()), options);
    let loaded = loaded.map_err(of_parquet)?;
    let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(from, loaded);
    reader.with_projection(mask).with_batch_size(ROWS).build().map_err(of_parquet)
}
