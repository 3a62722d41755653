//! The translation lookaside buffers of AMD's processors, in the words of `PAPI_get_hardware_info`.
//!
//! The fields are those of AMD's manual of the processor (volume 3, appendix E): `CPUID` leaf 8000_0005h for the first level, and 8000_0006h for the second.

use counterpoint::perf::{Cpuid, Host};
use std::ffi::c_int;

use crate::layout::TlbInfo;

const INSTRUCTIONS: c_int = 1;
const DATA: c_int = 2;
/// PAPI's number for a buffer that is fully associative.
const FULL: c_int = i16::MAX as c_int;
const KB: c_int = 1 << 10;

/// The buffers of the two levels: for each size of page, that of instructions and that of data.
pub(crate) fn of_amd(host: &Host) -> [[TlbInfo; 6]; 2] {
    let level = |leaf, field: fn(u32, bool) -> (u32, c_int)| {
        host.cpuid(leaf).map_or_else(Default::default, |leaf| buffers(leaf, field))
    };
    [level(0x8000_0005, of_first_level), level(0x8000_0006, of_second_level)]
}

/// The entries and the associativity of a register of the first level, for data or for instructions.
fn of_first_level(register: u32, is_data: bool) -> (u32, c_int) {
    let half = register >> if is_data { 16 } else { 0 };
    let ways = match half >> 8 & 0xff {
        0xff => FULL,
        ways => ways as c_int,
    };
    (half & 0xff, ways)
}

/// The same of the second level, whose associativity is a code.
fn of_second_level(register: u32, is_data: bool) -> (u32, c_int) {
    let half = register >> if is_data { 16 } else { 0 };
    let ways = match half >> 12 & 0xf {
        code @ (1..=4) => code as c_int,
        5 => 6,
        6 => 8,
        8 => 16,
        0xa => 32,
        0xb => 48,
        0xc => 64,
        0xd => 96,
        0xe => 128,
        0xf => FULL,
        _ => 0,
    };
    (half & 0xfff, ways)
}

/// EAX is for pages of 2 MB, of which a page of 4 MB takes two entries, and EBX for those of 4 KB.
fn buffers(leaf: Cpuid, field: fn(u32, bool) -> (u32, c_int)) -> [TlbInfo; 6] {
    let buffer = |register: u32, share: u32, page_size, is_data| {
        let (entries, associativity) = field(register, is_data);
        let kind = if is_data { DATA } else { INSTRUCTIONS };
        TlbInfo { kind, num_entries: (entries / share) as c_int, page_size, associativity }
    };
    let pages = [(leaf.eax, 2, 4096 * KB), (leaf.eax, 1, 2048 * KB), (leaf.ebx, 1, 4 * KB)];
    let mut all = [TlbInfo::default(); 6];
    for (pair, (register, share, page)) in all.chunks_exact_mut(2).zip(pages) {
        pair[0] = buffer(register, share, page, false);
        pair[1] = buffer(register, share, page, true);
    }
    // A buffer that is not there has no entries, and no kind.
    all.map(|buffer| if buffer.num_entries == 0 { TlbInfo::default() } else { buffer })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The leaves of an EPYC of the third generation.
    #[test]
    fn the_fields_of_a_processor() {
        let leaf = |eax, ebx| Cpuid { eax, ebx, ..Cpuid::default() };
        let shown = |buffers: [TlbInfo; 6]| {
            buffers.map(|b| (b.kind, b.page_size / KB, b.num_entries, b.associativity))
        };
        let first = buffers(leaf(0xff40_ff40, 0xff40_ff40), of_first_level);
        assert_eq!(shown(first)[0], (INSTRUCTIONS, 4096, 32, FULL));
        assert_eq!(shown(first)[5], (DATA, 4, 64, FULL));
        let second = buffers(leaf(0x4800_2200, 0x6800_4200), of_second_level);
        assert_eq!(
            shown(second),
            [
                (INSTRUCTIONS, 4096, 256, 2),
                (DATA, 4096, 1024, 4),
                (INSTRUCTIONS, 2048, 512, 2),
                (DATA, 2048, 2048, 4),
                (INSTRUCTIONS, 4, 512, 4),
                (DATA, 4, 2048, 8),
            ]
        );
        assert_eq!(shown(buffers(leaf(0, 0), of_second_level)), [(0, 0, 0, 0); 6]);
        let six_ways = buffers(leaf(0x5c00_2200, 0), of_second_level);
        assert_eq!(shown(six_ways)[3], (DATA, 2048, 3072, 6));
    }
}
