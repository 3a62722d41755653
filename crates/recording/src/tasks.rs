//! The processes and threads of several recordings: those of two machines may have the same ids.

use counterpoint::perf::records::{Record, Sample};
use std::collections::HashMap;

/// Gives each process and thread of all recordings an id of its own, which is that of the system unless another recording has it.
#[derive(Debug, Default)]
pub(crate) struct Tasks {
    /// The recording that is read, and the ids that its own ids have got.
    recording: usize,
    given: HashMap<u32, u32>,
    /// What is added to the times of the recording.
    shift: i64,
    /// The recording of each id, and the id that it has there.
    known: HashMap<u32, (usize, u32)>,
    /// The process and the thread of the last sample, and their ids, because samples come in clusters.
    near: Option<[(u32, u32); 2]>,
}

/// The first id that Linux gives to no process.
const FREE: u32 = 1 << 22;

impl Tasks {
    /// Begins to read the recording of this number, whose clock is behind that of the first one by `shift` ns.
    pub(crate) fn begin(&mut self, recording: usize, shift: i64) {
        (self.recording, self.shift, self.near) = (recording, shift, None);
        self.given.clear();
    }

    /// The recording in which a process or thread is, and its id there.
    pub(crate) fn origin(&self, id: u32) -> Option<(usize, u32)> {
        self.known.get(&id).copied()
    }

    pub(crate) fn sample(&mut self, sample: &mut Sample<'_>) {
        let own = (sample.pid.unwrap_or(0), sample.tid.unwrap_or(0));
        let given = match self.near {
            Some([near, given]) if near == own => given,
            _ => self.both(own),
        };
        self.near = Some([own, given]);
        sample.pid = sample.pid.map(|_| given.0);
        sample.tid = sample.tid.map(|_| given.1);
        sample.time = sample.time.map(|time| self.time(time));
    }

    /// Gives the tasks of a record their ids, and its time that of all recordings.
    pub(crate) fn record(&mut self, record: &mut Record<'_>) {
        match record {
            Record::Sample(sample) => self.sample(sample),
            Record::Mmap(map) => {
                (map.pid, map.tid) = self.both((map.pid, map.tid));
                map.time = map.time.map(|time| self.time(time));
            }
            Record::Comm(comm) => {
                (comm.pid, comm.tid) = self.both((comm.pid, comm.tid));
                comm.time = comm.time.map(|time| self.time(time));
            }
            Record::Fork(task) | Record::Exit(task) => {
                (task.pid, task.tid) = self.both((task.pid, task.tid));
                let parent = self.both((task.parent_pid, task.parent_tid));
                (task.parent_pid, task.parent_tid) = parent;
                task.time = self.time(task.time);
            }
            _ => {}
        }
    }

    fn both(&mut self, (pid, tid): (u32, u32)) -> (u32, u32) {
        (self.id(pid), self.id(tid))
    }

    /// The id of a process or thread; the kernel's idle threads and the kernel itself are in every recording.
    fn id(&mut self, own: u32) -> u32 {
        if own == 0 || own == u32::MAX {
            return own;
        }
        if let Some(given) = self.given.get(&own) {
            return *given;
        }
        let is_free = |id: &u32| !self.known.contains_key(id);
        let free = FREE + self.known.len() as u32;
        let given = Some(own).filter(is_free).or((free..u32::MAX).find(is_free)).unwrap_or(own);
        self.given.insert(own, given);
        self.known.insert(given, (self.recording, own));
        given
    }

    fn time(&self, time: u64) -> u64 {
        time.saturating_add_signed(self.shift)
    }
}

#[cfg(test)]
mod tests {
    use super::Tasks;
    use counterpoint::perf::records::{Record, Sample, Task};
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn each_task_of_each_recording_has_an_id_of_its_own(
            recordings in prop::collection::vec(prop::collection::vec((0_u32..9, 0_u32..9), 0..20), 1..5),
        ) {
            let mut tasks = Tasks::default();
            let mut given: HashMap<(usize, u32), u32> = HashMap::new();
            for (recording, of) in recordings.iter().enumerate() {
                tasks.begin(recording, 0);
                for (pid, tid) in of {
                    let mut sample =
                        Sample { pid: Some(*pid), tid: Some(*tid), ..Sample::default() };
                    tasks.sample(&mut sample);
                    for (own, id) in [(*pid, sample.pid), (*tid, sample.tid)] {
                        let id = id.expect("it had one");
                        prop_assert_eq!(*given.entry((recording, own)).or_insert(id), id);
                        if own != 0 {
                            prop_assert_eq!(tasks.origin(id), Some((recording, own)));
                        }
                        prop_assert!(recording > 0 || id == own, "those of one recording stay");
                    }
                }
            }
        }
    }

    #[test]
    fn times_are_those_of_the_first_clock() {
        let mut tasks = Tasks::default();
        tasks.begin(1, -70);
        let task = Task { pid: 5, tid: 6, parent_pid: 4, parent_tid: 4, time: 100 };
        let mut record = Record::Fork(task);
        tasks.record(&mut record);
        assert_eq!(record, Record::Fork(Task { time: 30, ..task }));
    }
}
