//! The words of a record, read from front to back.

/// Reads 64-bit words in the machine's byte order, from front to back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Words<'a>(pub(super) &'a [u8]);

impl<'a> Words<'a> {
    #[inline]
    pub(super) fn next(&mut self) -> Option<u64> {
        let (word, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_ne_bytes(*word))
    }

    /// The two halves of a word, in memory order.
    #[inline]
    pub(super) fn next_pair(&mut self) -> Option<[u32; 2]> {
        Some([self.next_half()?, self.next_half()?])
    }

    #[inline]
    pub(super) fn next_half(&mut self) -> Option<u32> {
        let (half, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_ne_bytes(*half))
    }

    /// The given number of words, as bytes.
    #[inline]
    pub(super) fn take(&mut self, count: u64) -> Option<&'a [u8]> {
        self.take_bytes(count.checked_mul(size_of::<u64>() as u64)?)
    }

    #[inline]
    pub(super) fn take_bytes(&mut self, bytes: u64) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(usize::try_from(bytes).ok()?)?;
        self.0 = rest;
        Some(taken)
    }
}
