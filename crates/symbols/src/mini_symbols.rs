//! The symbols that Fedora and others leave in stripped files: a compressed ELF file in the section `.gnu_debugdata`.

use super::functions::Code;
use object::ReadRef;

/// The symbols of code in `.gnu_debugdata`; none if a file has no such section, or one that cannot be read.
#[cfg(feature = "debugdata")]
pub(crate) fn mini_symbols<'d, R: ReadRef<'d>>(file: &object::File<'d, R>) -> Vec<Code> {
    use object::{Object, ObjectSection};
    use std::io::Read;

    let Some(section) = file.section_by_name(".gnu_debugdata") else { return Vec::new() };
    let Ok(packed) = section.data() else { return Vec::new() };
    let most = super::blocks::MOST_AT_ONCE as u64;
    let mut inner = Vec::new();
    let read = lzma_rust2::XzReader::new(packed, false).take(most).read_to_end(&mut inner);
    let codes = |inner| Some(super::functions::codes(&object::File::parse(inner).ok()?));
    read.ok().and_then(|_| codes(&*inner)).unwrap_or_default()
}

/// Without the feature `debugdata`, none.
#[cfg(not(feature = "debugdata"))]
pub(crate) fn mini_symbols<'d, R: ReadRef<'d>>(_: &object::File<'d, R>) -> Vec<Code> {
    Vec::new()
}
