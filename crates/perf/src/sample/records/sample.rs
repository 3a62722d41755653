//! Decoding of samples.

use super::words::Words;
use super::{Branches, Callchain, DataSource, Layout, Level, Registers, Values, stack};
use crate::sample::Fields;

/// A sample; contains the fields that were requested.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample<'a> {
    /// The privilege level of the code that ran.
    pub level: Level,
    /// True if `ip` is exactly the instruction that caused the event.
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
    /// The fields of a tracepoint, as the kernel wrote them, with padding behind them.
    #[doc(alias = "PERF_SAMPLE_RAW")]
    pub raw: Option<&'a [u8]>,
    /// The branches that the processor recorded.
    pub branches: Option<Branches<'a>>,
    /// The registers of user code; `None` also for threads of the kernel, which have none.
    pub registers: Option<Registers<'a>>,
    /// The copied part of the user stack, from the stack pointer up; empty if the kernel could not read it.
    pub stack: Option<&'a [u8]>,
    /// The cost of the access; of [`Fields::WEIGHT_STRUCT`] the first one.
    pub weight: Option<u64>,
    /// The two other costs of [`Fields::WEIGHT_STRUCT`]: on Intel the latency of the instruction, and the cycles before it retired; on POWER the second one is that of a stage of the pipeline.
    pub latencies: Option<[u16; 2]>,
    /// The source of the data.
    pub data_src: Option<DataSource>,
    /// The abort of a hardware transaction, as bits of the processor.
    pub transaction: Option<u64>,
    /// The physical address of the data, 0 if there is none.
    pub phys_addr: Option<u64>,
    /// The id of the control group.
    pub cgroup: Option<u64>,
    /// The size of the page of the data in bytes, 0 if it is not known.
    pub data_page_size: Option<u64>,
    /// The size of the page of the code in bytes, 0 if it is not known.
    pub code_page_size: Option<u64>,
}

/// The fields of one word that come first in a sample, in the order in which the kernel writes them.
const LEADING: [Fields; 9] = [
    Fields::IDENTIFIER,
    Fields::IP,
    Fields::TID,
    Fields::TIME,
    Fields::ADDR,
    Fields::ID,
    Fields::STREAM_ID,
    Fields::CPU,
    Fields::PERIOD,
];

/// The number of bytes of the leading fields.
pub(super) fn leading_bytes(fields: Fields) -> usize {
    LEADING.iter().filter(|field| fields.contains(**field)).count() * size_of::<u64>()
}

impl<'a> Sample<'a> {
    /// Decodes the fields in the order in which the kernel writes them; returns `None` if there are not enough words.
    ///
    /// `leading` is the number of bytes of the leading fields.
    /// Their length is checked once and no step ends the decoding, so that the compiler leaves out the fields that a caller does not look at.
    #[inline(always)]
    pub(super) fn decode(
        layout: Layout,
        leading: usize,
        misc: u16,
        words: Words<'a>,
    ) -> Option<Sample<'a>> {
        let (leading, rest) = words.0.split_at_checked(leading)?;
        let mut place = 0;
        let mut next = |field| {
            let has = layout.fields.contains(field);
            let word = if has { leading.get(place..)?.first_chunk() } else { None };
            place += if has { size_of::<u64>() } else { 0 };
            word.copied()
        };
        let identifier = next(Fields::IDENTIFIER);
        let ip = next(Fields::IP);
        let tid = next(Fields::TID);
        let time = next(Fields::TIME);
        let addr = next(Fields::ADDR);
        let id = next(Fields::ID);
        let _stream = next(Fields::STREAM_ID);
        let cpu = next(Fields::CPU);
        let period = next(Fields::PERIOD);
        let whole = |word: Option<[u8; 8]>| word.map(u64::from_ne_bytes);
        let half = |word: Option<[u8; 8]>, number: usize| {
            let (halves, _) = word.as_ref()?.as_chunks();
            halves.get(number).copied().map(u32::from_ne_bytes)
        };
        let rest = if layout.fields.without(all_leading()) == Fields::default() {
            Rest::default()
        } else {
            Rest::decode(layout, Words(rest))?
        };
        Some(Sample {
            level: Level::of(misc),
            exact: misc & 1 << 14 != 0,
            ip: whole(ip),
            pid: half(tid, 0),
            tid: half(tid, 1),
            time: whole(time),
            addr: whole(addr),
            id: whole(id).or(whole(identifier)),
            cpu: half(cpu, 0),
            period: whole(period),
            values: rest.values,
            callchain: rest.callchain,
            raw: rest.raw,
            branches: rest.branches,
            registers: rest.registers,
            stack: rest.stack,
            weight: rest.weight,
            latencies: rest.latencies,
            data_src: rest.data_src,
            transaction: rest.transaction,
            phys_addr: rest.phys_addr,
            cgroup: rest.cgroup,
            data_page_size: rest.data_page_size,
            code_page_size: rest.code_page_size,
        })
    }
}

