//! Formulas: compiled once, and evaluated over numbers and columns.

use crate::buffer::Buffer;
use crate::column;
use crate::errors::{Problem, characters};
use crate::evaluate::{Results, evaluate};
use crate::input::{Input, is_ndarray, read};
use crate::result::Column;
use crate::source::Source;
use arrow_array::Float64Array;
use arrow_buffer::{BooleanBuffer, Buffer as ArrowBuffer, NullBuffer};
use counterpoint::formula::{self, Number, Syntax};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyTuple};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::LazyLock;
use std::thread;

/// A formula over counts.
///
/// The syntax is "infix", "postfix" (PAPI's), "perf" (metric expressions of Linux perf) or "rpn" (24x7 catalogs).
///
/// Calling it evaluates it: over numbers, or over columns, which are arrays of numpy, columns of pandas, polars and
/// pyarrow, or lists. Give each input by its name, or all in a mapping or a data frame. `out` is an array of numpy for the
/// result, and `threads` limits the threads that evaluate long columns.
#[pyclass(frozen, module = "counterpoint")]
pub(crate) struct Formula {
    formula: formula::Formula,
    text: String,
    syntax: &'static str,
    /// The names of the inputs, as Python has them.
    names: Vec<Py<PyString>>,
}

const SYNTAXES: [(&str, Syntax); 4] = [
    ("infix", Syntax::Infix),
    ("postfix", Syntax::PapiPostfix),
    ("perf", Syntax::PerfMetric),
    ("rpn", Syntax::RPN_24X7),
];

#[pymethods]
impl Formula {
    #[new]
    #[pyo3(signature = (text, syntax="infix"))]
    fn new(py: Python<'_>, text: String, syntax: &str) -> PyResult<Formula> {
        let known = SYNTAXES.into_iter().find(|(name, _)| *name == syntax);
        let (syntax, reading) = known.ok_or_else(|| {
            let names = SYNTAXES.map(|(name, _)| name).join(", ");
            PyValueError::new_err(format!("`{syntax}` is not a syntax; these are: {names}"))
        })?;
        let formula = formula::Formula::parse(&text, reading).map_err(|error| {
            let problem = Problem {
                message: error.to_string(),
                code: Some(error.kind.code()),
                help: None,
                place: Some((&text, error.span)),
            };
            problem.raise(py, "FormulaError")
        })?;
        let names = formula.inputs().map(|name| PyString::intern(py, name).unbind()).collect();
        Ok(Formula { formula, text, syntax, names })
    }

    /// The text that the formula was compiled from.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// The syntax of the text.
    #[getter]
    fn syntax(&self) -> &'static str {
        self.syntax
    }

    /// The names of the inputs.
    #[getter]
    fn inputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.names)
    }

    /// Returns true if the formula is a weighted sum, so that its values can be added up.
    #[getter]
    fn is_additive(&self) -> bool {
        self.formula.is_additive()
    }

    /// The formula as infix text.
    #[getter]
    fn infix(&self) -> String {
        self.formula.infix().to_string()
    }

    /// The formula as postfix text, as in PAPI's files.
    #[getter]
    fn postfix(&self) -> String {
        self.formula.postfix().to_string()
    }

    /// The warnings about the text, each with the first character that it is about and the one after the last.
    #[getter]
    fn warnings(&self) -> Vec<(String, (usize, usize))> {
        let warning = |warning: &formula::Warning| {
            (warning.to_string(), characters(&self.text, warning.span.clone()))
        };
        self.formula.warnings().iter().map(warning).collect()
    }

    #[pyo3(signature = (columns=None, /, *, out=None, threads=None, **named))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        columns: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let inputs = self.given(py, columns, named)?;
        let sources = || inputs.iter().filter_map(Input::source);
        if sources().next().is_none() {
            return match out {
                None => self.number(py, &inputs),
                Some(_) => Err(PyTypeError::new_err("there is no column, and `out` takes one")),
            };
        }
        let columns = self.columns(py, &inputs)?;
        let threads = threads.unwrap_or(*CPUS);
        let is_numpy = |input: &Input| !matches!(input, Input::Rows { is_numpy: false, .. });
        if let Some(out) = out {
            let read: Vec<Range<usize>> = sources().flat_map(Source::addresses).collect();
            self.write_array(&columns, out, &read, threads)
        } else if inputs.iter().all(is_numpy) {
            let out = numpy_empty(py)?.call1((rows_of(&columns),))?;
            self.write_array(&columns, &out, &[], threads)
        } else {
            self.make_column(py, &columns, threads)
        }
    }

    fn __repr__(&self) -> String {
        format!("Formula({:?}, {:?})", self.text, self.syntax)
    }

    fn __str__(&self) -> String {
        self.infix()
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, operator: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let is_same = other.cast::<Formula>().ok().map(|other| other.get().formula == self.formula);
        match (operator, is_same) {
            (CompareOp::Eq, Some(is_same)) => {
                Ok(is_same.into_pyobject(py)?.to_owned().into_any().unbind())
            }
            (CompareOp::Ne, Some(is_same)) => {
                Ok((!is_same).into_pyobject(py)?.to_owned().into_any().unbind())
            }
            _ => Ok(py.NotImplemented()),
        }
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.infix().hash(&mut hasher);
        hasher.finish()
    }

    /// The form in which it is pickled: compiled again where it is read.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String, &'static str)) {
        (slf.get_type().into_any(), (slf.get().text.clone(), slf.get().syntax))
    }
}

