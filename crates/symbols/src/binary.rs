//! A program or library: its segments, its functions, and its line numbers.

use super::blocks::Blocks;
use super::code_file::CodeFile;
use super::debug_files::DebugFiles;
use super::demangled::demangled;
use super::functions::{Code, Functions, codes, data};
use super::inflated::inflates_too_far;
use super::mini_symbols::mini_symbols;
use super::scopes::Scopes;
use super::source_files::author;
use super::variables::Variables;
use addr2line::Loader;
use gimli::{DwLang, ReaderOffset};
use object::{Object, ObjectSegment, ObjectSymbolTable, ReadCache, ReadRef};
use std::cell::OnceCell;
use std::fmt;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// The most bytes of a function that are read.
const LONGEST_CODE: u64 = 16 << 20;

/// The most functions that are shown as inlined at an address.
const DEEPEST_INLINED: usize = 256;

/// A program or library: the functions, lines and code of an ELF file, with what its debug file has.
///
/// Addresses are those that the file gives to its code.
pub struct Binary {
    file: CodeFile,
    architecture: Architecture,
    author: u32,
    /// File offsets, and the address of the first.
    segments: Vec<(Range<u64>, u64)>,
    /// The addresses of each segment, of which those behind its part of the file are zero at first.
    memory: Vec<Range<u64>>,
    functions: Functions,
    /// The file that has symbols beside this one.
    debug_file: Option<PathBuf>,
    /// The variables, which are read for the first address that is asked for.
    variables: OnceCell<Variables>,
    stripped: bool,
    lines: Option<Lines>,
}

/// The debug information of a file.
struct Lines {
    loader: Loader,
    /// The file that has it.
    path: PathBuf,
    /// The scopes of functions without linkage names, which are read for the first of them.
    scopes: OnceCell<Option<Scopes>>,
}

/// A processor whose code a file has.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Architecture {
    /// x86 with 64-bit instructions.
    X86_64,
    /// x86 with 32-bit instructions.
    X86,
    /// 64-bit Arm.
    Arm64,
    /// Another one, by its name.
    Other(String),
}

/// The facts known of an address of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol<'b> {
    /// The source name of the function; `None` for code without a name.
    pub function: Option<&'b str>,
    /// The source file, as the debug information names it.
    pub file: Option<String>,
    /// The line in the source file, from 1.
    pub line: Option<u32>,
    /// The addresses around this one that have the same function, file and line.
    pub addresses: Range<u64>,
}

/// A function at an address, with the line that ran there: that of a call in a function that called an inlined one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Frame {
    /// The source name of the function, or `[unknown]`.
    pub function: String,
    /// The source file, as the debug information names it.
    pub file: Option<String>,
    /// The line in the source file, from 1.
    pub line: Option<u32>,
}

/// The names and lines that a file has beside itself.
#[derive(Default)]
struct Separate {
    codes: Vec<Code>,
    has_symbols: bool,
    lines: Option<Lines>,
    author: u32,
    path: Option<PathBuf>,
}

/// The user who wrote a file; the kernel wrote what is in none.
fn author_of(path: &Path) -> u32 {
    path.metadata().map_or(0, |about| author(&about))
}

impl Binary {
    /// A file, of which only the parts are read that are needed, with what its debug file has; `None` if it is no ELF file.
    pub fn open(file: &CodeFile, debug_files: &DebugFiles) -> Option<Binary> {
        match file {
            CodeFile::Bytes { bytes, .. } => Binary::read(&**bytes, file, debug_files),
            CodeFile::Path(path) => {
                let cache = ReadCache::new(Blocks::of(File::open(path).ok()?));
                Binary::read(&cache, file, debug_files)
            }
        }
    }

