//! The samples of recordings as streams of Arrow, which are read as they are asked for.

mod code;
mod rows;

use crate::capsules;
use crate::errors::{Problem, of_file};
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use code::Code;
use counterpoint::profile::code_files;
use counterpoint::symbols::{Binaries, DebugFiles};
use counterpoint_recording::{ReadError, Remark};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use rows::Rows;
use std::fs::File;
use std::ops::ControlFlow;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::{io, process, thread};

/// The samples of a file, from which streams are made.
#[pyclass(frozen, module = "counterpoint._native")]
pub(crate) struct Samples {
    recording: Arc<Recording>,
}

/// A file that was found to be a recording.
struct Recording {
    path: PathBuf,
    file: File,
    with_names: bool,
    events: Vec<String>,
    /// What is missing, as far as the samples have been read.
    remarks: Mutex<Vec<String>>,
}

#[pymethods]
impl Samples {
    #[getter]
    fn events(&self) -> Vec<String> {
        self.recording.events.clone()
    }

    #[getter]
    fn remarks(&self) -> Vec<String> {
        self.recording.remarks.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsules::exported_stream(py, Box::new(Stream::Waiting(Arc::clone(&self.recording))))
    }
}

/// Opens a recording; with names, its code is looked up in the files of this system.
#[pyfunction]
pub(crate) fn read_samples(py: Python<'_>, path: PathBuf, with_names: bool) -> PyResult<Samples> {
    let opened = py.detach(|| Recording::open(path.clone(), with_names));
    let recording = opened.map_err(|error| match error {
        ReadError::Io(error) if error.raw_os_error().is_some() => of_file(py, &error, &path),
        error => Problem::new(format!("{}: {error}", path.display())).raise(py, "ReportError"),
    })?;
    Ok(Samples { recording: Arc::new(recording) })
}

impl Recording {
    fn open(path: PathBuf, with_names: bool) -> Result<Recording, ReadError> {
        let file = File::open(&path)?;
        if file.metadata()?.is_dir() {
            return Err(ReadError::Directory);
        }
        let file = counterpoint_recording::seekable(file)?;
        let samples = counterpoint_recording::Samples::read(again(&file)?)?;
        let remarks = Mutex::new(sentences(&samples.remarks()));
        Ok(Recording { path, file, with_names, events: samples.events().to_vec(), remarks })
    }

    /// Sends the samples in batches until nobody takes them.
    fn send(&self, batches: &SyncSender<Batch>) -> Result<(), ArrowError> {
        let failed = |error: ReadError| {
            ArrowError::ExternalError(format!("{}: {error}", self.path.display()).into())
        };
        let file = again(&self.file).map_err(|error| failed(error.into()))?;
        let mut samples = counterpoint_recording::Samples::read(file).map_err(failed)?;
        let binaries = Binaries::new(code_files(), DebugFiles::default());
        let mut code = self.code(&mut samples, &binaries);
        let (mut rows, mut is_wanted) = (Rows::default(), true);
        let remarks = samples.each(|sample| {
            rows.push(&self.events[sample.event], &sample, &mut code[sample.event]);
            if rows.is_full() {
                is_wanted = batches.send(rows.finish()).is_ok();
            }
            if is_wanted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let remarks = remarks.map_err(failed)?;
        if is_wanted {
            *self.remarks.lock().unwrap_or_else(PoisonError::into_inner) = sentences(&remarks);
        }
        if is_wanted && !rows.is_empty() {
            // Nobody may be there to take it.
            let _ = batches.send(rows.finish());
        }
        Ok(())
    }

    /// The code of each event's samples.
    fn code<'b>(
        &self,
        samples: &mut counterpoint_recording::Samples,
        binaries: &'b Binaries,
    ) -> Vec<Code<'b>> {
        let mut symbols = if self.with_names { samples.symbols(binaries) } else { Vec::new() };
        let mut symbols = symbols.drain(..);
        let events = 0..self.events.len();
        events.map(|event| Code::new(samples.modules(event).to_vec(), symbols.next())).collect()
    }
}

type Batch = Result<RecordBatch, ArrowError>;

/// The file with a place of its own in it.
fn again(file: &File) -> io::Result<File> {
    File::open(Path::new("/proc/self/fd").join(file.as_raw_fd().to_string()))
}

fn sentences(remarks: &[Remark]) -> Vec<String> {
    remarks.iter().map(Remark::to_string).collect()
}

/// The batches of a recording, which a thread reads from the first one on.
enum Stream {
    Waiting(Arc<Recording>),
    Running { batches: Receiver<Batch>, process: u32 },
}

/// The batches that are read before they are taken.
const AHEAD: usize = 1;

impl Stream {
    fn begin(recording: &Arc<Recording>) -> io::Result<Stream> {
        let (sender, batches) = sync_channel(AHEAD);
        let recording = Arc::clone(recording);
        thread::Builder::new().name("samples".to_string()).spawn(move || {
            if let Err(error) = recording.send(&sender) {
                let _ = sender.send(Err(error));
            }
        })?;
        Ok(Stream::Running { batches, process: process::id() })
    }
}

impl Iterator for Stream {
    type Item = Batch;

    fn next(&mut self) -> Option<Self::Item> {
        if let Stream::Waiting(recording) = self {
            match Stream::begin(recording) {
                Ok(running) => *self = running,
                Err(error) => return Some(Err(ArrowError::ExternalError(error.into()))),
            }
        }
        let Stream::Running { batches, process } = self else { return None };
        if *process != process::id() {
            // The child of a fork has no such thread, and would wait for ever.
            let what = "the stream of samples belongs to the process that began to read it";
            return Some(Err(ArrowError::ExternalError(what.into())));
        }
        batches.recv().ok()
    }
}

impl RecordBatchReader for Stream {
    fn schema(&self) -> SchemaRef {
        rows::schema()
    }
}
