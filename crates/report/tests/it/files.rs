//! Files of Arrow and Parquet.

use crate::{LINES, owned, rows};
use counterpoint_report::table::{Column, Row, arrow, parquet};
use std::io::Cursor;

#[test]
fn rows_come_back_from_arrow() {
    let written = rows(LINES);
    let mut writer = arrow::Writer::new(Vec::new()).unwrap();
    written.iter().for_each(|row| writer.push(row).unwrap());
    let (bytes, mut read) = (writer.finish().unwrap(), Vec::<Row<'_>>::new());
    arrow::read(Cursor::new(bytes), |row| read.push(owned(row))).unwrap();
    assert_eq!(read, written);
}

fn as_parquet(rows: &[Row<'_>]) -> Vec<u8> {
    let mut writer = parquet::Writer::new(Vec::new()).unwrap();
    rows.iter().for_each(|row| writer.push(row).unwrap());
    writer.finish().unwrap()
}

#[test]
fn rows_come_back_from_parquet() {
    // More than a batch.
    let written: Vec<_> = std::iter::repeat_with(|| rows(LINES)).take(800).flatten().collect();
    let mut read = Vec::new();
    parquet::read(bytes::Bytes::from(as_parquet(&written)), |row| read.push(owned(row))).unwrap();
    assert!(written.len() > 16_384);
    assert_eq!(read, written);
}

#[test]
fn torn_files_are_refused_and_never_read_in_part_without_a_word() {
    let whole = as_parquet(&rows(LINES));
    for length in (0..whole.len()).step_by(97) {
        let torn = bytes::Bytes::copy_from_slice(&whole[..length]);
        assert!(parquet::read(torn, |_| ()).is_err(), "{length} of {} bytes", whole.len());
    }
}

#[test]
fn columns_of_other_types_are_named() {
    use arrow_array::{ArrayRef, Int32Array, Int64Array, RecordBatch, StringArray};
    use std::sync::Arc;
    let table: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    let batch = |name, column: ArrayRef| {
        RecordBatch::try_from_iter([("table", Arc::clone(&table)), (name, column)]).unwrap()
    };
    let wrong = batch("cpu", Arc::new(Int32Array::from(vec![0])));
    let error = arrow::rows(&wrong, |_| ()).unwrap_err().to_string();
    assert_eq!(error, "the column `cpu` holds Int32, where Int64 belongs");
    // A column that others have added is left out, and an empty text is nothing.
    let mut hosts = 0;
    let added = batch("colour", Arc::new(StringArray::from(vec!["red"])));
    arrow::rows(&added, |row| hosts += usize::from(!row[Column::Host].is_null())).unwrap();
    let empty = batch("host", Arc::new(StringArray::from(vec![""])));
    arrow::rows(&empty, |row| hosts += usize::from(!row[Column::Host].is_null())).unwrap();
    assert_eq!(hosts, 0);
    let later: ArrayRef = Arc::new(Int64Array::from(vec![2]));
    let later = RecordBatch::try_from_iter([("table", later)]).unwrap();
    let error = arrow::rows(&later, |_| ()).unwrap_err().to_string();
    assert_eq!(error, "version 2 of the table, where version 1 is read");
}
