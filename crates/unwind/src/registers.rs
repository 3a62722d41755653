//! The registers of a function, and the step to its caller where no rules are known.

use crate::CannotUnwind;

/// The number of registers; see [`Registers`].
pub const REGISTERS: usize = 33;

/// The registers of a function, by their DWARF numbers; `None` for a register whose value is not known.
///
/// On x86-64 they are `rax`, `rdx`, `rcx`, `rbx`, `rsi`, `rdi`, `rbp`, `rsp`, `r8` to `r15` and the instruction pointer ([`IP`], the return address of the numbering); on arm64 `x0` to `x30`, `sp` and `pc`.
pub type Registers = [Option<u64>; REGISTERS];

/// A step from a frame to its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The address at which the caller continues; `None` if there is no caller.
    pub caller: Option<u64>,
    /// The frame is one that the kernel made to call a signal handler: its caller was interrupted, and is at the very instruction with which it continues.
    pub is_signal: bool,
}

/// The numbers of one processor.
struct Numbers {
    ip: usize,
    sp: usize,
    fp: usize,
    lr: Option<usize>,
}

const NUMBERS: Numbers = if cfg!(target_arch = "x86_64") {
    Numbers { ip: 16, sp: 7, fp: 6, lr: None }
} else {
    Numbers { ip: 32, sp: 31, fp: 29, lr: Some(30) }
};

/// The index of the instruction pointer in [`Registers`].
pub const IP: usize = NUMBERS.ip;
/// The index of the stack pointer.
pub const SP: usize = NUMBERS.sp;
/// The index of the frame pointer.
pub const FP: usize = NUMBERS.fp;
/// The index of the link register; `None` on x86-64, which has none.
pub const LR: Option<usize> = NUMBERS.lr;

/// The bits of an address of a program; on arm64, those above them may sign it.
const ADDRESS: u64 = if cfg!(target_arch = "x86_64") { u64::MAX } else { (1 << 48) - 1 };

/// A return address as the program continues there.
pub(crate) fn unsigned(address: u64) -> u64 {
    address & ADDRESS
}

/// The registers that a function may leave to its caller with any value.
pub(crate) const VOLATILE: &[usize] = if cfg!(target_arch = "x86_64") {
    &[0, 1, 2, 4, 5, 8, 9, 10, 11]
} else {
    &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 30]
};

/// The words of a frame that begins with the caller's frame pointer.
const FRAME: u64 = 16;

/// Finds the caller of code without unwind information, which is expected to have a frame pointer.
pub(crate) fn by_frame_pointer(
    registers: &mut Registers,
    stack: &mut dyn FnMut(u64) -> Option<u64>,
) -> Result<Step, CannotUnwind> {
    let outermost = Step { caller: None, is_signal: false };
    let (fp, sp) = (registers[FP].unwrap_or(0), registers[SP].unwrap_or(0));
    // It is 0 where a program begins, in the dynamic linker.
    if fp == 0 {
        return Ok(outermost);
    }
    let above = fp.checked_add(FRAME).filter(|_| fp >= sp).ok_or(CannotUnwind::NoRule)?;
    let mut word = |address| stack(address).ok_or(CannotUnwind::Stack(address));
    let (before, caller) = (word(fp)?, unsigned(word(fp + 8)?));
    if before != 0 && before <= fp {
        return Err(CannotUnwind::NoProgress);
    }
    *registers = [None; REGISTERS];
    registers[FP] = Some(before);
    registers[SP] = Some(above);
    registers[IP] = Some(caller);
    Ok(Step { caller: Some(caller).filter(|caller| *caller != 0), ..outermost })
}
