//! Parquet, encoded by a thread of its own while the next reports are read.

use crate::failure::Failure;
use crate::output::Sink;
use counterpoint_report::table::Row;
use counterpoint_report::table::arrow::{Batch, ROWS, TableError};
use counterpoint_report::table::parquet::Writer;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

/// The most batches that wait: reading is not much ahead of writing.
const WAITING: usize = 2;

pub struct Encoder {
    batch: Batch,
    batches: SyncSender<Batch>,
    thread: JoinHandle<Result<Sink, TableError>>,
}

impl Encoder {
    pub fn new(to: Sink) -> Result<Encoder, Failure> {
        let mut writer = Writer::new(to)?;
        let (batches, waiting) = sync_channel::<Batch>(WAITING);
        let thread = thread::Builder::new().name("parquet".to_string()).spawn(move || {
            for mut batch in waiting {
                writer.write(&batch.finish()?)?;
            }
            writer.finish()
        })?;
        Ok(Encoder { batch: Batch::default(), batches, thread })
    }

    pub fn push(&mut self, row: &Row<'_>) -> Result<(), Failure> {
        self.batch.push(row);
        if self.batch.len() == ROWS {
            // A thread that has ended says why when it is asked for the file.
            let _ = self.batches.send(std::mem::take(&mut self.batch));
        }
        Ok(())
    }

    /// Writes what is left, and returns the file.
    pub fn finish(self) -> Result<Sink, Failure> {
        if !self.batch.is_empty() {
            let _ = self.batches.send(self.batch);
        }
        drop(self.batches);
        let written = self.thread.join();
        Ok(written.map_err(|_| Failure::new("the thread that writes Parquet has panicked"))??)
    }
}
