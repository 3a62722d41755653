//! The functions of a file by address, from its symbol tables and the stubs of its PLT.

use super::demangled::demangled;
use super::plt;
use object::{Architecture, ReadRef, SectionKind, SegmentFlags, SymbolKind, elf};
use object::{Object, ObjectSection, ObjectSegment, ObjectSymbol, ObjectSymbolTable};
use std::cell::OnceCell;
use std::cmp::Reverse;
use std::ops::Range;

pub(crate) struct Functions {
    /// By address.
    functions: Vec<Function>,
    /// The addresses of code.
    sections: Vec<Range<u64>>,
}

struct Function {
    range: Range<u64>,
    /// The end of the code, without what aligns the next function.
    end: u64,
    symbol: String,
    /// The source name, made when it is first asked for.
    name: OnceCell<String>,
}

/// The largest alignment of a function whose padding is taken for that and not for code.
const MOST_ALIGNED: u64 = 64;

/// The most bytes of the names of a file: those of a browser have some 40 MB.
const MOST_NAMES: usize = 100 << 20;

/// The most names of data that are read.
const MOST_DATA: usize = 1 << 18;

/// A symbol of code.
pub(crate) struct Code {
    address: u64,
    size: u64,
    rank: Rank,
    name: String,
}

/// Which name of an address is shown: the lowest rank, the order in which perf prefers names.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    is_label: bool,
    has_no_size: bool,
    is_weak: bool,
    is_local: bool,
    underscores: usize,
    length: Reverse<usize>,
}

/// The symbols of code of a file.
pub(crate) fn codes<'d, R: ReadRef<'d>>(file: &object::File<'d, R>) -> Vec<Code> {
    // The lowest bit of an address of 32-bit Arm selects the instruction set.
    let bit = u64::from(file.architecture() == Architecture::Arm);
    let tables = [file.symbol_table(), file.dynamic_symbol_table()].into_iter().flatten();
    let mut codes = Vec::new();
    // Symbols may share one long name.
    let mut left = MOST_NAMES;
    for symbol in tables.flat_map(|table| table.symbols()) {
        let Some(code) = Code::of(&symbol, bit) else { continue };
        let Some(rest) = left.checked_sub(code.name.len()) else { break };
        left = rest;
        codes.push(code);
    }
    codes
}

impl Functions {
    /// The functions of a file, by its own symbols and those of its debug file.
    pub(crate) fn read<'d, R: ReadRef<'d>>(
        file: &object::File<'d, R>,
        separate: Vec<Code>,
    ) -> Functions {
        let sections: Vec<Range<u64>> = file
            .sections()
            .filter(|section| section.kind() == SectionKind::Text)
            .map(|section| section.address()..section.address().saturating_add(section.size()))
            .collect();
        // A file without a table of sections has its segments.
        let sections = if sections.is_empty() { segments(file) } else { sections };
        let mut codes = codes(file);
        codes.extend(separate);
        let is_code = |address| sections.iter().any(|section| section.contains(&address));
        codes.retain(|code| !code.rank.is_label || is_code(code.address));
        sort(&mut codes);
        let named = |address| {
            let first = codes.partition_point(|code| code.address < address);
            let code = codes.get(first).filter(|code| code.address == address)?;
            Some(code.name.clone())
        };
        let stubs = plt::stubs(file, &named);
        codes.extend(stubs.into_iter().map(|stub| Code {
            address: stub.address,
            size: stub.size,
            rank: Rank::of(&stub.name, stub.size),
            name: stub.name,
        }));
        Functions::from_codes(codes, sections)
    }

    /// A symbol without a size, such as one of code written by hand, ends at the next symbol or with its section.
    fn from_codes(mut codes: Vec<Code>, sections: Vec<Range<u64>>) -> Functions {
        sort(&mut codes);
        codes.dedup_by_key(|code| code.address);
        let mut functions: Vec<Function> = Vec::new();
        let mut covered = 0;
        for index in 0..codes.len() {
            let Code { address, size, ref name, .. } = codes[index];
            // A label within a function is no function.
            if size == 0 && address < covered {
                continue;
            }
            let end = match size {
                0 => {
                    let section = sections.iter().find(|section| section.contains(&address));
                    let Some(section) = section else { continue };
                    codes.get(index + 1).map_or(section.end, |next| next.address.min(section.end))
                }
                size => address.saturating_add(size),
            };
            covered = covered.max(end);
            let symbol = name.clone();
            functions.push(Function { range: address..end, end, symbol, name: OnceCell::new() });
        }
        pad(&mut functions);
        Functions { functions, sections }
    }

