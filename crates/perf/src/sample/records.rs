//! Decodes the records of a ring from bytes: needs no kernel, and is safe for arbitrary bytes.
//!
//! The formats are those of `perf_event_open(2)`, section "MMAP layout", and of the kernel's `perf_event.h`.
//!
//! ```
//! use counterpoint_perf::records::{Layout, Record};
//! use counterpoint_perf::{Fields, ReadFormat};
//!
//! let layout = Layout { fields: Fields::IP, read: ReadFormat::default() };
//! // A header of type 9 (sample), mode 2 (user), 16 bytes long; then the address.
//! let mut bytes = Vec::new();
//! bytes.extend(9_u32.to_ne_bytes());
//! bytes.extend(2_u16.to_ne_bytes());
//! bytes.extend(16_u16.to_ne_bytes());
//! bytes.extend(0x401000_u64.to_ne_bytes());
//! let Some(Ok(Record::Sample(sample))) = layout.records(&bytes).next() else { panic!() };
//! assert_eq!(sample.ip, Some(0x401000));
//! ```

use super::Fields;
use crate::ReadFormat;

mod read;
mod tasks;

pub use read::{Callchain, Values};
pub use tasks::{Comm, Mmap, Task};

/// The format of a ring's records, as requested when the events were opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The contents of a sample.
    pub fields: Fields,
    /// The format of the values of [`Fields::READ`]: times and ids are always included, in addition to these.
    pub read: ReadFormat,
}

impl Layout {
    /// Iterates over the records in `bytes`.
    ///
    /// A record that is too short for its contents is an error, and iteration continues after it; if the length itself is invalid, the error is the last item.
    pub fn records<'a>(&self, bytes: &'a [u8]) -> Records<'a> {
        Records { layout: *self, bytes, offset: 0 }
    }
}

/// A record.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
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

/// A sample; contains the fields that were requested.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample<'a> {
    /// The privilege level of the code that ran.
    pub level: Level,
    /// Whether `ip` is exactly the instruction that caused the event.
    #[doc(alias = "PERF_RECORD_MISC_EXACT_IP")]
    pub exact: bool,
    /// The address of the instruction.
    pub ip: Option<u64>,
    /// The process.
    pub pid: Option<u32>,
    /// The thread.
    pub tid: Option<u32>,
    /// The time, in nanoseconds of the kernel's `perf` clock.
    pub time: Option<u64>,
    /// The address of the data, 0 if there is none.
    pub addr: Option<u64>,
    /// The id of the event.
    pub id: Option<u64>,
    /// The CPU.
    pub cpu: Option<u32>,
    /// The number of events that this sample stands for.
    pub period: Option<u64>,
    /// The counts of the event and of the other events in its group.
    pub values: Option<Values<'a>>,
    /// The call chain.
    pub callchain: Option<Callchain<'a>>,
    /// The cost of the access.
    pub weight: Option<u64>,
    /// The source of the data.
    pub data_src: Option<u64>,
}

/// The privilege level of the code that ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Level {
    /// Not reported by the kernel.
    #[default]
    Unknown,
    /// The kernel.
    Kernel,
    /// A program.
    User,
    /// The hypervisor.
    Hypervisor,
    /// The kernel of a guest.
    GuestKernel,
    /// A program in a guest.
    GuestUser,
}

impl Level {
    fn of(misc: u16) -> Level {
        match misc & 0b111 {
            1 => Level::Kernel,
            2 => Level::User,
            3 => Level::Hypervisor,
            4 => Level::GuestKernel,
            5 => Level::GuestUser,
            _ => Level::Unknown,
        }
    }
}

/// A record that cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("record at byte {offset}, type {kind}, {size} bytes: {why}")]
pub struct RecordError {
    /// Its offset in the bytes.
    pub offset: usize,
    /// Its type, `PERF_RECORD_…`, if it could be read.
    pub kind: u32,
    /// The length in its header.
    pub size: u16,
    /// The kind of error.
    pub why: Why,
}

/// The kind of error in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Why {
    /// The bytes end before the record does.
    #[error("the bytes end before it does")]
    CutOff,
    /// Its length is less than that of a header, so the following records cannot be found.
    #[error("shorter than a header")]
    NoLength,
    /// It is too short for its contents.
    #[error("shorter than what it should hold")]
    TooShort,
}

/// An iterator over records, returned by [`Layout::records`].
#[derive(Clone, Debug)]
pub struct Records<'a> {
    layout: Layout,
    bytes: &'a [u8],
    offset: usize,
}

const HEADER: usize = 8;

