//! Decodes the records of a file, each as its event has them.

use counterpoint::perf::records::{Layout, Record};
use counterpoint::perf::{Every, Fields, ReadFormat};
use counterpoint::profile::CallGraph;
use counterpoint_perfdata::{Event, Raw};
use std::collections::HashMap;

pub struct Decoder {
    layouts: Vec<Layout>,
    events: HashMap<u64, usize>,
    /// The fields behind all records but samples.
    trailer: Layout,
    is_identified: bool,
    /// The records that could not be decoded, and the offset of the first.
    pub unreadable: u64,
    pub first_unreadable: u64,
}

/// `PERF_RECORD_SAMPLE`.
pub const SAMPLE: u32 = 9;
/// The last field that is known; what follows the known fields is at the end of a sample, and is left out.
const LAST: u64 = 1 << 16;
const TIMES_AND_ID: u64 = 0b111;
const GROUP: u64 = 1 << 3;
const LOST: u64 = 1 << 4;
/// An index is before the recorded branches, which is not decoded.
const BRANCH_INDEX: u64 = 1 << 17;

impl Decoder {
    /// Returns a sentence if the samples of an event cannot be decoded.
    pub fn new(events: &[Event]) -> Result<Decoder, String> {
        let layouts: Vec<Layout> = events.iter().map(layout).collect::<Result<_, _>>()?;
        let ids = events
            .iter()
            .enumerate()
            .flat_map(|(index, event)| event.ids.iter().map(move |id| (*id, index)));
        let first = layouts[0];
        let is_identified = layouts.iter().all(|of| of.fields.contains(Fields::IDENTIFIER));
        if !is_identified && layouts.iter().any(|other| *other != first) {
            return Err("the samples of its events differ and do not say which event they are of"
                .to_string());
        }
        let has_trailers = events.iter().all(Event::has_trailers);
        let fields = if has_trailers { first.fields } else { Fields::default() };
        Ok(Decoder {
            trailer: Layout { fields, ..first },
            is_identified,
            events: ids.collect(),
            layouts,
            unreadable: 0,
            first_unreadable: 0,
        })
    }

    /// Whether all records say when they were made.
    pub fn has_times(&self) -> bool {
        self.layouts.iter().all(|layout| layout.fields.contains(Fields::TIME))
    }

    /// The record, and the index of its event if it says so.
    pub fn decode<'a>(&mut self, raw: &Raw<'a>) -> Option<(usize, Record<'a>)> {
        let event = self.event(raw);
        let layout = if raw.kind == SAMPLE { self.layouts[event] } else { self.trailer };
        match layout.records(raw.bytes).next() {
            Some(Ok(Record::Sample(sample))) if !self.is_identified => {
                let event = sample.id.and_then(|id| self.events.get(&id)).copied().unwrap_or(0);
                Some((event, Record::Sample(sample)))
            }
            Some(Ok(record)) => Some((event, record)),
            _ => {
                if self.unreadable == 0 {
                    self.first_unreadable = raw.offset;
                }
                self.unreadable += 1;
                None
            }
        }
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

fn layout(event: &Event) -> Result<Layout, String> {
    let kinds = event.sample_type();
    let known = Fields::from_bits(kinds & (2 * LAST - 1)).unwrap_or_default();
    let format = event.read_format();
    if known.contains(Fields::READ) && format & TIMES_AND_ID != TIMES_AND_ID {
        return Err("its samples have counts in a form that is not read: record without :S".into());
    }
    let has_branches = known.contains(Fields::BRANCH_STACK);
    if has_branches && event.branch_type() & BRANCH_INDEX != 0 {
        return Err("its samples have recorded branches with an index, which are not read".into());
    }
    let read = ReadFormat { group: format & GROUP != 0, lost: format & LOST != 0 };
    Ok(Layout { registers: event.user_registers(), ..Layout::new(known, read) })
}

/// How often an event was sampled.
pub fn every(event: &Event) -> Every {
    match event.is_frequency() {
        true => Every::Frequency(event.period()),
        false => Every::Period(event.period()),
    }
}

/// The call graph for which an event was recorded.
pub fn call_graph(
    event: &Event,
    unwinder: fn() -> Box<dyn counterpoint::profile::Unwind>,
) -> Option<CallGraph> {
    let fields = Fields::from_bits(event.sample_type() & (2 * LAST - 1)).unwrap_or_default();
    let copied = fields.contains(Fields::STACK_USER | Fields::REGS_USER);
    if copied && counterpoint::profile::CAN_UNWIND {
        let bytes = u16::try_from(event.stack_bytes()).unwrap_or(u16::MAX);
        return Some(CallGraph::Copies { bytes, unwinder });
    }
    if !fields.contains(Fields::CALLCHAIN) {
        return None;
    }
    Some(match fields.contains(Fields::BRANCH_STACK) {
        true => CallGraph::CallRecords,
        false => CallGraph::FramePointers,
    })
}
