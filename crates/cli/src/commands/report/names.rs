//! The names of threads at any time.

use counterpoint::perf::records::{Record, Sample};
use std::collections::HashMap;

/// By thread, each name with the time from which it holds.
#[derive(Default)]
pub struct Names(HashMap<u32, Vec<(u64, String)>>);

impl Names {
    /// Takes a record; the records of one thread come in order.
    pub fn take(&mut self, record: &Record<'_>) {
        match record {
            Record::Comm(comm) => {
                let name = comm.name.to_string_lossy().into_owned();
                self.add(comm.tid, comm.time.unwrap_or(0), name);
            }
            Record::Fork(task) => {
                if let Some(name) = self.at(task.parent_tid, task.time).map(str::to_string) {
                    self.add(task.tid, task.time, name);
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, tid: u32, time: u64, name: String) {
        let names = self.0.entry(tid).or_default();
        let after = names.partition_point(|(from, _)| *from <= time);
        names.insert(after, (time, name));
    }

    /// The name of a sample's thread when it was taken.
    pub fn of(&self, sample: &Sample<'_>) -> Option<&str> {
        self.at(sample.tid?, sample.time.unwrap_or(u64::MAX))
    }

    fn at(&self, tid: u32, time: u64) -> Option<&str> {
        let names = self.0.get(&tid)?;
        let after = names.partition_point(|(from, _)| *from <= time);
        names[..after].last().map(|(_, name)| name.as_str())
    }
}
