//! Parquet, encoded by a thread of its own while the next reports are read.

use crate::failure::Failure;
use crate::output::Sink;
use counterpoint_report::table::arrow::{Batch, ROWS, TableError};
use counterpoint_report::table::parquet::Writer;
use counterpoint_report::table::{Column, Row};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

/// The most batches that wait: reading is not much ahead of writing.
const WAITING: usize = 2;

pub struct Encoder {
    columns: Vec<Column>,
    batch: Batch,
    batches: SyncSender<Batch>,
    thread: JoinHandle<Result<Sink, TableError>>,
}

impl Encoder {
    pub fn new(to: Sink, columns: &[Column]) -> Result<Encoder, Failure> {
        let mut writer = Writer::with_columns(to, columns)?;
        let (batches, waiting) = sync_channel::<Batch>(WAITING);
        let thread = thread::Builder::new().name("parquet".to_string()).spawn(move || {
            for mut batch in waiting {
                writer.write(&batch.finish()?)?;
            }
            writer.finish()
        })?;
        let batch = Batch::with_columns(columns);
        Ok(Encoder { columns: columns.to_vec(), batch, batches, thread })
    }

    pub fn push(&mut self, row: &Row<'_>) -> Result<(), Failure> {
        self.batch.push(row);
        if self.batch.len() == ROWS {
            // A thread that has ended says why when it is asked for the file.
            let full = std::mem::replace(&mut self.batch, Batch::with_columns(&self.columns));
            let _ = self.batches.send(full);
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
