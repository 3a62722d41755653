//! Values that are made once and then shared for as long as the process lives.

#![allow(unsafe_code, reason = "the value is reached through an atomic pointer")]

use std::fmt;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A value that is made when it is first asked for, and never freed.
///
/// Threads that ask at the same time may each make one; the first one is kept. There is no lock, so that the child of a
/// `fork` never waits for a thread that it does not have.
pub struct Lasting<T>(AtomicPtr<T>);

impl<T: Send + Sync + 'static> Lasting<T> {
    /// Without a value.
    pub const fn new() -> Lasting<T> {
        Lasting(AtomicPtr::new(ptr::null_mut()))
    }

    /// The value, if it has been made.
    #[inline]
    pub fn get(&self) -> Option<&'static T> {
        // SAFETY: the pointer is null, or comes from `Box::into_raw` below and is never freed or written through.
        unsafe { self.0.load(Ordering::Acquire).as_ref() }
    }

    /// The value, which is made if it has not been.
    #[inline]
    pub fn get_or_make(&self, make: impl FnOnce() -> T) -> &'static T {
        self.get().unwrap_or_else(|| self.keep(Box::new(make())))
    }

    #[cold]
    fn keep(&self, made: Box<T>) -> &'static T {
        let made = Box::into_raw(made);
        let kept =
            self.0.compare_exchange(ptr::null_mut(), made, Ordering::AcqRel, Ordering::Acquire);
        if let Err(first) = kept {
            // SAFETY: another thread's value was kept, and nothing else has seen this one.
            drop(unsafe { Box::from_raw(made) });
            // SAFETY: as in `get`; a pointer that was refused for is not null.
            return unsafe { &*first };
        }
        // SAFETY: it was just made, and is not freed from now on.
        unsafe { &*made }
    }
}

impl<T: Send + Sync + 'static> Default for Lasting<T> {
    fn default() -> Lasting<T> {
        Lasting::new()
    }
}

impl<T: fmt::Debug + Send + Sync + 'static> fmt::Debug for Lasting<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Lasting").field(&self.get()).finish()
    }
}

/// A reference that is exchanged as a whole: what calls are answered by at present.
#[derive(Debug)]
pub struct Current<T: 'static>(AtomicPtr<T>);

impl<T: Sync + 'static> Current<T> {
    /// Nothing.
    pub const fn none() -> Current<T> {
        Current(AtomicPtr::new(ptr::null_mut()))
    }

    /// The value that was set last.
    #[inline]
    pub fn get(&self) -> Option<&'static T> {
        // SAFETY: the pointer is null, or was a reference that lasts.
        unsafe { self.0.load(Ordering::Acquire).as_ref() }
    }

    /// Puts another one in the place of `old`; if something else is there, returns that.
    pub fn exchange(
        &self,
        old: Option<&'static T>,
        new: &'static T,
    ) -> Result<(), Option<&'static T>> {
        let old = old.map_or(ptr::null_mut(), |old| ptr::from_ref(old).cast_mut());
        let new = ptr::from_ref(new).cast_mut();
        let kept = self.0.compare_exchange(old, new, Ordering::AcqRel, Ordering::Acquire);
        // SAFETY: as in `get`.
        kept.map(drop).map_err(|there| unsafe { there.as_ref() })
    }

    /// Puts a new value in the place of `old`; if another thread was quicker, frees it, and returns what is there.
    pub fn put(&self, old: Option<&'static T>, new: Box<T>) -> &'static T
    where
        T: Send,
    {
        let new = Box::into_raw(new);
        let mut expected = old;
        loop {
            // SAFETY: it was just made, and is freed below only if nothing else has seen it.
            let made = unsafe { &*new };
            match self.exchange(expected, made) {
                Ok(()) => return made,
                Err(None) => expected = None,
                Err(Some(there)) => {
                    // SAFETY: as above.
                    drop(unsafe { Box::from_raw(new) });
                    return there;
                }
            }
        }
    }

    /// Exchanges it.
    pub fn set(&self, value: Option<&'static T>) {
        let pointer = value.map_or(ptr::null_mut(), |value| ptr::from_ref(value).cast_mut());
        self.0.store(pointer, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::{Current, Lasting};
    use std::sync::Arc;

    #[test]
    fn a_value_that_comes_too_late_is_freed() {
        static CURRENT: Current<Arc<str>> = Current::none();
        let (first, second): (Arc<str>, Arc<str>) = ("first".into(), "second".into());
        assert!(Arc::ptr_eq(CURRENT.put(None, Box::new(first.clone())), &first));
        assert!(Arc::ptr_eq(CURRENT.put(None, Box::new(second.clone())), &first));
        assert_eq!((Arc::strong_count(&first), Arc::strong_count(&second)), (2, 1));
        // A value that is expected but not there is not waited for.
        static OTHER: Current<Arc<str>> = Current::none();
        assert!(Arc::ptr_eq(OTHER.put(CURRENT.get(), Box::new(second.clone())), &second));
    }

    #[test]
    fn all_threads_see_one_value() {
        static VALUE: Lasting<usize> = Lasting::new();
        let seen: Vec<*const usize> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..64)
                .map(|number| {
                    scope.spawn(move || VALUE.get_or_make(|| number) as *const usize as usize)
                })
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().expect("no panic") as *const usize)
                .collect()
        });
        assert!(seen.iter().all(|address| *address == seen[0]));
        assert_eq!(VALUE.get().map(|value| value as *const usize), Some(seen[0]));
    }
}
