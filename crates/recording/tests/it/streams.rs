//! Recordings that went through a pipe, and compressed ones.

use crate::walk::any_file;
use counterpoint_recording::file::{Problem, Reader};
use proptest::prelude::*;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::io::Cursor;

const ATTR: u32 = 64;
const EVENT_TYPE: u32 = 65;
const TRACING_DATA: u32 = 66;
const BUILD_ID: u32 = 67;
const AUXTRACE_INFO: u32 = 70;
const AUXTRACE: u32 = 71;
const EVENT_UPDATE: u32 = 78;
const FEATURE: u32 = 80;
const COMPRESSED: u32 = 81;
const COMPRESSED2: u32 = 83;
const SAMPLE: u32 = 9;

fn record(kind: u32, body: &[u8]) -> Vec<u8> {
    let size = (8 + body.len()) as u16;
    [&kind.to_ne_bytes()[..], &[0, 0], &size.to_ne_bytes(), body].concat()
}

fn words(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

/// An attribute of 64 bytes with this code, and ids.
fn attr(config: u64, ids: &[u64]) -> Vec<u8> {
    let head = [&1_u32.to_ne_bytes()[..], &64_u32.to_ne_bytes()].concat();
    record(ATTR, &[head, words(&[config, 1, 1, 0, 0, 0, 0]), words(ids)].concat())
}

fn stream(records: &[Vec<u8>]) -> Vec<u8> {
    [b"PERFILE2".to_vec(), words(&[16]), records.concat()].concat()
}

/// Two events, one named by an update and one by the list of perf 3, facts, and a sample among data that are skipped.
fn streamed() -> Vec<u8> {
    let update = [words(&[2, 7]), b"cycles\0\0".to_vec()].concat();
    let release =
        [words(&[4]), 64_u32.to_ne_bytes().to_vec(), b"6.1".to_vec(), vec![0; 61]].concat();
    let id =
        [vec![0xff; 4], vec![0xab; 20], vec![0; 4], b"/bin/true\0\0\0\0\0\0\0".to_vec()].concat();
    stream(&[
        attr(0, &[7]),
        attr(2, &[8, 9]),
        record(EVENT_UPDATE, &update),
        record(EVENT_TYPE, &[words(&[2]), b"page-faults\0\0\0\0\0".to_vec()].concat()),
        record(FEATURE, &release),
        record(BUILD_ID, &id),
        // Five bytes follow it, filled up to eight.
        [record(TRACING_DATA, &5_u32.to_ne_bytes()), vec![0x55; 8]].concat(),
        record(SAMPLE, &words(&[1, 2])),
        record(AUXTRACE_INFO, &[1_u32, 0].map(u32::to_ne_bytes).concat()),
        [record(AUXTRACE, &words(&[24, 0, 0, 0])), vec![0x66; 24]].concat(),
        record(SAMPLE, &words(&[3, 4])),
    ])
}

/// Records that were compressed in two pieces, of each form.
fn compressed() -> Vec<u8> {
    let inner: Vec<u8> = (0..200).flat_map(|n| record(SAMPLE, &words(&[n, n]))).collect();
    let packed = compress_to_vec(&*inner, CompressionLevel::Fastest);
    let (first, second) = packed.split_at(packed.len() / 3);
    let size = (second.len() as u64).to_ne_bytes();
    let padding = vec![0; second.len().next_multiple_of(8) - second.len()];
    stream(&[
        attr(0, &[7]),
        record(COMPRESSED, first),
        record(SAMPLE, &words(&[1000, 0])),
        record(COMPRESSED2, &[&size[..], second, &padding].concat()),
    ])
}

/// The first words of all samples.
fn samples(bytes: &[u8]) -> (Vec<u64>, Vec<String>) {
    let mut reader = Reader::open(Cursor::new(bytes)).unwrap();
    let mut found = Vec::new();
    let each = |raw: counterpoint_recording::file::Raw<'_>| {
        if raw.kind == SAMPLE {
            found.push(u64::from_ne_bytes(*raw.bytes[8..].first_chunk().unwrap()));
        }
    };
    reader.records(each).unwrap();
    (found, reader.problems().iter().map(ToString::to_string).collect())
}