/// The rows of columns that have the same number of them.
fn rows_of(columns: &[column::Column<'_>]) -> usize {
    columns.first().map_or(0, column::Column::rows)
}

/// The number of threads that evaluate long columns if nothing else is said.
static CPUS: LazyLock<usize> =
    LazyLock::new(|| thread::available_parallelism().map_or(1, |cpus| cpus.get().min(8)));

/// The function of numpy that makes an array, which is looked up once.
fn numpy_empty(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static EMPTY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    EMPTY.import(py, "numpy", "empty")
}

impl Formula {
    /// The values that are given for each input, in the order of the formula.
    fn given(
        &self,
        py: Python<'_>,
        columns: Option<&Bound<'_, PyAny>>,
        named: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<Input>> {
        let mut used = 0;
        let mut inputs = Vec::with_capacity(self.names.len());
        for (name, key) in self.formula.inputs().zip(&self.names) {
            let of_name = named.map(|named| named.get_item(key)).transpose()?.flatten();
            used += usize::from(of_name.is_some());
            let object = match (of_name, columns) {
                (Some(object), _) => object,
                (None, Some(columns)) => {
                    columns.get_item(key).map_err(|error| self.not_given(py, name, Some(error)))?
                }
                (None, None) => return Err(self.not_given(py, name, None)),
            };
            inputs.push(read(&object, name)?);
        }
        match named.filter(|named| named.len() > used) {
            None => Ok(inputs),
            Some(named) => Err(self.not_an_input(py, named)),
        }
    }

    fn not_given(&self, py: Python<'_>, name: &str, cause: Option<PyErr>) -> PyErr {
        if let Some(cause) = cause.as_ref().filter(|cause| !cause.is_instance_of::<PyException>(py))
        {
            return cause.clone_ref(py);
        }
        let problem = Problem::new(format!("there is no column or number for the input `{name}`"));
        let error = problem.help(self.names_in_words()).raise(py, "ColumnError");
        error.set_cause(py, cause);
        error
    }

    fn not_an_input(&self, py: Python<'_>, named: &Bound<'_, PyDict>) -> PyErr {
        let is_input = |key: &String| self.formula.inputs().any(|name| name == key);
        let keys = named.keys().iter().filter_map(|key| key.extract::<String>().ok());
        let other = keys.into_iter().find(|key| !is_input(key)).unwrap_or_default();
        let problem = Problem::new(format!("`{other}` is not an input of the formula"));
        problem.help(self.names_in_words()).raise(py, "ColumnError")
    }

    fn names_in_words(&self) -> String {
        let names: Vec<&str> = self.formula.inputs().collect();
        if names.is_empty() {
            "the formula has no inputs".to_string()
        } else {
            format!("its inputs are `{}`", names.join("`, `"))
        }
    }

    /// The value for numbers; `None` if one is missing.
    fn number<'py>(&self, py: Python<'py>, inputs: &[Input]) -> PyResult<Bound<'py, PyAny>> {
        let number = |input: &Input| match input {
            Input::Number(number) => Some(*number),
            _ => None,
        };
        let Some(numbers) = inputs.iter().map(number).collect::<Option<Vec<Number>>>() else {
            return Ok(py.None().into_bound(py));
        };
        match self.formula.eval_numbers(&numbers) {
            Ok(Number::Int(whole)) => Ok(whole.into_pyobject(py)?.into_any()),
            Ok(Number::Real(real)) if real.is_finite() => Ok(real.into_pyobject(py)?.into_any()),
            Ok(Number::Real(_)) => {
                let problem = Problem::new("the value is larger than any double");
                Err(Problem { code: Some("overflow"), ..problem }.raise(py, "NoValueError"))
            }
            Err(error) => {
                let problem = Problem {
                    message: error.to_string(),
                    code: Some(error.kind.code()),
                    help: None,
                    place: Some((&self.text, error.span)),
                };
                Err(problem.raise(py, "NoValueError"))
            }
        }
    }

    /// The columns of all inputs, which have the same number of rows; a number is one in every row.
    fn columns<'i>(
        &self,
        py: Python<'_>,
        inputs: &'i [Input],
    ) -> PyResult<Vec<column::Column<'i>>> {
        let mut first: Option<(&str, usize)> = None;
        let mut columns: Vec<Result<column::Column<'i>, f64>> = Vec::with_capacity(inputs.len());
        for (name, input) in self.formula.inputs().zip(inputs) {
            let Some(source) = input.source() else {
                let number =
                    if let Input::Number(number) = input { number.as_f64() } else { f64::NAN };
                columns.push(Err(number));
                continue;
            };
            let column = source.column().ok_or_else(|| {
                Problem::new(format!("`{name}` is not of numbers")).raise(py, "ColumnError")
            })?;
            let (other, rows) = *first.get_or_insert((name, column.rows()));
            if column.rows() != rows {
                let message =
                    format!("`{name}` has {} rows, and `{other}` has {rows}", column.rows());
                let problem = Problem::new(message).help("give columns of one length");
                return Err(problem.raise(py, "ColumnError"));
            }
            columns.push(Ok(column));
        }
        let rows = first.map_or(0, |(_, rows)| rows);
        let repeated = |number| column::Column::repeated(number, rows);
        Ok(columns.into_iter().map(|column| column.unwrap_or_else(repeated)).collect())
    }

    /// Writes the values to an array of numpy, with NaN for a row without one, and returns it.
    fn write_array<'py>(
        &self,
        columns: &[column::Column<'_>],
        out: &Bound<'py, PyAny>,
        read: &[Range<usize>],
        threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, rows) = (out.py(), rows_of(columns));
        let wrong = |what: &str| {
            let problem = Problem::new(format!("`out` {what}"));
            problem.help(format!("give numpy.empty({rows})")).raise(py, "ColumnError")
        };
        if !is_ndarray(out)? {
            return Err(wrong("is not an array of numpy"));
        }
        let mut buffer = Buffer::of(out).map_err(|_| wrong("does not have float64"))?;
        let values = buffer.doubles_mut(rows, read).map_err(|what| wrong(&what))?;
        let mut validity = vec![0; rows.div_ceil(64)];
        self.run(py, columns, Results { values, validity: &mut validity }, threads)?;
        Ok(out.clone())
    }

    fn make_column<'py>(
        &self,
        py: Python<'py>,
        columns: &[column::Column<'_>],
        threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rows = rows_of(columns);
        let (mut values, mut validity) = (vec![0.0; rows], vec![0_u64; rows.div_ceil(64)]);
        self.run(py, columns, Results { values: &mut values, validity: &mut validity }, threads)?;
        validity.iter_mut().for_each(|word| *word = word.to_le());
        let bits = BooleanBuffer::new(ArrowBuffer::from_vec(validity), 0, rows);
        let nulls = Some(NullBuffer::new(bits)).filter(|nulls| nulls.null_count() > 0);
        let array = Float64Array::new(values.into(), nulls);
        Ok(Bound::new(py, Column::new(array))?.into_any())
    }

    /// Evaluates without the lock of the interpreter, except over so few rows that other threads would gain nothing.
    fn run(
        &self,
        py: Python<'_>,
        columns: &[column::Column<'_>],
        out: Results<'_>,
        threads: usize,
    ) -> PyResult<()> {
        const FEW: usize = 1024;
        let result = match out.values.len() {
            ..FEW => evaluate(&self.formula, columns, out, 1),
            _ => py.detach(|| evaluate(&self.formula, columns, out, threads)),
        };
        result.map_err(|error| PyValueError::new_err(error.to_string()))
    }
}