    fn read<'d, R: ReadRef<'d>>(
        data: R,
        whose: &CodeFile,
        debug_files: &DebugFiles,
    ) -> Option<Binary> {
        let path = whose.path();
        let file = object::File::parse(data).ok()?;
        let has_lines = file.section_by_name(".debug_info").is_some();
        let has_symbols = has_symbols(&file);
        let separate = || {
            let debug = debug_files.of(path, &file, has_symbols)?;
            Separate::read(&debug, debug_files)
        };
        let separate = if has_lines && has_symbols { None } else { separate() };
        let mut separate = separate.unwrap_or_default();
        if !has_symbols && !separate.has_symbols {
            separate.codes.extend(mini_symbols(&file));
            separate.has_symbols = !separate.codes.is_empty();
        }
        let own = || {
            if inflates_too_far(&file, path, debug_files.notify) {
                return None;
            }
            let supplement = debug_files.supplement(path, &file);
            Lines::read(path, supplement.as_deref())
        };
        let segment = |segment: object::Segment<'d, '_, R>| {
            let (offset, size) = segment.file_range();
            (offset..offset.saturating_add(size), segment.address())
        };
        Some(Binary {
            file: whose.clone(),
            architecture: architecture(file.architecture()),
            author: if has_lines { author_of(path) } else { separate.author },
            segments: file.segments().map(segment).collect(),
            memory: file
                .segments()
                .map(|of| of.address()..of.address().saturating_add(of.size()))
                .collect(),
            debug_file: separate.path,
            variables: OnceCell::new(),
            functions: Functions::read(&file, separate.codes),
            stripped: !has_symbols && !separate.has_symbols,
            lines: if has_lines { own() } else { separate.lines.or_else(own) },
        })
    }

    /// The processor.
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// The user who wrote the debug information of lines.
    pub fn author(&self) -> u32 {
        self.author
    }

    /// Returns true if the file has no more symbols than those it exports, and no debug file.
    pub fn is_stripped(&self) -> bool {
        self.stripped
    }

    /// The functions with their source names and addresses, in the order of their addresses.
    pub fn functions(&self) -> impl Iterator<Item = (&str, Range<u64>)> {
        self.functions.iter()
    }

    /// The address that the file gives to what is at an offset in it.
    pub fn linked(&self, offset: u64) -> Option<u64> {
        let (file, address) = self.segments.iter().find(|(file, _)| file.contains(&offset))?;
        Some(address.wrapping_add(offset - file.start))
    }

    /// The functions at an address: those that were inlined there, the innermost first, and at last the one that has the address, of which the symbol tables know the name better; none if the file has no debug information of the address.
    pub fn frames(&self, address: u64) -> Vec<Frame> {
        let Some(lines) = &self.lines else { return Vec::new() };
        let Ok(mut found) = lines.loader.find_frames(address) else { return Vec::new() };
        let mut frames = Vec::new();
        let mut next = found.next().ok().flatten();
        while let Some(frame) = next {
            next = found.next().ok().flatten();
            let name = frame.function.as_ref().and_then(|name| name.raw_name().ok());
            let scoped = || {
                let (language, offset) = (frame.function.as_ref()?.language?, frame.dw_die_offset?);
                lines.scoped(address, offset.0.into_u64(), name.as_deref()?, language)
            };
            let scoped = next.as_ref().and_then(|_| scoped());
            let plain = || demangled(name.as_deref().unwrap_or("[unknown]")).into_owned();
            let (file, line) = frame.location.map_or((None, None), |of| (of.file, of.line));
            let file = file.map(str::to_string);
            frames.push(Frame { function: scoped.unwrap_or_else(plain), file, line });
            // Debug information that lies may say that a function is inlined in itself for ever.
            if frames.len() > DEEPEST_INLINED {
                break;
            }
        }
        frames
    }

    /// The name of the function at an address of the file, and its addresses; `None` if it has no name.
    pub fn function(&self, address: u64) -> Option<(&str, Range<u64>)> {
        let (name, range) = self.functions.at(address)?;
        Some((name?, range))
    }

