//! The hash by which names are found in tables.

/// A hash of a name that does not depend on the case of its letters.
pub(crate) const fn hash(name: &str) -> u32 {
    let mut rest = name.as_bytes();
    let mut state = rest.len() as u64;
    // The last eight bytes are taken below, some of them perhaps again.
    let last = match (rest.last_chunk::<8>(), rest.last_chunk::<4>()) {
        (Some(last), _) => u64::from_le_bytes(*last),
        (None, Some(last)) => {
            let first = [rest[0], rest[1], rest[2], rest[3]];
            u32::from_le_bytes(first) as u64 | (u32::from_le_bytes(*last) as u64) << 32
        }
        (None, None) => match rest {
            [] => 0,
            [first, .., last] => {
                *first as u64 | (rest[rest.len() / 2] as u64) << 8 | (*last as u64) << 16
            }
            [only] => *only as u64,
        },
    };
    while rest.len() > 8
        && let Some((chunk, after)) = rest.split_first_chunk::<8>()
    {
        state = mixed(state, u64::from_le_bytes(*chunk));
        rest = after;
    }
    mixed(state, last) as u32
}

/// The hash of a unit mask's name, among those of all events of a table.
pub(crate) const fn of_mask(name: u32, event: usize) -> u32 {
    name ^ (event as u32).wrapping_mul(0x9e37_79b9)
}

const fn mixed(state: u64, word: u64) -> u64 {
    // Capitals and small letters differ in bit 5 only.
    let folded = word | 0x2020_2020_2020_2020;
    // Every bit of the result depends on every bit of both, because the upper half comes down to the lower.
    let product = (state ^ folded) as u128 * 0x9e37_79b9_7f4a_7c15;
    product as u64 ^ (product >> 64) as u64
}
