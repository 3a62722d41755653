//! The names of threads at any time.

use counterpoint_perf::Host;
use counterpoint_perf::records::{Record, Sample};
use std::collections::HashMap;

/// The names of threads, as records tell them, each with the time from which it holds.
#[derive(Clone, Debug, Default)]
#[doc(alias = "comm")]
pub struct ThreadNames {
    /// The host on which the names of threads are looked up for which there is no record; none for a recording.
    host: Option<Host>,
    /// By thread, in the order of time.
    names: HashMap<u32, Vec<(u64, Named)>>,
}

/// The source of a thread's name. Of two at one time, the later one counts: a name is given after the fork.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Named {
    /// It was created by this thread, and has the name that this one had then: the record of that name may come later.
    By(u32),
    As(String),
}

/// The threads whose names are kept: those of threads without samples are needed too, because a sample may be read after the name.
const MOST_THREADS: usize = 1 << 16;
/// The names of one thread that are kept.
const MOST_NAMES: usize = 256;
/// The generations of threads over which a name is looked for.
const MOST_GENERATIONS: usize = 1 << 12;

impl ThreadNames {
    /// Those of a running machine.
    pub(crate) fn of_host(host: &Host) -> ThreadNames {
        ThreadNames { host: Some(host.clone()), names: HashMap::new() }
    }

    /// Takes a record; records come in any order.
    pub fn take(&mut self, record: &Record<'_>) {
        match record {
            Record::Comm(comm) => {
                let name = comm.name.to_string_lossy().into_owned();
                self.add(comm.tid, comm.time.unwrap_or(0), Named::As(name));
            }
            Record::Fork(task) if task.tid != task.parent_tid => {
                self.look_up(task.parent_tid);
                self.add(task.tid, task.time, Named::By(task.parent_tid));
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
            let name = name.map(|name| (0, Named::As(name.trim_end().to_string())));
            self.names.insert(tid, name.into_iter().collect());
        }
    }

    /// The name of a thread at a time.
    pub(crate) fn at(&self, tid: u32, time: u64) -> Option<&str> {
        let (mut tid, mut time) = (tid, time);
        for _ in 0..MOST_GENERATIONS {
            let names = self.names.get(&tid).map_or(&[][..], Vec::as_slice);
            let after = names.partition_point(|(from, _)| *from <= time);
            match names[..after].last() {
                Some((_, Named::As(name))) => return Some(name),
                Some((fork, Named::By(parent))) => (tid, time) = (*parent, *fork),
                // The kernel's name of what runs when nothing else does.
                None => return (tid == 0).then_some("swapper"),
            }
        }
        None
    }

    /// The last name of a thread.
    pub(crate) fn last(&self, tid: u32) -> Option<&str> {
        self.at(tid, u64::MAX)
    }

    fn add(&mut self, tid: u32, time: u64, named: Named) {
        let is_known = self.names.contains_key(&tid);
        if is_known || self.names.len() < MOST_THREADS {
            let names = self.names.entry(tid).or_default();
            // The last names are those that most samples have.
            if names.len() == MOST_NAMES {
                names.remove(0);
            }
            let named = (time, named);
            let after = names.partition_point(|before| *before <= named);
            names.insert(after, named);
        }
    }
}
