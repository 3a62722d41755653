//! Values that one call at a time uses.

#![allow(unsafe_code, reason = "the value is reached by the call that has set the mark")]

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::codes::{EMISC, Failed};
use crate::handlers;

/// How long a call waits for another thread's: that thread may not exist, in the child of a fork.
const PATIENCE: Duration = Duration::from_secs(2);

/// A value that one call at a time uses.
///
/// A handler of overflows may call the library while the thread that it interrupts is in a call with the same value. It is
/// refused then, because it would wait for itself.
#[derive(Debug)]
pub(crate) struct Claimed<T> {
    is_taken: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: a reference to the value exists only in a `Claim`, of which there is one at a time.
unsafe impl<T: Send> Sync for Claimed<T> {}

/// The use of a value.
#[derive(Debug)]
pub(crate) struct Claim<'a, T>(&'a Claimed<T>);

impl<T> Claimed<T> {
    pub(crate) const fn new(value: T) -> Claimed<T> {
        Claimed { is_taken: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    #[inline(always)]
    pub(crate) fn claim(&self) -> Result<Claim<'_, T>, Failed> {
        if self.is_taken.swap(true, Ordering::Acquire) { self.wait() } else { Ok(Claim(self)) }
    }

    /// The value, unless another call uses it.
    pub(crate) fn try_claim(&self) -> Option<Claim<'_, T>> {
        (!self.is_taken.swap(true, Ordering::Acquire)).then_some(Claim(self))
    }

    #[cold]
    fn wait(&self) -> Result<Claim<'_, T>, Failed> {
        let start = Instant::now();
        while !handlers::is_running() && start.elapsed() < PATIENCE {
            std::thread::yield_now();
            if !self.is_taken.swap(true, Ordering::Acquire) {
                return Ok(Claim(self));
            }
        }
        Err(EMISC)
    }
}

impl<T> Deref for Claim<'_, T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the mark is set by this claim, so that no other exists.
        unsafe { &*self.0.value.get() }
    }
}

impl<T> DerefMut for Claim<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above, and the claim itself is borrowed.
        unsafe { &mut *self.0.value.get() }
    }
}

impl<T> Drop for Claim<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        self.0.is_taken.store(false, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::Claimed;

    #[test]
    fn one_at_a_time() {
        static SUM: Claimed<u64> = Claimed::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| (0..1000).for_each(|_| *SUM.claim().expect("a turn") += 1));
            }
        });
        assert_eq!(*SUM.claim().expect("a turn"), 8000);
    }
}
