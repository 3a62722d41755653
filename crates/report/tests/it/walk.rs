//! Laws that hold for any bytes; the fuzz targets call it, too.

use counterpoint_report::table::{Column, Row, arrow, parquet};
use std::io::Cursor;

/// libFuzzer ends at a panic also if it is caught, as those of decoders are.
#[allow(
    dead_code,
    reason = "the tests of the crate have a harness that shows panics of tests only"
)]
pub(crate) fn be_quiet() {
    std::panic::set_hook(Box::new(|_| ()));
}

/// A file of Arrow is read or refused, and its rows are of the table; returns whether it was read.
pub(crate) fn any_arrow(bytes: &[u8]) -> bool {
    arrow::read(Cursor::new(bytes), is_of_the_table).is_ok()
}

/// The same of a file of Parquet.
pub(crate) fn any_parquet(bytes: &[u8]) -> bool {
    parquet::read(bytes::Bytes::copy_from_slice(bytes), is_of_the_table).is_ok()
}

fn is_of_the_table(row: &Row<'_>) {
    assert_eq!(row[Column::Table].integer(), Some(counterpoint_report::table::VERSION));
}
