//! Samples of the data of Arm's Statistical Profiling Extension (SPE), as if the kernel had taken them.
//!
//! The processor writes what it samples into a buffer of its own, which `perf record` puts into the file as it is.
//! A [`Reader`](super::Reader) gives each operation of it as a sample of the event that was recorded, and of some more events, under the names of perf: [`EVENTS`].

mod beside;
mod operation;
mod source;

use super::event::Event;
use super::fields::Fields;
use super::layout::contents::{ADDR, CPU, DATA_SRC, IDENTIFIER, IP, PHYS_ADDR, TID, TIME, WEIGHT};
use super::layout::{RECORD, kind};
use super::problem::Problem;
use super::record::Raw;
use beside::Beside;
use operation::{L1D_REFILL, LLC_MISS, MISPREDICTED, Operation, Packets, REMOTE_ACCESS, TLB_WALK};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// What samples are made with.
#[derive(Debug)]
pub(crate) struct Spe {
    /// The number of the PMU.
    kind: u32,
    /// The identifications of the processors (`MIDR_EL1`), by CPU, and that of all others.
    processors: HashMap<u32, u64>,
    processor: u64,
    beside: Beside,
    /// The first of the events that are added, and its id; the others follow.
    first: usize,
    first_id: u64,
    /// The operations of each buffer, and where what is read belongs to.
    buffers: HashMap<u32, Packets>,
    piece: Piece,
    /// The bytes that are no packets.
    unknown: u64,
}

/// Data that are behind a record.
#[derive(Debug, Default)]
struct Piece {
    offset: u64,
    buffer: u32,
    /// The thread or the CPU, or -1.
    tid: u32,
    cpu: u32,
}

/// An event whose samples are made of operations: its name, if it is not that of the recorded one, and which operations.
struct Made {
    name: Option<&'static str>,
    is_it: fn(&Operation) -> bool,
}

/// The first one is the recorded event, and the second one has the addresses of data.
const EVENTS: [Made; 7] = [
    Made { name: None, is_it: |_| true },
    Made { name: Some("memory"), is_it: |of| of.access.is_some() },
    Made { name: Some("l1d-miss"), is_it: |of| of.events & L1D_REFILL != 0 },
    Made { name: Some("llc-miss"), is_it: |of| of.events & LLC_MISS != 0 },
    Made { name: Some("tlb-miss"), is_it: |of| of.events & TLB_WALK != 0 },
    Made { name: Some("branch-miss"), is_it: |of| of.events & MISPREDICTED != 0 },
    Made { name: Some("remote-access"), is_it: |of| of.events & REMOTE_ACCESS != 0 },
];
const MEMORY: usize = 1;
/// The recorded event, where the file has no names.
const UNNAMED: &str = "arm_spe";

/// The contents of samples.
const CONTENTS: u64 = IDENTIFIER | IP | TID | TIME | CPU | WEIGHT;
/// Those of accesses to data beside them.
const OF_MEMORY: u64 = ADDR | DATA_SRC | PHYS_ADDR;
const MISC_KERNEL: u16 = 1;
const MISC_USER: u16 = 2;
/// `PERF_AUXTRACE_ARM_SPE`.
const SPE: u32 = 4;
const NOBODY: u32 = u32::MAX;

impl Spe {
    /// What `PERF_RECORD_AUXTRACE_INFO` says; `None` if it is of another tracer, or its event is not there.
    pub(crate) fn of(raw: &Raw<'_>, events: &[Event], cpuid: &str) -> Option<Spe> {
        let mut fields = Fields(&raw.bytes[RECORD..]);
        let (SPE, _) = (fields.half()?, fields.half()?) else { return None };
        let words: Vec<u64> = std::iter::from_fn(|| fields.word()).collect();
        // The first version has the number of the PMU and a flag.
        let (kind, processors) = match words[..] {
            [kind] | [kind, _] => (kind, HashMap::new()),
            [_, header, kind, ref rest @ ..] => {
                let rest = rest.get(usize::try_from(header).ok()?.checked_sub(3)?..)?;
                (kind, processors(rest))
            }
            [] => return None,
        };
        let kind = u32::try_from(kind).ok()?;
        let is_identified = |of: &Event| of.sample_type() & IDENTIFIER != 0;
        if !events.iter().all(is_identified) || !events.iter().any(|of| of.kind() == kind) {
            return None;
        }
        let ids = events.iter().flat_map(|event| &event.ids);
        let cpuid = u64::from_str_radix(cpuid.trim_start_matches("0x"), 16);
        Some(Spe {
            kind,
            processors,
            processor: cpuid.unwrap_or(0),
            beside: Beside::new(events),
            first: events.len(),
            first_id: first_id(ids.copied().max().unwrap_or(0))?,
            buffers: HashMap::new(),
            piece: Piece::default(),
            unknown: 0,
        })
    }
}

/// The first of as many ids as events are made, behind all others.
fn first_id(last: u64) -> Option<u64> {
    let first = last.checked_add(1)?;
    first.checked_add(EVENTS.len() as u64).map(|_| first)
}

/// The identification of each CPU's processor.
fn processors(mut words: &[u64]) -> HashMap<u32, u64> {
    let mut processors = HashMap::new();
    // What each CPU begins with, its number, and the number of facts, of which the first is the identification.
    while let [_, cpu, count, midr, ..] = *words {
        processors.insert(cpu as u32, midr);
        let size = usize::try_from(count).unwrap_or(usize::MAX).saturating_add(3);
        words = words.get(size..).unwrap_or_default();
    }
    processors
}

