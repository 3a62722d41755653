//! The build ids of ELF files.

use super::blocks::Blocks;
use super::plain::is_plain;
use object::elf::{self, FileHeader32, FileHeader64};
use object::read::elf::{FileHeader, NoteIterator, ProgramHeader, SectionHeader};
use object::{Endianness, FileKind, ReadCache, ReadRef};
use std::fs::File;
use std::path::Path;

/// The build id of a file, of which only headers and notes are read; `None` if it has none, or is no ELF file.
pub fn build_id_of_file(path: &Path) -> Option<Vec<u8>> {
    if !is_plain(path) {
        return None;
    }
    build_id_of(&ReadCache::new(Blocks::of(File::open(path).ok()?)))
}

/// A build id as it is written: two lower-case digits for each byte.
pub fn hex(id: &[u8]) -> String {
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The build id of the contents of an ELF file.
pub(crate) fn build_id_of<'d, R: ReadRef<'d>>(file: R) -> Option<Vec<u8>> {
    match FileKind::parse(file).ok()? {
        FileKind::Elf32 => of_headers::<FileHeader32<Endianness>, R>(file),
        FileKind::Elf64 => of_headers::<FileHeader64<Endianness>, R>(file),
        _ => None,
    }
}

fn of_headers<'d, H: FileHeader<Endian = Endianness>, R: ReadRef<'d>>(file: R) -> Option<Vec<u8>> {
    let header = H::parse(file).ok()?;
    let endian = header.endian().ok()?;
    let segments = header.program_headers(endian, file).unwrap_or_default().iter();
    let of_segments = segments.filter_map(|segment| segment.notes(endian, file).ok()?);
    // A debug file has the notes in its sections alone.
    let sections = || header.sections(endian, file).ok();
    of_segments.filter_map(|notes| of_notes(endian, notes)).next().or_else(|| {
        let sections = sections()?;
        let mut notes = sections.iter().filter_map(|of| of.notes(endian, file).ok()?);
        notes.find_map(|notes| of_notes(endian, notes))
    })
}

fn of_notes<H: FileHeader>(endian: H::Endian, mut notes: NoteIterator<'_, H>) -> Option<Vec<u8>> {
    while let Ok(Some(note)) = notes.next() {
        if note.name() == elf::ELF_NOTE_GNU && note.n_type(endian) == elf::NT_GNU_BUILD_ID {
            return Some(note.desc().to_vec());
        }
    }
    None
}
