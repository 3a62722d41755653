//! The memory of Python objects that have buffers, such as numpy arrays.

#![allow(unsafe_code, reason = "Python's buffers are addresses")]

use pyo3::buffer::{ElementType, PyUntypedBuffer};
use pyo3::{Bound, PyAny, PyResult, ffi};
use std::ops::Range;
use std::slice;

/// The buffer of an object, which keeps its memory where it is.
pub(crate) struct Buffer(PyUntypedBuffer);

/// Numbers in memory that are as far from each other as one says, forwards or backwards.
#[derive(Clone, Copy)]
pub(crate) struct Memory<'a> {
    /// From the first byte of any element to the last one.
    pub(crate) bytes: &'a [u8],
    pub(crate) rows: usize,
    /// The distance to the next element in bytes; negative if the first one has the highest address.
    pub(crate) stride: isize,
    pub(crate) element: ElementType,
    pub(crate) is_big_endian: bool,
}

/// Returns true if an object has a buffer.
pub(crate) fn has_buffer(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: the object is one of Python's.
    unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) == 1 }
}

impl Buffer {
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Buffer> {
        PyUntypedBuffer::get(object).map(Buffer)
    }

    pub(crate) fn dimensions(&self) -> usize {
        self.0.dimensions()
    }

    /// Returns true if an element is reached through a pointer, which no array of numbers needs.
    pub(crate) fn has_pointers(&self) -> bool {
        self.0.suboffsets().is_some_and(|offsets| offsets.iter().any(|offset| *offset >= 0))
    }

    /// The elements of the only dimension.
    pub(crate) fn memory(&self) -> Memory<'_> {
        let rows = self.0.shape().first().copied().unwrap_or(0);
        let stride = self.0.strides().first().copied().unwrap_or(0);
        let is_big_endian = match self.0.format().to_bytes().first() {
            Some(b'>' | b'!') => true,
            Some(b'<') => false,
            _ => cfg!(target_endian = "big"),
        };
        let steps = rows.saturating_sub(1);
        let length = if rows == 0 { 0 } else { steps * stride.unsigned_abs() + self.0.item_size() };
        let back = if stride < 0 { steps * stride.unsigned_abs() } else { 0 };
        let bytes: &[u8] = if length == 0 {
            &[]
        } else {
            let first = self.0.buf_ptr().cast::<u8>();
            // SAFETY: all elements are in the memory of the object, also those before the first one in memory.
            let lowest = unsafe { first.sub(back) };
            // SAFETY: these bytes are the elements and what is between them, and stay as long as the buffer is held. Python
            // lets several users of an object read and write it at a time; a program that writes to a column
            // while it is evaluated gets either number, as with numpy's own functions.
            unsafe { slice::from_raw_parts(lowest, length) }
        };
        let element = ElementType::from_format(self.0.format());
        Memory { bytes, rows, stride, element, is_big_endian }
    }

    /// The doubles to write to.
    ///
    /// # Errors
    /// Says why nothing can be written there: it is not an array of `rows` doubles, may not be written, or is at the addresses
    /// of something that is read meanwhile.
    pub(crate) fn doubles_mut(
        &mut self,
        rows: usize,
        read: &[Range<usize>],
    ) -> Result<&mut [f64], String> {
        let memory = self.memory();
        if self.dimensions() != 1 || memory.rows != rows {
            return Err(format!("does not have {rows} rows"));
        }
        let Some(doubles) = memory.doubles() else {
            return Err("does not have float64, one after the other".to_string());
        };
        if self.0.readonly() {
            return Err("is not writable".to_string());
        }
        let own = memory.addresses();
        if read.iter().any(|other| other.start < own.end && own.start < other.end) {
            return Err("is in the memory of a column".to_string());
        }
        let (first, length) = (doubles.as_ptr().cast_mut(), doubles.len());
        // SAFETY: it is the memory of `doubles`, which is valid and aligned, may be written, and is no column's. Python lets
        // several users of an object read and write it at a time; a program that does so while the array is
        // written gets either number, as with numpy's own functions.
        Ok(unsafe { slice::from_raw_parts_mut(first, length) })
    }
}

impl<'a> Memory<'a> {
    /// The elements themselves, if they are doubles of this machine one after the other.
    pub(crate) fn doubles(&self) -> Option<&'a [f64]> {
        let is_native = self.is_big_endian == cfg!(target_endian = "big");
        let is_dense = self.stride == size_of::<f64>() as isize || self.rows < 2;
        if self.element != (ElementType::Float { bytes: 8 }) || !is_native || !is_dense {
            return None;
        }
        // SAFETY: every pattern of bits is a double.
        let (before, doubles, _) = unsafe { self.bytes.align_to() };
        (before.is_empty() && doubles.len() == self.rows).then_some(doubles)
    }

    /// The place where an element begins.
    pub(crate) fn position(&self, row: usize) -> usize {
        let row = if self.stride < 0 { self.rows - 1 - row } else { row };
        row * self.stride.unsigned_abs()
    }

    /// Its addresses.
    pub(crate) fn addresses(&self) -> Range<usize> {
        let first = self.bytes.as_ptr().addr();
        first..first + self.bytes.len()
    }
}
