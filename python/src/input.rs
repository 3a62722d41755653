//! The values that Python gives for an input of a formula.

use crate::buffer::{Buffer, has_buffer};
use crate::capsules::{self, NoColumn};
use crate::errors::Problem;
use crate::result::Column;
use crate::source::{Source, is_numeric_memory};
use arrow_array::{Array, Float64Array};
use arrow_buffer::BooleanBuffer;
use counterpoint::formula::Number;
use pyo3::exceptions::{PyException, PyImportError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyByteArray, PyBytes, PyFloat, PyInt, PyList, PyTuple};
use std::sync::Arc;

/// The values that are given for one input.
pub(crate) enum Input {
    Number(Number),
    /// `None`, or NaN.
    Missing,
    Rows {
        source: Source,
        /// True if it is a plain numpy array.
        is_numpy: bool,
    },
}

impl Input {
    /// The owner of the memory of a column; `None` for a number.
    pub(crate) fn source(&self) -> Option<&Source> {
        match self {
            Input::Rows { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl From<f64> for Input {
    fn from(number: f64) -> Input {
        if number.is_nan() { Input::Missing } else { Input::Number(Number::Real(number)) }
    }
}

/// Reads what is given for the input of this name, without copying the elements of arrays.
pub(crate) fn read(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Input> {
    let py = object.py();
    if object.is_none() {
        return Ok(Input::Missing);
    }
    if is_ndarray(object)? {
        return buffer(object, name, None, true);
    }
    if object.is_instance_of::<PyFloat>() {
        return Ok(object.extract::<f64>()?.into());
    }
    if object.is_instance_of::<PyInt>() {
        return integer(object, name);
    }
    if let Ok(column) = object.cast::<Column>() {
        let array: Arc<dyn Array> = Arc::new(column.get().array().clone());
        return Ok(rows(Source::Arrow(vec![array])));
    }
    if let Some(export) = object.getattr_opt(intern!(py, "__arrow_c_array__"))? {
        let array = capsules::array(&export).map_err(|reason| refused(py, name, reason))?;
        return Ok(rows(Source::Arrow(vec![array])));
    }
    if let Some(export) = object.getattr_opt(intern!(py, "__arrow_c_stream__"))? {
        match capsules::stream(&export) {
            Ok(arrays) => return Ok(rows(Source::Arrow(arrays))),
            // pandas exports its columns by pyarrow, which may not be installed.
            Err(NoColumn::Failed(error)) if error.is_instance_of::<PyImportError>(py) => {}
            Err(reason) => return Err(refused(py, name, reason)),
        }
    }
    if object.cast::<PyList>().is_ok() || object.cast::<PyTuple>().is_ok() {
        return list(object, name);
    }
    let is_text = object.cast::<PyBytes>().is_ok() || object.cast::<PyByteArray>().is_ok();
    if has_buffer(object) && !is_text {
        return buffer(object, name, mask(object)?, false);
    }
    if object.hasattr(intern!(py, "__array__"))? {
        let array = py.import("numpy")?.call_method1("asarray", (object,))?;
        return buffer(&array, name, None, false);
    }
    if object.hasattr(intern!(py, "__float__"))? {
        return Ok(object.extract::<f64>()?.into());
    }
    let kind = object.get_type().name()?;
    Err(wrong_type(py, name, &format!("of the type {kind}")))
}

fn rows(source: Source) -> Input {
    Input::Rows { source, is_numpy: false }
}

fn integer(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Input> {
    if let Ok(number) = object.extract::<i128>() {
        return Ok(Input::Number(Number::Int(number)));
    }
    object.extract::<f64>().map(Input::from).map_err(|error| {
        let problem = Problem::new(format!("`{name}` is larger than any double"));
        caused(problem.raise(object.py(), "ColumnError"), object.py(), error)
    })
}

/// Returns true if an object is an array of numpy, and not of a class derived from it, which may mean more by it.
pub(crate) fn is_ndarray(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    static NDARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = object.py();
    if let Some(class) = NDARRAY.get(py) {
        return Ok(object.get_type().is(class));
    }
    // Without numpy, nothing is an array of it, and it takes long to import.
    let modules = py.import("sys")?.getattr("modules")?;
    let Ok(numpy) = modules.get_item("numpy") else { return Ok(false) };
    let Ok(class) = numpy.getattr("ndarray") else { return Ok(false) };
    Ok(object.get_type().is(NDARRAY.get_or_init(py, || class.unbind())))
}

/// Which elements of a masked array have a value; `None` for other objects.
fn mask(object: &Bound<'_, PyAny>) -> PyResult<Option<BooleanBuffer>> {
    if !object.hasattr("mask")? {
        return Ok(None);
    }
    let masked = object.py().import("numpy.ma")?.call_method1("getmaskarray", (object,))?;
    let masked = Buffer::of(&masked)?;
    let memory = masked.memory();
    let is_masked = |row| memory.bytes.get(memory.position(row)).is_some_and(|byte| *byte != 0);
    Ok(Some(BooleanBuffer::collect_bool(memory.rows, |row| !is_masked(row))))
}

fn buffer(
    object: &Bound<'_, PyAny>,
    name: &str,
    validity: Option<BooleanBuffer>,
    is_numpy: bool,
) -> PyResult<Input> {
    let py = object.py();
    let buffer = match Buffer::of(object) {
        Ok(buffer) => buffer,
        // A number of numpy, or an array without a dimension.
        Err(_) if is_scalar(object) => return read(&object.call_method0("item")?, name),
        Err(error) => return Err(caused(wrong_type(py, name, &dtype(object)), py, error)),
    };
    if !is_numeric_memory(&buffer) {
        return Err(wrong_type(py, name, &dtype(object)));
    }
    match buffer.dimensions() {
        1 => Ok(Input::Rows { source: Source::Buffer(buffer, validity), is_numpy }),
        dimensions => {
            let message = format!("`{name}` has {dimensions} dimensions, and a column has one");
            let problem = Problem::new(message).help("give one column, such as array[:, 0]");
            Err(problem.raise(py, "ColumnError"))
        }
    }
}

fn is_scalar(object: &Bound<'_, PyAny>) -> bool {
    let dimensions = object.getattr("ndim").and_then(|dimensions| dimensions.extract::<usize>());
    dimensions.is_ok_and(|dimensions| dimensions == 0)
}

/// The type of the elements of an array, in words.
fn dtype(object: &Bound<'_, PyAny>) -> String {
    match object.getattr("dtype").and_then(|dtype| dtype.str()) {
        Ok(dtype) => format!("of the dtype {dtype}"),
        Err(_) => "not of numbers".to_string(),
    }
}

fn list(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Input> {
    let py = object.py();
    let mut numbers: Vec<Option<f64>> = Vec::new();
    for (row, item) in object.try_iter()?.enumerate() {
        let item = item?;
        if item.is_none() {
            numbers.push(None);
            continue;
        }
        match item.extract::<f64>() {
            Ok(number) => numbers.push(Some(number)),
            Err(error) => {
                let kind = item.get_type().name()?;
                let message = format!("row {row} of `{name}` is of the type {kind}");
                let problem = Problem::new(message).help("give numbers, and None for missing ones");
                return Err(caused(problem.raise(py, "ColumnError"), py, error));
            }
        }
    }
    Ok(rows(Source::Arrow(vec![Arc::new(Float64Array::from(numbers))])))
}

fn refused(py: Python<'_>, name: &str, reason: NoColumn) -> PyErr {
    match reason {
        NoColumn::Type(kind) => wrong_type(py, name, &format!("of the Arrow type {kind}")),
        NoColumn::Failed(error) if !error.is_instance_of::<PyException>(py) => error,
        NoColumn::Failed(error) => {
            let message = format!("`{name}` cannot be read: {}", error.value(py));
            caused(Problem::new(message).raise(py, "ColumnError"), py, error)
        }
    }
}

fn wrong_type(py: Python<'_>, name: &str, kind: &str) -> PyErr {
    let problem = Problem::new(format!("`{name}` is {kind}"));
    let help = "give a number, or a column of integers, floats of 32 or 64 bits, or booleans";
    problem.help(help).raise(py, "ColumnError")
}

fn caused(error: PyErr, py: Python<'_>, cause: PyErr) -> PyErr {
    error.set_cause(py, Some(cause));
    error
}
