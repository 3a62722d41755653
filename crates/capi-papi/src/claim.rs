//! Values that one call at a time uses.

#![allow(unsafe_code, reason = "the value is reached by the call that has set the mark")]

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::codes::{EMISC, Failed};
use crate::interruption;

/// The time that a call waits for another thread's: that thread may not exist, in the child of a fork.
const PATIENCE: Duration = Duration::from_secs(2);

/// A value that one call at a time uses.
///
/// The handler of any signal may call the library while the thread that it interrupts is in a call with the same value. It is
/// refused then, because it would wait for itself.
#[derive(Debug)]
pub(crate) struct Claimed<T> {
    /// The mark of the thread that uses the value; `FREE` if none does.
    user: AtomicUsize,
    value: UnsafeCell<T>,
}

// SAFETY: a reference to the value exists only in a `Claim`, of which there is one at a time.
unsafe impl<T: Send> Sync for Claimed<T> {}

/// The mark of no thread.
const FREE: usize = 0;

/// A number that no other thread has at the same time: the address of a variable of this thread, which costs no system call, and
/// stays the same in the child of a fork.
#[inline(always)]
fn mark() -> usize {
    thread_local! {
        static OWN: u8 = const { 0 };
    }
    OWN.with(|own| ptr::from_ref(own).addr())
}

/// The use of a value.
#[derive(Debug)]
pub(crate) struct Claim<'a, T>(&'a Claimed<T>);

impl<T> Claimed<T> {
    pub(crate) const fn new(value: T) -> Claimed<T> {
        Claimed { user: AtomicUsize::new(FREE), value: UnsafeCell::new(value) }
    }

    #[inline(always)]
    pub(crate) fn claim(&self) -> Result<Claim<'_, T>, Failed> {
        let own = mark();
        if self.take(own) { Ok(Claim(self)) } else { self.wait(own) }
    }

    /// The value, unless another call uses it.
    pub(crate) fn try_claim(&self) -> Option<Claim<'_, T>> {
        self.take(mark()).then_some(Claim(self))
    }

    #[inline(always)]
    fn take(&self, own: usize) -> bool {
        self.user.compare_exchange(FREE, own, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    #[cold]
    fn wait(&self, own: usize) -> Result<Claim<'_, T>, Failed> {
        // No other call of this thread ends while this one waits.
        if self.user.load(Ordering::Relaxed) == own {
            return Err(EMISC);
        }
        let start = Instant::now();
        while !interruption::is_running() && start.elapsed() < PATIENCE {
            std::thread::yield_now();
            if self.take(own) {
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
        self.0.user.store(FREE, Ordering::Release);
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

    #[test]
    fn a_thread_does_not_wait_for_itself() {
        static VALUE: Claimed<u64> = Claimed::new(0);
        let claim = VALUE.claim().expect("a turn");
        let start = std::time::Instant::now();
        assert!(VALUE.claim().is_err() && VALUE.try_claim().is_none());
        assert!(start.elapsed() < super::PATIENCE / 2);
        drop(claim);
        assert!(VALUE.try_claim().is_some());
    }
}
