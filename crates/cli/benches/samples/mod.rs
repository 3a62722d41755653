//! Recordings of samples that are made up.

#![allow(dead_code, reason = "each benchmark uses only some of it")]

use counterpoint::perf::{Host, Map};
use counterpoint_recording::file::{Contents, Event, Facts, MemoryNode, Writer, comm, mmap};
use std::fs::File;
use std::io::BufWriter;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

pub(crate) const IP: u64 = 1 << 0;
pub(crate) const TID: u64 = 1 << 1;
pub(crate) const TIME: u64 = 1 << 2;
pub(crate) const ADDR: u64 = 1 << 3;
pub(crate) const READ: u64 = 1 << 4;
pub(crate) const CALLCHAIN: u64 = 1 << 5;
pub(crate) const CPU: u64 = 1 << 7;
pub(crate) const WEIGHT: u64 = 1 << 14;
pub(crate) const DATA_SRC: u64 = 1 << 15;
pub(crate) const IDENTIFIER: u64 = 1 << 16;
/// The thread, the time, the CPU and the event, behind all records but samples.
const TRAILER: usize = 4 * 8;
pub(crate) const PID: u32 = 70;

/// Numbers below others, always the same.
pub(crate) struct Drawn(pub(crate) u64);

impl Drawn {
    pub(crate) fn below(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % below
    }
}

/// The code of this program.
pub(crate) fn code() -> Map {
    let program = std::env::current_exe().unwrap();
    let maps = Host::local().maps(None).unwrap();
    let mut code = maps.iter().filter(|map| map.execute);
    code.find(|map| map.path.as_deref() == Some(&*program)).unwrap().clone()
}

pub(crate) fn pair(tid: u32) -> u64 {
    u64::from(PID) | u64::from(tid) << 32
}

/// An event with these words of its attribute, each at its offset.
pub(crate) fn event(name: &str, id: u64, words: &[(usize, u64)]) -> Event {
    let mut attr = vec![0; 112];
    attr[4] = 112;
    // All records have a trailer.
    attr[42] = 1 << 2;
    for (offset, word) in words {
        for (to, byte) in attr[*offset..].iter_mut().zip(word.to_ne_bytes()) {
            *to |= byte;
        }
    }
    Event { name: name.into(), attr, ids: vec![id] }
}

/// A recording of so many samples, whose words `next` returns.
pub(crate) fn written(
    name: &str,
    events: &[Event],
    code: &Map,
    samples: u64,
    mut next: impl FnMut() -> Vec<u64>,
) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let file = BufWriter::new(File::create(&path).unwrap());
    let mut writer = Writer::begin(file, events).unwrap();
    let file = code.path.as_deref().unwrap().as_os_str().as_bytes();
    for mut first in [
        comm(PID, PID, b"solve", TRAILER),
        mmap(Contents::Code(PID), code.range.clone(), code.offset, file, TRAILER),
    ] {
        let start = first.len() - TRAILER;
        first[start..].copy_from_slice(&[pair(PID), 1, 0, 1].map(u64::to_ne_bytes).concat());
        writer.records(&first).unwrap();
    }
    for _ in 0..samples {
        let words = next();
        // A sample of user code, with its size.
        let head = 9 | 2 << 32 | (8 + 8 * words.len() as u64) << 48;
        let bytes: Vec<u8> =
            std::iter::once(head).chain(words).flat_map(u64::to_ne_bytes).collect();
        writer.records(&bytes).unwrap();
    }
    let node = MemoryNode { number: 0, kib: (1 << 20, 1 << 19), cpus: "0-1".to_string() };
    let facts = Facts { cpus: Some((2, 2)), nodes: vec![node], ..Facts::default() };
    writer.finish(&facts).unwrap();
    path
}
