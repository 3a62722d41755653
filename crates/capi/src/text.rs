//! Strings of C and of Fortran.

#![allow(unsafe_code, reason = "C strings are pointers")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::{ptr, slice};

unsafe extern "C" {
    fn malloc(size: usize) -> *mut c_void;
}

/// The string of a caller; `None` for a null pointer.
///
/// # Safety
///
/// The pointer is null, or a string that ends in a zero byte and is not written to meanwhile.
#[inline]
pub unsafe fn bytes<'a>(string: *const c_char) -> Option<&'a [u8]> {
    // SAFETY: it is not null, and the caller promises the rest.
    (!string.is_null()).then(|| unsafe { CStr::from_ptr(string) }.to_bytes())
}

/// The string of a Fortran caller, which has a length: up to a zero byte, without the blanks at its end.
///
/// `None` for a null pointer or a negative length.
///
/// # Safety
///
/// The pointer is null, or points to as many bytes, which are not written to meanwhile.
pub unsafe fn of_fortran<'a>(string: *const c_char, length: c_int) -> Option<&'a [u8]> {
    let length = usize::try_from(length).ok().filter(|_| !string.is_null())?;
    // SAFETY: it is not null, and the caller promises as many bytes.
    let bytes = unsafe { slice::from_raw_parts(string.cast::<u8>(), length) };
    let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    let end = text.iter().rposition(|byte| *byte != b' ').map_or(0, |last| last + 1);
    Some(&text[..end])
}

/// A copy that the caller frees with `free`; null if there is no memory.
pub fn to_free(text: &str) -> *mut c_char {
    // SAFETY: malloc may be called with any size.
    let copy = unsafe { malloc(text.len() + 1) }.cast::<u8>();
    if copy.is_null() {
        return ptr::null_mut();
    }
    // SAFETY: the copy is new, and one byte longer than the text.
    unsafe { ptr::copy_nonoverlapping(text.as_ptr(), copy, text.len()) };
    // SAFETY: the last byte of the copy.
    unsafe { copy.wrapping_add(text.len()).write(0) };
    copy.cast()
}

/// Memory for some numbers that the caller frees with `free`, with the numbers in it; null if there is no memory.
pub fn numbers_to_free(numbers: &[u64]) -> *mut u64 {
    // SAFETY: malloc may be called with any size.
    let copy = unsafe { malloc(size_of_val(numbers)) }.cast::<u64>();
    if !copy.is_null() {
        // SAFETY: the copy is new, as long as the numbers, and aligned for any of C's types.
        unsafe { ptr::copy_nonoverlapping(numbers.as_ptr(), copy, numbers.len()) };
    }
    copy
}

/// The text as a C string, up to a zero byte in it, which no table has.
pub fn owned(text: &str) -> CString {
    let text = text.split('\0').next().unwrap_or_default();
    CString::new(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_ends_in_a_zero() {
        let copy = to_free("spr::INST_RETIRED");
        // SAFETY: `to_free` makes a C string.
        assert_eq!(unsafe { bytes(copy) }, Some(&b"spr::INST_RETIRED"[..]));
        unsafe extern "C" {
            fn free(memory: *mut c_void);
        }
        // SAFETY: it comes from malloc, and is not used again.
        unsafe { free(copy.cast()) };
        // SAFETY: a null pointer is allowed.
        assert_eq!(unsafe { bytes(ptr::null()) }, None);
    }

    #[test]
    fn a_string_of_fortran_ends_before_its_blanks() {
        for (text, expected) in
            [(&b"solve   "[..], &b"solve"[..]), (b"a b\0c ", b"a b"), (b"   ", b"")]
        {
            // SAFETY: the pointer and the length are those of the text.
            let found = unsafe { of_fortran(text.as_ptr().cast(), text.len() as c_int) };
            assert_eq!(found, Some(expected));
            // SAFETY: a negative length is allowed.
            assert_eq!(unsafe { of_fortran(text.as_ptr().cast(), -1) }, None);
        }
        // SAFETY: a null pointer is allowed.
        assert_eq!(unsafe { of_fortran(ptr::null(), 3) }, None);
    }
}
