use super::words::Words;
use super::{Branches, Callchain, Layout, Level, Registers, Values, stack};
use crate::sample::Fields;

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
    /// The calls of user code that have not returned, as recorded by the processor.
    pub branches: Option<Branches<'a>>,
    /// The registers of user code; `None` also for threads of the kernel, which have none.
    pub registers: Option<Registers<'a>>,
    /// The copied part of the user stack, from the stack pointer up; empty if the kernel could not read it.
    pub stack: Option<&'a [u8]>,
    /// The cost of the access.
    pub weight: Option<u64>,
    /// The source of the data.
    pub data_src: Option<u64>,
}

impl<'a> Sample<'a> {
    /// Decodes the fields in the order in which the kernel writes them; returns `None` if there are not enough words.
    #[inline]
    pub(super) fn decode(layout: &Layout, misc: u16, mut words: Words<'a>) -> Option<Sample<'a>> {
        let has = |field| layout.fields.contains(field);
        let mut sample =
            Sample { level: Level::of(misc), exact: misc & 1 << 14 != 0, ..Sample::default() };
        if has(Fields::IDENTIFIER) {
            sample.id = Some(words.next()?);
        }
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
        if has(Fields::STREAM_ID) {
            words.next()?;
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
        if has(Fields::RAW) {
            // Its size with the size itself is a multiple of a word.
            let size = words.next_half()?;
            words.take_bytes(size.into())?;
        }
        if has(Fields::BRANCH_STACK) {
            sample.branches = Some(Branches::take(&mut words)?);
        }
        if has(Fields::REGS_USER) {
            sample.registers = Registers::take(&mut words, layout.registers)?;
        }
        if has(Fields::STACK_USER) {
            sample.stack = Some(stack::copied(&mut words)?);
        }
        if has(Fields::WEIGHT) {
            sample.weight = Some(words.next()?);
        }
        if has(Fields::DATA_SRC) {
            sample.data_src = Some(words.next()?);
        }
        Some(sample)
    }
}
