use super::words::Words;
use std::fmt;

/// The numbers that the kernel gives to the registers needed for unwinding (`asm/perf_regs.h`).
#[derive(Clone, Copy)]
struct Numbers {
    ip: u32,
    sp: u32,
    fp: u32,
    lr: Option<u32>,
}

const NUMBERS: Option<Numbers> = if cfg!(target_arch = "x86_64") {
    Some(Numbers { ip: 8, sp: 7, fp: 6, lr: None })
} else if cfg!(target_arch = "aarch64") {
    Some(Numbers { ip: 32, sp: 31, fp: 29, lr: Some(30) })
} else if cfg!(target_arch = "riscv64") {
    Some(Numbers { ip: 0, sp: 2, fp: 8, lr: Some(1) })
} else {
    None
};

/// The registers that are requested, as bits (`sample_regs_user`).
pub(crate) const MASK: u64 = match NUMBERS {
    Some(Numbers { ip, sp, fp, lr }) => {
        let link = match lr {
            Some(lr) => 1 << lr,
            None => 0,
        };
        1 << ip | 1 << sp | 1 << fp | link
    }
    None => 0,
};

/// The number for registers of 64 bits (`PERF_SAMPLE_REGS_ABI_64`).
const ABI_64: u64 = 2;

/// The registers of user code that are needed to unwind its stack.
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

    /// Whether they are those of a 64-bit program.
    #[doc(alias = "PERF_SAMPLE_REGS_ABI_64")]
    pub fn is_64_bit(&self) -> bool {
        self.abi == ABI_64
    }

    /// The instruction pointer.
    pub fn ip(&self) -> u64 {
        NUMBERS.map_or(0, |numbers| self.get(numbers.ip))
    }

    /// The stack pointer.
    pub fn sp(&self) -> u64 {
        NUMBERS.map_or(0, |numbers| self.get(numbers.sp))
    }

    /// The frame pointer.
    pub fn fp(&self) -> u64 {
        NUMBERS.map_or(0, |numbers| self.get(numbers.fp))
    }

    /// The link register, where there is one.
    pub fn lr(&self) -> Option<u64> {
        Some(self.get(NUMBERS?.lr?))
    }

    fn get(&self, number: u32) -> u64 {
        if self.mask & 1 << number == 0 {
            return 0;
        }
        let before = (self.mask & ((1 << number) - 1)).count_ones() as usize * size_of::<u64>();
        Words(self.words.get(before..).unwrap_or_default()).next().unwrap_or_default()
    }
}

impl fmt::Debug for Registers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut registers = f.debug_struct("Registers");
        registers.field("ip", &self.ip()).field("sp", &self.sp()).field("fp", &self.fp());
        registers.field("lr", &self.lr()).field("is_64_bit", &self.is_64_bit()).finish()
    }
}
