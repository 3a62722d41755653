//! Decoding of records.

use super::words::Words;
use super::{Comm, Layout, Mmap, Sample, Switch, Task, sample, tasks};
use std::fmt;

impl Layout {
    /// Iterates over the records in `bytes`.
    ///
    /// A record that is too short for its contents is an error, and iteration continues after it; if the length itself is invalid, the error is the last item.
    #[inline]
    pub fn records<'a>(&self, bytes: &'a [u8]) -> Records<'a> {
        Records { layout: *self, leading: sample::leading_bytes(self.fields), bytes, offset: 0 }
    }
}

/// A record.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[allow(clippy::large_enum_variant, reason = "a record is looked at where it is, and not kept")]
pub enum Record<'a> {
    /// The state of the target when an event occurred.
    #[doc(alias = "PERF_RECORD_SAMPLE")]
    Sample(Sample<'a>),
    /// A file was mapped into the target.
    #[doc(alias = "PERF_RECORD_MMAP2")]
    Mmap(Mmap<'a>),
    /// A thread has a new name.
    #[doc(alias = "PERF_RECORD_COMM")]
    Comm(Comm<'a>),
    /// A thread or process was created.
    #[doc(alias = "PERF_RECORD_FORK")]
    Fork(Task),
    /// A thread ended.
    #[doc(alias = "PERF_RECORD_EXIT")]
    Exit(Task),
    /// A thread stopped or began to run on a CPU.
    #[doc(alias = "PERF_RECORD_SWITCH")]
    #[doc(alias = "PERF_RECORD_SWITCH_CPU_WIDE")]
    Switch(Switch),
    /// Records were lost because the ring was full.
    #[doc(alias = "PERF_RECORD_LOST")]
    Lost {
        /// The id of the event.
        id: u64,
        /// The number of lost records.
        lost: u64,
    },
    /// Samples were lost before they reached the ring.
    #[doc(alias = "PERF_RECORD_LOST_SAMPLES")]
    LostSamples {
        /// The number of lost samples.
        lost: u64,
    },
    /// The event occurred too often, and the kernel stopped it until the next tick.
    #[doc(alias = "PERF_RECORD_THROTTLE")]
    Throttle {
        /// The time.
        time: u64,
        /// The id of the event.
        id: u64,
    },
    /// The event was resumed.
    #[doc(alias = "PERF_RECORD_UNTHROTTLE")]
    Unthrottle {
        /// The time.
        time: u64,
        /// The id of the event.
        id: u64,
    },
    /// A record of another type, not decoded.
    Other {
        /// `PERF_RECORD_…`.
        kind: u32,
        /// The flags of the record's header.
        misc: u16,
        /// The bytes after the header.
        body: &'a [u8],
    },
}

/// A record that cannot be decoded.
#[derive(Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("record at byte {offset}, type {kind}, {size} bytes: {problem}")]
pub struct RecordError {
    /// Its offset in the bytes.
    pub offset: usize,
    /// Its type, `PERF_RECORD_…`, if it could be read.
    pub kind: u32,
    /// The length in its header.
    pub size: u16,
    /// The error.
    pub problem: RecordErrorKind,
}

/// The sentence, as a `main` that returns the error prints it; `{:#?}` has the fields.
impl fmt::Debug for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return f
                .debug_struct("RecordError")
                .field("offset", &self.offset)
                .field("kind", &self.kind)
                .field("size", &self.size)
                .field("problem", &self.problem)
                .finish();
        }
        fmt::Display::fmt(self, f)
    }
}

/// The kind of error in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordErrorKind {
    /// The bytes end before the record does.
    #[error("the bytes end before it does")]
    CutOff,
    /// Its length is less than that of a header, so the following records cannot be found.
    #[error("shorter than a header")]
    NoLength,
    /// It is too short for its contents.
    #[error("too short for its contents")]
    TooShort,
}

/// An iterator over records, returned by [`Layout::records`].
#[derive(Clone, Debug)]
pub struct Records<'a> {
    layout: Layout,
    /// The number of bytes of the leading fields of samples.
    leading: usize,
    bytes: &'a [u8],
    offset: usize,
}

const HEADER: usize = 8;

/// A record that is not decoded yet.
#[derive(Clone, Copy)]
struct Raw<'a> {
    offset: usize,
    kind: u32,
    misc: u16,
    body: &'a [u8],
}

