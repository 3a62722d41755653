//! The places of operations in a text.

/// The position of an operation in a text.
pub(crate) type Span = (u32, u32);

/// The span of an operation that is not in any text.
pub(crate) const NOWHERE: Span = (0, 0);

/// Facts about an operation that its `Op` does not hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub(crate) span: Span,
    /// The number of operators in this subexpression when written out as text.
    pub(crate) size: u32,
}
