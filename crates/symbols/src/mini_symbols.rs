//! The symbols that Fedora and others leave in stripped files: a compressed ELF file in the section `.gnu_debugdata`.

use super::blocks::MOST_AT_ONCE;
use super::functions::{Code, codes};
use lzma_rust2::XzReader;
use object::{Object, ObjectSection, ReadRef};
use std::io::Read;

/// The symbols of code in `.gnu_debugdata`; none if a file has no such section, or one that cannot be read.
pub(crate) fn mini_symbols<'d, R: ReadRef<'d>>(file: &object::File<'d, R>) -> Vec<Code> {
    let Some(section) = file.section_by_name(".gnu_debugdata") else { return Vec::new() };
    let Ok(packed) = section.data() else { return Vec::new() };
    let mut inner = Vec::new();
    let read = XzReader::new(packed, false).take(MOST_AT_ONCE as u64).read_to_end(&mut inner);
    let symbols = read.ok().and_then(|_| Some(codes(&object::File::parse(&*inner).ok()?)));
    symbols.unwrap_or_default()
}
