//! Writes a recording while it is made.

use super::event::Event;
use super::facts::Facts;
use super::layout::{HEADER, MAGIC, SECTION, feature, kind};
use std::io::{Result, Seek, SeekFrom, Write};
use std::ops::Range;

/// Writes a file while it is recorded.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    events: Vec<Event>,
    /// The offset of the first record.
    start: u64,
    written: u64,
}

impl<W: Write + Seek> Writer<W> {
    /// Writes what is before the records. Until [`finish`](Writer::finish), the file is one whose recording was broken off.
    pub fn begin(mut out: W, events: &[Event]) -> Result<Writer<W>> {
        let size = events.iter().map(|event| event.attr.len()).max().unwrap_or(0);
        let mut events = events.to_vec();
        for event in &mut events {
            event.attr.resize(size, 0);
        }
        let ids: u64 = events.iter().map(|event| event.ids.len() as u64 * 8).sum();
        let attrs = HEADER + ids;
        let start = attrs + events.len() as u64 * (size as u64 + SECTION);
        let mut writer = Writer { out: &mut out, events, start, written: 0 };
        writer.header(&[])?;
        writer.ids_and_attrs()?;
        let Writer { events, .. } = writer;
        Ok(Writer { out, events, start, written: 0 })
    }

    /// Writes records of the kernel, whole ones.
    pub fn records(&mut self, bytes: &[u8]) -> Result<()> {
        self.written += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    /// Says that all records which were made before the previous call have been written, so that a reader can put them in order.
    pub fn round(&mut self) -> Result<()> {
        self.records(&record(kind::FINISHED_ROUND, 0, &[]))
    }

    /// Writes out the records that are still in memory, so that a reader finds them if the program is killed.
    pub fn flush(&mut self) -> Result<()> {
        self.out.flush()
    }

    /// Returns what the file is written to.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// Writes what is behind the records, and returns the file.
    pub fn finish(mut self, facts: &Facts) -> Result<W> {
        let sections = facts.sections(&self.events);
        let mut offset = self.start + self.written + sections.len() as u64 * SECTION;
        for (_, bytes) in &sections {
            self.words(&[offset, bytes.len() as u64])?;
            offset += bytes.len() as u64;
        }
        for (_, bytes) in &sections {
            self.out.write_all(bytes)?;
        }
        let bits: Vec<u32> = sections.iter().map(|(bit, _)| *bit).collect();
        self.out.seek(SeekFrom::Start(0))?;
        self.header(&bits)?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn header(&mut self, sections: &[u32]) -> Result<()> {
        let ids: u64 = self.events.iter().map(|event| event.ids.len() as u64 * 8).sum();
        let attrs = HEADER + ids;
        let entry = self.events.first().map_or(0, |event| event.attr.len() as u64) + SECTION;
        let mut flags = [0_u64; feature::COUNT as usize / 64];
        for bit in sections {
            flags[*bit as usize / 64] |= 1 << (bit % 64);
        }
        self.words(&[MAGIC, HEADER, entry, attrs, self.start - attrs, self.start, self.written])?;
        // perf has no use for the section of types any more.
        self.words(&[0, 0])?;
        self.words(&flags)
    }

    fn ids_and_attrs(&mut self) -> Result<()> {
        let events = std::mem::take(&mut self.events);
        for event in &events {
            self.words(&event.ids)?;
        }
        let mut offset = HEADER;
        for event in &events {
            let bytes = event.ids.len() as u64 * 8;
            self.out.write_all(&event.attr)?;
            self.words(&[offset, bytes])?;
            offset += bytes;
        }
        self.events = events;
        Ok(())
    }

    fn words(&mut self, words: &[u64]) -> Result<()> {
        words.iter().try_for_each(|word| self.out.write_all(&word.to_ne_bytes()))
    }
}

const MMAP: u32 = 1;
const COMM: u32 = 3;
const MISC_KERNEL: u16 = 1;
const MISC_USER: u16 = 2;
/// `PERF_RECORD_MISC_MMAP_DATA`.
const MISC_DATA: u16 = 1 << 13;
/// The process of the kernel's own text.
const KERNEL: u32 = u32::MAX;

/// What was mapped before the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// The kernel's code.
    Kernel,
    /// Code of this process.
    Code(u32),
    /// Data of this process.
    Data(u32),
}

/// A record of a file that was mapped before the recording. `trailer` is the size of the trailers.
pub fn mmap(
    contents: Contents,
    range: Range<u64>,
    offset: u64,
    path: &[u8],
    trailer: usize,
) -> Vec<u8> {
    let (misc, pid, tid) = match contents {
        Contents::Kernel => (MISC_KERNEL, KERNEL, 0),
        Contents::Code(pid) => (MISC_USER, pid, pid),
        Contents::Data(pid) => (MISC_USER | MISC_DATA, pid, pid),
    };
    let mut body = Vec::new();
    body.extend(pid.to_ne_bytes());
    body.extend(tid.to_ne_bytes());
    for word in [range.start, range.end.saturating_sub(range.start), offset] {
        body.extend(word.to_ne_bytes());
    }
    named(MMAP, misc, body, path, trailer)
}

/// A record of the name that a thread had before the recording.
pub fn comm(pid: u32, tid: u32, name: &[u8], trailer: usize) -> Vec<u8> {
    let body = [pid.to_ne_bytes(), tid.to_ne_bytes()].concat();
    named(COMM, 0, body, name, trailer)
}

/// A name ended by a zero and padded, and an empty trailer.
fn named(kind: u32, misc: u16, mut body: Vec<u8>, name: &[u8], trailer: usize) -> Vec<u8> {
    // A record is no longer than its 16-bit size can say; paths are far shorter.
    let name = name.get(..LONGEST_NAME).unwrap_or(name);
    body.extend(name);
    body.resize((body.len() + 1).next_multiple_of(8) + trailer, 0);
    record(kind, misc, &body)
}

const LONGEST_NAME: usize = 4096;

fn record(kind: u32, misc: u16, body: &[u8]) -> Vec<u8> {
    let mut bytes = kind.to_ne_bytes().to_vec();
    bytes.extend(misc.to_ne_bytes());
    bytes.extend((body.len() as u16 + 8).to_ne_bytes());
    bytes.extend(body);
    bytes
}

/// The build id among notes of an ELF file, such as those of `/sys/kernel/notes`.
pub fn build_id_of_notes(mut notes: &[u8]) -> Option<&[u8]> {
    loop {
        let (header, rest) = notes.split_first_chunk::<12>()?;
        let number = |at: usize| {
            let bytes = header.get(at..)?.first_chunk()?;
            usize::try_from(u32::from_ne_bytes(*bytes)).ok()
        };
        let (name_size, size, kind) = (number(0)?, number(4)?, number(8)?);
        let (name, rest) = rest.split_at_checked(name_size.checked_next_multiple_of(4)?)?;
        let id = rest.get(..size)?;
        if kind == 3 && name.starts_with(b"GNU\0") {
            return Some(id);
        }
        notes = rest.get(size.checked_next_multiple_of(4)?..)?;
    }
}
