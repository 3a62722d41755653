//! Errors in a list of events.

use crate::debug::debug_as_sentence;
use std::ops::Range;

/// An error in an event list, and its place.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
#[non_exhaustive]
pub struct SyntaxError {
    /// The bytes of the list that are wrong.
    pub span: Range<usize>,
    /// The kind of error.
    pub kind: SyntaxErrorKind,
}

debug_as_sentence!(SyntaxError { span, kind } help);

impl SyntaxError {
    /// Advice on how to write it.
    pub fn help(&self) -> &'static str {
        self.kind.help()
    }
}

/// A kind of error in an event list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SyntaxErrorKind {
    /// An event is missing.
    #[error("an event is missing")]
    MissingEvent,
    /// `{` without `}`.
    #[error("this group is not closed")]
    UnclosedGroup,
    /// `}` without `{`.
    #[error("this brace closes no group")]
    UnopenedGroup,
    /// `{` right after an event.
    #[error("a comma is missing before this group")]
    MissingComma,
    /// `{` inside a group.
    #[error("a group cannot hold a group")]
    NestedGroup,
    /// Something other than `,` or modifiers after a `}`.
    #[error("a group ends at its brace and modifiers")]
    AfterGroup,
    /// `pmu/` without a second slash.
    #[error("the terms of this PMU are not closed")]
    UnclosedTerms,
    /// `/terms/` without a name.
    #[error("the name of a PMU is missing before the slash")]
    MissingPmu,
    /// `=value`, or nothing between two commas.
    #[error("the name of a term is missing")]
    MissingTerm,
    /// `name=` without a value.
    #[error("the value of this term is missing")]
    MissingValue,
    /// A quote without its second.
    #[error("this quote is not closed")]
    UnclosedQuote,
    /// Text after a closing quote.
    #[error("a quoted value ends at its quote")]
    AfterQuote,
    /// More than 64 bits.
    #[error("this number does not fit in 64 bits")]
    NumberTooBig,
    /// A letter that is not a modifier.
    #[error("`{0}` is not a modifier")]
    UnknownModifier(char),
    /// `component/instance/field` without a slash at its end.
    #[error("`{0}` is neither modifiers nor a field that a slash closes")]
    UnclosedField(String),
    /// A modifier other than `p` twice.
    #[error("the modifier `{0}` is written twice")]
    RepeatedModifier(char),
    /// More than three `p`.
    #[error("there are three levels of precision")]
    TooPrecise,
    /// `mem:` without an address.
    #[error("a breakpoint needs an address")]
    BadAddress,
    /// A breakpoint's length that is none.
    #[error("a breakpoint watches 1 to 8 bytes")]
    BadLength,
    /// `uprobe:` without a file or a function.
    #[error("a probe needs a file and a function")]
    BadProbe,
    /// An offset of a probe that is no number, or that of a return.
    #[error("this is not an offset in a function")]
    BadOffset,
}

impl SyntaxErrorKind {
    fn help(&self) -> &'static str {
        match self {
            Self::MissingEvent => "write a name such as `cycles`, or remove the comma",
            Self::UnclosedGroup => "close the group: `{a,b}`",
            Self::UnopenedGroup => "open the group: `{a,b}`, or take the brace away",
            Self::MissingComma => "separate them: `a,{b,c}`",
            Self::NestedGroup => "write groups beside each other: `{a,b},{c,d}`",
            Self::AfterGroup => "write `{a,b}:u` for modifiers, `{a,b},c` for the next event",
            Self::UnclosedTerms => "close the terms with a slash: `cpu/event=0x3c/`",
            Self::MissingPmu => "write the PMU first: `cpu/event=0x3c/`",
            Self::MissingTerm => "write terms as `name=value`, separated by single commas",
            Self::MissingValue => "write a number or a name after `=`, or leave `=` out for 1",
            Self::UnclosedQuote => "close the quote: `name='text'`",
            Self::AfterQuote => "put a comma or a slash after the quote",
            Self::NumberTooBig => "the largest is 0xffffffffffffffff",
            Self::UnknownModifier(_) => {
                "modifiers are u k h (levels), H G (host, guest), I, p P, D, e, W"
            }
            Self::UnclosedField(_) => {
                "close the name with a slash: `net/eth0/rx_bytes/`; modifiers are u k h (levels), H G (host, guest), I, p P, D, e, W"
            }
            Self::RepeatedModifier(_) => "write each modifier once; only `p` may be repeated",
            Self::TooPrecise => "write `p`, `pp` or `ppp`",
            Self::BadAddress => "write `mem:0x1000`, `mem:0x1000/8`, or `mem:0x1000:rw`",
            Self::BadLength => "write a length of 1 to 8: `mem:0x1000/8`",
            Self::BadProbe => "write `uprobe:./solve:lookup`, or `uretprobe:libc.so.6:malloc`",
            Self::BadOffset => {
                "write `uprobe:./solve:lookup+0x10`; a return has no offset: `uretprobe:./solve:lookup`"
            }
        }
    }
}

/// The error of a place in a text.
pub(super) fn error<T>(span: Range<usize>, kind: SyntaxErrorKind) -> Result<T, SyntaxError> {
    Err(SyntaxError { span, kind })
}
