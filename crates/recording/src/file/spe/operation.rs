//! The operations that Arm's Statistical Profiling Extension (SPE) has sampled, each a row of packets.
//!
//! The packets are those of the Arm Architecture Reference Manual for A-profile, chapter "Statistical Profiling Extension Sample Record Specification".

use std::ops::ControlFlow;

/// An operation that was sampled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Operation {
    /// The address of its instruction.
    pub(crate) instruction: u64,
    /// The instruction is one of the kernel or of the hypervisor.
    pub(crate) is_privileged: bool,
    /// The address of its data, and where these are in memory; 0 if it has none.
    pub(crate) data: u64,
    pub(crate) physical: u64,
    /// The cycles from its dispatch to its end.
    pub(crate) latency: u64,
    /// What happened to it, as bits: [`L1D_ACCESS`] and others.
    pub(crate) events: u64,
    pub(crate) access: Option<Access>,
    /// Where its data was found, as a number of the processor.
    pub(crate) source: Option<u64>,
    /// The thread that the kernel has put into the context register.
    pub(crate) thread: Option<u32>,
    /// The time by the counter of the system.
    pub(crate) time: Option<u64>,
}

/// What an operation does with its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Load,
    Store,
}

pub(crate) const L1D_ACCESS: u64 = 1 << 2;
pub(crate) const L1D_REFILL: u64 = 1 << 3;
pub(crate) const TLB_ACCESS: u64 = 1 << 4;
pub(crate) const TLB_WALK: u64 = 1 << 5;
pub(crate) const MISPREDICTED: u64 = 1 << 7;
pub(crate) const LLC_ACCESS: u64 = 1 << 8;
pub(crate) const LLC_MISS: u64 = 1 << 9;
pub(crate) const REMOTE_ACCESS: u64 = 1 << 10;

/// Puts packets together, which may come in pieces.
#[derive(Debug, Default)]
pub(crate) struct Packets {
    operation: Operation,
    /// A packet of the operation is not known, so that what is known of it may be that of another one.
    is_damaged: bool,
    /// The beginning of a packet whose end is in the next piece.
    held: Vec<u8>,
    /// The place in the processor's buffer of what follows.
    position: u64,
}

impl Packets {
    /// The next piece begins at this place of the processor's buffer, which is where the last one ended, if nothing is missing.
    pub(crate) fn continue_at(&mut self, position: u64) {
        if position != self.position.wrapping_add(self.held.len() as u64) {
            *self = Packets { position, ..Packets::default() };
        }
    }

    /// The number of bytes of a packet whose end has not come.
    pub(crate) fn unfinished(&self) -> usize {
        self.held.len()
    }

