//! The memory of a column while it is evaluated, and its elements as doubles.

use crate::buffer::{Buffer, Memory};
use crate::column::{Chunk, Column, Values};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_buffer::BooleanBuffer;
use arrow_schema::DataType;
use pyo3::buffer::ElementType;
use std::ops::Range;

/// The owner of a column's memory.
pub(crate) enum Source {
    /// Arrays of Arrow, one after the other.
    Arrow(Vec<ArrayRef>),
    /// The buffer of a Python object, such as a numpy array, and which of its rows have a value.
    Buffer(Buffer, Option<BooleanBuffer>),
}

impl Source {
    /// The column, if its elements are numbers.
    pub(crate) fn column(&self) -> Option<Column<'_>> {
        let chunks: Option<Vec<Chunk<'_>>> = match self {
            Source::Arrow(arrays) => arrays.iter().map(of_array).collect(),
            Source::Buffer(buffer, validity) => {
                let memory = buffer.memory();
                let chunk = |values| {
                    let (rows, validity) = (memory.rows, validity.as_ref());
                    vec![Chunk { values, validity, rows }]
                };
                of_memory(memory).map(chunk)
            }
        };
        chunks.map(Column::new)
    }

    /// The addresses of its memory.
    pub(crate) fn addresses(&self) -> Vec<Range<usize>> {
        match self {
            Source::Buffer(buffer, _) => vec![buffer.memory().addresses()],
            Source::Arrow(arrays) => {
                let buffers = arrays.iter().flat_map(|array| array.to_data().buffers().to_vec());
                buffers
                    .map(|bytes| bytes.as_ptr().addr()..bytes.as_ptr().addr() + bytes.len())
                    .collect()
            }
        }
    }
}

/// Returns true if arrays of this type are columns of numbers.
pub(crate) fn is_numeric(kind: &DataType) -> bool {
    use DataType::{Boolean, Null};
    matches!(kind, Boolean | Null) || kind.is_integer() || kind.is_floating()
}

fn of_array(array: &ArrayRef) -> Option<Chunk<'_>> {
    let values = match array.data_type() {
        DataType::Float64 => Values::Doubles(array.as_primitive::<Float64Type>().values()),
        DataType::Float32 => of_primitive::<Float32Type>(array, f64::from),
        DataType::Float16 => of_primitive::<Float16Type>(array, |number| number.to_f64()),
        DataType::Int8 => of_primitive::<Int8Type>(array, f64::from),
        DataType::Int16 => of_primitive::<Int16Type>(array, f64::from),
        DataType::Int32 => of_primitive::<Int32Type>(array, f64::from),
        DataType::Int64 => of_primitive::<Int64Type>(array, |number| number as f64),
        DataType::UInt8 => of_primitive::<UInt8Type>(array, f64::from),
        DataType::UInt16 => of_primitive::<UInt16Type>(array, f64::from),
        DataType::UInt32 => of_primitive::<UInt32Type>(array, f64::from),
        DataType::UInt64 => of_primitive::<UInt64Type>(array, |number| number as f64),
        DataType::Boolean => {
            let bits = array.as_boolean().values();
            converted(move |first, out| {
                out.iter_mut().enumerate().for_each(|(row, out)| {
                    *out = f64::from(u8::from(bits.value(first + row)));
                });
            })
        }
        DataType::Null => converted(|_, out| out.fill(f64::NAN)),
        _ => return None,
    };
    let validity = array.nulls().map(|nulls| nulls.inner());
    Some(Chunk { values, validity, rows: array.len() })
}

fn of_primitive<T: ArrowPrimitiveType>(
    array: &ArrayRef,
    double: impl Fn(T::Native) -> f64 + Sync + 'static,
) -> Values<'_>
where
    T::Native: Sync,
{
    let values = array.as_primitive::<T>().values();
    converted(move |first, out| {
        out.iter_mut().zip(&values[first..]).for_each(|(out, value)| *out = double(*value));
    })
}

fn converted<'a>(convert: impl Fn(usize, &mut [f64]) + Sync + 'a) -> Values<'a> {
    Values::Converted(Box::new(convert))
}

/// The values of memory whose elements are numbers of this machine's sizes, in either order of bytes.
fn of_memory(memory: Memory<'_>) -> Option<Values<'_>> {
    if let Some(doubles) = memory.doubles() {
        return Some(Values::Doubles(doubles));
    }
    macro_rules! numbers {
        ($type:ty) => {
            if memory.is_big_endian {
                memory.elements(|bytes| <$type>::from_be_bytes(bytes) as f64)
            } else {
                memory.elements(|bytes| <$type>::from_le_bytes(bytes) as f64)
            }
        };
    }
    Some(match memory.element {
        ElementType::Bool => memory.elements(|[byte]: [u8; 1]| f64::from(u8::from(byte != 0))),
        ElementType::SignedInteger { bytes: 1 } => numbers!(i8),
        ElementType::SignedInteger { bytes: 2 } => numbers!(i16),
        ElementType::SignedInteger { bytes: 4 } => numbers!(i32),
        ElementType::SignedInteger { bytes: 8 } => numbers!(i64),
        ElementType::UnsignedInteger { bytes: 1 } => numbers!(u8),
        ElementType::UnsignedInteger { bytes: 2 } => numbers!(u16),
        ElementType::UnsignedInteger { bytes: 4 } => numbers!(u32),
        ElementType::UnsignedInteger { bytes: 8 } => numbers!(u64),
        ElementType::Float { bytes: 4 } => numbers!(f32),
        ElementType::Float { bytes: 8 } => numbers!(f64),
        _ => return None,
    })
}

impl<'a> Memory<'a> {
    /// The elements, each of `N` bytes.
    fn elements<const N: usize>(
        self,
        double: impl Fn([u8; N]) -> f64 + Sync + 'static,
    ) -> Values<'a> {
        converted(move |first, out| {
            if self.stride == N as isize {
                let (elements, _) = self.bytes[first * N..].as_chunks();
                out.iter_mut().zip(elements).for_each(|(out, bytes)| *out = double(*bytes));
                return;
            }
            for (row, out) in out.iter_mut().enumerate() {
                let at = self.position(first + row);
                let bytes = self.bytes.get(at..).and_then(|bytes| bytes.first_chunk());
                *out = bytes.map_or(f64::NAN, |bytes| double(*bytes));
            }
        })
    }
}

/// Returns true if the elements of a buffer are numbers.
pub(crate) fn is_numeric_memory(buffer: &Buffer) -> bool {
    !buffer.has_pointers() && (buffer.dimensions() != 1 || of_memory(buffer.memory()).is_some())
}
