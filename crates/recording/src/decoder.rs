//! Decodes the records of a file, each as its event has them.

use super::error::ReadError;
use super::file::{Event, Raw};
use super::growth::{Growth, Streams};
use counterpoint::perf::records::{Layout, Record, Sample};
use counterpoint::perf::{Every, Fields};
use counterpoint::profile::CallGraph;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// The layouts of a file's events.
pub(crate) struct Decoder {
    layouts: Vec<Layout>,
    events: HashMap<u64, usize>,
    /// The fields behind all records but samples.
    trailer: Layout,
    is_identified: bool,
    has_times: bool,
    /// The counts in samples.
    streams: Streams,
    inherits: Vec<bool>,
    /// The records that could not be decoded, and the offset of the first.
    pub(crate) unreadable: u64,
    pub(crate) first_unreadable: u64,
}

/// `PERF_RECORD_SAMPLE`.
pub(crate) const SAMPLE: u32 = 9;
/// The thread of a sample whose thread is not known.
const NOBODY: u32 = u32::MAX;
/// `PERF_SAMPLE_BRANCH_CALL_STACK`: the branches are calls that have not returned; without it, they are those that were taken last.
const CALL_STACK: u64 = 1 << 11;

impl Decoder {
    /// Returns an error if the samples of an event cannot be decoded.
    pub(crate) fn new(events: &[Event]) -> Result<Decoder, ReadError> {
        let layouts: Vec<Layout> = events.iter().map(layout).collect();
        let ids = events
            .iter()
            .enumerate()
            .flat_map(|(index, event)| event.ids.iter().map(move |id| (*id, index)));
        let first = layouts[0];
        let is_identified = layouts.iter().all(|of| of.fields.contains(Fields::IDENTIFIER));
        if !is_identified && layouts.iter().any(|other| *other != first) {
            return Err(ReadError::UnlikeSamples);
        }
        let has_trailers = events.iter().all(Event::has_trailers);
        let fields = if has_trailers { first.fields } else { Fields::default() };
        Ok(Decoder {
            trailer: Layout { fields, ..first },
            is_identified,
            has_times: layouts.iter().all(|layout| layout.fields.contains(Fields::TIME)),
            events: ids.collect(),
            layouts,
            streams: Streams::default(),
            inherits: events.iter().map(Event::inherits).collect(),
            unreadable: 0,
            first_unreadable: 0,
        })
    }

    /// Returns true if all records say when they were made.
    pub(crate) fn has_times(&self) -> bool {
        self.has_times
    }

    /// The record, which is no sample, and the index of its event if it says so.
    pub(crate) fn decode<'a>(&mut self, raw: &Raw<'a>) -> Option<(usize, Record<'a>)> {
        let event = self.event(raw);
        match self.trailer.records(raw.bytes).next() {
            Some(Ok(record)) => Some((event, record)),
            _ => self.unreadable(raw),
        }
    }

    /// Calls `each` with a sample and the index of its event, because a sample is too large to be moved often; `None` if it cannot be decoded, which is counted.
    #[inline]
    pub(crate) fn sample<'a, T>(
        &mut self,
        raw: &Raw<'a>,
        each: impl FnOnce(&mut Decoder, usize, &mut Sample<'a>) -> T,
    ) -> Option<T> {
        let mut event = self.event(raw);
        match self.layouts[event].records(raw.bytes).next() {
            Some(Ok(Record::Sample(mut sample))) => {
                if sample.tid == Some(NOBODY) {
                    (sample.pid, sample.tid) = (None, None);
                }
                if !self.is_identified {
                    let of_id = sample.id.and_then(|id| self.events.get(&id));
                    event = of_id.copied().unwrap_or(0);
                }
                Some(each(self, event, &mut sample))
            }
            _ => self.unreadable(raw),
        }
    }

    /// Counts a record that cannot be decoded.
    fn unreadable<T>(&mut self, raw: &Raw<'_>) -> Option<T> {
        if self.unreadable == 0 {
            self.first_unreadable = raw.offset;
        }
        self.unreadable += 1;
        None
    }

    /// Calls `each` with the samples for which a sample stands: itself, or, if it has the counts of its group, one of each event that has occurred since the last one, as perf has it for `:S`.
    pub(crate) fn expand<'a>(
        &mut self,
        event: usize,
        sample: &Sample<'a>,
        mut each: impl FnMut(usize, &Sample<'a>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(growth) = self.growth(sample) else { return each(event, sample) };
        let mut grown = growth.counts.into_iter().filter(|(_, count)| *count > 0);
        grown.try_for_each(|(member, count)| {
            each(member, &Sample { period: Some(count), ..*sample })
        })
    }

    /// By how much the counts of a sample have grown since the last one; `None` if it has no counts.
    pub(crate) fn growth(&mut self, sample: &Sample<'_>) -> Option<Growth> {
        let members = sample.values?.iter();
        let members = members.filter_map(|(id, count)| Some((*self.events.get(&id)?, id, count)));
        let members: Vec<_> = members.collect();
        let (first, ..) = *members.first()?;
        // Each thread has counts of its own then.
        let thread = sample.tid.filter(|_| self.inherits[first]);
        Some(self.streams.grown(thread, members))
    }

    /// The event of a record with an identifier; perf has 0 in what it adds itself.
    fn event(&self, raw: &Raw<'_>) -> usize {
        if !self.is_identified {
            return 0;
        }
        let id = match raw.kind {
            SAMPLE => raw.bytes.get(8..).and_then(|rest| rest.first_chunk()),
            _ => raw.bytes.last_chunk(),
        };
        let id = id.map(|bytes| u64::from_ne_bytes(*bytes));
        id.and_then(|id| self.events.get(&id)).copied().unwrap_or(0)
    }
}

/// The contents of an event's samples, without the fields at the end that are not known here.
fn fields(event: &Event) -> Fields {
    Fields::from_bits(event.sample_type() & Fields::ALL.bits()).unwrap_or_default()
}

fn layout(event: &Event) -> Layout {
    Layout {
        fields: fields(event),
        read_format: event.read_format(),
        branch_type: event.branch_type(),
        registers: event.user_registers(),
        interrupt_registers: event.interrupt_registers(),
    }
}

/// The number of times an event was sampled.
pub(crate) fn every(event: &Event) -> Every {
    if event.is_frequency() {
        Every::Frequency(event.period())
    } else {
        Every::Period(event.period())
    }
}

/// Returns true if samples of an event stand for different numbers of it; those of a clock do not.
pub(crate) fn is_weighted(event: &Event) -> bool {
    let fields = fields(event);
    !event.is_clock() && fields.contains(Fields::PERIOD) || fields.contains(Fields::READ)
}

/// The call graph for which an event was recorded, on a machine of this processor if `is_native`.
pub(crate) fn call_graph(event: &Event, is_native: bool) -> Option<CallGraph> {
    let fields = fields(event);
    let has_copies = fields.contains(Fields::STACK_USER | Fields::REGS_USER);
    if has_copies && is_native && counterpoint::profile::CAN_UNWIND {
        let bytes = u16::try_from(event.stack_bytes()).unwrap_or(u16::MAX);
        return Some(CallGraph::Copies { bytes });
    }
    if !fields.contains(Fields::CALLCHAIN) {
        return None;
    }
    let has_calls = fields.contains(Fields::BRANCH_STACK) && event.branch_type() & CALL_STACK != 0;
    Some(if has_calls { CallGraph::CallRecords } else { CallGraph::FramePointers })
}
