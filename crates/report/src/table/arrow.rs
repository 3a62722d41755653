//! The table as record batches of Arrow, and as files of its IPC format.

use super::text::check_version;
use super::{COLUMNS, Cell, Column, ColumnType, Row, VERSION};
use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_buffer::Buffer;
use arrow_ipc::convert::fb_to_schema;
use arrow_ipc::reader::{FileDecoder, read_footer_length};
use arrow_ipc::writer::FileWriter;
use arrow_ipc::{Block, root_as_footer};
pub use arrow_schema::ArrowError;
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, LazyLock};

/// The rows of a batch that a [`Writer`] writes.
pub const ROWS: usize = 16_384;

/// An error in the columns of a batch.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// It is not a file of its format.
    #[error(transparent)]
    Arrow(#[from] ArrowError),
    /// A column has another type.
    #[error("the column `{column}` holds {holds}, where {expected} belongs")]
    Type {
        /// The column.
        column: &'static str,
        /// The type that it holds.
        holds: Box<DataType>,
        /// The type that it must hold.
        expected: Box<DataType>,
    },
    /// Its bytes do not fit together.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// A row is of another version, or of another table.
    #[error("{0}")]
    Row(String),
}

/// Returns the schema: texts are `Utf8`, whole numbers `Int64`, numbers `Float64`; each column may be null, but for `table` and `kind`.
///
/// The metadata has the version as `counterpoint.table`, and that of a field what it means as `description`.
pub fn schema() -> SchemaRef {
    static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| schema_of(COLUMNS));
    Arc::clone(&SCHEMA)
}

/// The schema of these columns only.
fn schema_of(columns: &[Column]) -> SchemaRef {
    let fields: Vec<Field> = columns
        .iter()
        .map(|column| {
            let is_always = matches!(column, Column::Table | Column::Kind);
            let means = ("description".to_string(), column.description().to_string());
            Field::new(column.name(), data_type(*column), !is_always)
                .with_metadata(HashMap::from([means]))
        })
        .collect();
    let version = ("counterpoint.table".to_string(), VERSION.to_string());
    Arc::new(Schema::new_with_metadata(fields, HashMap::from([version])))
}

fn data_type(column: Column) -> DataType {
    match column.holds() {
        ColumnType::Text => DataType::Utf8,
        ColumnType::Integer => DataType::Int64,
        ColumnType::Real => DataType::Float64,
        ColumnType::Boolean => DataType::Boolean,
    }
}

#[derive(Debug)]
enum Builder {
    Text(StringBuilder),
    Integer(Int64Builder),
    Real(Float64Builder),
    Boolean(BooleanBuilder),
}

/// Rows on their way to a batch.
///
/// ```
/// use counterpoint_report::table::{Report, arrow::Batch};
///
/// let mut batch = Batch::default();
/// let line = r#"{"schema":1,"event":"faults","value":3,"status":"counted","unit":null}"#;
/// Report::new("").line(line, |row| batch.push(row)).unwrap();
/// assert_eq!(batch.finish().unwrap().num_rows(), 1);
/// ```
#[derive(Debug)]
pub struct Batch {
    pub(super) schema: SchemaRef,
    columns: Vec<(Column, Builder)>,
    rows: usize,
}

impl Default for Batch {
    fn default() -> Self {
        Batch::of(schema(), COLUMNS)
    }
}

impl Batch {
    /// Begins a batch of these columns only, as the files of a table have that is partitioned by the others.
    pub fn with_columns(columns: &[Column]) -> Batch {
        Batch::of(schema_of(columns), columns)
    }

    fn of(schema: SchemaRef, columns: &[Column]) -> Batch {
        let builder = |column: Column| match column.holds() {
            ColumnType::Text => Builder::Text(StringBuilder::new()),
            ColumnType::Integer => Builder::Integer(Int64Builder::new()),
            ColumnType::Real => Builder::Real(Float64Builder::new()),
            ColumnType::Boolean => Builder::Boolean(BooleanBuilder::new()),
        };
        let columns = columns.iter().map(|column| (*column, builder(*column))).collect();
        Batch { schema, columns, rows: 0 }
    }