    /// The functions with their source names, by address.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, Range<u64>)> {
        self.functions.iter().map(|function| (function.name(), function.range.clone()))
    }

    /// The end of the code of the function at an address.
    pub(crate) fn end_of_code(&self, address: u64) -> Option<u64> {
        let after = self.functions.partition_point(|function| function.range.start <= address);
        let function = self.functions[..after].last()?;
        function.range.contains(&address).then_some(function.end)
    }

    /// The source name of the function at an address, and its addresses; without a name, those of the code around it that has none.
    ///
    /// `None` if there is no code.
    pub(crate) fn at(&self, address: u64) -> Option<(Option<&str>, Range<u64>)> {
        let after = self.functions.partition_point(|function| function.range.start <= address);
        let before = self.functions[..after].last();
        let next = self.functions.get(after).map_or(u64::MAX, |next| next.range.start);
        match before {
            Some(function) if function.range.contains(&address) => {
                Some((Some(function.name()), function.range.start..function.range.end.min(next)))
            }
            _ => {
                let code = self.sections.iter().find(|section| section.contains(&address))?;
                let start = before.map_or(0, |before| before.range.end).max(code.start);
                Some((None, start.min(address)..next.min(code.end)))
            }
        }
    }
}

/// The names of data, with their addresses, in their order.
pub(crate) fn data<'d, R: ReadRef<'d>>(file: &object::File<'d, R>) -> Vec<(Range<u64>, String)> {
    let tables = [file.symbol_table(), file.dynamic_symbol_table()].into_iter().flatten();
    let is_data = |symbol: &object::Symbol<'d, '_, R>| {
        let is_known = matches!(symbol.kind(), SymbolKind::Data | SymbolKind::Unknown);
        is_known && !symbol.is_undefined() && symbol.size() > 0
    };
    let named = |symbol: object::Symbol<'d, '_, R>| {
        let range = symbol.address()..symbol.address().saturating_add(symbol.size());
        Some((range, symbol.name().ok()?.to_string()))
    };
    let symbols = tables.flat_map(|table| table.symbols()).filter(is_data).take(MOST_DATA);
    let mut data: Vec<_> = symbols.filter_map(named).collect();
    data.sort_by(|a, b| (a.0.start, &a.1).cmp(&(b.0.start, &b.1)));
    data
}

/// By address, and the symbols of an address by rank.
fn sort(codes: &mut [Code]) {
    codes.sort_by(|a, b| (a.address, &a.rank).cmp(&(b.address, &b.rank)));
}

/// The addresses of the segments that are executable.
fn segments<'d, R: ReadRef<'d>>(file: &object::File<'d, R>) -> Vec<Range<u64>> {
    let executable = |segment: &object::Segment<'d, '_, R>| match segment.flags() {
        SegmentFlags::Elf { p_flags, .. } => p_flags & elf::PF_X == elf::PF_X,
        _ => false,
    };
    let segments = file.segments().filter(executable);
    segments.map(|s| s.address()..s.address().saturating_add(s.size())).collect()
}

/// Lets each function reach to the next one if the bytes between them only align that one.
fn pad(functions: &mut [Function]) {
    for index in 1..functions.len() {
        let start = functions[index].range.start;
        let alignment = (1 << start.trailing_zeros().min(63)).min(MOST_ALIGNED);
        let before = &mut functions[index - 1].range;
        if before.end < start && start - before.end < alignment {
            before.end = start;
        }
    }
}

impl Function {
    fn name(&self) -> &str {
        self.name.get_or_init(|| demangled(&self.symbol).into_owned())
    }
}

impl Code {
    fn of<'a>(symbol: &impl ObjectSymbol<'a>, bit: u64) -> Option<Code> {
        let (address, size) = (symbol.address() & !bit, symbol.size());
        let name = symbol.name().ok().filter(|name| !name.is_empty())?.to_string();
        // Assemblers mark where code and data begin with `$x`, `$d` and so on.
        let is_label = symbol.kind() == SymbolKind::Unknown && !name.starts_with('$');
        if symbol.is_undefined() || (symbol.kind() != SymbolKind::Text && !is_label) {
            return None;
        }
        if is_label && symbol.section_index().is_none() {
            return None;
        }
        let rank = Rank {
            is_label,
            is_weak: symbol.is_weak(),
            is_local: symbol.is_local(),
            ..Rank::of(&name, size)
        };
        Some(Code { address, size, rank, name })
    }
}

impl Rank {
    fn of(name: &str, size: u64) -> Rank {
        Rank {
            is_label: false,
            has_no_size: size == 0,
            is_weak: false,
            is_local: false,
            underscores: name.len() - name.trim_start_matches('_').len(),
            length: Reverse(name.len()),
        }
    }
}
