//! What a recording says beside the data of SPE: its clock, its processors, and which thread ran.

use crate::file::event::Event;
use crate::file::fields::Fields;
use crate::file::layout::contents::{CPU, ID, STREAM_ID, TID, TIME};
use crate::file::layout::{RECORD, kind};
use crate::file::record::Raw;
use std::collections::HashMap;

/// The records of the kernel that name threads.
const MMAP: u32 = 1;
const COMM: u32 = 3;
const FORK: u32 = 7;
const MMAP2: u32 = 10;
const AUX: u32 = 11;
const ITRACE_START: u32 = 12;
const SWITCH: u32 = 14;
const SWITCH_CPU_WIDE: u32 = 15;
/// A switch from a thread, and not to it.
const SWITCH_OUT: u16 = 1 << 13;
/// The buffer was full, so that operations are missing.
const TRUNCATED: u64 = 1;
/// An operation was to be sampled before the last one was finished, and was not.
const COLLIDED: u64 = 1 << 3;
/// The most threads and switches that are kept.
const MOST: usize = 1 << 22;

/// What a recording says beside the data of SPE.
#[derive(Debug, Default)]
pub(crate) struct Beside {
    clock: Option<Clock>,
    /// The process of each thread.
    processes: HashMap<u32, u32>,
    /// By CPU: when which thread began to run, if that is known.
    switches: HashMap<u32, Vec<(u64, Option<u32>)>>,
    /// The number of all switches that are kept.
    kept: usize,
    /// The contents of the trailers of an event's records, by the ids of the event.
    trailers: HashMap<u64, u64>,
    /// The time of the last record.
    last: u64,
    /// How often the processor's buffer was full.
    pub(crate) truncated: u64,
    /// In how many parts of the data operations collided.
    pub(crate) collided: u64,
}

/// From the counter of the system to the times of records.
#[derive(Debug)]
struct Clock {
    shift: u32,
    factor: u64,
    zero: u64,
    /// A time of the counter, and the bits that it has, if it has fewer than 64.
    short: Option<(u64, u64)>,
}

impl Beside {
    pub(crate) fn new(events: &[Event]) -> Beside {
        let with_trailers = events.iter().filter(|event| event.has_trailers());
        let ids = with_trailers
            .flat_map(|event| event.ids.iter().map(move |id| (*id, event.sample_type())));
        Beside { trailers: ids.collect(), ..Beside::default() }
    }

    /// Takes what a record says.
    pub(crate) fn learn(&mut self, raw: &Raw<'_>) {
        let mut fields = Fields(&raw.bytes[RECORD..]);
        if raw.kind >= kind::FIRST {
            if raw.kind == kind::TIME_CONV {
                self.clock = Clock::read(fields);
            }
            return;
        }
        let trailer = self.trailer(raw);
        self.last = self.last.max(trailer.as_ref().map_or(0, |trailer| trailer.time));
        match raw.kind {
            MMAP | MMAP2 | COMM | ITRACE_START => {
                let of = fields.half().zip(fields.half());
                of.into_iter().for_each(|(pid, tid)| self.process(pid, tid));
            }
            FORK => {
                let of = fields.half().zip(fields.half()).zip(fields.half());
                of.into_iter().for_each(|((pid, _), tid)| self.process(pid, tid));
            }
            SWITCH | SWITCH_CPU_WIDE => {
                trailer.into_iter().for_each(|trailer| self.switch(raw, &trailer, &mut fields));
            }
            AUX => {
                let flags = fields.word().and(fields.word()).and(fields.word()).unwrap_or(0);
                self.truncated += u64::from(flags & TRUNCATED != 0);
                self.collided += u64::from(flags & COLLIDED != 0);
            }
            _ => {}
        }
    }