    /// Appends a row.
    pub fn push(&mut self, row: &Row<'_>) {
        self.rows += 1;
        for (column, builder) in &mut self.columns {
            let cell = &row[*column];
            match builder {
                Builder::Text(builder) => builder.append_option(cell.text()),
                Builder::Integer(builder) => builder.append_option(cell.integer()),
                Builder::Real(builder) => builder.append_option(cell.real()),
                Builder::Boolean(builder) => builder.append_option(cell.boolean()),
            }
        }
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Returns the rows as a batch, and begins a new one.
    ///
    /// # Errors
    ///
    /// Returns an error if a row has no `table` or no `kind`.
    pub fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        self.rows = 0;
        let columns = self.columns.iter_mut().map(|(_, builder)| -> ArrayRef {
            match builder {
                Builder::Text(builder) => Arc::new(builder.finish()),
                Builder::Integer(builder) => Arc::new(builder.finish()),
                Builder::Real(builder) => Arc::new(builder.finish()),
                Builder::Boolean(builder) => Arc::new(builder.finish()),
            }
        });
        RecordBatch::try_new(Arc::clone(&self.schema), columns.collect())
    }
}

/// Calls `each` with the rows of a batch. Columns may be in any order and missing, and those that the table does not have are left out; texts may be `Utf8`, `LargeUtf8` or `Utf8View`.
///
/// # Errors
///
/// Returns an error if a column has another type, or a row is of another version.
pub fn rows(batch: &RecordBatch, mut each: impl FnMut(&Row<'_>)) -> Result<(), TableError> {
    let mut columns = Vec::new();
    for column in COLUMNS {
        let Some(array) = batch.column_by_name(column.name()) else { continue };
        let is_text = matches!(array.data_type(), DataType::LargeUtf8 | DataType::Utf8View);
        let expected = data_type(*column);
        if *array.data_type() != expected && !(is_text && expected == DataType::Utf8) {
            return Err(TableError::Type {
                column: column.name(),
                holds: Box::new(array.data_type().clone()),
                expected: Box::new(expected),
            });
        }
        columns.push((*column, array));
    }
    for index in 0..batch.num_rows() {
        let mut row = Row::default();
        for (column, array) in &columns {
            if array.is_valid(index) {
                row[*column] = cell(array, index);
            }
        }
        check_version(&row).map_err(TableError::Row)?;
        each(&row);
    }
    Ok(())
}

/// An empty text is nothing: other programs write null so.
fn cell(array: &ArrayRef, index: usize) -> Cell<'_> {
    let text = match array.data_type() {
        DataType::Int64 => return Cell::Integer(array.as_primitive::<Int64Type>().value(index)),
        DataType::Float64 => {
            let number = array.as_primitive::<Float64Type>().value(index);
            return if number.is_finite() { Cell::Real(number) } else { Cell::Null };
        }
        DataType::Boolean => return Cell::Boolean(array.as_boolean().value(index)),
        DataType::LargeUtf8 => array.as_string::<i64>().value(index),
        DataType::Utf8View => array.as_string_view().value(index),
        _ => array.as_string::<i32>().value(index),
    };
    if text.is_empty() { Cell::Null } else { Cell::Text(Cow::Borrowed(text)) }
}

/// Writes a file of Arrow's IPC format (also called Feather).
pub struct Writer<W: Write> {
    to: FileWriter<W>,
    batch: Batch,
}

impl<W: Write> fmt::Debug for Writer<W> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Writer").field("batch", &self.batch).finish_non_exhaustive()
    }
}

impl<W: Write> Writer<W> {
    /// Writes the beginning.
    ///
    /// # Errors
    ///
    /// Returns the error of `to`, and [`ArrowError::NotYetImplemented`] on a big-endian machine.
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
        little_endian("Arrow")?;
        Ok(Writer { to: FileWriter::try_new(to, &batch.schema)?, batch })
    }

    /// Writes a row.
    ///
    /// # Errors
    ///
    /// Returns the error of the writer below.
    pub fn push(&mut self, row: &Row<'_>) -> Result<(), TableError> {
        self.batch.push(row);
        if self.batch.len() == ROWS {
            self.to.write(&self.batch.finish()?)?;
        }
        Ok(())
    }

    /// Writes what is left and the end, and returns the writer below.
    ///
    /// # Errors
    ///
    /// Returns the error of the writer below.
    pub fn finish(mut self) -> Result<W, TableError> {
        if !self.batch.is_empty() {
            self.to.write(&self.batch.finish()?)?;
        }
        self.to.finish()?;
        Ok(self.to.into_inner()?)
    }
}

