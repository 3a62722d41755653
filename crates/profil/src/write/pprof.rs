//! The format of pprof.

use super::calls::BEYOND;
use super::{Profile, SourceLines, Symbol};
use crate::Stacks;
use std::collections::HashMap;
use std::ops::Range;

/// The facts of a profile that pprof's format has besides its samples.
#[derive(Clone, Debug, Default)]
pub struct PprofContext {
    /// The files of the code; locations within their addresses are of them. The first is the program itself.
    pub mappings: Vec<PprofMapping>,
    /// The time at which the profile began, in nanoseconds since 1970; 0 if it is not known.
    pub time: u64,
    /// The time that it took, in nanoseconds; 0 if that is not known.
    pub duration: u64,
    /// The period in nanoseconds of a clock that was sampled by its frequency; 0 for other events.
    pub clock_period: u64,
}

/// A file of code, at the addresses of the profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PprofMapping {
    /// Its addresses.
    pub addresses: Range<u64>,
    /// The offset in the file at which they begin.
    pub offset: u64,
    /// Its path.
    pub file: String,
    /// The digits of its build id; empty if it is not known.
    pub build_id: String,
}

/// A profile in pprof's protocol buffer format (`profile.proto`), uncompressed.
///
/// Each bucket is a location with its first address, and a sample with one frame; a bucket that several functions share has the text of its [`Place`](super::Place) for a function, and samples without an address have the frame `[elsewhere]`.
/// The values are samples and, if the profile has a period, events: samples times the period.
/// Of a clock with a period, they are samples and `cpu` in nanoseconds, as Go's profiles have them, and the event is in a comment.
pub fn pprof(profile: &Profile<'_>, context: &PprofContext) -> Vec<u8> {
    let mut tables = Tables::new(context);
    let mut samples = Vec::new();
    for bucket in profile.placed() {
        let place = profile.place(bucket);
        let name = (!place.functions.is_empty()).then(|| place.to_string());
        let location = tables.location(bucket.first, name.map(|name| (name, place.lines)));
        samples.push((vec![location], bucket.count));
    }
    let (unplaced, _) = profile.unplaced();
    if unplaced > 0 {
        let elsewhere = super::functions::ELSEWHERE.to_string();
        samples.push((vec![tables.location(0, [(elsewhere, None)])], unplaced));
    }
    file(profile, context, tables, samples)
}

/// Call stacks in pprof's format, with the event, the unit and the period of their profile.
///
/// Each address of a stack is a location with the functions that `names` returns for it, as in [`CallTree::new`](super::CallTree::new).
pub fn pprof_of_stacks(
    profile: &Profile<'_>,
    stacks: &Stacks,
    names: &dyn Fn(u64) -> Vec<Symbol>,
    context: &PprofContext,
) -> Vec<u8> {
    let mut tables = Tables::new(context);
    let mut known: HashMap<u64, u64> = HashMap::new();
    // The number of the location of each frame, and the index of its caller.
    let mut locations: Vec<(u64, Option<usize>)> = Vec::new();
    let mut samples = Vec::new();
    for frame in stacks.frames() {
        let location = *known.entry(frame.address).or_insert_with(|| {
            let functions = names(frame.address).into_iter().map(|symbol| {
                let lines = symbol.file.zip(symbol.line);
                let lines = lines.map(|(file, line)| SourceLines { file, first: line, last: line });
                (symbol.function, lines)
            });
            tables.location(frame.address, functions)
        });
        locations.push((location, frame.caller));
        if frame.count > 0 {
            let frames = std::iter::successors(locations.last(), |(_, caller)| {
                caller.map(|caller| &locations[caller])
            });
            samples.push((frames.map(|(location, _)| *location).collect(), frame.count));
        }
    }
    let (beyond, _) = stacks.beyond();
    if beyond > 0 {
        samples.push((vec![tables.location(0, [(BEYOND.to_string(), None)])], beyond));
    }
    file(profile, context, tables, samples)
}

/// A file of samples, each with its locations, the innermost first, and its count.
fn file(
    profile: &Profile<'_>,
    context: &PprofContext,
    mut tables: Tables<'_>,
    samples: Vec<(Vec<u64>, u64)>,
) -> Vec<u8> {
    let mut file = Message::default();
    let (count, name) = (tables.string("count"), tables.string(profile.unit()));
    file.message(field::SAMPLE_TYPE, value_type(name, count));
    let (event, unit, period) = match context.clock_period {
        0 => (tables.string(profile.event), count, profile.period),
        clock => (tables.string("cpu"), tables.string("nanoseconds"), clock),
    };
    if period > 0 {
        file.message(field::SAMPLE_TYPE, value_type(event, unit));
    }
    for (locations, count) in samples {
        let events = (period > 0).then(|| count.saturating_mul(period));
        let mut sample = Message::default();
        sample.packed(1, &locations);
        sample.packed(2, &[Some(count), events].into_iter().flatten().collect::<Vec<u64>>());
        file.message(field::SAMPLE, sample);
    }
    let comment = match context.clock_period {
        0 => 0,
        _ => tables.string(profile.event),
    };
    let mappings = (1..).zip(&context.mappings);
    let mappings: Vec<Message> =
        mappings.map(|(id, mapping)| mapping.message(id, &mut tables)).collect();
    mappings.into_iter().for_each(|mapping| file.message(field::MAPPING, mapping));
    for location in tables.locations {
        file.message(field::LOCATION, location);
    }
    for function in tables.functions {
        file.message(field::FUNCTION, function);
    }
    for string in &tables.strings {
        file.bytes(field::STRING, string.as_bytes());
    }
    file.number(field::TIME, context.time);
    file.number(field::DURATION, context.duration);
    file.message(field::PERIOD_TYPE, value_type(event, unit));
    file.number(field::PERIOD, period);
    if comment > 0 {
        file.number(field::COMMENT, comment);
    }
    file.0
}

