//! Reads everything that bytes claim to hold; the fuzz target does nothing else.

use counterpoint_recording::file::Reader;
use std::io::Cursor;

/// Reads any bytes as a file, twice; returns the number of records, if it could be opened.
pub(crate) fn any_file(bytes: &[u8]) -> Option<usize> {
    let mut reader = Reader::open(Cursor::new(bytes)).ok()?;
    let kept: usize =
        reader.events().iter().map(|event| event.attr.len() + 8 * event.ids.len()).sum();
    // Of an event whose samples are made of a tracer's data, there are eight.
    assert!(kept <= 9 * bytes.len(), "{kept} of {} bytes", bytes.len());
    let mut counts = [0, 0];
    for count in &mut counts {
        let mut read = 0;
        let all = reader.records(|raw| {
            *count += 1;
            read += raw.bytes.len();
        });
        // The compressed data may be a thousand times as long.
        assert!(all.is_ok() && read <= 1001 * bytes.len(), "{read} of {} bytes", bytes.len());
    }
    assert_eq!(counts[0], counts[1], "the second reading is the same");
    let once = reader.problems().len();
    let _ = reader.records(|_| {});
    assert_eq!(reader.problems().len(), once, "a problem is told once: {:?}", reader.problems());
    Some(counts[0])
}