impl<'a> Raw<'a> {
    /// The record at an offset, which is moved to the next one.
    #[inline(always)]
    fn next(bytes: &'a [u8], offset: &mut usize) -> Option<Result<Raw<'a>, RecordError>> {
        let rest = bytes.get(*offset..).filter(|rest| !rest.is_empty())?;
        let at = *offset;
        let fails =
            |kind, size, problem| Some(Err(RecordError { offset: at, kind, size, problem }));
        let Some((header, _)) = rest.split_first_chunk::<HEADER>() else {
            *offset = bytes.len();
            return fails(0, 0, RecordErrorKind::CutOff);
        };
        let [k0, k1, k2, k3, m0, m1, s0, s1] = *header;
        let kind = u32::from_ne_bytes([k0, k1, k2, k3]);
        let misc = u16::from_ne_bytes([m0, m1]);
        let size = u16::from_ne_bytes([s0, s1]);
        let Some(body) = rest.get(HEADER..size.into()) else {
            *offset = bytes.len();
            let is_header = usize::from(size) >= HEADER;
            let problem =
                if is_header { RecordErrorKind::CutOff } else { RecordErrorKind::NoLength };
            return fails(kind, size, problem);
        };
        *offset += usize::from(size);
        Some(Ok(Raw { offset: at, kind, misc, body }))
    }

    #[inline(always)]
    fn sample(self, layout: Layout, leading: usize) -> Result<Record<'a>, RecordError> {
        match Sample::decode(layout, leading, self.misc, Words(self.body)) {
            Some(sample) => Ok(Record::Sample(sample)),
            None => Err(self.too_short()),
        }
    }

    /// Not inlined into loops over samples: other records are rare.
    #[inline(never)]
    fn other(self, layout: Layout) -> Result<Record<'a>, RecordError> {
        let record = other_record(&layout, self.kind, self.misc, self.body);
        record.ok_or_else(|| self.too_short())
    }

    /// The error of a record that is too short for its contents.
    fn too_short(self) -> RecordError {
        let size = (HEADER + self.body.len()) as u16;
        let problem = RecordErrorKind::TooShort;
        RecordError { offset: self.offset, kind: self.kind, size, problem }
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Result<Record<'a>, RecordError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        Some(match Raw::next(self.bytes, &mut self.offset)? {
            Ok(raw) if raw.kind == SAMPLE => raw.sample(self.layout, self.leading),
            Ok(raw) => raw.other(self.layout),
            Err(error) => Err(error),
        })
    }

    /// Calls `each` separately for samples: only the fields that it looks at are decoded.
    #[inline]
    fn fold<T, F: FnMut(T, Self::Item) -> T>(self, start: T, mut each: F) -> T {
        let Records { layout, leading, bytes, mut offset } = self;
        let mut folded = start;
        while let Some(raw) = Raw::next(bytes, &mut offset) {
            folded = match raw {
                Ok(raw) if raw.kind == SAMPLE => each(folded, raw.sample(layout, leading)),
                Ok(raw) => each(folded, raw.other(layout)),
                Err(error) => each(folded, Err(error)),
            };
        }
        folded
    }
}

/// `PERF_RECORD_SAMPLE`
const SAMPLE: u32 = 9;

/// A record that is not a sample; `None` if `body` is too short.
fn other_record<'a>(layout: &Layout, kind: u32, misc: u16, body: &'a [u8]) -> Option<Record<'a>> {
    let mut words = Words(body);
    Some(match kind {
        1 | 10 => Record::Mmap(tasks::mmap(kind == 10, misc, body, layout)?),
        2 => Record::Lost { id: words.next()?, lost: words.next()? },
        3 => Record::Comm(tasks::comm(misc, body, layout)?),
        4 => Record::Exit(tasks::task(body)?),
        5 => Record::Throttle { time: words.next()?, id: words.next()? },
        6 => Record::Unthrottle { time: words.next()?, id: words.next()? },
        7 => Record::Fork(tasks::task(body)?),
        13 => Record::LostSamples { lost: words.next()? },
        14 | 15 if tasks::has_switches(layout) => {
            Record::Switch(tasks::switch(kind == 15, misc, body)?)
        }
        _ => Record::Other { kind, misc, body },
    })
}
