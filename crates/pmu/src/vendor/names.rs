//! Names of events as people write them.

use std::hash::{BuildHasher, RandomState};

/// The character in place of a separator, and of a letter in either case.
fn fold(byte: u8) -> u8 {
    /// Those of all characters: a name has many.
    const FOLDED: [u8; 256] = {
        let mut folded = [0; 256];
        let mut byte = 0;
        while byte < folded.len() {
            folded[byte] = match byte as u8 {
                b'.' | b'-' | b':' => b'_',
                byte => byte.to_ascii_uppercase(),
            };
            byte += 1;
        }
        folded
    };
    FOLDED[usize::from(byte)]
}

/// A name in one case and with one separator.
#[cfg(feature = "json")]
pub(super) fn folded(name: &str) -> String {
    // Only ASCII is replaced, by ASCII.
    name.chars().map(|c| if c.is_ascii() { fold(c as u8).into() } else { c }).collect()
}

/// A number of 16 bits that names which differ in case and separators only have in common (FNV-1a).
pub(crate) fn short_hash(name: &str) -> u16 {
    let step = |hash: u32, byte| (hash ^ u32::from(fold(byte))).wrapping_mul(0x0100_0193);
    let hash = name.bytes().fold(0x811c_9dc5, step);
    (hash >> 16 ^ hash) as u16
}

/// Returns true if two names differ in case and separators only.
pub(super) fn is_alike(a: &str, b: &str) -> bool {
    a == b || a.len() == b.len() && a.bytes().map(fold).eq(b.bytes().map(fold))
}

/// A number that names which differ in case and separators only have in common.
pub(super) fn hash(state: &RandomState, name: &str) -> u64 {
    let mut folded = [0; 128];
    let bytes = name.as_bytes();
    // Of longer names the beginning decides.
    let length = bytes.len().min(folded.len());
    for (folded, byte) in folded.iter_mut().zip(bytes) {
        *folded = fold(*byte);
    }
    state.hash_one(&folded[..length])
}
