//! The blocks of memory that a program asked for, by probes of the functions that allocate.

#[cfg(feature = "symbols")]
use crate::error::Error;
#[cfg(feature = "symbols")]
use crate::machine::pmus::Machine;
#[cfg(feature = "symbols")]
use crate::names::lookup;
use crate::names::spec::spec;
use counterpoint_perf::records::{Registers, Sample};
use counterpoint_pmu::syntax::{Probe, Source};
use std::collections::HashMap;
use std::ops::Range;

/// A function that allocates memory, of a C library or of one that takes its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Allocator {
    /// `malloc(bytes)`
    Malloc,
    /// `calloc(count, bytes)`
    Calloc,
    /// `realloc(block, bytes)`
    Realloc,
    /// `aligned_alloc(alignment, bytes)`
    AlignedAlloc,
    /// `memalign(alignment, bytes)`
    Memalign,
    /// `mmap(address, bytes, …)`
    Mmap,
    /// `munmap(address, bytes)`, whose calls end what was allocated there.
    Munmap,
}

impl Allocator {
    /// All of them. `posix_memalign` returns its block in memory, which a probe does not read.
    pub const ALL: [Allocator; 7] = [
        Allocator::Malloc,
        Allocator::Calloc,
        Allocator::Realloc,
        Allocator::AlignedAlloc,
        Allocator::Memalign,
        Allocator::Mmap,
        Allocator::Munmap,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Allocator::Malloc => "malloc",
            Allocator::Calloc => "calloc",
            Allocator::Realloc => "realloc",
            Allocator::AlignedAlloc => "aligned_alloc",
            Allocator::Memalign => "memalign",
            Allocator::Mmap => "mmap",
            Allocator::Munmap => "munmap",
        }
    }

    /// The function of an event that probes one, and the probe; `None` for another event.
    pub fn of_event(event: &str) -> Option<(Allocator, Probe)> {
        let Source::Probe(probe) = spec(event).source else { return None };
        let allocator = Allocator::ALL.into_iter().find(|of| of.name() == probe.function)?;
        Some((allocator, probe))
    }

    /// Those that a program or library has, by its path or the name of a library.
    ///
    /// # Errors
    /// Returns an error if it has no `malloc`, which no allocator lacks.
    #[cfg(feature = "symbols")]
    pub fn of_file(machine: &Machine, file: &str) -> Result<Vec<Allocator>, Error> {
        let mut there = Vec::new();
        for allocator in Allocator::ALL {
            let spec = spec(&allocator.probe(file, false).to_string());
            match lookup::first(machine, &[], &spec).and_then(|of| of.natives) {
                Ok(_) => there.push(allocator),
                Err(_) if allocator != Allocator::Malloc => {}
                Err(error) => return Err(error),
            }
        }
        Ok(there)
    }

    /// The probe of its calls in a file, or of its returns.
    pub fn probe(self, file: &str, at_return: bool) -> Probe {
        let (file, function) = (file.to_string(), self.name().to_string());
        Probe { file, function, offset: 0, at_return }
    }

    /// Returns true if its returns are to be probed, too: they know the address of a block, and its calls the size.
    pub fn has_result(self) -> bool {
        self != Allocator::Munmap
    }

    /// The number of bytes that a call asks for.
    fn bytes(self, registers: &Registers<'_>) -> Option<u64> {
        let argument = |number| registers.argument(number);
        match self {
            Allocator::Malloc => argument(0),
            Allocator::Calloc => argument(0)?.checked_mul(argument(1)?),
            _ => argument(1),
        }
    }
}

/// What the samples of probes say of blocks of memory, in any order.
#[derive(Debug, Default)]
pub struct Allocations {
    changes: Vec<Change>,
    /// The time of the first change that was not kept.
    until: Option<u64>,
    /// The number of changes that were not kept, because there are too many.
    pub beyond: u64,
}

/// A call or a return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    time: u64,
    tid: u32,
    pid: u32,
    allocator: Allocator,
    /// The stack pointer of the caller.
    sp: u64,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    /// `old` is the block that is moved or unmapped.
    Call {
        bytes: u64,
        old: Option<u64>,
    },
    Return {
        address: u64,
        site: Option<u32>,
    },
}

