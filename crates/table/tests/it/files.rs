//! Files of Arrow and Parquet.

use crate::{LINES, owned, rows};
use counterpoint_table::{Row, arrow, parquet};
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
