use crate::round_trip::written;
use crate::walk::any_file;
use counterpoint_recording::file::Reader;
use proptest::prelude::*;
use std::io::Cursor;

fn refusal(bytes: &[u8]) -> String {
    Reader::open(Cursor::new(bytes)).map(|_| ()).unwrap_err().to_string()
}

fn problems(bytes: Vec<u8>) -> Vec<String> {
    let mut reader = Reader::open(Cursor::new(bytes)).unwrap();
    reader.records(|_| {}).unwrap();
    reader.problems().iter().map(ToString::to_string).collect()
}

#[test]
#[allow(clippy::print_stdout, reason = "a test says what it skips")]
fn seeds() {
    if cfg!(target_endian = "big") {
        return println!("skipped: the seeds are files of machines of the other byte order");
    }
    let read: Vec<_> = crate::seeds::of("perf_data").iter().map(|seed| any_file(seed)).collect();
    assert!(read.iter().any(|records| records.is_some_and(|records| records > 0)), "{read:?}");
}

#[test]
fn what_is_no_recording_is_refused_with_its_reason() {
    let (bytes, _) = written();
    assert!(refusal(b"").contains("not a file of perf record"));
    assert!(refusal(&[b'x'; 200]).contains("not a file of perf record"));
    let mut foreign = bytes.clone();
    foreign[..8].reverse();
    assert!(refusal(&foreign).contains("other byte order"));
    let mut pipe = bytes.clone();
    pipe[8..16].copy_from_slice(&16_u64.to_ne_bytes());
    assert!(refusal(&pipe).contains("the stream has no events"));
    assert!(refusal(&bytes[..50]).contains("at byte 50: the header is cut off"));
    assert!(refusal(&bytes[..110]).contains("at byte 24: there are no events"));
}

#[test]
fn the_rest_is_read_and_the_place_is_told() {
    let (bytes, _) = written();
    let word = |at: usize| u64::from_ne_bytes(*bytes[at..].first_chunk().unwrap()) as usize;
    let (start, size) = (word(40), word(48));
    let cut = problems(bytes[..start + size - 20].to_vec());
    assert!(cut[0].contains(&format!("its records at byte {}", start + size)), "{cut:?}");
    assert!(cut[1].contains("the last record is cut off"), "{cut:?}");
    let mut broken_off = bytes[..start + size].to_vec();
    broken_off[48..56].fill(0);
    assert!(problems(broken_off)[0].contains("not ended properly"));
    let mut compressed = bytes.clone();
    compressed[start..start + 4].copy_from_slice(&81_u32.to_ne_bytes());
    assert!(problems(compressed)[0].contains("the compressed records are damaged"));
    let mut short = bytes.clone();
    short[start + 6..start + 8].fill(0);
    let short = problems(short);
    assert!(short[0].starts_with(&format!("at byte {start}: a record is shorter")), "{short:?}");
}

proptest! {
    #[test]
    fn damaged_files_do_no_harm(
        damage in prop::collection::vec((0.0..1.0_f64, any::<u8>()), 0..20),
        end in 0.0..1.0_f64,
    ) {
        let (mut bytes, _) = written();
        for (place, byte) in damage {
            let index = (place * bytes.len() as f64) as usize;
            bytes[index] = byte;
        }
        bytes.truncate((end * 1.2 * bytes.len() as f64) as usize);
        any_file(&bytes);
    }
}

/// As a `main` prints the error that it returns.
#[test]
fn an_error_shows_its_sentence() {
    let error = counterpoint_recording::Recorded::open("/no/such/file").map(drop).unwrap_err();
    assert_eq!(format!("{error:?}"), error.to_string());
    assert!(format!("{error:#?}").starts_with("Io("), "{error:#?}");
}