/// A block of memory, from when it was allocated on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Block {
    /// The time at which its function returned.
    pub time: u64,
    /// The process.
    pub pid: u32,
    /// Its addresses.
    pub range: Range<u64>,
    /// The number that the caller gives to the place of the code that asked for it; `None` for memory whose use is not known.
    pub site: Option<u32>,
}

/// The most calls and returns that are kept, in some 100 MB.
const MOST: usize = 1 << 21;

impl Allocations {
    /// Takes the sample of a probe of a call.
    pub fn call(&mut self, sample: &Sample<'_>, allocator: Allocator) {
        let Some(registers) = sample.registers.filter(Registers::is_64_bit) else { return };
        if let Some(bytes) = allocator.bytes(&registers) {
            let has_old = matches!(allocator, Allocator::Realloc | Allocator::Munmap);
            let old = registers.argument(0).filter(|_| has_old);
            self.change(sample, allocator, registers.sp_of_caller(), What::Call { bytes, old });
        }
    }

    /// Takes the sample of a probe of a return; `site` is the number that the caller gives to the place of the code that asked for the memory, or `None` if the C library did that itself, so that the use of the memory is not known.
    pub fn returned(&mut self, sample: &Sample<'_>, allocator: Allocator, site: Option<u32>) {
        let Some(registers) = sample.registers.filter(Registers::is_64_bit) else { return };
        if let Some(address) = registers.returned() {
            self.change(sample, allocator, registers.sp(), What::Return { address, site });
        }
    }

    fn change(&mut self, sample: &Sample<'_>, allocator: Allocator, sp: u64, what: What) {
        let (Some(time), Some(pid), Some(tid)) = (sample.time, sample.pid, sample.tid) else {
            return;
        };
        if self.changes.len() < MOST {
            self.changes.push(Change { time, tid, pid, allocator, sp, what });
        } else {
            self.beyond += 1;
            self.until = Some(self.until.map_or(time, |until| until.min(time)));
        }
    }

    /// The blocks in the order of time, and the time from which on later ones were not kept.
    pub fn finish(mut self) -> (Vec<Block>, Option<u64>) {
        self.changes.sort_unstable();
        let mut pairing = Pairing::default();
        for change in self.changes {
            pairing.take(change);
        }
        (pairing.blocks, self.until)
    }
}

/// Puts returns to their calls.
#[derive(Default)]
struct Pairing {
    /// The calls that have not returned, with what they ask for and the block that they move.
    open: HashMap<(u32, Allocator, u64), (u64, Option<u64>)>,
    /// The end of the last block at each address of a process.
    ends: HashMap<(u32, u64), u64>,
    blocks: Vec<Block>,
}

impl Pairing {
    fn take(&mut self, Change { time, tid, pid, allocator, sp, what }: Change) {
        match what {
            What::Call { bytes, old: Some(start) } if allocator == Allocator::Munmap => {
                let end = start.saturating_add(bytes);
                self.blocks.push(Block { time, pid, range: start..end, site: None });
            }
            What::Call { bytes, old } => {
                self.open.insert((tid, allocator, sp), (bytes, old));
            }
            What::Return { address, site } => {
                // A call that jumped out of its function has no return.
                let Some((bytes, old)) = self.open.remove(&(tid, allocator, sp)) else { return };
                let failed = address == 0 || address == u64::MAX;
                let end = address.checked_add(bytes.max(1)).filter(|_| !failed);
                let Some(end) = end else { return };
                // What was moved is no longer where it was.
                let old = old.filter(|old| *old != address);
                if let Some((start, end)) =
                    old.and_then(|of| Some((of, self.ends.remove(&(pid, of))?)))
                {
                    self.blocks.push(Block { time, pid, range: start..end, site: None });
                }
                self.ends.insert((pid, address), end);
                self.blocks.push(Block { time, pid, range: address..end, site });
            }
        }
    }
}
