//! Values of the configuration registers of IA-64 PMUs.

use super::events::{Facts, Kind};
use super::input::{BranchBuffer, Ear, OpcodeMatch};
use crate::libpfm3::EventRequest;
use crate::privilege::Privilege;

/// The low `width` bits of `value`, placed at bit `at`.
pub(super) fn field(value: impl Into<u64>, at: u32, width: u32) -> u64 {
    (value.into() & ((1 << width) - 1)) << at
}

/// The fields that most configuration registers begin with: privilege levels, privileged monitor.
#[derive(Clone, Copy)]
pub(super) struct Monitor {
    pub plm: Privilege,
    pub system_wide: bool,
}

impl Monitor {
    pub(super) fn bits(self) -> u64 {
        field(self.plm.bits(), 0, 4) | field(self.system_wide, 6, 1)
    }
}

/// PMC4 and its neighbours, without the fields of single models.
pub(super) fn counter(facts: &Facts, monitor: Monitor, event: &EventRequest) -> u64 {
    let ear = matches!(facts.kind, Kind::InstructionEar(_) | Kind::DataEar(_));
    monitor.bits()
        | field(facts.code, 8, 8)
        | field(if ear { 0 } else { facts.umask }, 16, 4)
        | field(event.options.threshold, 20, 3)
}

/// Itanium: PMC10 and PMC11.
pub(super) fn itanium_ear(ear: &Ear, monitor: Monitor) -> u64 {
    monitor.bits()
        | field(ear.mode, 7, 1)
        | field(ear.umask, 16, 4)
        | field(ear.instruction_set, 24, 2)
}

/// PMC10 of Itanium 2, PMC37 of Montecito; the latter ignores the instruction set.
pub(super) fn instruction_ear(ear: &Ear, monitor: Monitor) -> u64 {
    let tlb = ear.mode == 1;
    field(monitor.plm.bits(), 0, 4)
        | field(monitor.system_wide, 4, 1)
        | field(ear.umask, 5, if tlb { 7 } else { 8 })
        | field(!tlb, 13, 1)
        | field(ear.instruction_set, 14, 2)
}

/// PMC11 of Itanium 2, PMC40 of Montecito.
pub(super) fn data_ear(ear: &Ear, monitor: Monitor) -> u64 {
    monitor.bits()
        | field(ear.mode, 7, 2)
        | field(ear.umask, 16, 4)
        | field(ear.instruction_set, 24, 2)
}

/// PMC12 of Itanium: bits 7 and 14-15 select the branch predictors that are captured (Itanium Processor
/// Reference Manual for Software Development).
pub(super) fn itanium_branch_buffer(buffer: &BranchBuffer, monitor: Monitor) -> u64 {
    monitor.bits()
        | field(buffer.tar, 7, 1)
        | field(buffer.tm, 8, 2)
        | field(buffer.ptm, 10, 2)
        | field(buffer.ppm, 12, 2)
        | field(buffer.tac, 14, 1)
        | field(buffer.bac, 15, 1)
}

/// PMC12 of Itanium 2, PMC39 of Montecito.
pub(super) fn branch_buffer(buffer: &BranchBuffer, monitor: Monitor) -> u64 {
    monitor.bits()
        | field(buffer.ds, 7, 1)
        | field(buffer.tm, 8, 2)
        | field(buffer.ptm, 10, 2)
        | field(buffer.ppm, 12, 2)
        | field(buffer.brt, 14, 2)
}

/// A branch buffer whose event is counted: it captures every branch.
pub(super) const EVERY_BRANCH: BranchBuffer = BranchBuffer {
    plm: Privilege::NONE,
    tm: 3,
    ptm: 3,
    ppm: 3,
    brt: 0,
    ds: 0,
    tar: 1,
    tac: 1,
    bac: 1,
};

/// The relation of instructions outside a code range to an opcode matcher.
#[derive(Clone, Copy)]
pub(super) enum InRange {
    /// There is no code range.
    Ignored,
    Inside,
    Outside,
}

/// PMC8 and PMC9 of Itanium 2: bit 0 ignores the code range, bit 1 inverts it, bit 2 enables the matcher.
pub(super) fn itanium2_opcode(matches: u64, range: InRange) -> u64 {
    let range = match range {
        InRange::Ignored => 0b01,
        InRange::Inside => 0b00,
        InRange::Outside => 0b10,
    };
    matches & !0b111 | 0b100 | range
}

/// PMC32 and PMC34 of Montecito without the fields of the former: the slots and the bits that are ignored.
pub(super) fn montecito_opcode_mask(opcode: &OpcodeMatch) -> u64 {
    match *opcode {
        OpcodeMatch::Register(mask) => field(mask, 0, 41) | field(0xfu64, 48, 4),
        OpcodeMatch::Fields { mask, m, i, f, b, .. } => {
            field(mask, 0, 41)
                | field(b, 48, 1)
                | field(f, 49, 1)
                | field(i, 50, 1)
                | field(m, 51, 1)
        }
    }
}
