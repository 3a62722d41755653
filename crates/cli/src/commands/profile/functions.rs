//! The functions of a file by address, from its symbol tables and the stubs of its PLT.

use super::demangled::demangled;
use super::plt;
use object::{Architecture, SectionKind, SymbolKind};
use object::{Object, ObjectSection, ObjectSymbol, ObjectSymbolTable};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;

/// Sorted by address; each ends before the next begins, unless it contains it.
pub struct Functions(Vec<Function>);

struct Function {
    range: Range<u64>,
    name: String,
}

/// A symbol of code.
struct Code {
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

impl Functions {
    pub fn read(file: &object::File<'_>) -> Functions {
        let sections: Vec<Range<u64>> = file
            .sections()
            .filter(|section| section.kind() == SectionKind::Text)
            .map(|section| section.address()..section.address().saturating_add(section.size()))
            .collect();
        let mut codes: Vec<Code> = Vec::new();
        for table in [file.symbol_table(), file.dynamic_symbol_table()].into_iter().flatten() {
            codes.extend(table.symbols().filter_map(|symbol| Code::of(&symbol, file)));
        }
        let named = |address| {
            let code = codes.iter().filter(|code| code.address == address);
            code.min_by(|a, b| a.rank.cmp(&b.rank)).map(|code| code.name.clone())
        };
        let stubs = plt::stubs(file, &named);
        codes.extend(stubs.into_iter().map(|stub| Code {
            address: stub.address,
            size: stub.size,
            rank: Rank::of(&stub.name, stub.size),
            name: stub.name,
        }));
        Functions::from_codes(codes, &sections)
    }

    /// A symbol without a size, such as one of code written by hand, ends at the next symbol or with its section.
    fn from_codes(mut codes: Vec<Code>, sections: &[Range<u64>]) -> Functions {
        codes.sort_by(|a, b| (a.address, &a.rank).cmp(&(b.address, &b.rank)));
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
            functions.push(Function { range: address..end, name: name.clone() });
        }
        Functions(functions)
    }

    fn find(&self, address: u64) -> Option<&Function> {
        let after = self.0.partition_point(|function| function.range.start <= address);
        self.0[..after].last().filter(|function| function.range.contains(&address))
    }

    /// The source name of the function that contains an address.
    pub fn name(&self, address: u64) -> Option<Cow<'_, str>> {
        self.find(address).map(|function| demangled(&function.name))
    }
}

impl Code {
    fn of<'a>(symbol: &impl ObjectSymbol<'a>, file: &object::File<'_>) -> Option<Code> {
        // The lowest bit of an address of 32-bit Arm selects the instruction set.
        let bit = u64::from(file.architecture() == Architecture::Arm);
        let (address, size) = (symbol.address() & !bit, symbol.size());
        let name = symbol.name().ok().filter(|name| !name.is_empty())?.to_string();
        // Assemblers mark where code and data begin with `$x`, `$d` and so on.
        let is_label = symbol.kind() == SymbolKind::Unknown && !name.starts_with('$');
        if symbol.is_undefined() || (symbol.kind() != SymbolKind::Text && !is_label) {
            return None;
        }
        if is_label {
            let section = file.section_by_index(symbol.section_index()?).ok()?;
            if section.kind() != SectionKind::Text {
                return None;
            }
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
