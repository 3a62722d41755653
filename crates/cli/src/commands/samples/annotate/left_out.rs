//! In place of the disassembler, where the program was built without it.

use super::instruction::Instruction;
use crate::commands::left_out::sentence;
use counterpoint::symbols::Architecture;

/// A sentence.
pub fn instructions(_: &[u8], _: u64, _: &Architecture) -> Result<Vec<Instruction>, String> {
    Err(sentence("annotate"))
}
