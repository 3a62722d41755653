//! A program or library: its segments, its functions, and its line numbers.

use super::functions::Functions;
use addr2line::Loader;
use counterpoint::profil::write::Symbol;
use object::{Object, ObjectSegment, ObjectSymbolTable};
use std::ops::Range;

/// The name of code in a file without symbols.
pub const STRIPPED: &str = "[stripped]";

pub struct Binary {
    /// File offsets, and the address of the first.
    segments: Vec<(Range<u64>, u64)>,
    functions: Functions,
    stripped: bool,
    pub lines: Option<Loader>,
}

impl Binary {
    pub fn read(bytes: &[u8]) -> Option<Binary> {
        let file = object::File::parse(bytes).ok()?;
        let segment = |segment: object::Segment<'_, '_>| {
            let (offset, size) = segment.file_range();
            (offset..offset.saturating_add(size), segment.address())
        };
        Some(Binary {
            segments: file.segments().map(segment).collect(),
            functions: Functions::read(&file),
            stripped: file.symbol_table().is_none_or(|table| table.symbols().next().is_none()),
            lines: None,
        })
    }

    /// The address that the file gives to what is at an offset in it.
    pub fn linked(&self, offset: u64) -> Option<u64> {
        let (file, address) = self.segments.iter().find(|(file, _)| file.contains(&offset))?;
        Some(address.wrapping_add(offset - file.start))
    }

    pub fn symbol(&self, offset: u64) -> Symbol {
        let unknown = if self.stripped { STRIPPED } else { "[unknown]" };
        let Some(address) = self.linked(offset) else { return Symbol::new(unknown) };
        let name = self.functions.name(address);
        let mut symbol = Symbol::new(name.as_deref().unwrap_or(unknown));
        if let Some(location) = self.lines.as_ref().and_then(|l| l.find_location(address).ok()?) {
            symbol.file = location.file.map(str::to_string);
            symbol.line = location.line;
        }
        symbol
    }
}
