//! Damaged files of Arrow and Parquet.

use crate::walk::{any_arrow, any_parquet};
use crate::{seeds, walk};

/// Each byte of the description of the columns, and some of the values, is changed.
fn change_each(seed: &[u8], read: fn(&[u8]) -> bool) -> usize {
    let mut refused = 0;
    for at in 0..seed.len() {
        let (is_value, mask) = (at < seed.len() / 2, [0x01, 0x80, 0xff][at % 3]);
        if is_value && at % 11 != 0 {
            continue;
        }
        let mut changed = seed.to_vec();
        changed[at] ^= mask;
        refused += usize::from(!read(&changed));
    }
    refused
}

#[test]
fn a_changed_byte_is_no_panic() {
    for (target, read) in [("arrow", any_arrow as fn(&[u8]) -> bool), ("parquet", any_parquet)] {
        for seed in seeds::of(target) {
            assert!(read(&seed), "{target}: the seed is a whole file");
            assert!(change_each(&seed, read) > 50, "{target}");
            for length in (0..seed.len()).step_by(61) {
                assert!(!read(&seed[..length]), "{target}: {length} bytes");
            }
        }
    }
}

/// A number that a file has of itself, in place of the one that is there.
fn with_lengths(seed: &[u8], read: fn(&[u8]) -> bool) {
    let end = seed.len();
    for number in [u32::MAX, i32::MAX as u32, 1 << 30, end as u32] {
        for at in (end.saturating_sub(4096)..end - 4).step_by(3) {
            let mut changed = seed.to_vec();
            changed[at..at + 4].copy_from_slice(&number.to_le_bytes());
            read(&changed);
        }
    }
}

/// Memory is not taken for what a file only says that it has: the tests have no room for it.
#[test]
fn impossible_lengths_are_refused() {
    for seed in seeds::of("arrow") {
        with_lengths(&seed, walk::any_arrow);
    }
    for seed in seeds::of("parquet") {
        with_lengths(&seed, walk::any_parquet);
    }
}