/// Both formats are little-endian, and the crates that read and write them copy numbers as they are in memory.
pub(super) fn little_endian(format: &str) -> Result<(), TableError> {
    if cfg!(target_endian = "big") {
        let what = format!("files of {format} on a big-endian machine");
        return Err(ArrowError::NotYetImplemented(what).into());
    }
    Ok(())
}

/// The most bytes of a batch, and of the description of the columns.
const LARGEST: u64 = 128 << 20;

/// Reads a file of Arrow's IPC format and calls `each` with its rows; a batch is at most 128 MiB long.
///
/// # Errors
///
/// Returns an error if it is not such a file or is damaged, and those of [`rows`]; `each` was called with the rows before it.
pub fn read(mut from: impl Read + Seek, mut each: impl FnMut(&Row<'_>)) -> Result<(), TableError> {
    let (decoder, blocks) = undamaged(|| footer(&mut from))?;
    for block in blocks {
        let batch = undamaged(|| {
            let (head, body) = (block.metaDataLength().into(), block.bodyLength());
            let bytes = bytes(&mut from, block.offset(), sum(head, body)?)?;
            Ok(decoder.read_record_batch(&block, &Buffer::from(bytes))?)
        })?;
        if let Some(batch) = batch {
            rows(&batch, &mut each)?;
        }
    }
    Ok(())
}

/// The decoder of the columns of the table, and the places of the batches.
fn footer(from: &mut (impl Read + Seek)) -> Result<(FileDecoder, Vec<Block>), TableError> {
    const TRAILER: i64 = 10;
    let length = i64::try_from(from.seek(SeekFrom::End(0))?).unwrap_or(i64::MAX);
    let trailer = bytes(from, length - TRAILER, TRAILER)?;
    let trailer = trailer.try_into().map_err(|_| damaged("it is too short"))?;
    let footer_length = i64::try_from(read_footer_length(trailer)?).unwrap_or(i64::MAX);
    let footer = bytes(from, length - TRAILER - footer_length, footer_length)?;
    let footer = root_as_footer(&footer).map_err(|error| damaged(&error.to_string()))?;
    let schema = footer.schema().ok_or_else(|| damaged("it does not describe its columns"))?;
    if !schema.endianness().equals_to_target_endianness() {
        return Err(damaged("its numbers are of the other byte order"));
    }
    let schema = fb_to_schema(schema);
    let known = known(schema.fields());
    let decoder = FileDecoder::new(Arc::new(schema), footer.version()).with_projection(known);
    let blocks = footer.recordBatches().ok_or_else(|| damaged("it has no list of batches"))?;
    Ok((decoder, blocks.iter().copied().collect()))
}

/// The places of the columns that the table has.
pub(crate) fn known(fields: &Fields) -> Vec<usize> {
    COLUMNS.iter().filter_map(|column| fields.find(column.name()).map(|(at, _)| at)).collect()
}

/// The bytes at a place of a file, which names itself where they are.
fn bytes(from: &mut (impl Read + Seek), at: i64, length: i64) -> Result<Vec<u8>, TableError> {
    let (Ok(at), Ok(wanted)) = (u64::try_from(at), u64::try_from(length)) else {
        return Err(damaged("a part of it is at an impossible place"));
    };
    if wanted > LARGEST {
        return Err(damaged(&format!("a part of it is longer than {} MiB", LARGEST >> 20)));
    }
    from.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    if from.take(wanted).read_to_end(&mut bytes)? as u64 != wanted {
        return Err(damaged("it ends early"));
    }
    Ok(bytes)
}

fn sum(one: i64, other: i64) -> Result<i64, TableError> {
    let sum = one.checked_add(other).filter(|_| one >= 0 && other >= 0);
    sum.ok_or_else(|| damaged("a batch has an impossible length"))
}

pub(crate) fn damaged(what: &str) -> TableError {
    TableError::Damaged(what.to_string())
}

/// Calls a decoder, which may panic if a file is damaged.
pub(crate) fn undamaged<T>(
    decode: impl FnOnce() -> Result<T, TableError>,
) -> Result<T, TableError> {
    catch_unwind(AssertUnwindSafe(decode)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("it cannot be decoded");
        Err(damaged(text))
    })
}
