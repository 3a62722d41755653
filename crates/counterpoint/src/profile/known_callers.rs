//! The callers that a stack shares with the one before: most samples have the same outer functions as the last one.

use super::raw_stack::RawStack;

/// The stack that was looked up last.
#[derive(Clone, Default)]
pub(crate) struct KnownCallers {
    /// The number of the memory in which its addresses are; 0 if there is none.
    space: u64,
    chain: Vec<u64>,
    /// The number of the chain's addresses that are of the kernel.
    kernel: usize,
    /// Its addresses in the profile, one for each of the chain.
    frames: Vec<u64>,
}

impl KnownCallers {
    /// The number of the outermost addresses of a chain that are also those of the last stack.
    ///
    /// The first address of user code is that of an instruction that ran, and none of a caller.
    pub(crate) fn shared(&self, raw: &RawStack, space: u64) -> usize {
        if space != self.space {
            return 0;
        }
        let callers = |chain: &[u64], kernel: usize| chain.len().saturating_sub(kernel + 1);
        let most = callers(&raw.chain, raw.kernel).min(callers(&self.chain, self.kernel));
        let pairs = raw.chain.iter().rev().zip(self.chain.iter().rev());
        pairs.take(most).take_while(|(one, other)| one == other).count()
    }

    /// The frames of so many of the outermost addresses.
    pub(crate) fn outermost(&self, count: usize) -> &[u64] {
        &self.frames[self.frames.len() - count..]
    }

    /// Keeps a stack.
    pub(crate) fn keep(&mut self, raw: &RawStack, space: u64, frames: &[u64]) {
        (self.space, self.kernel) = (space, raw.kernel);
        self.chain.clone_from(&raw.chain);
        self.frames.clear();
        self.frames.extend_from_slice(frames);
    }

    /// Forgets the stack.
    pub(crate) fn forget(&mut self) {
        *self = KnownCallers::default();
    }
}
