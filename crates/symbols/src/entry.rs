//! The place of a function in its file, by its name.

use super::blocks::Blocks;
use super::demangled::demangled;
use super::short_names::ShortNames;
use object::{Architecture, SymbolFlags, SymbolKind, elf};
use object::{Object, ObjectSection, ObjectSegment, ObjectSymbol, ObjectSymbolTable};
use object::{ReadCache, ReadRef};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

/// The reason why a function has no single place in a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoEntry {
    /// The file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    /// The file has no code that can be run.
    #[error("it is no program or library (ELF)")]
    NotElf,
    /// No symbol of a function has the name.
    #[error("it has no function of this name")]
    Missing {
        /// The names of functions that are like it.
        similar: Vec<String>,
        /// The file has no more symbols than those it exports.
        stripped: bool,
    },
    /// The address is in no code of the file.
    #[error("it has no code at this address")]
    NoCode,
    /// Which code the name stands for is chosen when a program starts (`STT_GNU_IFUNC`).
    #[error("it is chosen among several when a program starts")]
    Chosen,
    /// Several functions have the name, each with its address.
    #[error("it has several functions of this name")]
    Several(Vec<(u64, String)>),
}

/// The most similar names that are kept.
const SIMILAR: usize = 3;

/// The offsets that a function has in a program or library; they end at `u64::MAX` if its size is not known.
///
/// The name is that of its symbol, its source name, with or without parameters and what is before `::`, or its address in the file, such as `0x1139`.
///
/// # Errors
/// Returns an error if the file cannot be read, or does not have exactly one such function.
pub fn entry(path: &Path, name: &str) -> Result<Range<u64>, NoEntry> {
    let cache = ReadCache::new(Blocks::of(File::open(path)?));
    let file = object::File::parse(&cache).map_err(|_| NoEntry::NotElf)?;
    let address = name.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
    if let Some(address) = address {
        let offset = offset(&file, address).ok_or(NoEntry::NoCode)?;
        return Ok(offset..u64::MAX);
    }
    let functions = functions(&file);
    let exact = |of: &&Function| {
        of.symbol == name || of.symbol.split_once('@').is_some_and(|(bare, _)| bare == name)
    };
    let mut found: Vec<&Function> = functions.iter().filter(exact).collect();
    if found.is_empty() {
        let sources: Vec<Cow<'_, str>> = functions.iter().map(|of| demangled(&of.symbol)).collect();
        let names = ShortNames::new(sources.iter().map(|of| of.to_string()));
        let whole = names.find_whole(name);
        let named = functions.iter().zip(&sources).filter(|(_, of)| whole.contains(&&***of));
        found = named.map(|(of, _)| of).collect();
        if found.is_empty() {
            let is_similar = |of: &&String| of.to_lowercase().contains(&name.to_lowercase());
            let similar = names.full().iter().filter(is_similar).take(SIMILAR).cloned().collect();
            let stripped = file.symbol_table().is_none_or(|table| table.symbols().next().is_none());
            return Err(NoEntry::Missing { similar, stripped });
        }
    }
    if found.iter().any(|of| of.is_chosen) {
        return Err(NoEntry::Chosen);
    }
    let by_address: BTreeMap<u64, &Function> = found.iter().map(|of| (of.address, *of)).collect();
    let [(address, of)] = by_address.iter().collect::<Vec<_>>()[..] else {
        let named = |(address, of): (&u64, &&Function)| (*address, of.symbol.clone());
        return Err(NoEntry::Several(by_address.iter().map(named).collect()));
    };
    let offset = offset(&file, *address).ok_or(NoEntry::NoCode)?;
    let end = if of.size > 0 { offset.saturating_add(of.size) } else { u64::MAX };
    Ok(offset..end)
}

/// A symbol of a function.
struct Function {
    symbol: String,
    /// Where calls enter it.
    address: u64,
    size: u64,
    is_chosen: bool,
}

fn functions<'d, R: ReadRef<'d>>(file: &object::File<'d, R>) -> Vec<Function> {
    let tables = [file.symbol_table(), file.dynamic_symbol_table()].into_iter().flatten();
    let symbols = tables.flat_map(|table| table.symbols());
    // The part of a function that seldom runs is no function.
    let is_function = |symbol: &object::Symbol<'d, '_, R>| {
        let is_cold = symbol.name().is_ok_and(|name| name.ends_with(".cold"));
        !symbol.is_undefined() && symbol.kind() == SymbolKind::Text && !is_cold
    };
    let function = |symbol: object::Symbol<'d, '_, R>| {
        let (info, other) = match symbol.flags() {
            SymbolFlags::Elf { st_info, st_other, .. } => (st_info.st_type(), st_other.0),
            _ => return None,
        };
        Some(Function {
            symbol: symbol.name().ok()?.to_string(),
            address: code(file, symbol.address(), other)?,
            size: symbol.size(),
            is_chosen: info == elf::STT_GNU_IFUNC,
        })
    };
    symbols.filter(is_function).filter_map(function).collect()
}

/// The address of the code of a symbol: on POWER, the symbol may be that of a descriptor (ELFv1), or calls within one file may enter behind it (ELFv2, `st_other`).
fn code<'d, R: ReadRef<'d>>(file: &object::File<'d, R>, address: u64, other: u8) -> Option<u64> {
    if file.architecture() != Architecture::PowerPc64 {
        return Some(address);
    }
    let Some(descriptors) = file.section_by_name(".opd") else {
        return Some(address + ((1 << (other >> 5)) >> 2 << 2));
    };
    let word = descriptors.data_range(address, 8).ok()??.try_into().ok()?;
    Some(if file.is_little_endian() { u64::from_le_bytes(word) } else { u64::from_be_bytes(word) })
}

/// The offset of an address that has code.
fn offset<'d, R: ReadRef<'d>>(file: &object::File<'d, R>, address: u64) -> Option<u64> {
    file.segments().find_map(|segment| {
        let (start, size) = segment.file_range();
        let at = address.checked_sub(segment.address())?;
        (at < size && segment.permissions().executable()).then(|| start + at)
    })
}