#[test]
fn events_and_facts_of_a_stream_are_records() {
    let bytes = streamed();
    let mut reader = Reader::open(Cursor::new(&bytes)).unwrap();
    let events: Vec<_> =
        reader.events().iter().map(|event| (event.name.as_str(), event.ids.clone())).collect();
    assert_eq!(events, [("cycles", vec![7]), ("page-faults", vec![8, 9])]);
    let facts = reader.facts();
    assert_eq!((facts.os_release.as_str(), facts.build_ids.len()), ("6.1", 1));
    assert_eq!(
        (&*facts.build_ids[0].path, &*facts.build_ids[0].id),
        (&b"/bin/true"[..], &[0xab; 20][..])
    );
    let mut kinds = Vec::new();
    reader.records(|raw| kinds.push(raw.kind)).unwrap();
    assert_eq!(kinds, [SAMPLE, SAMPLE], "what follows a record is skipped");
    let [Problem::Aux { tracer, bytes }] = reader.problems() else { panic!() };
    assert_eq!((*tracer, *bytes), ("Intel PT", 24));
}

#[test]
fn a_stream_without_events_is_refused() {
    let bytes = stream(&[record(SAMPLE, &words(&[1]))]);
    let refused = Reader::open(Cursor::new(&bytes)).map(|_| ()).unwrap_err();
    assert!(refused.to_string().contains("the stream has no events"), "{refused}");
}

#[test]
fn compressed_records_come_after_the_others_and_are_all_there() {
    let (found, problems) = samples(&compressed());
    assert_eq!(problems, Vec::<String>::new());
    let expected: Vec<u64> = [1000].into_iter().chain(0..200).collect();
    assert_eq!(found, expected);
}

/// perf flushes what it has compressed, and does not end the frame.
#[test]
fn a_frame_that_was_not_ended_is_read_to_its_last_block() {
    let inner: Vec<u8> = (0..50).flat_map(|n| record(SAMPLE, &words(&[n, n]))).collect();
    // A frame with a window of 2 MiB, and one raw block that is not the last.
    let block = ((inner.len() as u32) << 3).to_le_bytes();
    let frame = [&[0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58][..], &block[..3], &inner].concat();
    let bytes = stream(&[attr(0, &[7]), record(COMPRESSED, &frame)]);
    let (found, problems) = samples(&bytes);
    assert_eq!((found, problems), ((0..50).collect(), Vec::new()));
}

#[test]
fn damaged_pieces_are_told_and_the_rest_is_shown() {
    let mut bytes = compressed();
    let length = bytes.len();
    bytes[length - 20] ^= 0xff;
    let (found, _) = samples(&bytes);
    assert_eq!(found[0], 1000, "what was not compressed");
    let bytes = stream(&[attr(0, &[7]), record(COMPRESSED, &[0x5a; 40])]);
    let (found, problems) = samples(&bytes);
    assert!(
        found.is_empty() && problems[0].contains("compressed records are damaged"),
        "{problems:?}"
    );
}

/// A block of 4 bytes that stands for 128 KiB, again and again.
#[test]
fn what_stands_for_far_more_than_it_is_ends() {
    let zeros = (131_072_u32 << 3 | 2).to_le_bytes();
    let block = [zeros[0], zeros[1], zeros[2], 0x08];
    let blocks = block.repeat(15_000);
    let frame = [&[0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58][..], &blocks].concat();
    let bytes = stream(&[attr(0, &[7]), record(COMPRESSED, &frame)]);
    any_file(&bytes);
}

proptest! {
    #[test]
    fn damaged_streams_do_no_harm(
        of_records in any::<bool>(),
        damage in prop::collection::vec((0.0..1.0_f64, any::<u8>()), 0..20),
        end in 0.0..1.0_f64,
    ) {
        let mut bytes = if of_records { compressed() } else { streamed() };
        for (place, byte) in damage {
            let index = (place * bytes.len() as f64) as usize;
            bytes[index] = byte;
        }
        bytes.truncate((end * 1.2 * bytes.len() as f64) as usize);
        any_file(&bytes);
    }
}
