use super::path;
use super::shares::Shares;
use super::tracks::{Change, Wake, tracks};
use super::walled::{Sampled, Wall, amounts, threads};
use crate::profile::ThreadNames;
use counterpoint_perf::records::{Comm, Record, Sample};
use std::collections::HashSet;

/// What a recording says of when threads stop and run, in any order.
#[derive(Clone, Debug, Default)]
#[doc(alias = "sched_switch")]
pub struct Switches {
    changes: Vec<(u64, u32, u32, Change)>,
    wakes: Vec<Wake>,
    samples: Vec<Sampled>,
    /// The threads that records name.
    seen: HashSet<u32>,
    names: ThreadNames,
    lost: u64,
    switches: u64,
    beyond: u64,
}

/// The recording has more than can be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it has {0} switches, samples and wake-ups, and at most {MOST} can be put in order")]
#[non_exhaustive]
pub struct TooMany(pub u64);

/// The most switches, samples and wake-ups, which take some 250 MB.
const MOST: u64 = 1 << 23;

impl Switches {
    /// Takes a record that is no sample.
    pub fn take(&mut self, record: &Record<'_>) {
        self.names.take(record);
        match record {
            Record::Switch(of) => {
                let is_preempted = of.is_preempted;
                let change = if of.is_out { Change::Stops { is_preempted } } else { Change::Runs };
                self.switches += u64::from(of.is_out);
                self.change(of.time, of.pid, of.tid, change);
            }
            // What perf writes of threads that were there before has no time.
            Record::Fork(task) if task.time > 0 => {
                let parent = task.parent_tid;
                self.change(task.time, task.pid, task.tid, Change::Begins { parent });
            }
            // A program that never stops has no other record of its begin.
            Record::Comm(Comm { pid, tid, exec: true, time: Some(time), .. }) => {
                self.change(*time, *pid, *tid, Change::Seen);
            }
            Record::Exit(task) => self.change(task.time, task.pid, task.tid, Change::Ends),
            Record::Lost { lost, .. } | Record::LostSamples { lost } => self.lost += lost,
            _ => {}
        }
    }

    /// Takes the sample with which a thread stops, and the number that the caller gives to its stack.
    pub fn stop(&mut self, sample: &Sample<'_>, stack: u32) {
        if let (Some(time), Some(pid), Some(tid)) = (sample.time, sample.pid, sample.tid) {
            self.change(time, pid, tid, Change::Leaves { stack });
        }
    }

    /// Takes a sample of a clock while a thread runs, and the number of its stack.
    pub fn run(&mut self, sample: &Sample<'_>, stack: u32) {
        let (Some(time), Some(pid), Some(tid)) = (sample.time, sample.pid, sample.tid) else {
            return;
        };
        if !self.seen.contains(&tid) {
            self.change(time, pid, tid, Change::Seen);
        }
        if tid != 0 && self.has_room() {
            self.samples.push(Sampled { time, tid, stack });
        }
    }

    /// Takes the wake-up of a thread, unless none of the records so far names the thread; `waker` is the thread that woke it, or `None` for an interrupt.
    #[doc(alias = "sched_waking")]
    pub fn wake(&mut self, time: u64, tid: u32, waker: Option<u32>) {
        if self.seen.contains(&tid) && self.has_room() {
            // The idle thread of a CPU is there for interrupts.
            let waker = waker.filter(|waker| *waker != 0);
            self.wakes.push(Wake { time, tid, waker });
        }
    }

    /// The wall time from the first record to the last; the critical path is that of the first thread.
    ///
    /// # Errors
    /// Returns an error if there were more records than can be kept.
    pub fn finish(mut self) -> Result<Wall, TooMany> {
        if self.beyond > 0 {
            return Err(TooMany(MOST + self.beyond));
        }
        self.changes.sort_unstable();
        self.samples.sort_unstable();
        let times = || {
            let samples = self.samples.iter().map(|of| of.time);
            self.changes.iter().map(|(time, ..)| *time).chain(samples)
        };
        let (start, end) = (times().min().unwrap_or(0), times().max().unwrap_or(0));
        let tracks = tracks(&self.changes, &self.wakes, (start, end));
        let shares = Shares::new(&tracks, end);
        let path = path::path(&tracks);
        let (amounts, samples) = amounts(&tracks, &shares, &path, &self.samples);
        let divided: f64 = amounts.iter().map(|of| of.wall).sum();
        Ok(Wall {
            start,
            end,
            threads: threads(&tracks, &self.names),
            has_wakes: !self.wakes.is_empty(),
            outside: ((end - start) as f64 - divided).max(0.0),
            path: path.thread.map(|thread| (thread, path.start, path.end)),
            switches: self.switches,
            samples,
            lost: self.lost,
            unfinished: tracks.iter().filter(|track| track.is_stopped).count(),
            amounts,
        })
    }

    fn change(&mut self, time: u64, pid: u32, tid: u32, change: Change) {
        // The idle thread of a CPU is none of a program, and one that has ended no longer has a number.
        if tid != 0 && tid != u32::MAX && self.has_room() {
            self.seen.insert(tid);
            self.changes.push((time, pid, tid, change));
        }
    }

    fn has_room(&mut self) -> bool {
        let all = self.changes.len() + self.samples.len() + self.wakes.len();
        let has_room = (all as u64) < MOST;
        self.beyond += u64::from(!has_room);
        has_room
    }
}