fn all_leading() -> Fields {
    LEADING.into_iter().fold(Fields::default(), |all, field| all | field)
}

/// The fields after the leading ones.
#[derive(Default)]
struct Rest<'a> {
    values: Option<Values<'a>>,
    callchain: Option<Callchain<'a>>,
    raw: Option<&'a [u8]>,
    branches: Option<Branches<'a>>,
    registers: Option<Registers<'a>>,
    stack: Option<&'a [u8]>,
    weight: Option<u64>,
    latencies: Option<[u16; 2]>,
    data_src: Option<DataSource>,
    transaction: Option<u64>,
    phys_addr: Option<u64>,
    cgroup: Option<u64>,
    data_page_size: Option<u64>,
    code_page_size: Option<u64>,
}

impl<'a> Rest<'a> {
    #[inline(never)]
    fn decode(layout: Layout, mut words: Words<'a>) -> Option<Rest<'a>> {
        let has = |field| layout.fields.contains(field);
        let mut rest = Rest::default();
        if has(Fields::READ) {
            rest.values = Some(Values::take(&mut words, layout.read_format)?);
        }
        if has(Fields::CALLCHAIN) {
            rest.callchain = Some(Callchain::take(&mut words)?);
        }
        if has(Fields::RAW) {
            // Its size with the size itself is a multiple of a word.
            let size = words.next_half()?;
            rest.raw = Some(words.take_bytes(size.into())?);
        }
        if has(Fields::BRANCH_STACK) {
            rest.branches = Some(Branches::take(&mut words, layout.branch_type)?);
        }
        if has(Fields::REGS_USER) {
            rest.registers = Registers::take(&mut words, layout.registers)?;
        }
        if has(Fields::STACK_USER) {
            rest.stack = Some(stack::copied(&mut words)?);
        }
        if has(Fields::WEIGHT_STRUCT) {
            let word = words.next()?;
            rest.weight = Some(word & 0xffff_ffff);
            rest.latencies = Some([(word >> 32) as u16, (word >> 48) as u16]);
        } else if has(Fields::WEIGHT) {
            rest.weight = Some(words.next()?);
        }
        rest.last(layout, words)?;
        Some(rest)
    }

    /// The fields after the costs.
    fn last(&mut self, layout: Layout, mut words: Words<'a>) -> Option<()> {
        let has = |field| layout.fields.contains(field);
        let mut next = |field| if has(field) { words.next().map(Some) } else { Some(None) };
        self.data_src = next(Fields::DATA_SRC)?.map(DataSource::from_bits);
        self.transaction = next(Fields::TRANSACTION)?;
        if has(Fields::REGS_INTR) {
            Registers::take(&mut words, layout.interrupt_registers)?;
        }
        let mut next = |field| if has(field) { words.next().map(Some) } else { Some(None) };
        self.phys_addr = next(Fields::PHYS_ADDR)?;
        self.cgroup = next(Fields::CGROUP)?;
        self.data_page_size = next(Fields::DATA_PAGE_SIZE)?;
        self.code_page_size = next(Fields::CODE_PAGE_SIZE)?;
        Some(())
    }
}
