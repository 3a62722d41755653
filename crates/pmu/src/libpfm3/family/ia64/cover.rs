//! Covering address ranges with debug register pairs.
//!
//! A pair holds an address and a mask, and matches every address that agrees with it where the mask is set
//! (Itanium Architecture Software Developer's Manual, volume 2): an aligned block of 2^n bytes.

/// An aligned block of `2^bits` bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    pub start: u64,
    pub bits: u32,
}

impl Block {
    /// The smallest block that holds every address from `start` up to `end`, which is not among them.
    pub(super) fn around(start: u64, end: u64) -> Block {
        let bits = 64 - (start ^ (end - 1)).leading_zeros();
        Block { start: start & high_bits(bits), bits }
    }

    /// The address after the last one, modulo 2^64.
    pub(super) fn end(self) -> u64 {
        self.start.wrapping_add(1u64.checked_shl(self.bits).unwrap_or(0))
    }

    /// The start of the upper half.
    fn middle(self) -> u64 {
        self.start + (1u64 << (self.bits - 1))
    }

    /// The content of a mask register: 56 bits, set where addresses are compared.
    pub(super) fn mask(self) -> u64 {
        high_bits(self.bits) & MASK_FIELD
    }
}

/// The width of the mask field of a debug register.
pub(super) const MASK_FIELD: u64 = (1 << 56) - 1;

fn high_bits(from: u32) -> u64 {
    u64::MAX.checked_shl(from).unwrap_or(0)
}

/// At most four blocks: there are four pairs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cover {
    blocks: [Block; 4],
    len: usize,
}

impl Cover {
    /// Covers `start..end` with at most `pairs` blocks (1 to 4): the largest block inside, then what is left of
    /// it, then what is right of it.
    ///
    /// No address of the range stays out; addresses around it are covered too where pairs are short.
    pub(super) fn of(start: u64, end: u64, pairs: usize) -> Cover {
        let mut cover = Cover::default();
        cover.add(start, end, pairs);
        cover
    }

    pub(super) fn blocks(&self) -> &[Block] {
        &self.blocks[..self.len]
    }

    /// The distances by which the cover begins before `start` and ends after `end`.
    pub(super) fn excess(&self, start: u64, end: u64) -> [u64; 2] {
        let mut excess = [0, 0];
        for block in self.blocks() {
            if block.start <= start {
                excess[0] = start - block.start;
            }
            if block.end().wrapping_sub(1) >= end - 1 {
                excess[1] = block.end().wrapping_sub(end);
            }
        }
        excess
    }

    /// Recursion ends with the pairs: every level uses one.
    fn add(&mut self, start: u64, end: u64, pairs: usize) {
        if end <= start {
            return;
        }
        if pairs <= 1 {
            return self.push(Block::around(start, end));
        }
        let inner = largest_inside(start, end);
        let (left, right) = (inner.start - start, end - inner.end());
        if pairs == 2 && left > 0 && right > 0 {
            // A block inside would leave a side without a pair.
            let middle = Block::around(start, end).middle();
            self.push(Block::around(start, middle));
            return self.push(Block::around(middle, end));
        }
        self.push(inner);
        let rest = pairs - 1;
        let to_left = rest / 2 + usize::from(rest % 2 == 1 && left > right);
        self.add(start, inner.start, to_left);
        self.add(inner.end(), end, rest - to_left);
    }

    fn push(&mut self, block: Block) {
        self.blocks[self.len] = block;
        self.len += 1;
    }
}

/// The largest block inside a range that is not empty; the upper one of two.
fn largest_inside(start: u64, end: u64) -> Block {
    let bits = (end - start).ilog2();
    let boundary = end & high_bits(bits);
    let size = 1u64 << bits;
    if boundary.checked_sub(size).is_some_and(|block| block >= start) {
        return Block { start: boundary - size, bits };
    }
    // The boundary lies inside, and a block of half the size fits on one of its sides.
    let half = size / 2;
    Block { start: if end - boundary >= half { boundary } else { boundary - half }, bits: bits - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn covered(cover: &Cover, address: u64) -> bool {
        cover.blocks().iter().any(|block| address & high_bits(block.bits) == block.start)
    }

    #[test]
    fn blocks_inside_and_beside() {
        let blocks = |start, end, pairs| -> Vec<(u64, u32)> {
            Cover::of(start, end, pairs).blocks().iter().map(|b| (b.start, b.bits)).collect()
        };
        assert_eq!(blocks(0x1000, 0x2000, 4), [(0x1000, 12)]);
        assert_eq!(blocks(0xbdbff0, 0xbdc0a0, 4), [(0xbdc000, 7), (0xbdbff0, 4), (0xbdc080, 5)]);
        assert_eq!(blocks(0xfbd0, 0xfbf0, 1), [(0xfbc0, 6)]);
        assert_eq!(blocks(0x0ff0, 0x2010, 2), [(0, 13), (0x2000, 4)]);
        assert_eq!(blocks(0, u64::MAX, 1), [(0, 64)]);
    }

    proptest! {
        #[test]
        fn nothing_stays_out(start: u64, shift in 0u32..64, pairs in 1usize..=4, inside: u64) {
            let size = (u64::MAX >> shift).min(u64::MAX - start).max(1);
            let start = start.min(u64::MAX - size);
            let end = start + size;
            let cover = Cover::of(start, end, pairs);
            prop_assert!(cover.blocks().len() <= pairs);
            for block in cover.blocks() {
                prop_assert_eq!(block.start & !high_bits(block.bits), 0);
            }
            for address in [start, end - 1, start + inside % size, start + size / 2] {
                prop_assert!(covered(&cover, address), "{address:#x} of {start:#x}..{end:#x}: {cover:x?}");
            }
            let [before, after] = cover.excess(start, end);
            prop_assert!(before == 0 || covered(&cover, start - before));
            prop_assert!(after == 0 || covered(&cover, end - 1 + after));
        }
    }
}
