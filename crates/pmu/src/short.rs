//! Eight bytes at a time: the position of a byte among them, and names of up to eight letters as numbers.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = ONES << 7;

/// The eight bytes from a place on, the first one lowest; zeros behind the end.
#[inline]
pub(crate) fn word(bytes: &[u8], at: usize) -> u64 {
    if let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        return u64::from_le_bytes(*chunk);
    }
    let rest = bytes.get(at..).unwrap_or_default();
    match bytes.last_chunk() {
        Some(last) if !rest.is_empty() => u64::from_le_bytes(*last) >> (8 * (8 - rest.len())),
        _ => rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}

/// Which byte of a word is the first that is one of these, none of which is 0.
#[inline]
pub(crate) fn first<const N: usize>(word: u64, wanted: [u8; N]) -> Option<usize> {
    // The lowest bit that is set belongs to the first byte that is 0 (Hacker's Delight, 6-1).
    let found = wanted.iter().fold(0, |found, byte| {
        let zero = word ^ (u64::from(*byte) * ONES);
        found | zero.wrapping_sub(ONES) & !zero & HIGHS
    });
    (found != 0).then(|| found.trailing_zeros() as usize / 8)
}

/// The position of the first of these bytes from another position on, or the end.
#[inline]
pub(crate) fn find<const N: usize>(bytes: &[u8], from: usize, wanted: [u8; N]) -> usize {
    let mut at = from;
    while at < bytes.len() {
        if let Some(place) = first(word(bytes, at), wanted) {
            return at + place;
        }
        at += 8;
    }
    bytes.len()
}

/// Any of these bytes is less than a limit of at most 0x80.
pub(crate) fn has_below(bytes: &[u8], limit: u8) -> bool {
    // The high bit of each byte that goes below 0 without having been above 0x7f (Hacker's Delight, 6-1).
    let below = |word: u64| word.wrapping_sub(u64::from(limit) * ONES) & !word & HIGHS;
    let (words, rest) = bytes.as_chunks();
    match bytes.last_chunk() {
        // The last word has some bytes again.
        Some(last) => {
            let all = words.iter().fold(0, |all, word| all | below(u64::from_le_bytes(*word)));
            all | below(u64::from_le_bytes(*last)) != 0
        }
        None => rest.iter().any(|byte| *byte < limit),
    }
}

/// The capitals of a word as small letters.
#[inline]
pub(crate) const fn lower(word: u64) -> u64 {
    let low = word & !HIGHS;
    let from_a = low + (0x80 - b'A' as u64) * ONES;
    let after_z = low + (0x7f - b'Z' as u64) * ONES;
    let capitals = from_a & !after_z & !word & HIGHS;
    word | capitals >> 2
}

/// A name of one to eight letters as a number, the same in any case.
pub(crate) const fn key(name: &str) -> u64 {
    let bytes = name.as_bytes();
    assert!(!bytes.is_empty() && bytes.len() <= 8, "a short name has one to eight letters");
    let (mut word, mut at) = (0, bytes.len());
    while at > 0 {
        at -= 1;
        word = word << 8 | bytes[at] as u64;
    }
    key_of(word, bytes.len())
}

/// The key of a name that is the first bytes of a word. The bytes after it are set, as in no text.
#[inline]
pub(crate) const fn key_of(word: u64, length: usize) -> u64 {
    let after = match length {
        0..8 => u64::MAX << (8 * length),
        _ => 0,
    };
    lower(word) | after
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_found_wherever_they_stand() {
        let text = b"0123456:89abcdef=1x:.";
        for from in 0..text.len() + 3 {
            let rest = text.get(from..).unwrap_or_default();
            let slow = rest.iter().position(|byte| b":.=".contains(byte));
            let slow = slow.map_or(text.len(), |place| from + place);
            assert_eq!(find(text, from, *b":.="), slow, "{from}");
        }
        for length in 0..20 {
            assert_eq!(find(&text[8..][..length.min(8)], 0, *b":"), length.min(8));
        }
        assert_eq!(first(u64::from_le_bytes(*b"\xba\xbb\x80\xff:\0\0\0"), *b":"), Some(4));
    }

    #[test]
    fn capitals_are_small_letters_and_nothing_else_is() {
        for byte in 0..=u8::MAX {
            let word = u64::from_le_bytes([byte; 8]);
            let small = u64::from_le_bytes([byte.to_ascii_lowercase(); 8]);
            assert_eq!(lower(word), small, "{byte:#x}");
        }
        assert_eq!(key("FE_Thres"), u64::from_le_bytes(*b"fe_thres"));
        assert_eq!(key("U"), u64::from_le_bytes(*b"u\xff\xff\xff\xff\xff\xff\xff"));
        assert_ne!(key("U"), key_of(u64::from(b'U'), 2), "a text may hold a zero");
    }
}