/// The field numbers of `Profile` in `profile.proto`.
mod field {
    pub(super) const SAMPLE_TYPE: u64 = 1;
    pub(super) const SAMPLE: u64 = 2;
    pub(super) const MAPPING: u64 = 3;
    pub(super) const LOCATION: u64 = 4;
    pub(super) const FUNCTION: u64 = 5;
    pub(super) const STRING: u64 = 6;
    pub(super) const TIME: u64 = 9;
    pub(super) const DURATION: u64 = 10;
    pub(super) const PERIOD_TYPE: u64 = 11;
    pub(super) const PERIOD: u64 = 12;
    pub(super) const COMMENT: u64 = 13;
}

fn value_type(name: u64, unit: u64) -> Message {
    let mut message = Message::default();
    message.number(1, name);
    message.number(2, unit);
    message
}

/// The tables to which samples refer by number.
struct Tables<'a> {
    mappings: &'a [PprofMapping],
    strings: Vec<String>,
    string_ids: HashMap<String, u64>,
    functions: Vec<Message>,
    function_ids: HashMap<(String, Option<String>), u64>,
    locations: Vec<Message>,
}

impl PprofMapping {
    fn message(&self, id: u64, tables: &mut Tables<'_>) -> Message {
        let mut message = Message::default();
        message.number(1, id);
        message.number(2, self.addresses.start);
        message.number(3, self.addresses.end);
        message.number(4, self.offset);
        message.number(5, tables.string(&self.file));
        message.number(6, tables.string(&self.build_id));
        // Its functions have been looked up, also those without a name.
        message.number(7, 1);
        message
    }
}

impl<'a> Tables<'a> {
    fn new(context: &'a PprofContext) -> Tables<'a> {
        Tables {
            mappings: &context.mappings,
            // The first text is empty.
            strings: vec![String::new()],
            string_ids: HashMap::from([(String::new(), 0)]),
            functions: Vec::new(),
            function_ids: HashMap::new(),
            locations: Vec::new(),
        }
    }

    fn string(&mut self, text: &str) -> u64 {
        if let Some(&id) = self.string_ids.get(text) {
            return id;
        }
        let id = self.strings.len() as u64;
        self.strings.push(text.to_string());
        self.string_ids.insert(text.to_string(), id);
        id
    }

    fn function(&mut self, name: String, file: Option<String>) -> u64 {
        let key = (name, file);
        if let Some(&id) = self.function_ids.get(&key) {
            return id;
        }
        let id = self.functions.len() as u64 + 1;
        let name = self.string(&key.0);
        let file = self.string(key.1.as_deref().unwrap_or_default());
        let mut message = Message::default();
        message.number(1, id);
        message.number(2, name);
        message.number(3, name);
        message.number(4, file);
        self.functions.push(message);
        self.function_ids.insert(key, id);
        id
    }

    /// An address with its functions, the innermost first, and their lines.
    fn location(
        &mut self,
        address: u64,
        functions: impl IntoIterator<Item = (String, Option<SourceLines>)>,
    ) -> u64 {
        let id = self.locations.len() as u64 + 1;
        let mut message = Message::default();
        message.number(1, id);
        let mapping = self.mappings.iter().position(|of| of.addresses.contains(&address));
        message.number(2, mapping.map_or(0, |index| index as u64 + 1));
        message.number(3, address);
        for (function, lines) in functions {
            let mut line = Message::default();
            let number = lines.as_ref().map_or(0, |lines| lines.first);
            line.number(1, self.function(function, lines.map(|lines| lines.file)));
            line.number(2, number.into());
            message.message(4, line);
        }
        self.locations.push(message);
        id
    }
}

/// A message in the wire format of protocol buffers.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn number(&mut self, field: u64, value: u64) {
        varint(&mut self.0, field << 3);
        varint(&mut self.0, value);
    }

    fn bytes(&mut self, field: u64, bytes: &[u8]) {
        varint(&mut self.0, field << 3 | 2);
        varint(&mut self.0, bytes.len() as u64);
        self.0.extend(bytes);
    }

    fn message(&mut self, field: u64, message: Message) {
        self.bytes(field, &message.0);
    }

    fn packed(&mut self, field: u64, values: &[u64]) {
        let mut bytes = Vec::new();
        for &value in values {
            varint(&mut bytes, value);
        }
        self.bytes(field, &bytes);
    }
}

/// Seven bits per byte, the lowest first; the top bit marks that more bytes follow.
fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value > 0x7f {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}