    /// The code from an address of the file up to another one; at most 16 MiB, and none beyond its segment.
    ///
    /// # Errors
    /// Returns an error if the file has no such address, or cannot be read.
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
        match &self.file {
            CodeFile::Path(path) => File::open(path)?.read_exact_at(&mut code, offset)?,
            CodeFile::Bytes { bytes, .. } => {
                let from = usize::try_from(offset).unwrap_or(usize::MAX);
                let end = from.saturating_add(code.len()).min(bytes.len());
                code = bytes.get(from..end).unwrap_or_default().to_vec();
            }
        }
        Ok(code)
    }

    /// The end of the function at an address, without what only aligns the next one.
    pub fn end_of_code(&self, address: u64) -> Option<u64> {
        self.functions.end_of_code(address)
    }

    /// The names of data in the file, with their addresses, in their order.
    pub fn data(&self) -> Vec<(Range<u64>, String)> {
        let read = || match &self.file {
            CodeFile::Bytes { bytes, .. } => Some(data(&object::File::parse(&**bytes).ok()?)),
            CodeFile::Path(path) => data_of(path),
        };
        read().unwrap_or_default()
    }

    /// The source name of the variable at an address of the file, and its addresses, by its own symbols and those of its debug file; variables of threads have no addresses in a file.
    pub fn variable(&self, address: u64) -> Option<(&str, Range<u64>)> {
        let read = || {
            let separate = self.debug_file.as_deref().and_then(data_of);
            Variables::new([self.data(), separate.unwrap_or_default()].concat())
        };
        self.variables.get_or_init(read).at(address)
    }

    /// Returns true if an address of the file is in its memory, also behind what the file itself has of it.
    pub fn has(&self, address: u64) -> bool {
        self.memory.iter().any(|segment| segment.contains(&address))
    }

    /// The function and the line at an address of the file; `None` if there is no code.
    pub fn symbol(&self, address: u64) -> Option<Symbol<'_>> {
        let (function, mut addresses) = self.functions.at(address)?;
        let lines = self.lines.as_ref().map(|lines| &lines.loader);
        let (file, line) = lines.map_or((None, None), |of| line(of, address, &mut addresses));
        Some(Symbol { function, file, line, addresses })
    }
}

fn data_of(path: &Path) -> Option<Vec<(Range<u64>, String)>> {
    let cache = ReadCache::new(Blocks::of(File::open(path).ok()?));
    Some(data(&object::File::parse(&cache).ok()?))
}

impl Lines {
    fn read(path: &Path, supplement: Option<&Path>) -> Option<Lines> {
        let loader = Loader::new_with_sup(path, supplement).ok()?;
        Some(Lines { loader, path: path.to_path_buf(), scopes: OnceCell::new() })
    }

    /// The name of a function of C++ with the scopes around it, if `name` is not one for the linker, which has them.
    fn scoped(&self, address: u64, offset: u64, name: &str, language: DwLang) -> Option<String> {
        const CPP: [DwLang; 6] = [
            gimli::DW_LANG_C_plus_plus,
            gimli::DW_LANG_C_plus_plus_03,
            gimli::DW_LANG_C_plus_plus_11,
            gimli::DW_LANG_C_plus_plus_14,
            gimli::DW_LANG_C_plus_plus_17,
            gimli::DW_LANG_C_plus_plus_20,
        ];
        if name.starts_with("_Z") || !CPP.contains(&language) {
            return None;
        }
        let scopes = self.scopes.get_or_init(|| Scopes::open(&self.path)).as_ref()?;
        scopes.name(address, usize::try_from(offset).ok()?)
    }
}

impl fmt::Debug for Binary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut binary = f.debug_struct("Binary");
        binary.field("file", &self.file.path()).field("architecture", &self.architecture);
        binary.field("stripped", &self.stripped).finish_non_exhaustive()
    }
}

fn architecture(of: object::Architecture) -> Architecture {
    match of {
        object::Architecture::X86_64 => Architecture::X86_64,
        object::Architecture::I386 => Architecture::X86,
        object::Architecture::Aarch64 => Architecture::Arm64,
        other => Architecture::Other(format!("{other:?}")),
    }
}

impl Separate {
    fn read(path: &Path, debug_files: &DebugFiles) -> Option<Separate> {
        let cache = ReadCache::new(Blocks::of(File::open(path).ok()?));
        let file = object::File::parse(&cache).ok()?;
        let lines = || {
            let supplement = debug_files.supplement(path, &file);
            Lines::read(path, supplement.as_deref())
        };
        Some(Separate {
            codes: codes(&file),
            has_symbols: has_symbols(&file),
            author: author_of(path),
            path: Some(path.to_path_buf()),
            lines: if inflates_too_far(&file, path, debug_files.notify) { None } else { lines() },
        })
    }
}

/// Returns true if a file has more symbols than those it exports.
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
