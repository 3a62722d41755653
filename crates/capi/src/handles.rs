//! Handles: what callers hold in the place of a pointer.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, TryLockError, TryLockResult};

use crate::Lasting;

/// The bits of a handle for its kind, and for its place.
const KIND_BITS: u32 = 4;
const PLACE_BITS: u32 = 14;
/// Places come in chunks, so that a program with one value does not have memory for all.
const CHUNK: usize = 64;
const CHUNKS: usize = (1 << PLACE_BITS) / CHUNK;

/// Values by their handles.
///
/// A handle is a number that is never used as an address: one that was closed, was never given out, or belongs to another
/// kind is refused. No call waits for another one: a value that is in use is busy, also in the child of a `fork` that does
/// not have the thread which used it.
pub struct Handles<T> {
    kind: usize,
    /// The place where the next value is likely to find room.
    next: AtomicUsize,
    chunks: [Lasting<Box<[Place<T>]>>; CHUNKS],
}

/// A value, and how many values were here before.
type Place<T> = RwLock<(usize, Option<T>)>;

/// The reason why a handle cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// It stands for no value.
    Unknown,
    /// Another call uses the value.
    Busy,
}

impl<T: Send + Sync + 'static> Handles<T> {
    /// No values. The kind is a number from 1 to 15 that no other handles of the library have.
    pub const fn new(kind: usize) -> Handles<T> {
        let next = AtomicUsize::new(0);
        Handles { kind, next, chunks: [const { Lasting::new() }; CHUNKS] }
    }

    /// Keeps a value, and returns its handle, which is not 0; `None` if there are too many.
    pub fn insert(&self, value: T) -> Option<usize> {
        let first = self.next.load(Ordering::Relaxed);
        for number in (first..CHUNK * CHUNKS).chain(0..first) {
            let Ok(mut place) = entered(self.place(number)?.try_write()) else { continue };
            if place.1.is_none() {
                place.0 = place.0.wrapping_add(1);
                place.1 = Some(value);
                self.next.store((number + 1) % (CHUNK * CHUNKS), Ordering::Relaxed);
                return Some(self.handle(number, place.0));
            }
        }
        None
    }

    /// Calls `work` with the value; several threads may do so at the same time.
    pub fn read<R>(&self, handle: usize, work: impl FnOnce(&T) -> R) -> Result<R, Refused> {
        let number = self.number(handle).ok_or(Refused::Unknown)?;
        let place = entered(self.place(number).ok_or(Refused::Unknown)?.try_read())?;
        match &*place {
            (count, Some(value)) if self.handle(number, *count) == handle => Ok(work(value)),
            _ => Err(Refused::Unknown),
        }
    }

    /// Calls `work` with the value, which no other call uses meanwhile.
    pub fn write<R>(&self, handle: usize, work: impl FnOnce(&mut T) -> R) -> Result<R, Refused> {
        self.own(handle, |value| value.as_mut().map(work))
    }

    /// Ends a handle, and returns its value.
    pub fn remove(&self, handle: usize) -> Result<T, Refused> {
        let value = self.own(handle, Option::take)?;
        // Places that were used are used again, so that there are few.
        let number = self.number(handle).unwrap_or(0);
        self.next.fetch_min(number, Ordering::Relaxed);
        Ok(value)
    }

    fn own<R>(
        &self,
        handle: usize,
        work: impl FnOnce(&mut Option<T>) -> Option<R>,
    ) -> Result<R, Refused> {
        let number = self.number(handle).ok_or(Refused::Unknown)?;
        let mut place = entered(self.place(number).ok_or(Refused::Unknown)?.try_write())?;
        let is_it = self.handle(number, place.0) == handle;
        is_it.then(|| work(&mut place.1)).flatten().ok_or(Refused::Unknown)
    }

    fn handle(&self, number: usize, count: usize) -> usize {
        count << (KIND_BITS + PLACE_BITS) | number << KIND_BITS | self.kind
    }

    fn number(&self, handle: usize) -> Option<usize> {
        let is_mine = handle & ((1 << KIND_BITS) - 1) == self.kind;
        is_mine.then_some(handle >> KIND_BITS & ((1 << PLACE_BITS) - 1))
    }

    fn place(&self, number: usize) -> Option<&'static Place<T>>
    where
        T: 'static,
    {
        let make = || (0..CHUNK).map(|_| RwLock::new((0, None))).collect();
        self.chunks.get(number / CHUNK)?.get_or_make(make).get(number % CHUNK)
    }
}

impl<T> fmt::Debug for Handles<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handles").field("kind", &self.kind).finish_non_exhaustive()
    }
}

/// A lock that is free. A panic of a call leaves a whole value.
fn entered<G>(locked: TryLockResult<G>) -> Result<G, Refused> {
    match locked {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(poisoned)) => Ok(PoisonError::into_inner(poisoned)),
        Err(TryLockError::WouldBlock) => Err(Refused::Busy),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_that_ended_stays_refused() {
        static VALUES: Handles<u32> = Handles::new(1);
        let first = VALUES.insert(7).expect("there is room");
        assert_eq!(VALUES.read(first, |value| *value), Ok(7));
        assert_eq!(VALUES.remove(first), Ok(7));
        let second = VALUES.insert(8).expect("there is room");
        // The place is the same, and the handle is not.
        for wrong in [first, 0, usize::MAX, second ^ 1, second ^ 3, second ^ 16, second | 1 << 17] {
            assert_ne!(wrong, second);
            assert_eq!(VALUES.read(wrong, |value| *value), Err(Refused::Unknown), "{wrong:#x}");
            assert_eq!(VALUES.remove(wrong), Err(Refused::Unknown), "{wrong:#x}");
        }
        assert_eq!(VALUES.write(second, |value| std::mem::replace(value, 9)), Ok(8));
        assert_eq!(VALUES.remove(second), Ok(9));
    }

    #[test]
    fn a_value_in_use_is_busy() {
        static VALUES: Handles<u32> = Handles::new(2);
        let handle = VALUES.insert(7).expect("there is room");
        let (read, written) = VALUES
            .read(handle, |_| (VALUES.read(handle, |value| *value), VALUES.remove(handle)))
            .expect("it is there");
        assert_eq!((read, written), (Ok(7), Err(Refused::Busy)));
        let inside = VALUES.write(handle, |_| VALUES.read(handle, |value| *value));
        assert_eq!(inside, Ok(Err(Refused::Busy)));
        // Another value gets another place meanwhile.
        let other = VALUES.write(handle, |_| VALUES.insert(8)).expect("it is there");
        assert_eq!(VALUES.read(other.expect("there is room"), |value| *value), Ok(8));
    }

    #[test]
    fn there_is_an_end_to_handles() {
        static VALUES: Handles<()> = Handles::new(3);
        let most = CHUNK * CHUNKS;
        assert_eq!((0..=most).filter_map(|_| VALUES.insert(())).count(), most);
    }
}
