//! The events and facts of a recording that went through a pipe, which are records there.

use super::event::Event;
use super::facts::Facts;
use super::fields::Fields;
use super::layout::{MOST_EVENTS, MOST_SECTION, RECORD, kind};
use super::record::Raw;

/// The events and facts of the records so far.
#[derive(Default)]
pub(crate) struct Stream {
    pub(crate) events: Vec<Event>,
    pub(crate) facts: Facts,
    /// The bytes of events and facts.
    kept: u64,
}

/// The oldest attribute, which does not say its size.
const FIRST_ATTR: u32 = 64;
/// An update of an event has its name; others have its unit, its scale and its CPUs.
const NAME: u64 = 2;

impl Stream {
    /// Takes what a record of perf says; others are not looked at.
    pub(crate) fn take(&mut self, raw: &Raw<'_>) {
        let is_known = matches!(
            raw.kind,
            kind::ATTR | kind::EVENT_TYPE | kind::BUILD_ID | kind::EVENT_UPDATE | kind::FEATURE
        );
        self.kept += if is_known { raw.bytes.len() as u64 } else { 0 };
        // A stream that goes on for ever would fill the memory.
        if !is_known || self.kept > MOST_SECTION {
            return;
        }
        let mut fields = Fields(&raw.bytes[RECORD..]);
        match raw.kind {
            kind::ATTR => self.events.extend(event(fields.0)),
            kind::EVENT_TYPE => {
                let Some(config) = fields.word() else { return };
                let unnamed = self.events.iter_mut().filter(|of| of.name.is_empty());
                for event in unnamed.filter(|event| event.config() == config) {
                    event.name = fields.rest_as_text();
                }
            }
            kind::BUILD_ID => drop(self.facts.add_build_ids(raw.bytes)),
            kind::EVENT_UPDATE => {
                let Some((NAME, id)) = fields.word().zip(fields.word()) else { return };
                if let Some(event) = self.events.iter_mut().find(|of| of.ids.contains(&id)) {
                    event.name = fields.rest_as_text();
                }
            }
            _ => {
                let Some(bit) = fields.word().and_then(|bit| u32::try_from(bit).ok()) else {
                    return;
                };
                let _ = self.facts.take(bit, fields.0, &mut self.events);
            }
        }
        self.events.truncate(MOST_EVENTS as usize);
    }
}

/// An attribute and the ids behind it.
fn event(bytes: &[u8]) -> Option<Event> {
    let size = u32::from_ne_bytes(*bytes.get(4..)?.first_chunk()?);
    let size = if size == 0 { FIRST_ATTR } else { size };
    let (attr, ids) = bytes.split_at_checked(usize::try_from(size).ok()?)?;
    let mut ids = Fields(ids);
    let ids = std::iter::from_fn(|| ids.word()).collect();
    (size >= FIRST_ATTR).then(|| Event { name: String::new(), attr: attr.to_vec(), ids })
}

/// The name of the tracer that a record announces.
pub(crate) fn tracer(raw: &Raw<'_>) -> Option<&'static str> {
    Some(match Fields(&raw.bytes[RECORD..]).half()? {
        1 => "Intel PT",
        2 => "Intel BTS",
        3 => "Arm CoreSight",
        4 => "Arm SPE",
        5 => "s390 CPU-measurement",
        6 => "HiSilicon PTT",
        _ => return None,
    })
}
