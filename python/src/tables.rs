//! Reports as tables of Arrow.

use crate::capsules;
use crate::errors::{Problem, of_file};
use arrow_array::RecordBatch;
use counterpoint_report::table::arrow::{self, Batch};
use counterpoint_report::table::{Cell, Column, Row, partition, text};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek};
use std::path::{Path, PathBuf};

/// The rows of a batch.
const ROWS: usize = 1 << 16;

/// The rows of reports: one for each value, with its status.
#[pyclass(frozen, module = "counterpoint._native")]
pub(crate) struct Table {
    batches: Vec<RecordBatch>,
}

#[pymethods]
impl Table {
    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsules::exported_batches(py, self.batches.clone(), arrow::schema())
    }
}

/// Reads reports, and tables that `counterpoint export` wrote, into one table.
#[pyfunction]
pub(crate) fn read_reports(py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<Table> {
    let mut rows = Rows::default();
    for path in paths {
        py.detach(|| rows.read(&path)).map_err(|what| match what {
            Failure::Open(error) => of_file(py, &error, &path),
            Failure::Wrong(what) => {
                Problem::new(format!("{}: {what}", path.display())).raise(py, "ReportError")
            }
        })?;
    }
    rows.finish();
    Ok(Table { batches: rows.batches })
}

enum Failure {
    Open(io::Error),
    Wrong(String),
}

#[derive(Default)]
struct Rows {
    batch: Batch,
    batches: Vec<RecordBatch>,
    failure: Option<String>,
    columns: Vec<(Column, Cell<'static>)>,
}

impl Rows {
    fn read(&mut self, path: &Path) -> Result<(), Failure> {
        // A file of a partitioned table does not have the columns of its directories.
        self.columns = partition::of_path(path);
        let mut file = BufReader::with_capacity(1 << 16, File::open(path).map_err(Failure::Open)?);
        let start = file.fill_buf().map_err(Failure::Open)?;
        let wrong = |what: &dyn std::fmt::Display| Failure::Wrong(what.to_string());
        if start.starts_with(b"PAR1") {
            return Err(wrong(&"it is a file of Parquet, which pyarrow.parquet reads"));
        }
        if start.starts_with(b"ARROW1") {
            file.rewind().map_err(Failure::Open)?;
            arrow::read(file, |row| self.push(row)).map_err(|error| wrong(&error))?;
        } else {
            let name = path.display().to_string();
            text::read(&name, file, |row| self.push(row)).map_err(|error| wrong(&error))?;
        }
        self.failure.take().map_or(Ok(()), |failure| Err(Failure::Wrong(failure)))
    }

    fn push(&mut self, row: &Row<'_>) {
        if self.columns.is_empty() {
            self.batch.push(row);
        } else {
            let mut row = row.clone();
            partition::fill(&mut row, &self.columns);
            self.batch.push(&row);
        }
        if self.batch.len() == ROWS {
            self.finish();
        }
    }

    fn finish(&mut self) {
        if self.batch.is_empty() {
            return;
        }
        match self.batch.finish() {
            Ok(batch) => self.batches.push(batch),
            Err(error) => self.failure = Some(error.to_string()),
        }
    }
}
