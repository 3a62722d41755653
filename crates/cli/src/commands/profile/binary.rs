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

    /// The symbol at an address of the file, with the addresses of the file that share it; `None` if there is no code.
    pub fn symbol(&self, address: u64) -> Option<Symbol> {
        let (name, mut range) = self.functions.at(address)?;
        let unknown = if self.stripped { STRIPPED } else { "[unknown]" };
        let mut symbol = Symbol::new(name.unwrap_or(unknown));
        if let Some(lines) = &self.lines {
            (symbol.file, symbol.line) = line(lines, address, &mut range);
        }
        symbol.addresses = Some(range);
        Some(symbol)
    }
}

/// The file and line of an address; the range is cut to the addresses of that line, or to those before the next line.
fn line(lines: &Loader, address: u64, range: &mut Range<u64>) -> (Option<String>, Option<u32>) {
    let Ok(mut rows) = lines.find_location_range(address, range.end) else { return (None, None) };
    let Some((first, length, location)) = rows.next() else { return (None, None) };
    if first > address {
        range.end = range.end.min(first);
        return (None, None);
    }
    let end = first.saturating_add(length).max(address.saturating_add(1));
    *range = range.start.max(first)..range.end.min(end);
    (location.file.map(str::to_string), location.line)
}
