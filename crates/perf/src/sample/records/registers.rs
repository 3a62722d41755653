//! The registers of user code in a sample.

use super::words::Words;
use std::fmt;

/// The registers of user code that unwinding needs: all general ones.
#[derive(Clone, Copy)]
struct Numbers {
    /// For each number of the kernel (`asm/perf_regs.h`), the number in [`Registers::by_dwarf`]; `None` for a register that is none of the general ones.
    dwarf: &'static [Option<u8>],
    ip: u32,
    sp: u32,
    /// The first arguments of a function of C, and its result, whose register may be that of the first argument.
    arguments: [u32; 3],
    result: u32,
    /// The bytes that a call puts on the stack.
    call: u64,
}

/// Flags and segments are between the instruction pointer and `r8`.
const X86_64: [Option<u8>; 24] = {
    let mut dwarf = [None; 24];
    let first = [0, 3, 2, 1, 4, 5, 6, 7, 16];
    let mut number = 0;
    while number < first.len() {
        dwarf[number] = Some(first[number]);
        number += 1;
    }
    let mut number = 16;
    while number < 24 {
        dwarf[number] = Some(number as u8 - 8);
        number += 1;
    }
    dwarf
};

/// `x0` to `x30`, `sp` and `pc` have the same numbers.
const AARCH64: [Option<u8>; 33] = {
    let mut dwarf = [None; 33];
    let mut number = 0;
    while number < 33 {
        dwarf[number] = Some(number as u8);
        number += 1;
    }
    dwarf
};

/// The instruction pointer is in the place of `x0`, which is always 0.
const RISCV64: [Option<u8>; 32] = {
    let mut dwarf = [None; 32];
    dwarf[0] = Some(32);
    let mut number = 1;
    while number < 32 {
        dwarf[number] = Some(number as u8);
        number += 1;
    }
    dwarf
};

const NUMBERS: Option<Numbers> = if cfg!(target_arch = "x86_64") {
    Some(Numbers { dwarf: &X86_64, ip: 8, sp: 7, arguments: [5, 4, 3], result: 0, call: 8 })
} else if cfg!(target_arch = "aarch64") {
    Some(Numbers { dwarf: &AARCH64, ip: 32, sp: 31, arguments: [0, 1, 2], result: 0, call: 0 })
} else if cfg!(target_arch = "riscv64") {
    Some(Numbers { dwarf: &RISCV64, ip: 0, sp: 2, arguments: [10, 11, 12], result: 10, call: 0 })
} else {
    None
};

/// The registers that are requested, as bits (`sample_regs_user`).
pub(crate) const MASK: u64 = match NUMBERS {
    Some(Numbers { dwarf, .. }) => {
        let (mut mask, mut number) = (0, 0);
        while number < dwarf.len() {
            if dwarf[number].is_some() {
                mask |= 1 << number;
            }
            number += 1;
        }
        mask
    }
    None => 0,
};

/// The number for registers of 64 bits (`PERF_SAMPLE_REGS_ABI_64`).
const ABI_64: u64 = 2;
/// The registers of [`Registers::by_dwarf`].
const BY_DWARF: usize = 33;

/// The registers of user code.
#[derive(Clone, Copy, PartialEq)]
pub struct Registers<'a> {
    /// Those of the mask, by ascending number.
    words: &'a [u8],
    mask: u64,
    abi: u64,
}

impl<'a> Registers<'a> {
    /// The outer value is `None` if there are not enough words, the inner one if there are no registers.
    pub(super) fn take(words: &mut Words<'a>, mask: u64) -> Option<Option<Registers<'a>>> {
        let abi = words.next()?;
        if abi == 0 {
            return Some(None);
        }
        Some(Some(Registers { words: words.take(mask.count_ones().into())?, mask, abi }))
    }

    /// Returns true if the arguments and results of functions are known on this processor.
    pub fn has_arguments() -> bool {
        NUMBERS.is_some()
    }

    /// Returns true if they are those of a 64-bit program.
    #[doc(alias = "PERF_SAMPLE_REGS_ABI_64")]
    pub fn is_64_bit(&self) -> bool {
        self.abi == ABI_64
    }

    /// The instruction pointer; 0 if it is not among them.
    pub fn ip(&self) -> u64 {
        NUMBERS.and_then(|numbers| self.get(numbers.ip)).unwrap_or(0)
    }

    /// The stack pointer; 0 if it is not among them.
    pub fn sp(&self) -> u64 {
        NUMBERS.and_then(|numbers| self.get(numbers.sp)).unwrap_or(0)
    }

    /// The registers by the numbers that DWARF gives them on this processor; `None` for one that is not known.
    ///
    /// On x86-64, 16 is the instruction pointer; on arm64, 31 is the stack pointer and 32 the instruction pointer, which is 32 on RISC-V too.
    pub fn by_dwarf(&self) -> [Option<u64>; BY_DWARF] {
        let mut registers = [None; BY_DWARF];
        for (number, dwarf) in NUMBERS.map_or(&[][..], |numbers| numbers.dwarf).iter().enumerate() {
            if let Some(dwarf) = dwarf {
                registers[usize::from(*dwarf)] = self.get(number as u32);
            }
        }
        registers
    }

    /// An argument of a function of C, at the first instruction of the function; `None` from the fourth on, and if it is not among the registers.
    pub fn argument(&self, number: usize) -> Option<u64> {
        self.get(*NUMBERS?.arguments.get(number)?)
    }

    /// The result of a function of C, just after it returned; `None` if it is not among the registers.
    pub fn returned(&self) -> Option<u64> {
        self.get(NUMBERS?.result)
    }

    /// The stack pointer of the caller, at the first instruction of a function: what it is after the function has returned.
    pub fn sp_of_caller(&self) -> u64 {
        self.sp().wrapping_add(NUMBERS.map_or(0, |numbers| numbers.call))
    }

    fn get(&self, number: u32) -> Option<u64> {
        if self.mask & 1 << number == 0 {
            return None;
        }
        let before = (self.mask & ((1 << number) - 1)).count_ones() as usize * size_of::<u64>();
        Words(self.words.get(before..)?).next()
    }
}

impl fmt::Debug for Registers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut registers = f.debug_struct("Registers");
        registers.field("ip", &self.ip()).field("sp", &self.sp());
        registers.field("is_64_bit", &self.is_64_bit()).finish_non_exhaustive()
    }
}
