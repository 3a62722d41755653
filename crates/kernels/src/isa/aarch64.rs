//! The loops for AArch64.

#![allow(unsafe_code, reason = "inline assembly")]

use super::loops::{Code, Line, Loops, MULTIPLICATIONS, RANDOM, eight, four};
use std::arch::asm;

pub(crate) const CODE: Loops = Loops {
    integers: Code { instructions: 10, run: integers },
    branches: Code { instructions: 6, run: branches },
    coin: Code { instructions: 10, run: coin },
    loads: Code { instructions: 10, run: loads },
    stores: Code { instructions: 10, run: stores },
    singles: Code { instructions: 10, run: singles },
    doubles: Code { instructions: 10, run: doubles },
    vectors: || vec![(128, Code { instructions: 10, run: doubles_128 })],
    atomics: || {
        let has = std::arch::is_aarch64_feature_detected!("lse");
        has.then_some(Code { instructions: 6, run: atomics })
    },
};

/// A loop of so many turns around lines of assembly, with their operands.
macro_rules! turns {
    ($turns:expr, [$($line:expr),* $(,)?], $($operands:tt)*) => {
        asm!("2:", $($line,)* "subs {turns}, {turns}, #1", "b.ne 2b", turns = inout(reg) $turns => _, $($operands)*)
    };
}

fn integers(turns: u64, _: &mut Line) {
    // SAFETY: it only changes the registers that it names.
    unsafe {
        turns!(turns, [eight!("add {sum}, {sum}, #1")], sum = inout(reg) 0_u64 => _, options(nomem, nostack));
    }
}

fn branches(turns: u64, _: &mut Line) {
    // SAFETY: it only reads and changes the registers that it names, and no branch leaves it.
    unsafe {
        turns!(turns, [four!("cbz {one}, 3f"), "3:"], one = in(reg) 1_u64, options(nomem, nostack));
    }
}

fn coin(turns: u64, line: &mut Line) {
    // SAFETY: it only changes the registers that it names, and no branch leaves it.
    unsafe {
        turns!(turns, [
            "madd {random}, {random}, {factor}, {added}", "tbnz {random}, #63, 3f",
            "nop", "b 4f", "3:", "nop", "b 4f", "4:",
            "madd {random}, {random}, {factor}, {added}", "tbnz {random}, #63, 5f",
            "nop", "b 6f", "5:", "nop", "b 6f", "6:",
        ],
        random = inout(reg) line.0[0], factor = in(reg) RANDOM.0, added = in(reg) RANDOM.1,
        options(nomem, nostack));
    }
}

fn loads(turns: u64, line: &mut Line) {
    // SAFETY: it only reads the line.
    unsafe {
        turns!(turns, [
            "ldr {word}, [{line}]", "ldr {word}, [{line}, #8]", "ldr {word}, [{line}, #16]", "ldr {word}, [{line}, #24]",
            "ldr {word}, [{line}, #32]", "ldr {word}, [{line}, #40]", "ldr {word}, [{line}, #48]", "ldr {word}, [{line}, #56]",
        ], line = in(reg) line.0.as_ptr(), word = out(reg) _, options(readonly, nostack));
    }
}

fn stores(turns: u64, line: &mut Line) {
    // SAFETY: it only writes to the line, which the caller lent.
    unsafe {
        turns!(turns, [
            "str {word}, [{line}]", "str {word}, [{line}, #8]", "str {word}, [{line}, #16]", "str {word}, [{line}, #24]",
            "str {word}, [{line}, #32]", "str {word}, [{line}, #40]", "str {word}, [{line}, #48]", "str {word}, [{line}, #56]",
        ], line = in(reg) line.0.as_mut_ptr(), word = in(reg) 1_u64, options(nostack));
    }
}

fn atomics(turns: u64, line: &mut Line) {
    // SAFETY: the processor has LSE, and it only changes the first word of the line, which the caller lent.
    unsafe {
        turns!(turns, [".arch_extension lse", four!("ldadd {one}, {old}, [{line}]")],
            line = in(reg) line.0.as_mut_ptr(), one = in(reg) 1_u64, old = out(reg) _, options(nostack));
    }
}

fn singles(turns: u64, _: &mut Line) {
    // SAFETY: it only changes the registers that it names.
    unsafe {
        turns!(turns, [eight!("fadd {sum:s}, {sum:s}, {one:s}")], sum = inout(vreg) 0_f32 => _, one = in(vreg) 1_f32, options(nomem, nostack));
    }
}

fn doubles(turns: u64, _: &mut Line) {
    // SAFETY: it only changes the registers that it names.
    unsafe {
        turns!(turns, [eight!("fadd {sum:d}, {sum:d}, {one:d}")], sum = inout(vreg) 0_f64 => _, one = in(vreg) 1_f64, options(nomem, nostack));
    }
}

fn doubles_128(turns: u64, _: &mut Line) {
    // SAFETY: it only changes the registers that it names.
    unsafe {
        turns!(turns, [eight!("fadd {sum:v}.2d, {sum:v}.2d, {one:v}.2d")], sum = inout(vreg) 0_f64 => _, one = in(vreg) 1_f64, options(nomem, nostack));
    }
}

/// Multiplies as often as [`MULTIPLICATIONS`] says, and goes back to the beginning, so many times; returns the addresses of the first instruction and of the branch.
#[inline(never)]
pub(crate) fn branch_loop(turns: u64) -> (u64, u64) {
    let (start, branch): (u64, u64);
    // SAFETY: it only changes the registers that it names.
    unsafe {
        asm!("adr {start}, 2f", "adr {branch}, 3f",
            "2:", ".rept {count}", "mul {product}, {product}, {product}", ".endr", "subs {turns}, {turns}, #1", "3:", "b.ne 2b",
            start = out(reg) start, branch = out(reg) branch, turns = inout(reg) turns => _,
            product = inout(reg) 3_u64 => _, count = const MULTIPLICATIONS, options(nomem, nostack));
    }
    (start, branch)
}

/// Follows a ring of addresses for so many turns; three instructions and one load a turn.
///
/// # Safety
/// `at` is an address in memory that holds the next one, and so on.
pub(crate) unsafe fn chase(turns: u64, at: usize) -> usize {
    let mut at = at;
    // SAFETY: the caller promises that each address can be read.
    unsafe {
        turns!(turns, ["ldr {at}, [{at}]"], at = inout(reg) at, options(readonly, nostack));
    }
    at
}
