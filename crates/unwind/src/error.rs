//! The reasons why a caller is not found.

/// The reason why a caller cannot be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[non_exhaustive]
pub enum CannotUnwind {
    /// A word of the stack that a rule needs is not in the copy.
    #[error("the stack at {0:#x} is not known")]
    Stack(u64),
    /// A register that a rule needs has a value that is not known.
    #[error("{0} needs register {1}, whose value is not known")]
    Register(Rule, u16),
    /// An expression cannot be evaluated.
    #[error("{0} cannot be evaluated")]
    Expression(Rule),
    /// The unwind information is damaged, or has a rule that no processor of this kind has.
    #[error("the unwind information is damaged")]
    Damaged,
    /// There is no unwind information, and the frame pointer is none.
    #[error("there is no unwind information, and the frame pointer points to no frame")]
    NoRule,
    /// The stack of the caller would be no further up than that of the function.
    #[error("the caller's stack would be below the function's")]
    NoProgress,
}

/// A rule of the unwind information.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[non_exhaustive]
pub enum Rule {
    /// The rule for the address of the frame (`DW_CFA_def_cfa`).
    #[error("DW_CFA_def_cfa")]
    Frame,
    /// The expression for the address of the frame.
    #[error("DW_CFA_def_cfa_expression")]
    FrameExpression,
    /// The rule for a register of the caller.
    #[error("DW_CFA_register of register {0}")]
    Register(u16),
    /// The expression for the place or the value of a register of the caller.
    #[error("DW_CFA_expression of register {0}")]
    RegisterExpression(u16),
}
