//! The place of a function in its file, by its name.

use super::blocks::Blocks;
use super::demangled::demangled;
use object::{Object, ObjectSegment, ObjectSymbol, ObjectSymbolTable, ReadCache, ReadRef};
use object::{SymbolFlags, SymbolKind, elf};
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
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
    /// Which code the name stands for is chosen when a program starts (`STT_GNU_IFUNC`).
    #[error("it is chosen among several when a program starts")]
    Chosen,
    /// Several functions have the name; their symbols tell them apart.
    #[error("it has several functions of this name")]
    Several(Vec<String>),
}

/// The most similar names that are kept.
const SIMILAR: usize = 3;

/// The offset in a program or library at which a function begins, by its symbol or by its source name, with or without its parameters.
///
/// # Errors
/// Returns an error if the file cannot be read, or does not have exactly one such function.
pub fn entry(path: &Path, name: &str) -> Result<u64, NoEntry> {
    let cache = ReadCache::new(Blocks::of(File::open(path)?));
    let file = object::File::parse(&cache).map_err(|_| NoEntry::NotElf)?;
    // By what the name is: the symbol itself, or its source name.
    let mut found: [BTreeMap<u64, (String, bool)>; 2] = Default::default();
    let mut similar = Vec::new();
    let tables = [file.symbol_table(), file.dynamic_symbol_table()].into_iter().flatten();
    for symbol in tables.flat_map(|table| table.symbols()) {
        if symbol.is_undefined() || symbol.kind() != SymbolKind::Text {
            continue;
        }
        let Ok(of) = symbol.name() else { continue };
        if let Some(loosely) = is_named(of, name) {
            let is_chosen = matches!(symbol.flags(), SymbolFlags::Elf { st_info, .. } if st_info.st_type() == elf::STT_GNU_IFUNC);
            found[usize::from(loosely)].insert(symbol.address(), (of.to_string(), is_chosen));
        } else if similar.len() < SIMILAR && is_similar(of, name) {
            similar.push(demangled(of).into_owned());
        }
    }
    let [exact, loose] = found;
    let found = if exact.is_empty() { loose } else { exact };
    if found.values().any(|(_, is_chosen)| *is_chosen) {
        return Err(NoEntry::Chosen);
    }
    if found.len() > 1 {
        return Err(NoEntry::Several(found.into_values().map(|(of, _)| of).collect()));
    }
    let stripped = || file.symbol_table().is_none_or(|table| table.symbols().next().is_none());
    match found.keys().next() {
        Some(address) => offset(&file, *address).ok_or(NoEntry::NotElf),
        None => Err(NoEntry::Missing { similar, stripped: stripped() }),
    }
}

/// Returns false if a symbol is the name, and true if it is called so in the source.
fn is_named(symbol: &str, name: &str) -> Option<bool> {
    if symbol == name || symbol.split_once('@').is_some_and(|(bare, _)| bare == name) {
        return Some(false);
    }
    // Most symbols are of other functions: they do not have the last word of the name.
    let last = name.split('(').next().and_then(|name| name.rsplit("::").next());
    if !symbol.contains(last?) {
        return None;
    }
    let source = demangled(symbol);
    (source == name || source.split('(').next() == Some(name)).then_some(true)
}

fn is_similar(symbol: &str, name: &str) -> bool {
    name.len() > 2 && symbol.to_ascii_lowercase().contains(&name.to_ascii_lowercase())
}

fn offset<'d, R: ReadRef<'d>>(file: &object::File<'d, R>, address: u64) -> Option<u64> {
    file.segments().find_map(|segment| {
        let (start, size) = segment.file_range();
        let at = address.checked_sub(segment.address())?;
        (at < size).then(|| start + at)
    })
}
