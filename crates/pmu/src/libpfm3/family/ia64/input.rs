//! The input of a request for an IA-64 PMU besides events.

use crate::privilege::Privilege;

/// The features of an Itanium's PMU that a request uses besides counters; none by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[doc(alias = "pfmlib_ita2_input_param_t")]
#[doc(alias = "pfmlib_mont_input_param_t")]
pub struct Ia64Input {
    /// Opcode matchers: PMC8 and PMC9 up to Itanium 2, PMC32/33 and PMC34/35 on Montecito.
    pub opcodes: [Option<OpcodeMatch>; 2],
    /// Instruction event address registers.
    pub instruction_ear: Option<Ear>,
    /// Data event address registers.
    pub data_ear: Option<Ear>,
    /// The branch trace buffer, called execution trace buffer (ETB) on Montecito.
    #[doc(alias = "etb")]
    pub branch_buffer: Option<BranchBuffer>,
    /// The instruction pointer event address registers of Montecito.
    pub ip_ear: Option<IpEar>,
    /// Counts only executions in these ranges.
    #[doc(alias = "irange")]
    pub code: Option<Ranges>,
    /// Counts only accesses to these ranges.
    #[doc(alias = "drange")]
    pub data: Option<Ranges>,
}

impl Ia64Input {
    /// No opcode is given as Montecito takes it.
    pub(super) fn has_raw_opcodes(&self) -> bool {
        !self.opcodes.iter().flatten().any(|opcode| matches!(opcode, OpcodeMatch::Fields { .. }))
    }

    /// Every opcode is given as Montecito takes it.
    pub(super) fn has_opcode_fields(&self) -> bool {
        !self.opcodes.iter().flatten().any(|opcode| matches!(opcode, OpcodeMatch::Register(_)))
    }
}

/// The comparison of an opcode matcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpcodeMatch {
    /// The value of PMC8 or PMC9, up to Itanium 2.
    Register(u64),
    /// Montecito: 41 bits of opcode, 41 bits to ignore in it, and the slot types.
    #[doc(alias = "pfmlib_mont_opcm_t")]
    Fields {
        /// The opcode.
        matches: u64,
        /// Its bits that are not compared.
        mask: u64,
        /// Looks at memory slots.
        m: bool,
        /// Looks at integer slots.
        i: bool,
        /// Looks at floating-point slots.
        f: bool,
        /// Looks at branch slots.
        b: bool,
    },
}

/// Event address registers used without their event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ear {
    /// 0 for caches, 1 for TLBs, 2 for the ALAT.
    pub mode: u32,
    /// Instruction set mask, of Itanium and Itanium 2.
    pub instruction_set: u32,
    /// Privilege levels; 0 for the default ones.
    pub plm: Privilege,
    /// Which latencies or levels; a field of the register.
    pub umask: u32,
}

impl Ear {
    /// The unit mask of an event of the registers.
    pub(super) fn of_event(mode: u32, umask: u8) -> Ear {
        Ear { mode, umask: umask.into(), ..Ear::default() }
    }
}

/// The branch buffer used without its event: fields of its register, each cut to its width.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "pfmlib_ita2_btb_t")]
pub struct BranchBuffer {
    /// Privilege levels; 0 for the default ones.
    pub plm: Privilege,
    /// Taken mask.
    pub tm: u32,
    /// Predicted target address mask.
    pub ptm: u32,
    /// Predicted predicate mask.
    pub ppm: u32,
    /// Branch type mask, of Itanium 2 and Montecito.
    pub brt: u32,
    /// Data selector, of Itanium 2.
    pub ds: u32,
    /// Itanium: captures predictions of the target address registers.
    pub tar: u32,
    /// Itanium: captures predictions of the target address cache.
    pub tac: u32,
    /// Itanium: captures predictions of the branch address calculator.
    pub bac: u32,
}

/// The instruction pointer event address registers of Montecito.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IpEar {
    /// Privilege levels; 0 for the default ones.
    pub plm: Privilege,
    /// Cycles to wait before an address is captured; eight bits.
    pub delay: u32,
}

/// Address ranges, at most four.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges {
    /// [`Ranges::INVERT`] and its neighbours.
    pub flags: u32,
    /// Ranges after one from 0 to 0 are ignored.
    pub limits: Vec<Range>,
}

impl Ranges {
    /// Counts outside the ranges.
    pub const INVERT: u32 = 1;
    /// Does not use fine mode, in which two pairs hold the exact limits of a range inside a page.
    pub const NO_FINE: u32 = 2;
    /// Montecito: events that see both fetches and prefetches count fetches.
    pub const DEMAND_FETCH: u32 = 4;
    /// Montecito: events that see both fetches and prefetches count prefetches.
    pub const PREFETCH_MATCH: u32 = 8;
}

/// Addresses from `start` to `end`, which is not among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// The first address.
    pub start: u64,
    /// The address after the last one.
    pub end: u64,
    /// Privilege levels; 0 for the default ones.
    pub plm: Privilege,
}

/// The restriction to address ranges: debug registers to write besides the PMCs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[doc(alias = "pfmlib_ita2_output_param_t")]
#[non_exhaustive]
pub struct Ia64Output {
    /// Instruction breakpoint registers (IBR).
    pub code: RangeRegisters,
    /// Data breakpoint registers (DBR).
    pub data: RangeRegisters,
}

/// The debug registers of code or data ranges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "rr_br")]
#[non_exhaustive]
pub struct RangeRegisters {
    registers: [(u8, u64); 8],
    used: u8,
    /// The number of ranges that are held in fine mode.
    pub(super) fine_ranges: u8,
    /// For each range, the number of bytes by which the match of the registers begins before it and ends after it.
    #[doc(alias = "rr_infos")]
    pub excess: [[u64; 2]; 4],
}

impl RangeRegisters {
    /// Register numbers, which are also their addresses, and values, in the order to write them.
    pub fn registers(&self) -> &[(u8, u64)] {
        &self.registers[..self.used.into()]
    }

    /// Adds both registers of a pair.
    pub(super) fn push(&mut self, pair: usize, address: u64, mask: u64, plm: Privilege) {
        let (number, used) = (2 * pair as u8, usize::from(self.used));
        let levels = u64::from(plm.bits() & 0xf) << 56;
        self.registers[used..used + 2]
            .copy_from_slice(&[(number, address), (number + 1, mask | levels)]);
        self.used += 2;
    }

    /// The excess as libpfm 3.10 reports it, which in fine mode keeps that of the last range only, in place of the first.
    pub fn as_libpfm3_excess(&self) -> [[u64; 2]; 4] {
        match self.fine_ranges {
            0 => self.excess,
            ranges => [self.excess[usize::from(ranges) - 1], [0; 2], [0; 2], [0; 2]],
        }
    }

    pub(super) fn uses(&self, pair: usize) -> bool {
        self.registers().iter().any(|&(number, _)| usize::from(number) == 2 * pair)
    }
}
