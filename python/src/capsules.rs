//! Arrow's C data interface in Python: arrays come from, and go into, capsules.

#![allow(unsafe_code, reason = "a capsule holds an address")]

use crate::source::is_numeric;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type, to_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    Array, ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader, make_array,
};
use arrow_schema::{DataType, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods, PyTuple};
use std::ffi::{CStr, c_char, c_int};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// The reason why capsules have no column of numbers.
pub(crate) enum NoColumn {
    /// They hold values of another type.
    Type(String),
    /// Python or the producer of the array failed.
    Failed(PyErr),
}

impl From<PyErr> for NoColumn {
    fn from(error: PyErr) -> NoColumn {
        NoColumn::Failed(error)
    }
}

/// The array of an object, which its method `__arrow_c_array__` exports.
pub(crate) fn array(export: &Bound<'_, PyAny>) -> Result<ArrayRef, NoColumn> {
    let exported = export.call0()?;
    let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = exported.extract()?;
    let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: a capsule with this name holds a schema, which it keeps until it is dropped.
    let kind = numeric(unsafe { schema.as_ref() })?;
    // SAFETY: a capsule with this name holds an array, which is moved out of it.
    let array = unsafe { FFI_ArrowArray::from_raw(array.as_ptr()) };
    imported(array, kind)
}

/// The arrays of an object, which its method `__arrow_c_stream__` exports.
pub(crate) fn stream(export: &Bound<'_, PyAny>) -> Result<Vec<ArrayRef>, NoColumn> {
    let capsule = export.call0()?;
    let capsule = capsule.cast_into::<PyCapsule>().map_err(PyErr::from)?;
    let stream = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule with this name holds a stream, which is moved out of it.
    let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
    let (Some(get_schema), Some(get_next)) = (stream.get_schema, stream.get_next) else {
        return Err(PyValueError::new_err("the stream was read before").into());
    };
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: the producer's function gets its own stream, and a place for the schema.
    let code = unsafe { get_schema(&raw mut stream, &raw mut schema) };
    succeeded(&mut stream, code)?;
    let kind = numeric(&schema)?;
    let mut arrays = Vec::new();
    loop {
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: as above, with a place for an array.
        let code = unsafe { get_next(&raw mut stream, &raw mut array) };
        succeeded(&mut stream, code)?;
        if array.is_released() {
            return Ok(arrays);
        }
        arrays.push(imported(array, kind.clone())?);
    }
}

fn succeeded(stream: &mut FFI_ArrowArrayStream, code: c_int) -> PyResult<()> {
    if code == 0 {
        return Ok(());
    }
    let text = stream.get_last_error.map_or(std::ptr::null(), |get_last_error| {
        // SAFETY: the producer's function gets its own stream.
        unsafe { get_last_error(&raw mut *stream) }
    });
    Err(PyValueError::new_err(match owned(text) {
        Some(text) => format!("the stream ends with an error: {text}"),
        None => format!("the stream ends with the error {code}"),
    }))
}

/// The text of a producer, which it may change with its next call.
fn owned(text: *const c_char) -> Option<String> {
    if text.is_null() {
        return None;
    }
    // SAFETY: a text of the interface ends with a zero.
    let text = unsafe { CStr::from_ptr(text) };
    Some(text.to_string_lossy().into_owned())
}

/// The type of a schema, if it is one of numbers.
fn numeric(schema: &FFI_ArrowSchema) -> Result<DataType, NoColumn> {
    match DataType::try_from(schema) {
        Ok(kind) if is_numeric(&kind) => Ok(kind),
        Ok(other) => Err(NoColumn::Type(other.to_string())),
        Err(error) => Err(PyValueError::new_err(error.to_string()).into()),
    }
}

fn imported(array: FFI_ArrowArray, kind: DataType) -> Result<ArrayRef, NoColumn> {
    // SAFETY: the producer promises that an array has what its schema says.
    let data = unsafe { from_ffi_and_data_type(array, kind) };
    let mut data = data.map_err(|error| PyValueError::new_err(error.to_string()))?;
    data.align_buffers();
    Ok(make_array(data))
}

/// The capsules of an array: its schema and itself.
pub(crate) fn exported<'py>(py: Python<'py>, array: &dyn Array) -> PyResult<Bound<'py, PyTuple>> {
    let (array, schema) = to_ffi(&array.to_data()).map_err(failed)?;
    let array = PyCapsule::new_with_value(py, array, ARRAY)?;
    (PyCapsule::new_with_value(py, schema, SCHEMA)?, array).into_pyobject(py)
}

/// The capsule of a type alone.
pub(crate) fn exported_type<'py>(
    py: Python<'py>,
    kind: &DataType,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowSchema::try_from(kind).map_err(failed)?, SCHEMA)
}

/// The capsule of a stream of batches.
pub(crate) fn exported_batches(
    py: Python<'_>,
    batches: Vec<RecordBatch>,
    schema: SchemaRef,
) -> PyResult<Bound<'_, PyCapsule>> {
    exported_stream(py, Box::new(RecordBatchIterator::new(batches.into_iter().map(Ok), schema)))
}

/// The capsule of a stream whose batches are made when they are asked for.
pub(crate) fn exported_stream(
    py: Python<'_>,
    batches: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(batches), STREAM)
}

fn failed(error: arrow_schema::ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
