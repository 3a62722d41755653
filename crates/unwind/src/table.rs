//! The functions of a file, and where their rules are.

use crate::elf::Sections;
use gimli::{
    BaseAddresses, CieOrFde, DebugFrame, EhFrame, EndianSlice, LittleEndian, UnwindSection,
};
use std::collections::HashMap;

/// The bytes of a section.
pub(crate) type Bytes<'a> = EndianSlice<'a, LittleEndian>;

/// The unwind information of a file.
pub(crate) struct Table {
    sections: Sections,
    bases: BaseAddresses,
    /// The functions of `.eh_frame`, and those of `.debug_frame`, by address.
    of_eh_frame: Vec<Function>,
    of_debug_frame: Vec<Function>,
}

/// The addresses of a function, and where it is in its section.
struct Function {
    start: u64,
    length: u64,
    offset: usize,
}

/// The section that has a rule.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Section {
    EhFrame,
    DebugFrame,
}

/// The size of an address.
const WORD: u8 = 8;

impl Table {
    pub(crate) fn new(sections: Sections) -> Table {
        let mut bases = BaseAddresses::default().set_eh_frame(sections.eh_frame_address);
        if let Some(text) = sections.text_address {
            bases = bases.set_text(text);
        }
        if let Some(got) = sections.got_address {
            bases = bases.set_got(got);
        }
        let mut table =
            Table { sections, bases, of_eh_frame: Vec::new(), of_debug_frame: Vec::new() };
        table.of_eh_frame = functions(&table.eh_frame(), &table.bases);
        table.of_debug_frame = functions(&table.debug_frame(), &table.bases);
        table
    }

    pub(crate) fn eh_frame(&self) -> EhFrame<Bytes<'_>> {
        let mut section = EhFrame::new(&self.sections.eh_frame, LittleEndian);
        section.set_address_size(WORD);
        if cfg!(target_arch = "aarch64") {
            section.set_vendor(gimli::Vendor::AArch64);
        }
        section
    }

    pub(crate) fn debug_frame(&self) -> DebugFrame<Bytes<'_>> {
        let mut section = DebugFrame::new(&self.sections.debug_frame, LittleEndian);
        section.set_address_size(WORD);
        if cfg!(target_arch = "aarch64") {
            section.set_vendor(gimli::Vendor::AArch64);
        }
        section
    }

    /// The section that has the function at an address of the file, and where it is in it; `None` if no function is there.
    pub(crate) fn function(&self, address: u64) -> Option<(Section, usize)> {
        let of_eh_frame = find(&self.of_eh_frame, address).map(|at| (Section::EhFrame, at));
        let of_debug_frame = || find(&self.of_debug_frame, address);
        of_eh_frame.or_else(|| of_debug_frame().map(|at| (Section::DebugFrame, at)))
    }

    pub(crate) fn bases(&self) -> &BaseAddresses {
        &self.bases
    }
}

/// The place of the function at an address in its section.
fn find(functions: &[Function], address: u64) -> Option<usize> {
    let after = functions.partition_point(|function| function.start <= address);
    let function = functions[..after].last()?;
    (address - function.start < function.length).then_some(function.offset)
}

/// The functions of a section, up to the first entry that cannot be read.
fn functions<'a, S>(section: &S, bases: &BaseAddresses) -> Vec<Function>
where
    S: UnwindSection<Bytes<'a>>,
    S::Offset: Copy + std::hash::Hash + Eq,
{
    let mut functions = Vec::new();
    let mut common = HashMap::new();
    let mut entries = section.entries(bases);
    while let Ok(Some(entry)) = entries.next() {
        let CieOrFde::Fde(entry) = entry else { continue };
        let parsed = entry.parse(|section, bases, offset| match common.get(&offset) {
            Some(known) => Ok::<gimli::CommonInformationEntry<_, _>, _>(Clone::clone(known)),
            None => {
                let read = section.cie_from_offset(bases, offset)?;
                common.insert(offset, read.clone());
                Ok(read)
            }
        });
        let Ok(parsed) = parsed else { continue };
        let (start, length) = (parsed.initial_address(), parsed.len());
        // A function that was left out by the linker is at 0.
        if start != 0 && length > 0 {
            functions.push(Function { start, length, offset: parsed.offset() });
        }
    }
    functions.sort_unstable_by_key(|function| function.start);
    functions
}
