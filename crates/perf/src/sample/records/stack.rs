//! The call chain, the branches and the copy of the stack in a sample.

use super::Level;
use super::words::Words;
use std::fmt;

/// A call chain: return addresses, the innermost first.
#[derive(Clone, Copy, PartialEq)]
pub struct Callchain<'a> {
    words: Words<'a>,
}

impl<'a> Callchain<'a> {
    pub(super) fn take(words: &mut Words<'a>) -> Option<Callchain<'a>> {
        let count = words.next()?;
        Some(Callchain { words: Words(words.take(count)?) })
    }

    /// The addresses, each with the privilege level of its code.
    #[doc(alias = "PERF_CONTEXT_USER")]
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (Level, u64)> + use<'a> {
        let mut words = self.words;
        let mut level = Level::Unknown;
        std::iter::from_fn(move || {
            loop {
                let word = words.next()?;
                // Addresses are interspersed with markers, which are small negative numbers.
                match (word as i64).wrapping_neg() {
                    32 => level = Level::Hypervisor,
                    128 => level = Level::Kernel,
                    512 => level = Level::User,
                    2176 => level = Level::GuestKernel,
                    2560 => level = Level::GuestUser,
                    1..4096 => level = Level::Unknown,
                    _ => return Some((level, word)),
                }
            }
        })
    }
}

impl fmt::Debug for Callchain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The branches that the processor recorded, the latest first; of a call stack (`PERF_SAMPLE_BRANCH_CALL_STACK`), the calls that have not returned, the innermost first.
#[derive(Clone, Copy, PartialEq)]
pub struct Branches<'a> {
    entries: &'a [u8],
}

/// From, to, and flags.
const ENTRY: usize = 3;

/// `PERF_SAMPLE_BRANCH_HW_INDEX`: an index is before the branches (Linux 5.7).
const HW_INDEX: u64 = 1 << 17;
/// `PERF_SAMPLE_BRANCH_COUNTERS`: a word for each branch is behind them (Linux 6.8).
const COUNTERS: u64 = 1 << 19;

impl<'a> Branches<'a> {
    /// `kind` has the bits of `perf_event_attr.branch_sample_type`.
    pub(super) fn take(words: &mut Words<'a>, kind: u64) -> Option<Branches<'a>> {
        let count = words.next()?;
        words.take(u64::from(kind & HW_INDEX != 0))?;
        let entries = words.take(count.checked_mul(ENTRY as u64)?)?;
        words.take(if kind & COUNTERS != 0 { count } else { 0 })?;
        Some(Branches { entries })
    }

    /// The address of each branch and that of its target; of a call, those of its instruction and of the called function.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> + use<'a> {
        self.entries.chunks_exact(ENTRY * size_of::<u64>()).map(|entry| {
            let mut words = Words(entry);
            (words.next().unwrap_or_default(), words.next().unwrap_or_default())
        })
    }
}

impl fmt::Debug for Branches<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The part of a copied stack that the kernel could read, which may be shorter than what was asked for.
pub(super) fn copied<'a>(words: &mut Words<'a>) -> Option<&'a [u8]> {
    let size = words.next()?;
    if size == 0 {
        return Some(&[]);
    }
    let copy = words.take_bytes(size)?;
    let valid = usize::try_from(words.next()?).unwrap_or(usize::MAX);
    Some(copy.get(..valid).unwrap_or(copy))
}
