//! Values at the addresses that C callers pass.

#![allow(unsafe_code, reason = "C callers pass pointers")]

/// Writes a value; `None` for a null pointer.
///
/// # Safety
///
/// The pointer is null, or can be written; it need not be aligned.
#[inline]
pub unsafe fn write<T>(place: *mut T, value: T) -> Option<()> {
    // SAFETY: it is not null, and the caller promises the rest.
    (!place.is_null()).then(|| unsafe { place.write_unaligned(value) })
}

/// Reads a value; `None` for a null pointer.
///
/// # Safety
///
/// The pointer is null, or points to a value; it need not be aligned.
#[inline]
pub unsafe fn read<T: Copy>(place: *const T) -> Option<T> {
    // SAFETY: it is not null, and the caller promises the rest.
    (!place.is_null()).then(|| unsafe { place.read_unaligned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr;

    #[test]
    fn a_null_pointer_is_not_a_place() {
        let mut bytes = [0_u8; 5];
        let odd = ptr::from_mut(&mut bytes).cast::<u8>().wrapping_add(1).cast::<u32>();
        // SAFETY: four bytes of the array.
        assert_eq!(unsafe { write(odd, u32::MAX) }, Some(()));
        // SAFETY: as above.
        assert_eq!(unsafe { read(odd) }, Some(u32::MAX));
        // SAFETY: null pointers are allowed.
        assert_eq!(unsafe { write(ptr::null_mut(), 1) }, None);
        // SAFETY: as above.
        assert_eq!(unsafe { read(ptr::null::<u32>()) }, None);
        assert_eq!(bytes, [0, 255, 255, 255, 255]);
    }
}
