//! Unwinds by what bytes claim to be; the fuzz target does nothing else.

use counterpoint_unwind::{FP, IP, LR, REGISTERS, Registers, SP, Step, Unwinder};
use std::ops::Range;

/// The place of the code.
pub(crate) const CODE: Range<u64> = 0x10_0000..0x14_0000;
const LONGEST: usize = 100;

/// Unwinds from addresses in a file, of which any page may be code.
pub(crate) fn any_file(bytes: &[u8]) {
    let stack: Vec<u64> = (0..64).map(|word| CODE.start + 24 * word).collect();
    for page in 0..2 {
        let mut unwinder = Unwinder::default();
        if unwinder.add(CODE, 4096 * page, bytes) {
            for address in CODE.step_by(16).take(64) {
                let frames = walk(&mut unwinder, address, &stack);
                assert!(frames <= LONGEST, "{frames} frames");
            }
        }
    }
}

/// The number of callers that are found.
pub(crate) fn walk(unwinder: &mut Unwinder, mut address: u64, stack: &[u64]) -> usize {
    let mut registers: Registers = [None; REGISTERS];
    (registers[IP], registers[SP], registers[FP]) = (Some(address), Some(0), Some(64));
    if let Some(lr) = LR {
        registers[lr] = Some(address);
    }
    for depth in 0..LONGEST {
        let mut word = |at: u64| stack.get(usize::try_from(at / 8).ok()?).copied();
        match unwinder.step(address, depth == 0, &mut registers, &mut word) {
            Ok(Step { caller: Some(caller), .. }) => address = caller,
            _ => return depth,
        }
    }
    LONGEST
}
