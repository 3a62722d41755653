//! A file while it is read: once for what it says of processes, and once for its samples.

use super::decoder::{Decoder, SAMPLE};
use super::file::{Facts, Reader};
use super::filter::Filters;
use super::growth::Growth;
use super::kernel::{Kernels, Texts};
use super::limit::Limit;
use super::located::LocatedSample;
use super::places::Places;
use super::remark::Remark;
use super::tasks::Tasks;
use counterpoint::perf::Host;
use counterpoint::perf::records::{Record, Sample};
use counterpoint::profile::{Replay, ThreadNames};
use std::fs::File;
use std::io;
use std::ops::ControlFlow;

/// The state of a file while it is read: once for what it says of processes, and once for its samples.
pub(crate) struct Reading {
    decoder: Decoder,
    pub(crate) replays: Vec<Replay>,
    pub(crate) tasks: Tasks,
    names: ThreadNames,
    texts: Texts,
    limit: Limit,
    /// In a file without times.
    places: Places,
    /// The samples, and those that were asked for.
    pub(crate) all: u64,
    wanted: u64,
}

impl Reading {
    /// A file whose processes have the ids that `tasks` gives them.
    pub(crate) fn new(decoder: Decoder, replays: Vec<Replay>, tasks: Tasks) -> Reading {
        let (names, texts, limit, places) = Default::default();
        Reading { decoder, replays, tasks, names, texts, limit, places, all: 0, wanted: 0 }
    }

    /// Takes all records but samples: what is said of processes need not be before the samples.
    pub(crate) fn processes(&mut self, reader: &mut Reader<File>) -> io::Result<()> {
        let Reading { decoder, replays, tasks, names, texts, limit, places, .. } = self;
        reader.records_but_samples(|raw| {
            let Some((event, mut record)) = decoder.decode(&raw) else { return };
            if !decoder.has_times() {
                places.put_in_order(&mut record, raw.offset);
            }
            names.take(&record);
            tasks.record(&mut record);
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

    /// Gives the replays the kernel's symbols; returns what is to be said of it.
    pub(crate) fn kernel(
        &mut self,
        kernels: &mut Kernels,
        host: &Host,
        facts: &Facts,
    ) -> Option<Remark> {
        let (symbols, remark) = kernels.add(std::mem::take(&mut self.texts), host, facts);
        self.replays.iter_mut().for_each(|replay| replay.kernel(symbols.clone()));
        remark
    }

    pub(crate) fn samples(
        &mut self,
        reader: &mut Reader<File>,
        filters: &Filters,
    ) -> io::Result<()> {
        let Reading { decoder, replays, tasks, names, places, all, wanted, .. } = self;
        reader.records(|raw| {
            if raw.kind != SAMPLE {
                return;
            }
            decoder.sample(&raw, |decoder, event, sample| {
                if !decoder.has_times() {
                    sample.time = Some(places.of_sample(sample, raw.offset));
                }
                *all += 1;
                let is_wanted = filters.is_wanted(sample, names);
                *wanted += u64::from(is_wanted);
                tasks.sample(sample);
                // A sample that is not wanted has the counts from which others start.
                let _ = decoder.expand(event, sample, |event, sample| {
                    if is_wanted {
                        replays[event].sample(sample);
                    }
                    ControlFlow::Continue(())
                });
            });
        })
    }

    /// Calls `each` for every sample, with the index and the counters of its event, until it says that the rest is not wanted; none is counted.
    ///
    /// A sample with counts is one of each event that occurred, or, if `has_growth`, one that has them all.
    pub(crate) fn each_sample(
        &mut self,
        reader: &mut Reader<File>,
        has_growth: bool,
        mut each: impl FnMut(LocatedSample<'_>) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let Reading { decoder, replays, names, places, all, wanted, .. } = self;
        reader.records_until(|raw| {
            if raw.kind != SAMPLE {
                return ControlFlow::Continue(());
            }
            let flow = decoder.sample(&raw, |decoder, event, sample| {
                let time = sample.time;
                if !decoder.has_times() {
                    sample.time = Some(places.of_sample(sample, raw.offset));
                }
                *all += 1;
                *wanted += 1;
                let mut locate = |event: usize, sample: &Sample<'_>, growth: Option<&Growth>| {
                    let (located, comm) = (replays[event].locate(sample), names.of(sample));
                    let sample = &Sample { time, ..*sample };
                    each(LocatedSample { event, sample, comm, located, growth })
                };
                if has_growth {
                    let growth = decoder.growth(sample);
                    return locate(event, sample, growth.as_ref());
                }
                decoder.expand(event, sample, |event, sample| locate(event, sample, None))
            });
            flow.unwrap_or(ControlFlow::Continue(()))
        })
    }

    /// Calls `each` for every sample, none of which is counted: they are read again.
    pub(crate) fn first_pass(
        &mut self,
        reader: &mut Reader<File>,
        each: &mut dyn FnMut(LocatedSample<'_>),
    ) -> io::Result<()> {
        let (all, wanted, unreadable) = (self.all, self.wanted, self.decoder.unreadable);
        self.each_sample(reader, false, |of| {
            each(of);
            ControlFlow::Continue(())
        })?;
        (self.all, self.wanted, self.decoder.unreadable) = (all, wanted, unreadable);
        Ok(())
    }

    /// Calls `each` for every record that is no sample.
    pub(crate) fn each_record(
        &mut self,
        reader: &mut Reader<File>,
        mut each: impl FnMut(&Record<'_>),
    ) -> io::Result<()> {
        let decoder = &mut self.decoder;
        // They were counted when the processes were read.
        let unreadable = decoder.unreadable;
        reader.records_but_samples(|raw| {
            if let Some((_, record)) = decoder.decode(&raw) {
                each(&record);
            }
        })?;
        decoder.unreadable = unreadable;
        Ok(())
    }

    /// The missing part.
    pub(crate) fn remarks(&self) -> Vec<Remark> {
        let Decoder { unreadable: records, first_unreadable: first, .. } = self.decoder;
        let (refused, all) = (self.limit.refused, self.all);
        let remarks = [
            (records > 0).then_some(Remark::Undecoded { records, first }),
            (refused > 0).then_some(Remark::Mappings(refused)),
            (all > 0 && self.wanted == 0).then_some(Remark::NoneAsked(all)),
        ];
        remarks.into_iter().flatten().collect()
    }
}
