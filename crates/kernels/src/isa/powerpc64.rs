//! The loops for POWER with 64 bits, of either byte order.

#![allow(unsafe_code, reason = "inline assembly")]

use super::loops::{Code, Line, Loops, MULTIPLICATIONS, RANDOM, eight, four};
use std::arch::asm;

pub(crate) const CODE: Loops = Loops {
    integers: Code { instructions: 10, run: integers },
    branches: Code { instructions: 7, run: branches },
    coin: Code { instructions: 14, run: coin },
    loads: Code { instructions: 10, run: loads },
    stores: Code { instructions: 10, run: stores },
    singles: Code { instructions: 10, run: singles },
    doubles: Code { instructions: 10, run: doubles },
    vectors: Vec::new,
    // A store that is conditional may fail and be repeated, so that the number of instructions is not known.
    atomics: || None,
};

/// A loop of so many turns around lines of assembly, with their operands.
macro_rules! turns {
    ($turns:expr, [$($line:expr),* $(,)?], $($operands:tt)*) => {
        asm!("2:", $($line,)* "addic. {turns}, {turns}, -1", "bne 2b",
            turns = inout(reg_nonzero) $turns => _, out("cr0") _, out("xer") _, $($operands)*)
    };
}

fn integers(turns: u64, _: &mut Line) {
    // SAFETY: it only changes the registers that it names.
    unsafe {
        turns!(turns, [eight!("addi {sum}, {sum}, 1")], sum = inout(reg_nonzero) 0_u64 => _, options(nomem, nostack));
    }
}

fn branches(turns: u64, _: &mut Line) {
    // SAFETY: it only reads and changes the registers that it names, and no branch leaves it.
    unsafe {
        turns!(turns, ["cmpdi {one}, 0", four!("beq 3f"), "3:"], one = in(reg_nonzero) 1_u64, options(nomem, nostack));
    }
}

fn coin(turns: u64, line: &mut Line) {
    // SAFETY: it only changes the registers that it names, and no branch leaves it.
    unsafe {
        turns!(turns, [
            "mulld {random}, {random}, {factor}", "add {random}, {random}, {added}", "cmpdi {random}, 0", "blt 3f",
            "nop", "b 4f", "3:", "nop", "b 4f", "4:",
            "mulld {random}, {random}, {factor}", "add {random}, {random}, {added}", "cmpdi {random}, 0", "blt 5f",
            "nop", "b 6f", "5:", "nop", "b 6f", "6:",
        ],
        random = inout(reg_nonzero) line.0[0], factor = in(reg_nonzero) RANDOM.0, added = in(reg_nonzero) RANDOM.1,
        options(nomem, nostack));
    }
}

fn loads(turns: u64, line: &mut Line) {
    // SAFETY: it only reads the line.
    unsafe {
        turns!(turns, [
            "ld {word}, 0({line})", "ld {word}, 8({line})", "ld {word}, 16({line})", "ld {word}, 24({line})",
            "ld {word}, 32({line})", "ld {word}, 40({line})", "ld {word}, 48({line})", "ld {word}, 56({line})",
        ], line = in(reg_nonzero) line.0.as_ptr(), word = out(reg_nonzero) _, options(readonly, nostack));
    }
}

fn stores(turns: u64, line: &mut Line) {
    // SAFETY: it only writes to the line, which the caller lent.
    unsafe {
        turns!(turns, [
            "std {word}, 0({line})", "std {word}, 8({line})", "std {word}, 16({line})", "std {word}, 24({line})",
            "std {word}, 32({line})", "std {word}, 40({line})", "std {word}, 48({line})", "std {word}, 56({line})",
        ], line = in(reg_nonzero) line.0.as_mut_ptr(), word = in(reg_nonzero) 1_u64, options(nostack));
    }
}

fn singles(turns: u64, _: &mut Line) {
    // SAFETY: it only changes the registers that it names.
    unsafe {
        turns!(turns, [eight!("fadds {sum}, {sum}, {one}")], sum = inout(freg) 0_f32 => _, one = in(freg) 1_f32, options(nomem, nostack));
    }
}

fn doubles(turns: u64, _: &mut Line) {
    // SAFETY: it only changes the registers that it names.
    unsafe {
        turns!(turns, [eight!("fadd {sum}, {sum}, {one}")], sum = inout(freg) 0_f64 => _, one = in(freg) 1_f64, options(nomem, nostack));
    }
}

/// Multiplies as often as [`MULTIPLICATIONS`] says, and goes back to the beginning, so many times; returns the addresses of the first instruction and of the branch.
#[inline(never)]
pub(crate) fn branch_loop(turns: u64) -> (u64, u64) {
    let (start, branch): (u64, u64);
    // SAFETY: it only changes the registers that it names; the link register has the address behind the first branch, which is where the loop is soon.
    unsafe {
        asm!("bcl 20, 31, 4f", "4:", "mflr {start}", "addi {branch}, {start}, 3f - 4b", "addi {start}, {start}, 2f - 4b",
            "2:", ".rept {count}", "mulld {product}, {product}, {product}", ".endr", "addic. {turns}, {turns}, -1", "3:", "bne 2b",
            start = out(reg_nonzero) start, branch = out(reg_nonzero) branch, turns = inout(reg_nonzero) turns => _,
            product = inout(reg_nonzero) 3_u64 => _, count = const MULTIPLICATIONS,
            out("lr") _, out("cr0") _, out("xer") _, options(nomem, nostack));
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
        turns!(turns, ["ld {at}, 0({at})"], at = inout(reg_nonzero) at, options(readonly, nostack));
    }
    at
}