impl Spe {
    /// Takes what a record says that is none of the data.
    pub(crate) fn learn(&mut self, raw: &Raw<'_>) {
        self.beside.learn(raw);
    }

    /// Ends what is learned, and adds the events whose samples are made to those of the file.
    pub(crate) fn join(&mut self, events: &mut Vec<Event>) {
        self.beside.sort();
        let Some(place) = events.iter().position(|of| of.kind() == self.kind) else { return };
        let recorded = events[place].clone();
        // It has no samples of its own, whatever it says of their contents.
        let contents = recorded.sample_type() & !OF_MEMORY;
        events[place] = recorded.clone().with_contents(contents);
        let recorded_name = if recorded.name.is_empty() { UNNAMED } else { &recorded.name };
        let made = EVENTS.iter().zip(self.first_id..).enumerate();
        events.extend(made.map(|(index, (made, id))| {
            let contents = if index == MEMORY { CONTENTS | OF_MEMORY } else { CONTENTS };
            let name = made.name.unwrap_or(recorded_name).to_string();
            Event { name, attr: recorded.attr.clone(), ids: vec![id] }.with_contents(contents)
        }));
    }

    /// Returns true if the samples of an event are made, or those of other events in its place; there may be none.
    pub(crate) fn is_carrier(&self, index: usize, event: &Event) -> bool {
        event.kind() == self.kind && index != self.first
    }

    /// What is missing of the data that were read.
    pub(crate) fn problems(&self) -> impl Iterator<Item = Problem> {
        let unfinished = self.buffers.values().map(|packets| packets.unfinished() as u64);
        let (bytes, of) = (self.unknown + unfinished.sum::<u64>(), &self.beside);
        let damaged = (bytes > 0).then_some(Problem::AuxDamaged { bytes });
        let truncated = (of.truncated > 0).then_some(Problem::AuxTruncated { times: of.truncated });
        let collided = (of.collided > 0).then_some(Problem::AuxCollided { times: of.collided });
        damaged.into_iter().chain(truncated).chain(collided)
    }

    /// Begins to read all data again.
    pub(crate) fn restart(&mut self) {
        self.buffers.clear();
        self.unknown = 0;
    }

    /// Begins the data behind a record.
    pub(crate) fn begin(&mut self, raw: &Raw<'_>) {
        let mut fields = Fields(&raw.bytes[RECORD..]);
        let (_, position, _) = (fields.word(), fields.word(), fields.word());
        let mut half = || fields.half().unwrap_or(NOBODY);
        let (buffer, tid, cpu) = (half(), half(), half());
        self.piece = Piece { offset: raw.offset, buffer, tid, cpu };
        self.buffers.entry(buffer).or_default().continue_at(position.unwrap_or(0));
    }

    /// Calls `each` for the samples of some of the data, until it says that the rest is not wanted.
    pub(crate) fn take(
        &mut self,
        bytes: &[u8],
        each: &mut impl FnMut(Raw<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut packets = self.buffers.remove(&self.piece.buffer).unwrap_or_default();
        let flow = packets.take(bytes, |operation| match operation {
            Some(operation) => self.samples(operation, each),
            None => {
                self.unknown += 1;
                ControlFlow::Continue(())
            }
        });
        self.buffers.insert(self.piece.buffer, packets);
        flow
    }

    fn samples(
        &self,
        of: &Operation,
        each: &mut impl FnMut(Raw<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Piece { offset, tid, cpu, .. } = self.piece;
        let time = self.beside.time(of.time);
        let tid = of.thread.or_else(|| self.beside.running(cpu, time)).unwrap_or(tid);
        let task = two(self.beside.pid(tid), tid);
        let misc = if of.is_privileged { MISC_KERNEL } else { MISC_USER };
        let midr = self.processors.get(&cpu).copied().unwrap_or(self.processor);
        for (index, (made, id)) in EVENTS.iter().zip(self.first_id..).enumerate() {
            if !(made.is_it)(of) {
                continue;
            }
            let common = [id, of.instruction, task, time];
            let bytes = match of.access.filter(|_| index == MEMORY) {
                Some(access) => {
                    let source = source::source(of, access, midr);
                    let rest = [of.data, two(cpu, 0), of.latency, source, of.physical];
                    sample(misc, common.into_iter().chain(rest))
                }
                None => sample(misc, common.into_iter().chain([two(cpu, 0), of.latency])),
            };
            each(Raw { offset, kind: kind::SAMPLE, bytes: &bytes })?;
        }
        ControlFlow::Continue(())
    }
}

/// Two numbers in a word, in the order of the memory.
fn two(first: u32, second: u32) -> u64 {
    let [a, b, c, d] = first.to_ne_bytes();
    let [e, f, g, h] = second.to_ne_bytes();
    u64::from_ne_bytes([a, b, c, d, e, f, g, h])
}

fn sample(misc: u16, words: impl Iterator<Item = u64>) -> Vec<u8> {
    let mut bytes = kind::SAMPLE.to_ne_bytes().to_vec();
    bytes.extend(misc.to_ne_bytes());
    bytes.extend([0; 2]);
    words.for_each(|word| bytes.extend(word.to_ne_bytes()));
    let size = (bytes.len() as u16).to_ne_bytes();
    bytes[6..8].copy_from_slice(&size);
    bytes
}
