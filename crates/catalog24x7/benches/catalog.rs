//! Measures the cost of walking, decoding and checking a catalog, compared with the minimum code that reads the same.
//!
//! `cargo bench -p counterpoint-catalog24x7 --bench catalog` measures a catalog of 256 KB and 1,378 records, and fails if a limit is exceeded.
//! A walk with all framing checks may take 1.5 times as long as a bare loop with the same checks, and twice as long as copying the bytes; decoding into owned records may take 6 times as long as the bare loop, and no longer than binrw's derived code for the same records; with the check of the whole catalog, 12 times as long as the bare loop.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use binrw::BinRead;
use counterpoint_catalog24x7::{Catalog, View, check};
use row::{Limit, compared};
use std::hint::black_box;
use std::io::Cursor;
use std::process::ExitCode;
use turns::{in_turn, once, pairs, scaled};

#[allow(dead_code)]
#[path = "../tests/it/packer.rs"]
mod packer;
#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const ROUNDS: usize = 400;

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    let file = catalog();
    let mut copy = vec![0; file.len()];
    let sums = [walk(&file), bare(&file)];
    assert_eq!(sums[0], sums[1], "both walks read the same data");
    let (decoded, derived_from) = (Catalog::decode(&file).catalog.unwrap(), derived(&file));
    assert_eq!(decoded.events.len(), derived_from.1.len(), "both decode the same records");
    let rounds = in_turn(
        ROUNDS,
        [
            &mut || once(|| black_box(&mut copy).copy_from_slice(black_box(&file))),
            &mut || once(|| black_box(bare(black_box(&file)))),
            &mut || once(|| black_box(walk(black_box(&file)))),
            &mut || once(|| black_box(derived(black_box(&file)))),
            &mut || once(|| black_box(Catalog::decode(black_box(&file)))),
            &mut || {
                once(|| {
                    let decoded = Catalog::decode(black_box(&file));
                    let found = decoded.catalog.as_ref().map(check);
                    black_box((decoded, found))
                })
            },
        ],
    );
    let [copy, bare, walk, derived, decode, checked] = [0, 1, 2, 3, 4, 5];
    let within = [
        ("walk a catalog", walk, "bare loop", bare, 1.5),
        ("walk a catalog", walk, "copy", copy, 2.0),
        ("decode a catalog", decode, "bare loop", bare, 6.0),
        ("decode a catalog", decode, "binrw derive", derived, 1.0),
        ("decode and check a catalog", checked, "bare loop", bare, 12.0),
    ]
    .map(|(name, ours, peer_name, peer, times)| {
        let rounds = scaled(&pairs(&rounds, ours, peer), 1e-3);
        compared(name, "µs", peer_name, &rounds, Limit::Times(times))
    });
    if within.contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// A file with the size, the number of records and the record lengths of a POWER8 catalog.
fn catalog() -> Vec<u8> {
    let event = |n: usize| {
        let fixed = [255, 255, 2, 0, 0, 0, 0, 64, 0, 24, 0, 0, 0, 0, 0, 0, 0, 1];
        let name = format!("PM_EVENT_NUMBER_{n}");
        let description = if n.is_multiple_of(8) {
            String::new()
        } else {
            "What is counted here, said in some words.".repeat(1 + n % 2)
        };
        packer::record(&[
            &fixed,
            &packer::text(&name),
            &packer::text(&description),
            &packer::text(""),
        ])
    };
    let group = |n: usize| {
        let fixed = [0; 46];
        packer::record(&[&fixed, &packer::text(&format!("GROUP_{n}")), &packer::text("")])
    };
    let schema = |fields: usize| {
        let mut fixed = vec![0; 14];
        fixed[13] = fields as u8;
        packer::record(&[&fixed, &vec![1; 8 * fields]])
    };
    let schemas: Vec<Vec<u8>> = [9, 13, 17, 21].map(schema).into();
    let events: Vec<Vec<u8>> = (0..1246).map(event).collect();
    let groups: Vec<Vec<u8>> = (0..128).map(group).collect();
    let mut file = packer::file([&schemas, &events, &groups, &[]]);
    file.resize(262_144, 0);
    file
}

/// Reads all records with all their texts, through the library.
fn walk(file: &[u8]) -> usize {
    let view = View::new(file).unwrap();
    let schemas: usize = view.schemas().map(|schema| schema.unwrap().bytes().len()).sum();
    let events = view.events().map(|event| {
        let event = event.unwrap();
        event.name().raw().len()
            + event.description().raw().len()
            + event.detailed_description().raw().len()
    });
    let events: usize = events.sum();
    let groups = view.groups().map(|group| {
        let group = group.unwrap();
        group.name().raw().len() + group.description().raw().len()
    });
    schemas + events + groups.sum::<usize>()
}

fn be16(bytes: &[u8], at: usize) -> Option<usize> {
    Some(usize::from(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?])))
}

/// Does the same in a plain loop over the bytes.
fn bare(file: &[u8]) -> usize {
    let section = |entry: usize| {
        let word = |at: usize| be16(file, entry + at).unwrap();
        (word(0) * 4096, word(0) * 4096 + word(2) * 4096, word(4))
    };
    let mut sum = 0;
    for (entry, fixed, texts) in [(0x40, 16, 0), (0x48, 0x14, 3), (0x50, 0x30, 2)] {
        let (mut at, end, count) = section(entry);
        assert!(end <= file.len());
        for _ in 0..count {
            let length = be16(file, at).unwrap();
            if length < fixed || at + length > end {
                return 0;
            }
            let record = &file[at..at + length];
            let mut text_at = fixed;
            for _ in 0..texts {
                let text = be16(record, text_at).unwrap();
                if text < 2 || text_at + text > length {
                    return 0;
                }
                sum += text - 2;
                text_at += text;
            }
            sum += if texts == 0 { length } else { 0 };
            at += length;
        }
    }
    sum
}

#[derive(BinRead)]
#[br(big)]
#[allow(dead_code)]
struct Text {
    length: u16,
    #[br(count = length - 2)]
    bytes: Vec<u8>,
}

#[derive(BinRead)]
#[br(big)]
#[allow(dead_code)]
struct Event {
    length: u16,
    numbers: [u16; 9],
    name: Text,
    description: Text,
    detailed_description: Text,
    #[br(count = length - 20 - name.length - description.length - detailed_description.length)]
    padding: Vec<u8>,
}

#[derive(BinRead)]
#[br(big)]
#[allow(dead_code)]
struct Group {
    length: u16,
    numbers: [u16; 7],
    events: [u16; 16],
    name: Text,
    description: Text,
    #[br(count = length - 48 - name.length - description.length)]
    padding: Vec<u8>,
}

#[derive(BinRead)]
#[br(big)]
#[allow(dead_code)]
struct Schema {
    length: u16,
    numbers: [u16; 6],
    count: u16,
    #[br(count = count)]
    fields: Vec<[u16; 4]>,
    #[br(count = length - 16 - 8 * count)]
    padding: Vec<u8>,
}

/// Reads the same records with code that binrw derives from their description.
fn derived(file: &[u8]) -> (Vec<Schema>, Vec<Event>, Vec<Group>) {
    fn records<T: for<'a> BinRead<Args<'a> = ()>>(file: &[u8], entry: usize) -> Vec<T> {
        let start = be16(file, entry).unwrap() * 4096;
        let mut cursor = Cursor::new(&file[start..]);
        (0..be16(file, entry + 4).unwrap()).map(|_| T::read_be(&mut cursor).unwrap()).collect()
    }
    (records(file, 0x40), records(file, 0x48), records(file, 0x50))
}
