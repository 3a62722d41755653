//! The loops for x86-64.

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
    vectors,
    atomics: || Some(Code { instructions: 6, run: atomics }),
};

fn vectors() -> Vec<(u32, Code)> {
    let mut vectors = vec![(128, Code { instructions: 10, run: doubles_128 })];
    if std::arch::is_x86_feature_detected!("avx") {
        vectors.push((256, Code { instructions: 10, run: doubles_256 }));
    }
    if std::arch::is_x86_feature_detected!("avx512f") {
        vectors.push((512, Code { instructions: 10, run: doubles_512 }));
    }
    vectors
}

/// A loop of so many turns around lines of assembly, with their operands.
macro_rules! turns {
    ($turns:expr, [$($line:expr),* $(,)?], $($operands:tt)*) => {
        asm!("2:", $($line,)* "dec {turns}", "jnz 2b", turns = inout(reg) $turns => _, $($operands)*)
    };
}

fn integers(turns: u64, _: &mut Line) {
    // SAFETY: it only changes the registers that it names.
    unsafe {
        turns!(turns, [eight!("add {sum}, 1")], sum = inout(reg) 0_u64 => _, options(nomem, nostack));
    }
}

fn branches(turns: u64, _: &mut Line) {
    // SAFETY: it only reads and changes the registers that it names, and no branch leaves it.
    unsafe {
        turns!(turns, ["test {one}, {one}", four!("jz 3f"), "3:"], one = in(reg) 1_u64, options(nomem, nostack));
    }
}

fn coin(turns: u64, line: &mut Line) {
    // SAFETY: it only changes the registers that it names, and no branch leaves it.
    unsafe {
        turns!(turns, [
            "imul {random}, {factor}", "add {random}, {added}", "test {random}, {random}",
            "js 3f", "nop", "jmp 4f", "3:", "nop", "jmp 4f", "4:",
            "imul {random}, {factor}", "add {random}, {added}", "test {random}, {random}",
            "js 5f", "nop", "jmp 6f", "5:", "nop", "jmp 6f", "6:",
        ],
        random = inout(reg) line.0[0], factor = in(reg) RANDOM.0, added = in(reg) RANDOM.1,
        options(nomem, nostack));
    }
}

fn loads(turns: u64, line: &mut Line) {
    // SAFETY: it only reads the line.
    unsafe {
        turns!(turns, [
            "mov {word}, [{line}]", "mov {word}, [{line} + 8]", "mov {word}, [{line} + 16]", "mov {word}, [{line} + 24]",
            "mov {word}, [{line} + 32]", "mov {word}, [{line} + 40]", "mov {word}, [{line} + 48]", "mov {word}, [{line} + 56]",
        ], line = in(reg) line.0.as_ptr(), word = out(reg) _, options(readonly, nostack));
    }
}

fn stores(turns: u64, line: &mut Line) {
    // SAFETY: it only writes to the line, which the caller lent.
    unsafe {
        turns!(turns, [
            "mov [{line}], {word}", "mov [{line} + 8], {word}", "mov [{line} + 16], {word}", "mov [{line} + 24], {word}",
            "mov [{line} + 32], {word}", "mov [{line} + 40], {word}", "mov [{line} + 48], {word}", "mov [{line} + 56], {word}",
        ], line = in(reg) line.0.as_mut_ptr(), word = in(reg) 1_u64, options(nostack));
    }
}

fn atomics(turns: u64, line: &mut Line) {
    // SAFETY: it only changes the first word of the line, which the caller lent.
    unsafe {
        turns!(turns, [four!("lock add qword ptr [{line}], 1")], line = in(reg) line.0.as_mut_ptr(), options(nostack));
    }
}

fn singles(turns: u64, _: &mut Line) {
    // SAFETY: it only changes the registers that it names.
    unsafe {
        turns!(turns, [eight!("addss {sum}, {one}")], sum = inout(xmm_reg) 0_f32 => _, one = in(xmm_reg) 1_f32, options(nomem, nostack));
    }
}

fn doubles(turns: u64, _: &mut Line) {
    // SAFETY: it only changes the registers that it names.
    unsafe {
        turns!(turns, [eight!("addsd {sum}, {one}")], sum = inout(xmm_reg) 0_f64 => _, one = in(xmm_reg) 1_f64, options(nomem, nostack));
    }
}

fn doubles_128(turns: u64, _: &mut Line) {
    // SAFETY: it only changes the registers that it names.
    unsafe {
        turns!(turns, [eight!("addpd {sum}, {one}")], sum = inout(xmm_reg) 0_f64 => _, one = in(xmm_reg) 1_f64, options(nomem, nostack));
    }
}

// The registers of both are changed as a whole; code that is compiled without AVX has only their lowest 128 bits, which are named.

fn doubles_256(turns: u64, _: &mut Line) {
    // SAFETY: the processor has AVX, and it only changes the registers that it names and zeroes the upper halves.
    unsafe {
        turns!(turns, [eight!("vaddpd ymm0, ymm0, ymm1")], inout("xmm0") 0_f64 => _, inout("xmm1") 1_f64 => _, options(nomem, nostack));
    }
    zero_upper();
}

fn doubles_512(turns: u64, _: &mut Line) {
    // SAFETY: the processor has AVX-512, and it only changes the registers that it names and zeroes the upper halves.
    unsafe {
        turns!(turns, [eight!("vaddpd zmm0, zmm0, zmm1")], inout("xmm0") 0_f64 => _, inout("xmm1") 1_f64 => _, options(nomem, nostack));
    }
    zero_upper();
}

/// Without this, instructions of SSE that follow are slow on some processors.
fn zero_upper() {
    // SAFETY: the processor has AVX; the upper halves are nobody's, as a function call may change them.
    unsafe {
        asm!("vzeroupper", out("xmm0") _, out("xmm1") _, options(nomem, nostack, preserves_flags));
    }
}

/// Multiplies as often as [`MULTIPLICATIONS`] says, and goes back to the beginning, so many times; returns the addresses of the first instruction and of the branch.
#[inline(never)]
pub(crate) fn branch_loop(turns: u64) -> (u64, u64) {
    let (start, branch): (u64, u64);
    // SAFETY: it only changes the registers that it names.
    unsafe {
        asm!("lea {start}, [rip + 2f]", "lea {branch}, [rip + 3f]",
            "2:", ".rept {count}", "imul {product}, {product}", ".endr", "dec {turns}", "3:", "jnz 2b",
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
        turns!(turns, ["mov {at}, [{at}]"], at = inout(reg) at, options(readonly, nostack));
    }
    at
}
