//! Bounds what compressed debug information takes.

use super::notice::{Notice, Notify};
use object::{CompressionFormat, Object, ObjectSection, ReadRef};
use std::path::Path;

/// The most bytes of compressed sections, all of which are inflated for the first line.
const MOST_INFLATED: u64 = 128 << 20;

/// Returns true if the compressed sections of a file would fill the memory, which is said.
pub(crate) fn inflates_too_far<'d, R: ReadRef<'d>>(
    file: &object::File<'d, R>,
    path: &Path,
    notify: Notify,
) -> bool {
    let inflated = |section: object::Section<'d, '_, R>| {
        let range = section.compressed_file_range().ok()?;
        (range.format != CompressionFormat::None).then_some(range.uncompressed_size)
    };
    let total = file.sections().filter_map(inflated).fold(0_u64, u64::saturating_add);
    if total > MOST_INFLATED {
        notify(&Notice::Inflated(path.to_path_buf(), total));
    }
    total > MOST_INFLATED
}
