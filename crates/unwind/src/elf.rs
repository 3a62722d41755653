//! The sections of ELF files that have unwind information.

use framehop::ExplicitModuleSectionInfo;
use object::elf::{PF_X, SHF_COMPRESSED};
use object::{Architecture, Object, ObjectSection, ObjectSegment, SectionFlags, SegmentFlags};
use std::ops::Range;

/// The unwind information of a file.
pub(crate) struct Sections {
    /// The address that the file gives to the code that was asked for.
    pub(crate) start: u64,
    pub(crate) sections: ExplicitModuleSectionInfo<Vec<u8>>,
}

/// The least size of pages: a mapping begins at the page in which a segment does.
const PAGE: u64 = 4096;

/// The sections of a file of this processor, whose code was mapped from `offset` on; `None` if there is no unwind information.
pub(crate) fn sections(file: &[u8], offset: u64) -> Option<Sections> {
    let file = object::File::parse(file).ok()?;
    let ours = match file.architecture() {
        Architecture::X86_64 => cfg!(target_arch = "x86_64"),
        Architecture::Aarch64 => cfg!(target_arch = "aarch64"),
        _ => false,
    };
    if !ours || !file.is_64() {
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
    let data = |name: &str| {
        let section = file.section_by_name(name)?;
        let SectionFlags::Elf { sh_flags, .. } = section.flags() else { return None };
        let is_plain = sh_flags & SHF_COMPRESSED != SHF_COMPRESSED;
        section.data().ok().filter(|data| is_plain && !data.is_empty()).map(<[u8]>::to_vec)
    };
    let range = |name: &str| -> Option<Range<u64>> {
        let section = file.section_by_name(name)?;
        Some(section.address()..section.address().checked_add(section.size())?)
    };
    // Without `.eh_frame_hdr`, whose offsets may lie: framehop makes a table of its own, in less time than it takes to read the file.
    let sections = ExplicitModuleSectionInfo {
        base_svma: 0,
        text_svma: range(".text"),
        got_svma: range(".got"),
        eh_frame_svma: range(".eh_frame"),
        eh_frame: data(".eh_frame"),
        debug_frame: data(".debug_frame"),
        ..ExplicitModuleSectionInfo::default()
    };
    let has_any = sections.eh_frame.is_some() || sections.debug_frame.is_some();
    has_any.then_some(Sections { start, sections })
}
