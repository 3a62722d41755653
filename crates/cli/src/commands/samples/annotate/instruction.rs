//! The instructions of code.

/// An instruction, by the address that its file gives to it.
pub struct Instruction {
    pub address: u64,
    pub text: String,
    /// The address to which it branches, or whose contents it uses relative to its own.
    pub refers_to: Option<Reference>,
}

/// An address in the text of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "annotate"), allow(dead_code, reason = "a disassembler makes them"))]
pub enum Reference {
    /// At the end of the text.
    Branch(u64),
    /// Not in the text.
    Memory(u64),
}
