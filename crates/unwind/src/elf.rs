//! The sections of ELF files that have unwind information.

use object::elf::{self, FileHeader64, PF_X, PT_LOAD};
use object::read::elf::{
    CompressionHeader, FileHeader, ProgramHeader, SectionHeader, SectionTable,
};
use object::{CompressedData, CompressionFormat, Endianness, ReadRef};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// The unwind information of a file.
pub(crate) struct Sections {
    /// The address that the file gives to the code that was asked for.
    pub(crate) start: u64,
    pub(crate) eh_frame: Vec<u8>,
    pub(crate) eh_frame_address: u64,
    pub(crate) debug_frame: Vec<u8>,
    pub(crate) text_address: Option<u64>,
    pub(crate) got_address: Option<u64>,
}

/// The least size of pages: a mapping begins at the page in which a segment does.
const PAGE: u64 = 4096;
/// The most bytes of a section; that of a large browser has some 20 MiB.
const MOST: u64 = 64 << 20;
/// The header that Go wrote before ELF had compressed sections: these letters, and the size as it was, in big endian.
const GO_MAGIC: &[u8] = b"ZLIB";

type Header = FileHeader64<Endianness>;
type Table<'d, R> = SectionTable<'d, Header, R>;

impl Sections {
    pub(crate) fn bytes(&self) -> usize {
        self.eh_frame.len() + self.debug_frame.len()
    }
}

/// A file of which no part is read that is longer than any section may be: a file that lies would fill the memory.
pub(crate) struct Bounded(pub(crate) File);

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.len() as u64 > MOST {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.read(buffer)
    }
}

impl Seek for Bounded {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.0.seek(position)
    }
}

/// The sections of a file of this processor, whose code was mapped from `offset` on; `None` if there is no unwind information.
///
/// Nothing else of the file is read: symbols may be far larger.
pub(crate) fn sections<'d, R: ReadRef<'d>>(file: R, offset: u64) -> Option<Sections> {
    let header = Header::parse(file).ok()?;
    let endian = header.endian().ok()?;
    let is_ours = match header.e_machine(endian) {
        elf::EM_X86_64 => cfg!(target_arch = "x86_64"),
        elf::EM_AARCH64 => cfg!(target_arch = "aarch64"),
        _ => false,
    };
    if !is_ours || endian != Endianness::Little {
        return None;
    }
    let start = header.program_headers(endian, file).ok()?.iter().find_map(|segment| {
        let (from, size) = segment.file_range(endian);
        let page = from.checked_sub(from % PAGE)?;
        let holds = (page..from.saturating_add(size)).contains(&offset);
        let is_code = segment.p_type(endian) == PT_LOAD && segment.p_flags(endian).0 & PF_X.0 != 0;
        let address = segment.p_vaddr(endian).wrapping_add(offset).wrapping_sub(from);
        (is_code && holds).then_some(address)
    })?;
    let table = header.sections(endian, file).ok()?;
    // `.eh_frame_hdr`, whose offsets may lie, is not needed: a table of all functions is made in less time than it takes to read the file.
    let address = |name: &[u8]| Some(table.section_by_name(endian, name)?.1.sh_addr(endian));
    let debug_frame = contents(&table, endian, file, b".debug_frame");
    let sections = Sections {
        start,
        eh_frame: contents(&table, endian, file, b".eh_frame").unwrap_or_default(),
        eh_frame_address: address(b".eh_frame").unwrap_or(0),
        debug_frame: debug_frame.or_else(|| of_go(&table, endian, file)).unwrap_or_default(),
        text_address: address(b".text"),
        got_address: address(b".got"),
    };
    (sections.bytes() > 0).then_some(sections)
}

/// The contents of a section, which may be compressed.
fn contents<'d, R: ReadRef<'d>>(
    table: &Table<'d, R>,
    endian: Endianness,
    file: R,
    name: &[u8],
) -> Option<Vec<u8>> {
    let (_, section) = table.section_by_name(endian, name)?;
    if section.sh_size(endian) > MOST {
        return None;
    }
    let Some((header, offset, size)) = section.compression(endian, file).ok()? else {
        return section.data(endian, file).ok().map(<[u8]>::to_vec);
    };
    let format = match header.ch_type(endian) {
        elf::ELFCOMPRESS_ZLIB => CompressionFormat::Zlib,
        elf::ELFCOMPRESS_ZSTD => CompressionFormat::Zstandard,
        _ => return None,
    };
    let data = file.read_bytes_at(offset, size).ok()?;
    inflated(CompressedData { format, data, uncompressed_size: header.ch_size(endian) })
}

fn of_go<'d, R: ReadRef<'d>>(table: &Table<'d, R>, endian: Endianness, file: R) -> Option<Vec<u8>> {
    let (_, section) = table.section_by_name(endian, b".zdebug_frame")?;
    let data = Some(section).filter(|of| of.sh_size(endian) <= MOST)?.data(endian, file).ok()?;
    let (size, data) = data.strip_prefix(GO_MAGIC)?.split_first_chunk()?;
    let uncompressed_size = u64::from_be_bytes(*size);
    inflated(CompressedData { format: CompressionFormat::Zlib, data, uncompressed_size })
}

fn inflated(compressed: CompressedData<'_>) -> Option<Vec<u8>> {
    let is_short = compressed.uncompressed_size <= MOST;
    is_short.then(|| compressed.decompress().ok())?.map(|data| data.into_owned())
}
