//! Files of Arrow and Parquet on a big-endian machine, whose numbers nobody would read rightly.

use counterpoint_report::table::{arrow, parquet};

#[test]
fn files_of_the_other_byte_order_are_neither_written_nor_read() {
    let errors = [
        arrow::Writer::new(Vec::new()).err().unwrap(),
        parquet::Writer::new(Vec::new()).err().unwrap(),
        parquet::read(bytes::Bytes::from_static(b"PAR1"), |_| ()).unwrap_err(),
    ];
    for error in errors {
        assert!(error.to_string().contains("on a big-endian machine"), "{error}");
    }
}