impl<'a> Iterator for Records<'a> {
    type Item = Result<Record<'a>, RecordError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.bytes.get(self.offset..).filter(|rest| !rest.is_empty())?;
        let offset = self.offset;
        let Some((header, _)) = rest.split_first_chunk::<HEADER>() else {
            self.offset = self.bytes.len();
            return Some(Err(RecordError { offset, kind: 0, size: 0, why: Why::CutOff }));
        };
        let [k0, k1, k2, k3, m0, m1, s0, s1] = *header;
        let kind = u32::from_ne_bytes([k0, k1, k2, k3]);
        let misc = u16::from_ne_bytes([m0, m1]);
        let size = u16::from_ne_bytes([s0, s1]);
        let Some(body) = rest.get(HEADER..size.into()) else {
            self.offset = self.bytes.len();
            let why = if usize::from(size) < HEADER { Why::NoLength } else { Why::CutOff };
            return Some(Err(RecordError { offset, kind, size, why }));
        };
        self.offset += usize::from(size);
        let record = record(&self.layout, kind, misc, body);
        Some(record.ok_or(RecordError { offset, kind, size, why: Why::TooShort }))
    }
}

/// Returns `None` if `body` is too short.
#[inline]
fn record<'a>(layout: &Layout, kind: u32, misc: u16, body: &'a [u8]) -> Option<Record<'a>> {
    let mut words = Words(body);
    Some(match kind {
        1 | 10 => Record::Mmap(tasks::mmap(kind == 10, misc, body, layout)?),
        2 => Record::Lost { id: words.next()?, lost: words.next()? },
        3 => Record::Comm(tasks::comm(misc, body, layout)?),
        4 => Record::Exit(tasks::task(body)?),
        5 => Record::Throttle { time: words.next()?, id: words.next()? },
        6 => Record::Unthrottle { time: words.next()?, id: words.next()? },
        7 => Record::Fork(tasks::task(body)?),
        9 => Record::Sample(sample(layout, misc, words)?),
        13 => Record::LostSamples { lost: words.next()? },
        _ => Record::Other { kind, misc, body },
    })
}

/// The fields are in the order in which the kernel writes them.
#[inline]
fn sample<'a>(layout: &Layout, misc: u16, mut words: Words<'a>) -> Option<Sample<'a>> {
    let has = |field| layout.fields.contains(field);
    let mut sample =
        Sample { level: Level::of(misc), exact: misc & 1 << 14 != 0, ..Sample::default() };
    if has(Fields::IP) {
        sample.ip = Some(words.next()?);
    }
    if has(Fields::TID) {
        let [pid, tid] = words.next_pair()?;
        (sample.pid, sample.tid) = (Some(pid), Some(tid));
    }
    if has(Fields::TIME) {
        sample.time = Some(words.next()?);
    }
    if has(Fields::ADDR) {
        sample.addr = Some(words.next()?);
    }
    if has(Fields::ID) {
        sample.id = Some(words.next()?);
    }
    if has(Fields::CPU) {
        let [cpu, _reserved] = words.next_pair()?;
        sample.cpu = Some(cpu);
    }
    if has(Fields::PERIOD) {
        sample.period = Some(words.next()?);
    }
    if has(Fields::READ) {
        sample.values = Some(Values::take(&mut words, layout.read)?);
    }
    if has(Fields::CALLCHAIN) {
        sample.callchain = Some(Callchain::take(&mut words)?);
    }
    if has(Fields::WEIGHT) {
        sample.weight = Some(words.next()?);
    }
    if has(Fields::DATA_SRC) {
        sample.data_src = Some(words.next()?);
    }
    Some(sample)
}

/// Reads 64-bit words in the machine's byte order, from front to back.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Words<'a>(&'a [u8]);

impl<'a> Words<'a> {
    #[inline]
    fn next(&mut self) -> Option<u64> {
        let (word, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_ne_bytes(*word))
    }

    /// The two halves of a word, in memory order.
    #[inline]
    fn next_pair(&mut self) -> Option<[u32; 2]> {
        Some([self.next_half()?, self.next_half()?])
    }

    #[inline]
    fn next_half(&mut self) -> Option<u32> {
        let (half, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_ne_bytes(*half))
    }

    /// The given number of words, as bytes.
    #[inline]
    fn take(&mut self, count: u64) -> Option<&'a [u8]> {
        let bytes = usize::try_from(count).ok()?.checked_mul(size_of::<u64>())?;
        let (taken, rest) = self.0.split_at_checked(bytes)?;
        self.0 = rest;
        Some(taken)
    }
}
