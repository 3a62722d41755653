//! The names of threads at any time.

use counterpoint_perf::Host;
use counterpoint_perf::records::{Record, Sample};
use std::collections::HashMap;

/// The names of threads, as records tell them, each with the time from which it holds.
#[derive(Clone, Debug, Default)]
#[doc(alias = "comm")]
pub struct ThreadNames {
    /// Where the names of threads are looked up for which there is no record; none for a recording.
    host: Option<Host>,
    /// By thread.
    names: HashMap<u32, Vec<(u64, String)>>,
}

/// The threads whose names are kept: those of threads without samples are needed too, because a sample may be read after the name.
const MOST_THREADS: usize = 1 << 16;
/// The names of one thread that are kept.
const MOST_NAMES: usize = 256;

impl ThreadNames {
    /// Those of a running machine.
    pub(crate) fn of_host(host: &Host) -> ThreadNames {
        ThreadNames { host: Some(host.clone()), names: HashMap::new() }
    }

    /// Takes a record; the records of one thread come in order.
    pub fn take(&mut self, record: &Record<'_>) {
        match record {
            Record::Comm(comm) => {
                let name = comm.name.to_string_lossy().into_owned();
                self.add(comm.tid, comm.time.unwrap_or(0), name);
            }
            // A new thread has the name of the one that created it.
            Record::Fork(task) => {
                if let Some(name) = self.at(task.parent_tid, task.time).map(str::to_string) {
                    self.add(task.tid, task.time, name);
                }
            }
            _ => {}
        }
    }

    /// The name of a sample's thread when it was taken.
    pub fn of(&self, sample: &Sample<'_>) -> Option<&str> {
        self.at(sample.tid?, sample.time.unwrap_or(u64::MAX))
    }

    /// Looks up the name of a thread that was there before the profile, for which there is no record.
    pub(crate) fn look_up(&mut self, tid: u32) {
        let Some(host) = &self.host else { return };
        if !self.names.contains_key(&tid) && self.names.len() < MOST_THREADS {
            let name = host.text(format!("/proc/{tid}/comm")).ok();
            // A thread that has ended is not looked up again.
            self.names.insert(tid, name.map(|name| (0, name)).into_iter().collect());
        }
    }

    /// The name of a thread at a time.
    pub(crate) fn at(&self, tid: u32, time: u64) -> Option<&str> {
        let names = self.names.get(&tid).map_or(&[][..], Vec::as_slice);
        let after = names.partition_point(|(from, _)| *from <= time);
        let known = names[..after].last().map(|(_, name)| name.as_str());
        // The kernel's name of what runs when nothing else does.
        known.or((tid == 0).then_some("swapper"))
    }

    /// The last name of a thread.
    pub(crate) fn last(&self, tid: u32) -> Option<&str> {
        self.at(tid, u64::MAX)
    }

    fn add(&mut self, tid: u32, time: u64, name: String) {
        let is_known = self.names.contains_key(&tid);
        if is_known || self.names.len() < MOST_THREADS {
            let names = self.names.entry(tid).or_default();
            // The last names are those that most samples have.
            if names.len() == MOST_NAMES {
                names.remove(0);
            }
            let after = names.partition_point(|(from, _)| *from <= time);
            names.insert(after, (time, name));
        }
    }
}
