//! How much memory mappings of a file may claim to have: more is a sign of damage.

use counterpoint::perf::records::Mmap;
use counterpoint::profile::is_anonymous;
use std::collections::HashSet;
use std::path::PathBuf;

/// The longest mapping: code is far shorter.
const LONGEST: u64 = 1 << 30;
/// The most bytes of all different mappings.
const MOST: u64 = 8 << 30;
/// The end of the addresses of programs, on every processor.
const END: u64 = 1 << 57;
/// The process of the kernel's own records.
pub const KERNEL: u32 = u32::MAX;

#[derive(Default)]
pub struct Limit {
    known: HashSet<(PathBuf, u64, u64, u32)>,
    bytes: u64,
    /// The mappings that were left out.
    pub refused: u64,
}

impl Limit {
    /// Whether a mapping is taken.
    pub fn admits(&mut self, map: &Mmap<'_>) -> bool {
        // Every process has it, at an address of the kernel, and no current program runs it.
        if map.path.as_os_str() == "[vsyscall]" {
            return false;
        }
        let is_possible = map.length <= LONGEST && (map.pid == KERNEL || map.range().end <= END);
        // Memory without a file is another one in each process.
        let (offset, pid) = match is_anonymous(map.path) {
            true => (map.start, map.pid),
            false => (map.offset, 0),
        };
        let key = (map.path.to_path_buf(), offset, map.length, pid);
        if is_possible && self.known.contains(&key) {
            return true;
        }
        let is_admitted = is_possible && self.bytes + map.length <= MOST;
        if is_admitted {
            self.bytes += map.length;
            self.known.insert(key);
        } else {
            self.refused += 1;
        }
        is_admitted
    }
}
