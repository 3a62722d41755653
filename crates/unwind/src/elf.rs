//! The sections of ELF files that have unwind information.

use object::elf::PF_X;
use object::{Architecture, Object, ObjectSection, ObjectSegment, ReadRef, SegmentFlags};

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

impl Sections {
    pub(crate) fn bytes(&self) -> usize {
        self.eh_frame.len() + self.debug_frame.len()
    }
}

/// The sections of a file of this processor, whose code was mapped from `offset` on; `None` if there is no unwind information.
pub(crate) fn sections<'d, R: ReadRef<'d>>(file: R, offset: u64) -> Option<Sections> {
    let file = object::File::parse(file).ok()?;
    let is_ours = match file.architecture() {
        Architecture::X86_64 => cfg!(target_arch = "x86_64"),
        Architecture::Aarch64 => cfg!(target_arch = "aarch64"),
        _ => false,
    };
    if !is_ours || !file.is_64() {
        return None;
    }
    let start = file.segments().find_map(|segment| {
        let SegmentFlags::Elf { p_flags, .. } = segment.flags() else { return None };
        let (from, size) = segment.file_range();
        let page = from.checked_sub(from % PAGE)?;
        let holds = (page..from.saturating_add(size)).contains(&offset);
        let address = || segment.address().wrapping_add(offset).wrapping_sub(from);
        (p_flags & PF_X == PF_X && holds).then(address)
    })?;
    // `.eh_frame_hdr`, whose offsets may lie, is not needed: a table of all functions is made in less time than it takes to read the file.
    let address = |name: &str| Some(file.section_by_name(name)?.address());
    let sections = Sections {
        start,
        eh_frame: contents(&file, ".eh_frame").unwrap_or_default(),
        eh_frame_address: address(".eh_frame").unwrap_or(0),
        debug_frame: contents(&file, ".debug_frame").unwrap_or_default(),
        text_address: address(".text"),
        got_address: address(".got"),
    };
    (sections.bytes() > 0).then_some(sections)
}

/// The contents of a section, which may be compressed.
fn contents<'d, R: ReadRef<'d>>(file: &object::File<'d, R>, name: &str) -> Option<Vec<u8>> {
    let section = file.section_by_name(name)?;
    let range = section.compressed_file_range().ok()?;
    if range.compressed_size > MOST || range.uncompressed_size > MOST {
        return None;
    }
    Some(section.uncompressed_data().ok()?.into_owned())
}
