//! The column that a formula makes.

use crate::capsules;
use arrow_array::{Array, Float64Array};
use arrow_schema::DataType;
use pyo3::exceptions::{PyBufferError, PyIndexError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{
    PyBytes, PyCapsule, PyDict, PyIterator, PyList, PySlice, PySliceMethods, PyTuple,
};
use std::ffi::{c_int, c_void};
use std::ptr;

/// The values of a formula, one for each row; a row without a value is null.
///
/// pyarrow.array, polars.Series and pandas.Series take it as it is. Where there are no nulls, as in numpy.asarray and in
/// its buffer, a row without a value is NaN. None of them copies it.
#[pyclass(frozen, module = "counterpoint")]
pub(crate) struct Column {
    array: Float64Array,
    rows: isize,
}

impl Column {
    pub(crate) fn new(array: Float64Array) -> Column {
        let rows = isize::try_from(array.len()).unwrap_or(isize::MAX);
        Column { array, rows }
    }

    /// The column of values; in its buffer, which has no nulls, a row without a value is NaN.
    fn of_values(values: impl Iterator<Item = Option<f64>>) -> Column {
        let values: Vec<Option<f64>> = values.collect();
        let doubles = values.iter().map(|value| value.unwrap_or(f64::NAN)).collect();
        let validity = values.iter().map(Option::is_some).collect();
        Column::new(Float64Array::new(doubles, Some(validity)))
    }

    pub(crate) fn array(&self) -> &Float64Array {
        &self.array
    }
}

#[pymethods]
impl Column {
    /// The number of rows without a value.
    #[getter]
    fn null_count(&self) -> usize {
        self.array.null_count()
    }

    fn __len__(&self) -> usize {
        self.array.len()
    }

    /// The value of a row, or the column of a slice.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(slice) = key.cast::<PySlice>() {
            let indices = slice.indices(self.rows)?;
            let (start, step) = (indices.start, indices.step);
            let rows = (0..indices.slicelength as isize).map(|at| start + at * step);
            let values = rows.map(|row| self.value(usize::try_from(row).unwrap_or_default()));
            return Ok(Column::of_values(values).into_pyobject(py)?.into_any());
        }
        self.row(key.extract()?)?.into_pyobject(py).map_err(PyErr::from)
    }

    /// The function and the arguments that make an equal column, for pickle: a row without a value is NaN.
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let py = slf.py();
        let doubles = py.get_type::<PyBytes>().call1((slf,))?;
        Ok((py.import("counterpoint._native")?.getattr("column_of_bytes")?, (doubles,)))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.to_list(py)?.try_iter()
    }

    fn __repr__(&self) -> String {
        format!("<counterpoint.Column: {} rows, {} null>", self.rows, self.array.null_count())
    }

    /// The values as a list, with None for a row without one.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, (0..self.array.len()).map(|row| self.value(row)))
    }

    /// The values as an array of numpy that cannot be written, with NaN for a row without one.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        slf: &Bound<'py, Self>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let numpy = py.import("numpy")?;
        let array = numpy.call_method1("frombuffer", (slf, "float64"))?;
        let options = PyDict::new(py);
        options.set_item("dtype", dtype)?;
        options.set_item("copy", copy)?;
        numpy.getattr("array")?.call((array,), Some(&options))
    }

    /// The column as capsules of Arrow.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        // A producer may leave the conversion to another type to the consumer.
        let _ = requested_schema;
        capsules::exported(py, &self.array)
    }

    /// The type of the column as a capsule of Arrow.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsules::exported_type(py, &DataType::Float64)
    }

    /// The doubles, which cannot be written.
    #[allow(unsafe_code, reason = "Python's buffers are addresses")]
    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        if view.is_null() {
            return Err(PyBufferError::new_err("there is no place for the buffer"));
        }
        let column = slf.get();
        let (doubles, rows) = (column.array.values(), &raw const column.rows);
        // SAFETY: Python gives a place for a buffer, and nobody else uses it during the call.
        let view = unsafe { &mut *view };
        if flags & ffi::PyBUF_WRITABLE != 0 {
            view.obj = ptr::null_mut();
            return Err(PyBufferError::new_err("the column cannot be written"));
        }
        let has = |flag: c_int| flags & flag == flag;
        view.buf = doubles.as_ptr().cast_mut().cast::<c_void>();
        view.len = column.rows * size_of::<f64>() as isize;
        view.readonly = 1;
        view.itemsize = size_of::<f64>() as isize;
        view.format =
            if has(ffi::PyBUF_FORMAT) { c"d".as_ptr().cast_mut() } else { ptr::null_mut() };
        view.ndim = 1;
        // The column owns the number of rows, and the view the distance of its elements.
        view.shape = if has(ffi::PyBUF_ND) { rows.cast_mut() } else { ptr::null_mut() };
        view.strides =
            if has(ffi::PyBUF_STRIDES) { &raw mut view.itemsize } else { ptr::null_mut() };
        view.suboffsets = ptr::null_mut();
        view.internal = ptr::null_mut();
        view.obj = slf.into_any().into_ptr();
        Ok(())
    }
}

impl Column {
    /// The value of a row, of which negative ones are counted from the end.
    fn row(&self, row: isize) -> PyResult<Option<f64>> {
        let at = if row < 0 { row.saturating_add(self.rows) } else { row };
        match usize::try_from(at) {
            Ok(at) if at < self.array.len() => Ok(self.value(at)),
            _ => Err(PyIndexError::new_err(format!("the column has {} rows", self.rows))),
        }
    }

    fn value(&self, row: usize) -> Option<f64> {
        self.array.is_valid(row).then(|| self.array.value(row))
    }
}

/// The column of the bytes of its doubles, of which NaN is a row without a value.
#[pyfunction]
pub(crate) fn column_of_bytes(bytes: &[u8]) -> Column {
    let (doubles, _) = bytes.as_chunks();
    let values = doubles.iter().map(|bytes| f64::from_ne_bytes(*bytes));
    Column::of_values(values.map(|value| (!value.is_nan()).then_some(value)))
}
