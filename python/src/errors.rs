//! The exceptions of `counterpoint.errors`, which are written in Python.

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyModule, PyType};
use std::ops::Range;
use std::path::Path;

/// The problem, and the other attributes of the exception.
#[derive(Default)]
pub(crate) struct Problem<'t> {
    pub(crate) message: String,
    /// A short, stable key.
    pub(crate) code: Option<&'static str>,
    pub(crate) help: Option<String>,
    /// The text that is wrong, and its wrong bytes.
    pub(crate) place: Option<(&'t str, Range<usize>)>,
}

impl<'t> Problem<'t> {
    pub(crate) fn new(message: impl Into<String>) -> Problem<'t> {
        Problem { message: message.into(), ..Problem::default() }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Problem<'t> {
        self.help = Some(help.into());
        self
    }

    /// The exception of this class of `counterpoint.errors`.
    pub(crate) fn raise(self, py: Python<'_>, class: &str) -> PyErr {
        self.exception(py, class).unwrap_or_else(|error| error)
    }

    fn exception(self, py: Python<'_>, class: &str) -> PyResult<PyErr> {
        static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
        let module = MODULE.get_or_try_init(py, || {
            PyModule::import(py, "counterpoint.errors").map(Bound::unbind)
        })?;
        let class = module.bind(py).getattr(class)?.cast_into::<PyType>()?;
        let details = PyDict::new(py);
        details.set_item("code", self.code)?;
        details.set_item("help", self.help)?;
        if let Some((text, bytes)) = self.place {
            details.set_item("text", text)?;
            details.set_item("span", characters(text, bytes))?;
        }
        Ok(PyErr::from_value(class.call((self.message,), Some(&details))?))
    }
}

/// A range of bytes as one of characters, which Python counts.
pub(crate) fn characters(text: &str, bytes: Range<usize>) -> (usize, usize) {
    let count = |end: usize| text.char_indices().take_while(|(at, _)| *at < end).count();
    (count(bytes.start), count(bytes.end))
}

/// The exception of an error of the library, about this text.
pub(crate) fn raise(py: Python<'_>, error: &counterpoint::Error, text: &str) -> PyErr {
    let is_of_text = error.is_unknown_event() || error.span().is_some();
    let class = if is_of_text { "EventError" } else { "CountingError" };
    let problem = Problem {
        message: error.to_string(),
        code: Some(error.code()),
        help: error.help().map(|help| help.to_string()),
        place: error.span().map(|span| (text, span)),
    };
    problem.raise(py, class)
}

/// The exception of a file that cannot be read: FileNotFoundError and its like, with `errno` and `filename`.
pub(crate) fn of_file(py: Python<'_>, error: &std::io::Error, path: &Path) -> PyErr {
    let Some(errno) = error.raw_os_error() else {
        return PyOSError::new_err(format!("{}: {error}", path.display()));
    };
    let text = py.import("os").and_then(|os| os.call_method1("strerror", (errno,)));
    match text.and_then(|text| text.extract::<String>()) {
        Ok(text) => PyOSError::new_err((errno, text, path.as_os_str().to_os_string())),
        Err(error) => error,
    }
}