    /// Calls `each` for every operation that ends in these bytes, or with `None` for a byte that is no packet, until it says that the rest is not wanted.
    pub(crate) fn take(
        &mut self,
        piece: &[u8],
        mut each: impl FnMut(Option<&Operation>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let joined = (!self.held.is_empty()).then(|| [&self.held, piece].concat());
        self.held.clear();
        let mut bytes = joined.as_deref().unwrap_or(piece);
        while !bytes.is_empty() {
            let size = match packet(bytes, self.position) {
                Packet::CutOff => {
                    self.held.extend(bytes);
                    break;
                }
                Packet::Unknown => {
                    self.is_damaged = true;
                    each(None)?;
                    1
                }
                Packet::Padding(size) => size,
                Packet::End(size, time) => {
                    let operation = Operation { time, ..std::mem::take(&mut self.operation) };
                    let is_damaged = std::mem::take(&mut self.is_damaged);
                    if !is_damaged && operation != Operation::default() {
                        each(Some(&operation))?;
                    }
                    size
                }
                Packet::Part(size, part) => {
                    self.operation.add(part);
                    size
                }
            };
            bytes = &bytes[size..];
            self.position = self.position.wrapping_add(size as u64);
        }
        ControlFlow::Continue(())
    }
}

/// A packet, and its number of bytes.
enum Packet {
    /// Its end is not there.
    CutOff,
    /// It is none.
    Unknown,
    Padding(usize),
    /// The end of an operation, with its time if that was recorded.
    End(usize, Option<u64>),
    Part(usize, Part),
}

/// What a packet says of its operation.
enum Part {
    Events(u64),
    Source(u64),
    Thread(u32),
    Type { class: u8, what: u64 },
    Address { index: u8, address: u64 },
    Counter { index: u8, count: u64 },
}

/// The packet at the beginning of some bytes, which are at this place of the processor's buffer.
fn packet(bytes: &[u8], position: u64) -> Packet {
    // A header of two bytes has the upper bits of an index in the first one.
    let (high, header, start) = match (bytes[0], bytes.get(1)) {
        (0, _) => return Packet::Padding(1),
        (1, _) => return Packet::End(1, None),
        (0x20..=0x23, None) => return Packet::CutOff,
        (first @ 0x20..=0x23, Some(0)) => return alignment(bytes, first, position),
        (first @ 0x20..=0x23, Some(second)) => ((first & 3) << 3, *second, 2),
        (first, _) => (0, first, 1),
    };
    let size = start + (1 << (header >> 4 & 3));
    let Some(payload) = bytes.get(start..size) else { return Packet::CutOff };
    let payload = payload.iter().rev().fold(0, |payload, byte| payload << 8 | u64::from(*byte));
    let index = high | header & 7;
    let part = match header {
        _ if header & 0xf8 == 0xb0 => Part::Address { index, address: payload },
        _ if header & 0xf8 == 0x98 => Part::Counter { index, count: payload },
        // The others have no second byte.
        _ if start == 2 => return Packet::Unknown,
        0x71 => return Packet::End(size, Some(payload)),
        _ if header & 0xcf == 0x42 => Part::Events(payload),
        _ if header & 0xcf == 0x43 => Part::Source(payload),
        _ if header & 0xfc == 0x64 => Part::Thread(payload as u32),
        _ if header & 0xfc == 0x48 => Part::Type { class: header & 3, what: payload },
        _ => return Packet::Unknown,
    };
    Packet::Part(size, part)
}

/// A packet that goes on to where a multiple of 2, 4, 8 or 16 bytes begins.
fn alignment(bytes: &[u8], first: u8, position: u64) -> Packet {
    let alignment = 2_u64 << (first & 3);
    let size = (alignment - position % alignment) as usize;
    if size > bytes.len() { Packet::CutOff } else { Packet::Padding(size) }
}

/// The class of loads, stores and atomic operations.
const ACCESS: u8 = 1;
const INSTRUCTION: u8 = 0;
const DATA: u8 = 2;
const PHYSICAL: u8 = 3;
/// The count of all cycles of an operation.
const TOTAL: u8 = 0;
/// The exception level, in the highest byte of the address of an instruction.
const LEVEL: u64 = 3 << 61;

impl Operation {
    fn add(&mut self, part: Part) {
        match part {
            Part::Events(events) => self.events |= events,
            Part::Source(source) => self.source = Some(source),
            Part::Thread(thread) => self.thread = Some(thread),
            Part::Type { class: ACCESS, what } => {
                self.access = Some(if what & 1 == 0 { Access::Load } else { Access::Store });
            }
            Part::Address { index: INSTRUCTION, address: of } => {
                (self.instruction, self.is_privileged) = (address(of), of & LEVEL != 0);
            }
            Part::Address { index: DATA, address: of } => self.data = address(of),
            Part::Address { index: PHYSICAL, address } => self.physical = address & !TOP,
            Part::Counter { index: TOTAL, count } => self.latency = count,
            _ => {}
        }
    }
}

/// The byte that is no part of an address.
const TOP: u64 = 0xff << 56;

/// A virtual address: its highest byte, which has a tag or the exception level, is as the bit below, which divides the kernel's addresses from others.
fn address(payload: u64) -> u64 {
    ((payload << 8).cast_signed() >> 8).cast_unsigned()
}
