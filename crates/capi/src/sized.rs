//! Structures with a member that holds their size.
//!
//! A caller that was compiled with a later header passes a larger structure, one with an earlier header a
//! smaller one. The size 0 stands for the structure's first version.

#![allow(unsafe_code, reason = "callers pass pointers to structures")]

use std::ptr;

/// A structure that callers of several releases pass.
///
/// # Safety
///
/// The type is `repr(C)` without padding, any bytes are a value of it, and `SIZE_AT` is where its `size_t` with the size
/// is.
pub unsafe trait Versioned: Copy {
    /// The size of the first version.
    const FIRST: usize;
    /// The offset of the member with the size.
    const SIZE_AT: usize;
}

/// A structure whose size can be used.
#[derive(Debug)]
pub struct Checked<T> {
    place: *mut T,
    /// The bytes of it that the caller and this library know.
    shared: usize,
}

/// The structure of a caller, if its pointer and its size can be used: it is at least as large as the first version, and
/// what is beyond this library's version is zero.
///
/// # Safety
///
/// The pointer is null, or points to as many bytes as the member for the size says, or as the first version has where
/// that is 0; nothing else uses them meanwhile.
pub unsafe fn checked<T: Versioned>(place: *mut T) -> Option<Checked<T>> {
    if place.is_null() {
        return None;
    }
    // SAFETY: the first version has the member, and the caller promises as many bytes; it need not be aligned.
    let size =
        unsafe { place.cast::<u8>().wrapping_add(T::SIZE_AT).cast::<usize>().read_unaligned() };
    let size = if size == 0 { T::FIRST } else { size };
    if size < T::FIRST {
        return None;
    }
    let beyond = size_of::<T>()..size;
    // SAFETY: the caller promises as many bytes as the size says.
    let is_zero = |at: usize| unsafe { *place.cast::<u8>().wrapping_add(at) } == 0;
    let shared = size.min(size_of::<T>());
    beyond.into_iter().all(is_zero).then_some(Checked { place, shared })
}

impl<T: Versioned> Checked<T> {
    /// The caller's values, with those of `rest` where its version has none.
    pub fn read(&self, rest: T) -> T {
        let mut value = rest;
        // SAFETY: `checked` found that both have as many bytes, any bytes are a value, and `value` is new.
        unsafe {
            ptr::copy_nonoverlapping(self.place.cast::<u8>(), (&raw mut value).cast(), self.shared);
        }
        value
    }

    /// Writes the members that the caller's version has.
    pub fn write(&self, value: &T) {
        // SAFETY: `checked` found that both have as many bytes, and the caller's are not used meanwhile.
        unsafe {
            ptr::copy_nonoverlapping(
                ptr::from_ref(value).cast(),
                self.place.cast::<u8>(),
                self.shared,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[repr(C)]
    #[derive(Clone, Copy)]
    struct Pair {
        size: usize,
        first: u64,
        second: u64,
    }

    // SAFETY: three words without padding, of which the first is the size.
    unsafe impl Versioned for Pair {
        const FIRST: usize = 16;
        const SIZE_AT: usize = 0;
    }

    fn check(words: &mut [usize; 5]) -> Option<Checked<Pair>> {
        // SAFETY: no size in these tests is larger than the array.
        unsafe { checked(words.as_mut_ptr().cast()) }
    }

    #[test]
    fn sizes_from_the_first_version_on_are_taken() {
        for (size, written) in [(0, 1), (16, 1), (24, 2), (40, 2)] {
            let mut words = [size, 9, 9, 0, 0];
            let found = check(&mut words).expect("a size that can be used");
            found.write(&Pair { size: 24, first: 1, second: 2 });
            assert_eq!(words[..2], [24, 1], "{size}");
            assert_eq!(words[2] == 2, written == 2, "{size}");
        }
        for size in [1, 8, 15] {
            assert!(check(&mut [size, 0, 0, 0, 0]).is_none(), "{size}");
        }
    }

    #[test]
    fn what_is_beyond_must_be_zero() {
        assert!(check(&mut [40, 0, 0, 0, 1]).is_none());
        assert!(check(&mut [32, 0, 0, 0, 1]).is_some());
        // SAFETY: a null pointer is allowed.
        assert!(unsafe { checked(ptr::null_mut::<Pair>()) }.is_none());
    }
}
