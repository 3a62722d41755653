//! Samples as rows of Arrow.

use super::code::{Code, Place};
use arrow_array::builder::{StringBuilder, UInt32Builder, UInt64Builder};
use arrow_array::{ArrayRef, ListArray, RecordBatch, StructArray};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};
use counterpoint_recording::LocatedSample;
use std::sync::{Arc, LazyLock};

/// The most rows of a batch, and the frames of its stacks beyond which it has no more rows.
const ROWS: usize = 1 << 14;
const FRAMES: usize = 1 << 18;

/// Rows that become a batch.
#[derive(Default)]
pub(super) struct Rows {
    rows: usize,
    time: UInt64Builder,
    event: StringBuilder,
    pid: UInt32Builder,
    thread: UInt32Builder,
    comm: StringBuilder,
    cpu: UInt32Builder,
    period: UInt64Builder,
    ip: UInt64Builder,
    code: CodeColumns,
    addr: UInt64Builder,
    weight: UInt64Builder,
    data_src: UInt64Builder,
    frames: CodeColumns,
    /// The number of frames of each stack; a sample without one has none.
    depths: Vec<usize>,
    has_stack: Vec<bool>,
}

/// The columns of a place in code, with the types of their values.
const CODE: [(&str, DataType); 5] = [
    ("module", DataType::Utf8),
    ("offset", DataType::UInt64),
    ("function", DataType::Utf8),
    ("file", DataType::Utf8),
    ("line", DataType::UInt32),
];

/// The schema of all batches.
pub(super) fn schema() -> SchemaRef {
    use DataType::{UInt32, UInt64, Utf8};
    static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
        let first = [
            ("time_ns", UInt64),
            ("event", Utf8),
            ("pid", UInt32),
            ("thread", UInt32),
            ("comm", Utf8),
            ("cpu", UInt32),
            ("period", UInt64),
            ("ip", UInt64),
        ];
        let last = [("addr", UInt64), ("weight", UInt64), ("data_src", UInt64)];
        let named = first.into_iter().chain(CODE).chain(last);
        let stack = ("stack", DataType::List(frame()));
        let fields = named.chain([stack]).map(|(name, kind)| Field::new(name, kind, true));
        Arc::new(Schema::new(fields.collect::<Vec<_>>()))
    });
    Arc::clone(&SCHEMA)
}

/// A frame of a stack.
fn frame() -> Arc<Field> {
    Arc::new(Field::new("item", DataType::Struct(frame_fields()), true))
}

fn frame_fields() -> Fields {
    CODE.into_iter().map(|(name, kind)| Field::new(name, kind, true)).collect()
}

impl Rows {
    pub(super) fn is_empty(&self) -> bool {
        self.rows == 0
    }

    pub(super) fn is_full(&self) -> bool {
        self.rows >= ROWS || self.frames.rows >= FRAMES
    }

    /// Adds a sample of an event.
    pub(super) fn push(&mut self, event: &str, of: &LocatedSample<'_>, code: &mut Code<'_>) {
        let sample = of.sample;
        self.rows += 1;
        self.time.append_option(sample.time);
        self.event.append_value(event);
        self.pid.append_option(sample.pid);
        self.thread.append_option(sample.tid);
        self.comm.append_option(of.comm);
        self.cpu.append_option(sample.cpu);
        self.period.append_option(sample.period);
        self.ip.append_option(sample.ip);
        match of.located.address {
            Some(address) => self.code.push(&code.at(address)),
            None => self.code.push(&Place::default()),
        }
        // The kernel has 0 where there is no address of data.
        self.addr.append_option(sample.addr.filter(|addr| *addr != 0));
        self.weight.append_option(sample.weight);
        self.data_src.append_option(sample.data_src.map(|source| source.0));
        let before = self.frames.rows;
        for address in of.located.stack.iter().rev() {
            // Those that were inlined are called by the one that has the address.
            let frames = code.frames(*address);
            frames.iter().rev().for_each(|frame| self.frames.push(frame));
        }
        self.depths.push(self.frames.rows - before);
        self.has_stack.push(!of.located.stack.is_empty());
    }

    /// The batch of the rows so far.
    pub(super) fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let mut rows = std::mem::take(self);
        let frames = StructArray::try_new(frame_fields(), rows.frames.finish(), None)?;
        let offsets = OffsetBuffer::from_lengths(rows.depths);
        let stacks = Some(NullBuffer::from(rows.has_stack));
        let stack = ListArray::try_new(frame(), offsets, Arc::new(frames), stacks)?;
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(rows.time.finish()),
            Arc::new(rows.event.finish()),
            Arc::new(rows.pid.finish()),
            Arc::new(rows.thread.finish()),
            Arc::new(rows.comm.finish()),
            Arc::new(rows.cpu.finish()),
            Arc::new(rows.period.finish()),
            Arc::new(rows.ip.finish()),
        ];
        columns.extend(rows.code.finish());
        columns.push(Arc::new(rows.addr.finish()));
        columns.push(Arc::new(rows.weight.finish()));
        columns.push(Arc::new(rows.data_src.finish()));
        columns.push(Arc::new(stack));
        RecordBatch::try_new(schema(), columns)
    }
}

/// Places in code, in the order of [`CODE`].
#[derive(Default)]
struct CodeColumns {
    rows: usize,
    module: StringBuilder,
    offset: UInt64Builder,
    function: StringBuilder,
    file: StringBuilder,
    line: UInt32Builder,
}

impl CodeColumns {
    fn push(&mut self, place: &Place) {
        self.rows += 1;
        self.module.append_option(place.module.as_deref());
        self.offset.append_option(place.offset);
        self.function.append_option(place.function.as_deref());
        self.file.append_option(place.file.as_deref());
        self.line.append_option(place.line);
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        vec![
            Arc::new(self.module.finish()),
            Arc::new(self.offset.finish()),
            Arc::new(self.function.finish()),
            Arc::new(self.file.finish()),
            Arc::new(self.line.finish()),
        ]
    }
}
