//! The physical addresses of the memory of each node: perf has them as bits, one for each block of memory.

use super::fields::Fields;
use std::ops::Range;

const VERSION: u64 = 1;
/// The most ranges that are read.
const MOST_RANGES: usize = 1 << 16;
/// The most blocks of a section that is written.
const MOST: u64 = 1 << 20;

/// Adds the ranges of a section, in the order of the nodes; `None` if it is cut off, or has more than any machine.
pub(crate) fn read(mut fields: Fields<'_>, ranges: &mut Vec<(u32, Range<u64>)>) -> Option<()> {
    let (version, block, count) = (fields.word()?, fields.word()?, fields.word()?);
    for _ in 0..if version == VERSION { count } else { 0 } {
        // The number of bits stands there twice.
        let (node, _, bits) = (fields.word()?, fields.word()?, fields.word()?);
        let node = u32::try_from(node).ok()?;
        for first in (0..bits).step_by(64) {
            let word = fields.word()?;
            for bit in (0..64).filter(|bit| word >> bit & 1 == 1) {
                let start = block.saturating_mul(first + bit);
                let end = start.saturating_add(block);
                let is_full = ranges.len() == MOST_RANGES;
                match ranges.last_mut() {
                    Some((of, last)) if *of == node && last.end == start => last.end = end,
                    _ if is_full => return None,
                    _ => ranges.push((node, start..end)),
                }
            }
        }
    }
    Some(())
}

/// The section with these ranges; nothing if they are no whole blocks of a usual size.
pub(crate) fn section(ranges: &[(u32, Range<u64>)]) -> Vec<u8> {
    let ends = || ranges.iter().flat_map(|(_, range)| [range.start, range.end]);
    // The largest power of two of which all ends are multiples.
    let all = ends().fold(0, |all, end| all | end);
    let block = if all == 0 { return Vec::new() } else { 1 << all.trailing_zeros() };
    let bits = ends().max().unwrap_or(0) / block;
    if bits > MOST {
        return Vec::new();
    }
    let mut nodes: Vec<u32> = ranges.iter().map(|(node, _)| *node).collect();
    nodes.dedup();
    let mut words = vec![VERSION, block, nodes.len() as u64];
    for node in nodes {
        let mut bitmap = vec![0_u64; bits.div_ceil(64) as usize];
        for (_, range) in ranges.iter().filter(|(of, _)| *of == node) {
            for block in range.start / block..range.end / block {
                bitmap[block as usize / 64] |= 1 << (block % 64);
            }
        }
        words.extend([node.into(), bits, bits]);
        words.extend(bitmap);
    }
    words.into_iter().flat_map(u64::to_ne_bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ranges_are_read_as_they_were_written(
            places in prop::collection::btree_set(0_u64..500, 2..20),
            block in 20_u32..32,
        ) {
            // Every second range belongs to the first node.
            let places: Vec<u64> = places.into_iter().map(|place| place << block).collect();
            let (pairs, _) = places.as_chunks::<2>();
            let of_node = |node: usize| {
                let own = pairs.iter().enumerate().filter(move |(at, _)| at % 2 == node);
                own.map(move |(_, [start, end])| (node as u32, *start..*end))
            };
            let ranges: Vec<_> = of_node(0).chain(of_node(1)).collect();
            let mut found = Vec::new();
            prop_assert_eq!(read(Fields(&section(&ranges)), &mut found), Some(()));
            prop_assert_eq!(found, ranges);
        }

        #[test]
        fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut ranges = Vec::new();
            let _ = read(Fields(&bytes), &mut ranges);
            prop_assert!(ranges.len() <= 8 * bytes.len());
        }
    }
}
