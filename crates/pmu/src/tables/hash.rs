//! The hash under which the index finds names.

/// A hash of a name that does not depend on the case of its letters.
///
/// It is part of the committed index: whoever changes it writes the index anew.
pub(crate) fn hash(name: &str) -> u32 {
    const FOLD: u64 = 0x2020_2020_2020_2020;
    let mut chunks = name.as_bytes().chunks_exact(8);
    let mut state = name.len() as u64;
    for chunk in &mut chunks {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        state = mixed(state, u64::from_le_bytes(word) | FOLD);
    }
    let rest = chunks.remainder().iter().fold(0, |word, byte| word << 8 | u64::from(byte | 0x20));
    (mixed(state, rest) >> 32) as u32
}

fn mixed(state: u64, word: u64) -> u64 {
    let product = (state ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ product >> 29
}
