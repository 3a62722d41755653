//! Measures the time that threads do not run: from the sample at which one stops to the record with which it runs again.

use super::pending::Pending;
use counterpoint_perf::records::{Level, Sample, Switch, Task};
use std::collections::{HashMap, HashSet};

/// The time that threads did not run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OffCpu {
    /// The time in µs in which the thread could have run, but another had the CPU.
    pub preempted: u64,
    /// The number of waits that had not ended with the profile; they are counted up to the last record.
    pub unfinished: u64,
    /// The number of waits that are not counted, because the record of their end is missing.
    pub without_end: u64,
}

/// The waits that have begun, and what ends them.
#[derive(Clone, Default)]
pub(crate) struct Waits {
    stopped: Vec<Pending>,
    changes: Vec<(u64, u32, Change)>,
    waiting: HashMap<u32, (Pending, bool)>,
    /// The threads that have ended: they stop some more times, and do not wait.
    gone: HashSet<u32>,
    latest: u64,
    pub(crate) known: OffCpu,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Stops { is_preempted: bool },
    Runs,
    Begins,
    Ends,
}

impl Waits {
    /// Adds a thread that stops to run.
    pub(crate) fn stop(&mut self, sample: Pending) {
        self.latest = self.latest.max(sample.time);
        self.stopped.push(sample);
    }

    /// Adds a record of a thread that stops, or runs again.
    pub(crate) fn switch(&mut self, switch: &Switch) {
        self.latest = self.latest.max(switch.time);
        let change = if switch.is_out {
            Change::Stops { is_preempted: switch.is_preempted }
        } else {
            Change::Runs
        };
        self.changes.push((switch.time, switch.tid, change));
    }

    /// Adds the begin of a thread, which may have the number of one that has ended.
    pub(crate) fn begin(&mut self, task: &Task) {
        self.changes.push((task.time, task.tid, Change::Begins));
    }

    /// Adds the end of a thread.
    pub(crate) fn end(&mut self, task: &Task) {
        self.changes.push((task.time, task.tid, Change::Ends));
    }

    /// The waits that ended up to a time, before which all records have been read; each with its length in µs.
    pub(crate) fn settle(&mut self, until: u64) -> Vec<(Pending, u64)> {
        let mut changes: Vec<_> =
            self.changes.extract_if(.., |(time, ..)| *time <= until).collect();
        changes.sort_by_key(|(time, ..)| *time);
        let mut stopped: Vec<Pending> = std::mem::take(&mut self.stopped);
        stopped.sort_by_key(|sample| sample.time);
        let mut stopped = stopped.into_iter().peekable();
        let mut ended = Vec::new();
        for (time, tid, change) in changes {
            // A thread is sampled before the record says that it stops, and after the one that says that it runs.
            let is_before = |sample: &Pending| match change {
                Change::Stops { .. } => sample.time <= time,
                Change::Runs | Change::Begins | Change::Ends => sample.time < time,
            };
            while let Some(sample) = stopped.next_if(is_before) {
                self.wait(sample);
            }
            match change {
                Change::Stops { is_preempted } => {
                    if let Some((_, of)) = self.waiting.get_mut(&tid) {
                        *of = is_preempted;
                    }
                }
                Change::Runs => {
                    if let Some((sample, is_preempted)) = self.waiting.remove(&tid) {
                        ended.push(self.ended(sample, is_preempted, time));
                    }
                }
                Change::Begins => drop(self.gone.remove(&tid)),
                Change::Ends => drop(self.gone.insert(tid)),
            }
        }
        stopped.for_each(|sample| self.wait(sample));
        ended
    }

    fn wait(&mut self, sample: Pending) {
        if self.gone.contains(&sample.tid) {
            return;
        }
        let before = self.waiting.insert(sample.tid, (sample, false));
        self.known.without_end += u64::from(before.is_some());
    }

    /// The waits that have not ended, up to the last record.
    pub(crate) fn unfinished(&mut self) -> Vec<(Pending, u64)> {
        let latest = self.latest;
        let waiting: Vec<_> = self.waiting.drain().collect();
        self.known.unfinished += waiting.len() as u64;
        waiting.into_iter().map(|(_, (sample, of))| self.ended(sample, of, latest)).collect()
    }

    fn ended(&mut self, sample: Pending, is_preempted: bool, end: u64) -> (Pending, u64) {
        let length = (end.saturating_sub(sample.time) + 500) / 1000;
        if is_preempted {
            self.known.preempted = self.known.preempted.saturating_add(length);
        }
        (sample, length)
    }
}

/// The instruction of the program at which a thread stopped, which is in the kernel by then; `None` for a thread of the kernel.
pub(crate) fn left_at(sample: &Sample<'_>) -> Option<u64> {
    let of_registers = sample.registers.map(|registers| registers.ip());
    let mut chain = sample.callchain.into_iter().flat_map(|chain| chain.iter());
    of_registers.or_else(|| chain.find(|(level, _)| *level == Level::User).map(|(_, at)| at))
}
