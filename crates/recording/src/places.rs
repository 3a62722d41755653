//! The order of the records of a file without times.

use counterpoint::perf::records::{Record, Sample};
use std::collections::{BTreeMap, HashMap};

/// The places of records in a file without times, which stand for their times.
///
/// They are an order only among the records of one CPU: the buffers of two are one after another in the file, so that a sample may be before the mapping that it is in, and a mapping before the fork or the exec of its process.
#[derive(Default)]
pub(crate) struct Places {
    /// By process and first address of an executable mapping: the address after its last, and its first place.
    mappings: HashMap<u32, BTreeMap<u64, (u64, u64)>>,
}

/// The time of a sample whose address is mapped nowhere before it: the process has its last memory then.
const LAST: u64 = u64::MAX - 1;

impl Places {
    /// Gives a record its place as a time.
    pub(crate) fn put_in_order(&mut self, record: &mut Record<'_>, place: u64) {
        match record {
            Record::Mmap(map) => {
                map.time = Some(place);
                if map.executable {
                    let range = map.range();
                    let process = self.mappings.entry(map.pid).or_default();
                    let known = process.entry(range.start).or_insert((range.end, place));
                    known.0 = range.end.max(known.0);
                }
            }
            Record::Comm(comm) => {
                comm.time = Some(place);
                // It would remove the new memory where that is before it; the new memory covers the earlier one anyway.
                comm.exec = false;
            }
            Record::Fork(task) => {
                let own = self.mappings.get(&task.pid);
                let first = own.and_then(|own| own.values().map(|(_, place)| *place).min());
                task.time = first.map_or(place, |first| place.min(first));
            }
            Record::Exit(task) => task.time = place,
            _ => {}
        }
    }

    /// The place of a sample, if its address is mapped by then.
    pub(crate) fn of_sample(&self, sample: &Sample<'_>, place: u64) -> u64 {
        let is_mapped = || {
            let (process, address) = (self.mappings.get(&sample.pid?)?, sample.ip?);
            let (_, (end, mapped)) = process.range(..=address).next_back()?;
            Some(address < *end && *mapped <= place)
        };
        if is_mapped().unwrap_or(false) { place } else { LAST }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterpoint::perf::records::{Comm, Mmap, Task};
    use std::ffi::OsStr;
    use std::path::Path;

    #[test]
    fn what_is_mapped_before_its_fork_and_its_exec_stays() {
        let mut places = Places::default();
        let mut map = Record::Mmap(Mmap {
            pid: 7,
            tid: 7,
            start: 0x1000,
            length: 0x1000,
            offset: 0,
            executable: true,
            shared: false,
            path: Path::new("program"),
            file: None,
            time: None,
        });
        places.put_in_order(&mut map, 10);
        let comm = Comm { pid: 7, tid: 7, name: OsStr::new("program"), exec: true, time: None };
        let mut comm = Record::Comm(comm);
        places.put_in_order(&mut comm, 20);
        assert!(matches!(comm, Record::Comm(Comm { exec: false, time: Some(20), .. })));
        let task = Task { pid: 7, tid: 7, parent_pid: 6, parent_tid: 6, time: 0 };
        let mut fork = Record::Fork(task);
        places.put_in_order(&mut fork, 30);
        assert_eq!(fork, Record::Fork(Task { time: 10, ..task }));
        let sample = |ip| Sample { pid: Some(7), ip: Some(ip), ..Sample::default() };
        assert_eq!(places.of_sample(&sample(0x1fff), 15), 15);
        for (ip, place) in [(0x1fff, 5), (0x2000, 15), (0xfff, 15)] {
            assert_eq!(places.of_sample(&sample(ip), place), LAST, "{ip:#x}");
        }
    }
}
