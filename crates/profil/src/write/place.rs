//! The functions and lines at the addresses of a bucket.

use super::Profile;
use crate::Bucket;
use std::fmt;

/// The code at the addresses of a bucket.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Place {
    /// The first address of the bucket.
    pub first: u64,
    /// The last address of the bucket.
    pub last: u64,
    /// The functions at these addresses, in the order of their addresses: usually one; none if no address has a name.
    ///
    /// If there are several, the count of the bucket is that of all of them together.
    pub functions: Vec<String>,
    /// The executable or shared object that contains all of them, if known.
    pub module: Option<String>,
    /// The source lines, if the bucket contains one function and all its lines are of one file.
    pub lines: Option<SourceLines>,
}

/// Lines of a source file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub struct SourceLines {
    /// The file.
    pub file: String,
    /// The lowest line number, from 1.
    pub first: u32,
    /// The highest line number.
    pub last: u32,
}

/// The number of functions of a shared bucket that are named in text.
const NAMED: usize = 3;

impl Place {
    /// Returns true if several functions share the bucket, so that its count belongs to none of them alone.
    pub fn is_shared(&self) -> bool {
        self.functions.len() > 1
    }
}

/// The function, or the addresses and the functions of a bucket that several share, such as `[0x401000-0x401040: main, solve]`; the end is the address after the last one.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.functions.as_slice() {
            [] => write!(f, "{:#x}", self.first),
            [function] => f.write_str(function),
            functions => {
                let named = functions[..functions.len().min(NAMED)].join(", ");
                let end = u128::from(self.last) + 1;
                write!(f, "[{:#x}-{end:#x}: {named}", self.first)?;
                match functions.len().saturating_sub(NAMED) {
                    0 => f.write_str("]"),
                    more => write!(f, " and {more} more]"),
                }
            }
        }
    }
}

impl Profile<'_> {
    /// The code at the addresses of a bucket, by the names of all of them.
    pub fn place(&self, bucket: &Bucket) -> Place {
        let Bucket { first, last, .. } = *bucket;
        let mut place = Place { first, last, functions: Vec::new(), module: None, lines: None };
        let mut modules: Vec<Option<String>> = Vec::new();
        let mut lines: Vec<(String, u32)> = Vec::new();
        let mut next = Some(first);
        while let Some(address) = next.filter(|address| *address <= last) {
            let symbol = (self.symbols)(address);
            let known = symbol.as_ref().and_then(|symbol| symbol.addresses.as_ref());
            next = address.checked_add(1).map(|after| known.map_or(0, |k| k.end).max(after));
            let Some(symbol) = symbol else { continue };
            if !place.functions.contains(&symbol.function) {
                place.functions.push(symbol.function);
            }
            if !modules.contains(&symbol.module) {
                modules.push(symbol.module);
            }
            lines.extend(symbol.file.zip(symbol.line));
        }
        if let [module] = modules.as_mut_slice() {
            place.module = module.take();
        }
        if place.functions.len() == 1 {
            place.lines = SourceLines::of(&lines);
        }
        place
    }
}

impl SourceLines {
    /// `None` if there are none, or lines of several files.
    fn of(lines: &[(String, u32)]) -> Option<SourceLines> {
        let (file, _) = lines.first()?;
        let numbers = lines.iter().map(|(_, line)| *line);
        let (first, last) = (numbers.clone().min()?, numbers.max()?);
        let same = lines.iter().all(|(other, _)| other == file);
        same.then(|| SourceLines { file: file.clone(), first, last })
    }
}

/// `FILE:LINE`, or `FILE:FIRST-LAST`.
impl fmt::Display for SourceLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.first)?;
        if self.last > self.first { write!(f, "-{}", self.last) } else { Ok(()) }
    }
}