    /// The records of a whole machine say which thread follows.
    fn switch(&mut self, raw: &Raw<'_>, trailer: &Trailer, fields: &mut Fields<'_>) {
        let Some(cpu) = trailer.cpu else { return };
        let is_out = u16::from_ne_bytes([raw.bytes[4], raw.bytes[5]]) & SWITCH_OUT != 0;
        let tid = match (is_out, raw.kind) {
            (false, _) => trailer.tid,
            (true, SWITCH_CPU_WIDE) => fields.half().and(fields.half()),
            _ => None,
        };
        if self.kept < MOST {
            self.kept += 1;
            self.switches.entry(cpu).or_default().push((trailer.time, tid));
        }
    }

    fn process(&mut self, pid: u32, tid: u32) {
        if self.processes.len() < MOST {
            self.processes.insert(tid, pid);
        }
    }

    /// Records come from several CPUs, each in its order.
    pub(crate) fn sort(&mut self) {
        self.switches.values_mut().for_each(|of| of.sort_by_key(|(time, _)| *time));
    }

    /// The time of records; that of the last one for an operation without a time.
    pub(crate) fn time(&self, ticks: Option<u64>) -> u64 {
        let time = self.clock.as_ref().zip(ticks).map(|(clock, ticks)| clock.time(ticks));
        time.unwrap_or(self.last)
    }

    /// The thread that runs on a CPU, if records tell it.
    pub(crate) fn running(&self, cpu: u32, time: u64) -> Option<u32> {
        let switches = self.switches.get(&cpu)?;
        let after = switches.partition_point(|(at, _)| *at <= time);
        switches[after.checked_sub(1)?].1
    }

    /// The process of a thread.
    pub(crate) fn pid(&self, tid: u32) -> u32 {
        self.processes.get(&tid).copied().unwrap_or(tid)
    }

    /// What is behind a record that is no sample; perf has no trailer of an event behind those that it makes itself.
    fn trailer(&self, raw: &Raw<'_>) -> Option<Trailer> {
        let id = raw.bytes.last_chunk().map(|bytes| u64::from_ne_bytes(*bytes))?;
        let contents = self.trailers.get(&id).filter(|_| raw.kind != kind::SAMPLE)?;
        let has = |field: u64| contents & field != 0;
        let words = (contents & (TID | TIME | ID | STREAM_ID | CPU)).count_ones() as usize + 1;
        let start = raw.bytes.len().checked_sub(8 * words).filter(|start| *start >= RECORD)?;
        let mut fields = Fields(&raw.bytes[start..]);
        let mut word =
            |field: u64| has(field).then(|| fields.take(8)).flatten().unwrap_or_default();
        let tid = Fields(word(TID).get(4..).unwrap_or_default()).half();
        let time = Fields(word(TIME)).word();
        let _ = (word(ID), word(STREAM_ID));
        let cpu = Fields(word(CPU)).half();
        Some(Trailer { tid, time: time.unwrap_or(0), cpu })
    }
}

/// What a record says of itself behind its end.
struct Trailer {
    tid: Option<u32>,
    time: u64,
    cpu: Option<u32>,
}

impl Clock {
    /// What `PERF_RECORD_TIME_CONV` says.
    fn read(mut fields: Fields<'_>) -> Option<Clock> {
        let (shift, factor, zero) = (fields.word()?, fields.word()?, fields.word()?);
        let shift = u32::try_from(shift).ok().filter(|shift| *shift < 64)?;
        // A counter of fewer bits than 64 starts again.
        let of_short = fields.word().zip(fields.word());
        let is_short = fields.take(2).is_some_and(|flags| flags[1] != 0);
        let short = of_short.filter(|_| is_short);
        Some(Clock { shift, factor, zero, short })
    }

    fn time(&self, ticks: u64) -> u64 {
        let ticks = match self.short {
            Some((since, mask)) => since.wrapping_add(ticks.wrapping_sub(since) & mask),
            None => ticks,
        };
        let (whole, rest) = (ticks >> self.shift, ticks & ((1 << self.shift) - 1));
        let rest = rest.wrapping_mul(self.factor) >> self.shift;
        self.zero.wrapping_add(whole.wrapping_mul(self.factor)).wrapping_add(rest)
    }
}
