//! The loops for RISC-V with 64 bits, with the extensions M, A and D.

#![allow(unsafe_code, reason = "inline assembly")]

use super::loops::{Code, Line, Loops, MULTIPLICATIONS, RANDOM, eight, four};
use std::arch::asm;

pub(crate) const CODE: Loops = Loops {
    integers: Code { instructions: 10, run: integers },
    branches: Code { instructions: 6, run: branches },
    coin: Code { instructions: 12, run: coin },
    loads: Code { instructions: 10, run: loads },
    stores: Code { instructions: 10, run: stores },
    singles: Code { instructions: 10, run: singles },
    doubles: Code { instructions: 10, run: doubles },
    vectors: Vec::new,
    atomics: || Some(Code { instructions: 6, run: atomics }),
};

/// A loop of so many turns around lines of assembly, with their operands.
macro_rules! turns {
    ($turns:expr, [$($line:expr),* $(,)?], $($operands:tt)*) => {
        asm!("2:", $($line,)* "addi {turns}, {turns}, -1", "bnez {turns}, 2b", turns = inout(reg) $turns => _, $($operands)*)
    };
}

fn integers(turns: u64, _: &mut Line) {
    // SAFETY: it only changes the registers that it names.
    unsafe {
        turns!(turns, [eight!("addi {sum}, {sum}, 1")], sum = inout(reg) 0_u64 => _, options(nomem, nostack));
    }
}

fn branches(turns: u64, _: &mut Line) {
    // SAFETY: it only reads and changes the registers that it names, and no branch leaves it.
    unsafe {
        turns!(turns, [four!("beqz {one}, 3f"), "3:"], one = in(reg) 1_u64, options(nomem, nostack));
    }
}

fn coin(turns: u64, line: &mut Line) {
    // SAFETY: it only changes the registers that it names, and no branch leaves it.
    unsafe {
        turns!(turns, [
            "mul {random}, {random}, {factor}", "add {random}, {random}, {added}", "bltz {random}, 3f",
            "nop", "j 4f", "3:", "nop", "j 4f", "4:",
            "mul {random}, {random}, {factor}", "add {random}, {random}, {added}", "bltz {random}, 5f",
            "nop", "j 6f", "5:", "nop", "j 6f", "6:",
        ],
        random = inout(reg) line.0[0], factor = in(reg) RANDOM.0, added = in(reg) RANDOM.1,
        options(nomem, nostack));
    }
}

fn loads(turns: u64, line: &mut Line) {
    // SAFETY: it only reads the line.
    unsafe {
        turns!(turns, [
            "ld {word}, 0({line})", "ld {word}, 8({line})", "ld {word}, 16({line})", "ld {word}, 24({line})",
            "ld {word}, 32({line})", "ld {word}, 40({line})", "ld {word}, 48({line})", "ld {word}, 56({line})",
        ], line = in(reg) line.0.as_ptr(), word = out(reg) _, options(readonly, nostack));
    }
}

fn stores(turns: u64, line: &mut Line) {
    // SAFETY: it only writes to the line, which the caller lent.
    unsafe {
        turns!(turns, [
            "sd {word}, 0({line})", "sd {word}, 8({line})", "sd {word}, 16({line})", "sd {word}, 24({line})",
            "sd {word}, 32({line})", "sd {word}, 40({line})", "sd {word}, 48({line})", "sd {word}, 56({line})",
        ], line = in(reg) line.0.as_mut_ptr(), word = in(reg) 1_u64, options(nostack));
    }
}

fn atomics(turns: u64, line: &mut Line) {
    // SAFETY: it only changes the first word of the line, which the caller lent.
    unsafe {
        turns!(turns, [four!("amoadd.d {old}, {one}, ({line})")],
            line = in(reg) line.0.as_mut_ptr(), one = in(reg) 1_u64, old = out(reg) _, options(nostack));
    }
}

fn singles(turns: u64, _: &mut Line) {
    // SAFETY: it only changes the registers that it names.
    unsafe {
        turns!(turns, [eight!("fadd.s {sum}, {sum}, {one}")], sum = inout(freg) 0_f32 => _, one = in(freg) 1_f32, options(nomem, nostack));
    }
}

fn doubles(turns: u64, _: &mut Line) {
    // SAFETY: it only changes the registers that it names.
    unsafe {
        turns!(turns, [eight!("fadd.d {sum}, {sum}, {one}")], sum = inout(freg) 0_f64 => _, one = in(freg) 1_f64, options(nomem, nostack));
    }
}

/// Multiplies as often as [`MULTIPLICATIONS`] says, and goes back to the beginning, so many times; returns the addresses of the first instruction and of the branch.
#[inline(never)]
pub(crate) fn branch_loop(turns: u64) -> (u64, u64) {
    let (start, branch): (u64, u64);
    // SAFETY: it only changes the registers that it names. Without compressed instructions, each has four bytes.
    unsafe {
        asm!(".option push", ".option norvc", "lla {start}, 2f", "lla {branch}, 3f",
            "2:", ".rept {count}", "mul {product}, {product}, {product}", ".endr", "addi {turns}, {turns}, -1", "3:", "bnez {turns}, 2b",
            ".option pop",
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
        turns!(turns, ["ld {at}, 0({at})"], at = inout(reg) at, options(readonly, nostack));
    }
    at
}
