//! A program or library: its segments, its functions, and its line numbers.

use super::blocks::Blocks;
use super::code_files::{self, VDSO};
use super::debug_files::DebugFiles;
use super::demangled::demangled;
use super::functions::{Code, Functions, codes, data};
use super::{mini_symbols, source_files};
use crate::show;
use addr2line::Loader;
use counterpoint::profil::write::Symbol;
use object::{
    Architecture, CompressionFormat, Object, ObjectSection, ObjectSegment, ObjectSymbolTable,
    ReadCache, ReadRef,
};
use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// The name of code in a file without symbols.
pub const STRIPPED: &str = "[stripped]";

/// The most bytes of a function that are disassembled.
const LONGEST_CODE: u64 = 16 << 20;

/// The most functions that are shown as inlined at an address.
const DEEPEST_INLINED: usize = 256;

pub struct Binary {
    /// Where it was read.
    path: PathBuf,
    pub architecture: Architecture,
    /// Who wrote the debug information of lines.
    pub author: u32,
    /// File offsets, and the address of the first.
    segments: Vec<(Range<u64>, u64)>,
    functions: Functions,
    stripped: bool,
    lines: Option<Loader>,
}

/// What a file has of names and lines beside itself.
#[derive(Default)]
struct Separate {
    codes: Vec<Code>,
    has_symbols: bool,
    lines: Option<Loader>,
    author: u32,
}

/// Who wrote a file; the kernel wrote what is in none.
fn author_of(path: &Path) -> u32 {
    path.metadata().map_or(0, |about| source_files::author(&about))
}

impl Binary {
    /// A file, of which only the parts are read that are needed, with what its debug file has.
    pub fn open(path: &Path, debug_files: &DebugFiles) -> Option<Binary> {
        let cache = ReadCache::new(Blocks::of(File::open(path).ok()?));
        Binary::read(&cache, path, debug_files)
    }

    /// What is read from `data`, with what its debug file has.
    pub fn read<'d, R: ReadRef<'d>>(
        data: R,
        path: &Path,
        debug_files: &DebugFiles,
    ) -> Option<Binary> {
        let file = object::File::parse(data).ok()?;
        let has_lines = file.section_by_name(".debug_info").is_some();
        let has_symbols = has_symbols(&file);
        let separate = match has_lines && has_symbols {
            true => None,
            false => debug_files
                .of(path, &file, has_symbols)
                .and_then(|debug| Separate::read(&debug, debug_files)),
        };
        let mut separate = separate.unwrap_or_default();
        if !has_symbols && !separate.has_symbols {
            separate.codes.extend(mini_symbols::of(&file));
            separate.has_symbols = !separate.codes.is_empty();
        }
        let own = || {
            if inflates_too_far(&file, path) {
                return None;
            }
            let supplement = debug_files.supplement(path, &file);
            Loader::new_with_sup(path, supplement.as_deref()).ok()
        };
        let segment = |segment: object::Segment<'d, '_, R>| {
            let (offset, size) = segment.file_range();
            (offset..offset.saturating_add(size), segment.address())
        };
        Some(Binary {
            path: path.to_path_buf(),
            architecture: file.architecture(),
            author: if has_lines { author_of(path) } else { separate.author },
            segments: file.segments().map(segment).collect(),
            functions: Functions::read(&file, separate.codes),
            stripped: !has_symbols && !separate.has_symbols,
            lines: if has_lines { own() } else { separate.lines.or_else(own) },
        })
    }

    /// The address that the file gives to what is at an offset in it.
    pub fn linked(&self, offset: u64) -> Option<u64> {
        let (file, address) = self.segments.iter().find(|(file, _)| file.contains(&offset))?;
        Some(address.wrapping_add(offset - file.start))
    }

    /// The address and the symbol of what is at an offset in the file; `None` if there is no code.
    pub fn symbol_in_file(&self, offset: u64) -> Option<(u64, Symbol)> {
        let linked = self.linked(offset)?;
        Some((linked, self.symbol(linked)?))
    }

