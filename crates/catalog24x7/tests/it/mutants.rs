//! Mutated files: some bytes are changed, mostly near bytes that are not zero.

use std::path::{Path, PathBuf};

/// The path of a fixture.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}

/// `COUNTERPOINT_MUTANTS`, or the tests' usual number.
pub(crate) fn number(usual: usize) -> usize {
    std::env::var("COUNTERPOINT_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

pub(crate) struct Mutants {
    base: Vec<u8>,
    /// The positions of the base's bytes that are not zero.
    used: Vec<usize>,
    mutant: Vec<u8>,
    state: u64,
}

impl Mutants {
    pub(crate) fn new(base: Vec<u8>) -> Mutants {
        let used = (0..base.len()).filter(|at| base[*at] != 0).collect();
        Mutants { base, used, mutant: Vec::new(), state: 0x2545_f491_4f6c_dd1d }
    }

    /// The next mutant, truncated to no fewer than `least` bytes.
    pub(crate) fn next(&mut self, least: usize) -> &[u8] {
        self.mutant.clear();
        self.mutant.extend_from_slice(&self.base);
        for _ in 0..=self.random(4) {
            let place = self.random(self.used.len());
            let at = self.used[place];
            // The byte before one that is not zero may be the high byte of a number.
            let at = if self.random(4) == 0 { at.saturating_sub(1) } else { at };
            let bytes = [0, 1, 2, 0xff, 0x80, self.random(256) as u8];
            self.mutant[at] = bytes[self.random(6)];
        }
        if self.random(8) == 0 {
            let length = least + self.random(self.base.len() - least);
            self.mutant.truncate(length);
        }
        &self.mutant
    }

    fn random(&mut self, below: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state % below as u64) as usize
    }
}

/// A result buffer of this version with two results: two elements of 64 bytes, and one of 8.
pub(crate) fn results(version: u8) -> Vec<u8> {
    let mut bytes = vec![version, 2, 0, 0, 0, 0, 0, 0];
    bytes.extend([1_u64, 17, 0].iter().flat_map(|word| word.to_be_bytes()));
    for (request, elements, size) in [(0, 2, 64), (1, 1, 8)] {
        bytes.extend([request, 1, 0, elements, 0, size, 0, 0]);
        for element in 0..elements {
            bytes.extend([0, 1, 0, element, 0xff, 0xff, 0xff, 0xff]);
            if version == 2 {
                bytes.extend([7, 0, 0, 0, 0, 0, 0, 0]);
            }
            bytes.extend((0..size).map(|at| 16 * element + at));
        }
    }
    bytes
}
