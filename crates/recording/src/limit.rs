//! The number of mappings that of code a file may have: more is a sign of damage.

use counterpoint::perf::records::Mmap;
use counterpoint::profile::is_anonymous;
use std::collections::HashSet;
use std::path::PathBuf;

/// The most different mappings.
const MOST: usize = 1 << 16;
/// The end of the addresses of programs, on every processor.
const END: u64 = 1 << 57;
/// The process of the kernel's own records.
pub(crate) const KERNEL: u32 = u32::MAX;

#[derive(Default)]
pub(crate) struct Limit {
    known: HashSet<(PathBuf, u64, u64, u32)>,
    /// The mappings that were left out.
    pub(crate) refused: u64,
}

impl Limit {
    /// Returns true if a mapping is taken.
    pub(crate) fn admits(&mut self, map: &Mmap<'_>) -> bool {
        // Every process has it at an address of the kernel.
        let is_possible = map.range().end <= END || map.path.as_os_str() == "[vsyscall]";
        // Memory without a file is another one in each process.
        let (offset, pid) =
            if is_anonymous(map.path) { (map.start, map.pid) } else { (map.offset, 0) };
        let key = (map.path.to_path_buf(), offset, map.length, pid);
        let is_admitted = is_possible && (self.known.len() < MOST || self.known.contains(&key));
        if is_admitted {
            self.known.insert(key);
        } else {
            self.refused += 1;
        }
        is_admitted
    }
}