    /// The functions that were inlined at an address, the innermost first.
    pub fn inlined(&self, address: u64) -> Vec<String> {
        let frames = self.lines.as_ref().and_then(|lines| lines.find_frames(address).ok());
        let Some(mut frames) = frames else { return Vec::new() };
        let mut names = Vec::new();
        while let Ok(Some(frame)) = frames.next() {
            let name = frame.function.as_ref().and_then(|name| name.raw_name().ok());
            let name = name.as_deref().unwrap_or("[unknown]");
            names.push(demangled(name).into_owned());
            // Debug information that lies may say that a function is inlined in itself for ever.
            if names.len() > DEEPEST_INLINED {
                break;
            }
        }
        // The last one is the function itself, of which the symbol tables have the name.
        names.pop();
        names
    }

    /// The name of the function at an address of the file, and its addresses; `None` if it has no name.
    pub fn function(&self, address: u64) -> Option<(&str, Range<u64>)> {
        let (name, range) = self.functions.at(address)?;
        Some((name?, range))
    }

    /// The code from an address of the file up to another one.
    pub fn code(&self, addresses: Range<u64>) -> io::Result<Vec<u8>> {
        let length = addresses.end.saturating_sub(addresses.start);
        let mut segments = self.segments.iter();
        let segment = segments.find_map(|(file, address)| {
            let at = addresses.start.checked_sub(*address)?;
            let offset = file.start.checked_add(at)?;
            file.contains(&offset).then(|| (offset, file.end - offset))
        });
        let (offset, left) = segment.ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut code = vec![0; usize::try_from(length.min(left).min(LONGEST_CODE)).unwrap_or(0)];
        if self.path.as_os_str() == VDSO {
            let vdso = code_files::vdso().ok_or(io::ErrorKind::NotFound)?;
            let from = usize::try_from(offset).unwrap_or(usize::MAX);
            let end = from.saturating_add(code.len()).min(vdso.len());
            code = vdso.get(from..end).unwrap_or_default().to_vec();
        } else {
            File::open(&self.path)?.read_exact_at(&mut code, offset)?;
        }
        Ok(code)
    }

    /// The end of the function at an address, without what only aligns the next one.
    pub fn end_of_code(&self, address: u64) -> Option<u64> {
        self.functions.end_of_code(address)
    }

    /// The names of data in the file, with their addresses, in their order.
    pub fn data(&self) -> Vec<(Range<u64>, String)> {
        let read = || {
            let cache = ReadCache::new(Blocks::of(File::open(&self.path).ok()?));
            Some(data(&object::File::parse(&cache).ok()?))
        };
        read().unwrap_or_default()
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

impl Separate {
    fn read(path: &Path, debug_files: &DebugFiles) -> Option<Separate> {
        let cache = ReadCache::new(Blocks::of(File::open(path).ok()?));
        let file = object::File::parse(&cache).ok()?;
        let lines = || {
            let supplement = debug_files.supplement(path, &file);
            Loader::new_with_sup(path, supplement.as_deref()).ok()
        };
        Some(Separate {
            codes: codes(&file),
            has_symbols: has_symbols(&file),
            author: author_of(path),
            lines: if inflates_too_far(&file, path) { None } else { lines() },
        })
    }
}

/// The most bytes of compressed sections, all of which are inflated for the first line.
const MOST_INFLATED: u64 = 128 << 20;

/// Whether the compressed sections of a file would fill the memory, which is said.
fn inflates_too_far<'d, R: ReadRef<'d>>(file: &object::File<'d, R>, path: &Path) -> bool {
    let inflated = |section: object::Section<'d, '_, R>| {
        let range = section.compressed_file_range().ok()?;
        (range.format != CompressionFormat::None).then_some(range.uncompressed_size)
    };
    let total = file.sections().filter_map(inflated).fold(0_u64, u64::saturating_add);
    if total <= MOST_INFLATED {
        return false;
    }
    let path = path.to_string_lossy();
    let (path, mebibytes) = (show::printable(&path), total >> 20);
    let said = format!(
        "{path}: its compressed debug information has {mebibytes} MiB, and is not read: its lines are not known"
    );
    let _ = writeln!(show::stderr(), "counterpoint: {said}");
    true
}

/// Whether a file has more symbols than those it exports.
fn has_symbols<'d, R: ReadRef<'d>>(file: &object::File<'d, R>) -> bool {
    file.symbol_table().is_some_and(|table| table.symbols().next().is_some())
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
