//! A file while it is read: once for what it says of processes, and once for its samples.

use super::decoder::{Decoder, SAMPLE};
use super::file::{Facts, Reader};
use super::filter::Filters;
use super::kernel::Texts;
use super::limit::Limit;
use super::remark::Remark;
use counterpoint::perf::Host;
use counterpoint::perf::records::Record;
use counterpoint::profile::{Replay, ThreadNames};
use std::collections::HashMap;
use std::fs::File;
use std::io;

/// The state of a file while it is read: once for what it says of processes, and once for its samples.
pub(crate) struct Reading {
    decoder: Decoder,
    pub(crate) replays: Vec<Replay>,
    names: ThreadNames,
    texts: Texts,
    limit: Limit,
    /// The place where each process is named first, in a file without times.
    first: HashMap<u32, u64>,
    /// The samples, and those that were asked for.
    pub(crate) all: u64,
    wanted: u64,
}

impl Reading {
    pub(crate) fn new(decoder: Decoder, replays: Vec<Replay>) -> Reading {
        let (names, texts, limit, first) = Default::default();
        Reading { decoder, replays, names, texts, limit, first, all: 0, wanted: 0 }
    }

    /// Takes all records but samples: what is said of processes need not be before the samples.
    pub(crate) fn processes(&mut self, reader: &mut Reader<File>) -> io::Result<()> {
        let Reading { decoder, replays, names, texts, limit, first, .. } = self;
        reader.records(|raw| {
            if raw.kind == SAMPLE {
                return;
            }
            let Some((event, mut record)) = decoder.decode(&raw) else { return };
            if !decoder.has_times() {
                put_in_order(&mut record, raw.offset);
                if let Some(pid) = process(&record) {
                    first.entry(pid).or_insert(raw.offset);
                }
            }
            names.take(&record);
            match &record {
                Record::Mmap(map) if texts.take(map) => {}
                Record::Mmap(map) if map.executable && !limit.admits(map) => {}
                Record::Mmap(_) | Record::Comm(_) | Record::Fork(_) => {
                    replays.iter_mut().for_each(|replay| replay.take(&record));
                }
                record => replays[event].take(record),
            }
        })
    }

    /// Gives the replays the kernel's symbols; returns whether it is another kernel, or cannot be told.
    pub(crate) fn kernel(&mut self, host: &Host, facts: &Facts) -> bool {
        let (kernel, is_other) = std::mem::take(&mut self.texts).symbols(host, facts);
        self.replays.iter_mut().for_each(|replay| replay.kernel(kernel.clone()));
        is_other
    }

    pub(crate) fn samples(
        &mut self,
        reader: &mut Reader<File>,
        filters: &Filters,
    ) -> io::Result<()> {
        let Reading { decoder, replays, names, first, all, wanted, .. } = self;
        reader.records(|raw| {
            if raw.kind != SAMPLE {
                return;
            }
            let Some((event, Record::Sample(mut sample))) = decoder.decode(&raw) else { return };
            if !decoder.has_times() {
                // The buffers of CPUs may be one after another, so that a sample is before its process.
                let first = sample.pid.and_then(|pid| first.get(&pid));
                let is_after = first.is_some_and(|first| *first <= raw.offset);
                sample.time = Some(if is_after { raw.offset } else { LAST });
            }
            *all += 1;
            let is_wanted = filters.is_wanted(&sample, names);
            *wanted += u64::from(is_wanted);
            // A sample that is not wanted has the counts from which others start.
            for (event, sample) in decoder.expand(event, sample) {
                if is_wanted {
                    replays[event].take(&Record::Sample(sample));
                }
            }
        })
    }

    /// The missing part.
    pub(crate) fn remarks(&self, is_other_kernel: bool) -> Vec<Remark> {
        let Decoder { unreadable: records, first_unreadable: first, .. } = self.decoder;
        let (refused, all) = (self.limit.refused, self.all);
        let remarks = [
            (records > 0).then_some(Remark::Undecoded { records, first }),
            (refused > 0).then_some(Remark::Mappings(refused)),
            (all > 0 && self.wanted == 0).then_some(Remark::NoneAsked(all)),
            is_other_kernel.then_some(Remark::OtherKernel),
        ];
        remarks.into_iter().flatten().collect()
    }
}

/// The time of a sample of which nothing is said before it.
const LAST: u64 = u64::MAX - 1;

/// The process of which a record tells something.
fn process(record: &Record<'_>) -> Option<u32> {
    match record {
        Record::Mmap(map) => Some(map.pid),
        Record::Comm(comm) => Some(comm.pid),
        Record::Fork(task) => Some(task.pid),
        _ => None,
    }
}

/// Gives a record without a time its place in the file as one.
fn put_in_order(record: &mut Record<'_>, place: u64) {
    match record {
        Record::Mmap(map) => map.time = Some(place),
        Record::Comm(comm) => comm.time = Some(place),
        Record::Fork(task) | Record::Exit(task) => task.time = place,
        _ => {}
    }
}
