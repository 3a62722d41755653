//! Files that define events and metrics.

use crate::errors::{Problem, characters, of_file};
use counterpoint::definitions::{Diagnostic, Library, line_column};
use counterpoint::{EventSet, Machine, Target, language, read_definitions};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

/// The largest file that is read.
const MOST: u64 = 256 << 20;

/// The definitions of a file: PAPI's event-definition files, metrics of Linux perf and of intel/perfmon, likwid's groups,
/// and tables of metrics.
#[pyclass(frozen, module = "counterpoint._native", from_py_object)]
#[derive(Clone)]
pub(crate) struct DefinitionFile {
    library: Library,
    path: PathBuf,
    text: String,
}

#[pymethods]
impl DefinitionFile {
    /// Definitions in a text, whose language is found by the name of a file and by the text itself.
    #[new]
    fn new(path: PathBuf, text: String) -> DefinitionFile {
        DefinitionFile { library: read_definitions(&path, &text), path, text }
    }

    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<DefinitionFile> {
        let mut bytes = Vec::new();
        let read = File::open(&path).and_then(|file| file.take(MOST + 1).read_to_end(&mut bytes));
        read.map_err(|error| of_file(py, &error, &path))?;
        if bytes.len() as u64 > MOST {
            let problem = Problem::new(format!("{} is larger than 256 MiB", path.display()));
            return Err(problem.raise(py, "EventError"));
        }
        // A byte that is not UTF-8 costs its line, which is reported and skipped.
        Ok(DefinitionFile::new(path, String::from_utf8_lossy(&bytes).into_owned()))
    }

    #[getter]
    fn path(&self) -> String {
        self.path.display().to_string()
    }

    #[getter]
    fn language(&self) -> &'static str {
        language(&self.path, &self.text)
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        (0..self.library.len()).map(|at| self.library.definition(at).name().to_string()).collect()
    }

    /// The findings in the text; a faulty line is skipped.
    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.library.diagnostics().iter().map(|found| self.diagnostic(py, found)).collect()
    }
}

impl DefinitionFile {
    fn diagnostic<'py>(&self, py: Python<'py>, found: &Diagnostic) -> PyResult<Bound<'py, PyDict>> {
        let (line, column) = line_column(&self.text, found.span.start);
        let of_line = self.text.lines().nth(line - 1).unwrap_or_default();
        let dict = PyDict::new(py);
        dict.set_item("severity", found.severity.name())?;
        dict.set_item("code", found.code.name())?;
        dict.set_item("line", line)?;
        dict.set_item("column", characters(of_line, 0..column - 1).1 + 1)?;
        dict.set_item("message", &found.message)?;
        dict.set_item("help", &found.help)?;
        Ok(dict)
    }
}

/// An empty set with these definitions.
pub(crate) fn set(machine: Machine, target: Target, files: Vec<DefinitionFile>) -> EventSet {
    let set = EventSet::with_machine(machine, target);
    files.into_iter().fold(set, |set, file| set.define(file.library))
}
