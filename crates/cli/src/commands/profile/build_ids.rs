//! The build ids of programs, libraries and the kernel.

use super::blocks::Blocks;
use super::code_files::{self, VDSO, is_plain};
use counterpoint::perf::records::BuildId as Id;
use counterpoint_perfdata::{BuildId, build_id_of_notes};
use object::elf::{self, FileHeader32, FileHeader64};
use object::read::elf::{FileHeader, NoteIterator, ProgramHeader, SectionHeader};
use object::{Endianness, FileKind, ReadCache, ReadRef};
use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Those of the kernel and of files, as far as they have one; a file that was mapped without saying its own is read.
pub fn recorded(files: &BTreeMap<PathBuf, Vec<Id>>) -> Vec<BuildId> {
    let own = std::fs::read("/sys/kernel/notes").unwrap_or_default();
    let kernel = build_id_of_notes(&own).map(|id| BuildId {
        path: b"[kernel.kallsyms]".to_vec(),
        id: id.to_vec(),
        is_kernel: true,
    });
    let ids = files.iter().flat_map(|(path, known)| {
        let read = if known.is_empty() { of_file(path) } else { None };
        let ids = known.iter().map(|id| id.as_bytes().to_vec()).chain(read);
        let path = path.as_os_str().as_bytes();
        ids.map(|id| BuildId { path: path.to_vec(), id, is_kernel: false })
    });
    kernel.into_iter().chain(ids).collect()
}

/// That of a file or the vdso.
pub fn of_file(path: &Path) -> Option<Vec<u8>> {
    if path.as_os_str() == VDSO {
        return of_vdso();
    }
    if !is_plain(path) {
        return None;
    }
    of(&ReadCache::new(Blocks::of(File::open(path).ok()?)))
}

/// That of the code that the kernel maps into every process.
pub fn of_vdso() -> Option<Vec<u8>> {
    of(&*code_files::vdso()?)
}

/// That of an ELF file, of which only headers and notes are read.
fn of<'d, R: ReadRef<'d>>(file: R) -> Option<Vec<u8>> {
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
