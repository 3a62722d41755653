//! An event of a recording, as it was opened.

const SOFTWARE: u32 = 1;
const TRACEPOINT: u32 = 2;
const DUMMY: u64 = 9;
/// `PERF_COUNT_SW_CPU_CLOCK` and `PERF_COUNT_SW_TASK_CLOCK`.
const CLOCKS: [u64; 2] = [0, 1];

/// An event, as it was opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// Its name; empty if the file does not have it.
    pub name: String,
    /// The bytes of its `perf_event_attr`.
    pub attr: Vec<u8>,
    /// The kernel's ids of the event, of which it has one for each thread and CPU.
    pub ids: Vec<u64>,
}

impl Event {
    /// Returns true if it takes no samples and is there for other records: perf opens one for records of processes.
    pub fn is_dummy(&self) -> bool {
        (self.kind(), self.config()) == (SOFTWARE, DUMMY)
    }

    /// Returns true if it is a clock, whose samples are all of one period.
    pub fn is_clock(&self) -> bool {
        self.kind() == SOFTWARE && CLOCKS.contains(&self.config())
    }

    /// Returns true if it is a tracepoint.
    pub fn is_tracepoint(&self) -> bool {
        self.kind() == TRACEPOINT
    }

    /// Returns true if it says of all threads when they stop and run (`context_switch`).
    pub fn has_switches(&self) -> bool {
        self.flag(26)
    }

    /// Returns true if new records took the place of old ones, so that the first ones are missing (`write_backward`).
    pub fn is_overwritten(&self) -> bool {
        self.flag(27)
    }

    /// The kind of the event (`perf_event_attr.type`).
    pub fn kind(&self) -> u32 {
        self.half(0)
    }

    /// The code of the event within its kind.
    pub fn config(&self) -> u64 {
        self.word(8)
    }

    /// Returns true if nothing is sampled in the kernel.
    pub fn excludes_kernel(&self) -> bool {
        self.flag(5)
    }

    /// Returns true if nothing is sampled in user code.
    pub fn excludes_user(&self) -> bool {
        self.flag(4)
    }

    /// How near the address of a sample was asked to be to the instruction that caused the event, from 0 to 3 (`precise_ip`).
    pub fn precision(&self) -> u8 {
        self.flags(15, 2) as u8
    }

    /// The period, or the frequency if [`is_frequency`](Event::is_frequency).
    pub fn period(&self) -> u64 {
        self.word(16)
    }

    /// Returns true if samples were taken by frequency.
    pub fn is_frequency(&self) -> bool {
        self.flag(10)
    }

    /// Returns true if children of the target's threads are counted too.
    pub fn inherits(&self) -> bool {
        self.flag(1)
    }

    /// Returns true if all records have a trailer with their time and event.
    pub fn has_trailers(&self) -> bool {
        self.flag(18)
    }

    /// The contents of samples (`PERF_SAMPLE_…`).
    pub fn sample_type(&self) -> u64 {
        self.word(24)
    }

    /// The format of counts in samples (`PERF_FORMAT_…`).
    pub fn read_format(&self) -> u64 {
        self.word(32)
    }

    /// The contents of recorded branches (`PERF_SAMPLE_BRANCH_…`).
    pub fn branch_type(&self) -> u64 {
        self.word(72)
    }

    /// The registers of user code in samples, as bits.
    pub fn user_registers(&self) -> u64 {
        self.word(80)
    }

    /// The registers at the time of an interrupt in samples, as bits.
    pub fn interrupt_registers(&self) -> u64 {
        self.word(96)
    }

    /// Returns true if there are records of mappings that are not code, too.
    pub fn has_data_maps(&self) -> bool {
        self.word(40) & 1 << 17 != 0
    }

    /// The number of bytes of the user stack in samples.
    pub fn stack_bytes(&self) -> u32 {
        self.half(88)
    }

    /// The same event whose samples have these contents alone, and no counts, branches, registers or stacks.
    pub(crate) fn with_contents(mut self, sample_type: u64) -> Event {
        let mut put = |offset: usize, word: u64| {
            if let Some(bytes) = self.attr.get_mut(offset..offset + 8) {
                bytes.copy_from_slice(&word.to_ne_bytes());
            }
        };
        put(24, sample_type);
        [32, 72, 80, 88, 96].into_iter().for_each(|offset| put(offset, 0));
        self
    }

    fn flag(&self, number: u32) -> bool {
        self.flags(number, 1) != 0
    }

    /// Flags that are next to each other, by the number of the first one: a compiler has the first of all in the lowest bit, or, in the other byte order, in the highest one.
    fn flags(&self, first: u32, count: u32) -> u64 {
        let shift = if cfg!(target_endian = "big") { 64 - first - count } else { first };
        self.word(40) >> shift & ((1 << count) - 1)
    }

    /// Half a word of the attribute.
    fn half(&self, offset: usize) -> u32 {
        let bytes = self.attr.get(offset..).and_then(|rest| rest.first_chunk());
        bytes.map_or(0, |bytes| u32::from_ne_bytes(*bytes))
    }

    /// A word of the attribute; 0 behind the end of a short one.
    fn word(&self, offset: usize) -> u64 {
        let bytes = self.attr.get(offset..).and_then(|rest| rest.first_chunk());
        bytes.map_or(0, |bytes| u64::from_ne_bytes(*bytes))
    }
}
