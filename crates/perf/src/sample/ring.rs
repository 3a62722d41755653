//! A ring, read without losing step with the kernel.

use crate::RingMemory;

/// Reads the data that the kernel has written to a ring, and releases the space.
pub(crate) struct Ring {
    memory: Box<dyn RingMemory>,
    tail: u64,
    /// The data copied out last, so that records which wrap around in the ring are contiguous, and the kernel gets its space back before they are decoded.
    batch: Vec<u8>,
}

/// The kernel's position and ours differ by more than the size of the ring: its contents cannot be distinguished from overwritten data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfStep;

impl Ring {
    pub(crate) fn new(memory: Box<dyn RingMemory>) -> Ring {
        let tail = memory.tail();
        Ring { memory, tail, batch: Vec::new() }
    }

    /// The size of the ring in bytes.
    pub(crate) fn size(&self) -> usize {
        self.memory.size()
    }

    /// The data written since the last call.
    pub(crate) fn take(&mut self) -> Result<&[u8], OutOfStep> {
        let (size, head) = (self.memory.size(), self.memory.head());
        // Both positions increase forever, and wrap at 64 bits.
        let unread = head.wrapping_sub(self.tail);
        let place = (self.tail & (size as u64).wrapping_sub(1)) as usize;
        self.tail = head;
        if unread == 0 {
            return Ok(&[]);
        }
        if unread > size as u64 {
            self.memory.set_tail(head);
            return Err(OutOfStep);
        }
        let unread = unread as usize;
        if self.batch.len() < unread {
            self.batch.resize(unread, 0);
        }
        let (before_end, from_start) = self.batch[..unread].split_at_mut(unread.min(size - place));
        self.memory.copy(place, before_end);
        self.memory.copy(0, from_start);
        self.memory.set_tail(head);
        Ok(&self.batch[..unread])
    }
}

impl std::fmt::Debug for Ring {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ring").field("size", &self.size()).field("tail", &self.tail).finish()
    }
}
