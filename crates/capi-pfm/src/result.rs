//! The result codes of the functions.

use std::ffi::{CStr, c_int};

use counterpoint_pmu::EncodeError;

/// A result other than success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Failed(pub(crate) c_int);

pub(crate) const SUCCESS: c_int = 0;
pub(crate) const NOTSUPP: Failed = Failed(-1);
pub(crate) const INVAL: Failed = Failed(-2);
pub(crate) const NOINIT: Failed = Failed(-3);
pub(crate) const NOTFOUND: Failed = Failed(-4);
pub(crate) const NOMEM: Failed = Failed(-7);
pub(crate) const TOOSMALL: Failed = Failed(-12);

/// The name of each code without its prefix, and what `pfm_strerror` says; the number is the position, negative.
const CODES: [(&str, &CStr); 13] = [
    ("SUCCESS", c"success"),
    ("NOTSUPP", c"not supported"),
    ("INVAL", c"invalid parameters"),
    ("NOINIT", c"pfmlib not initialized"),
    ("NOTFOUND", c"event not found"),
    ("FEATCOMB", c"invalid combination of model specific features"),
    ("UMASK", c"invalid or missing unit mask"),
    ("NOMEM", c"out of memory"),
    ("ATTR", c"invalid event attribute"),
    ("ATTR_VAL", c"invalid event attribute value"),
    ("ATTR_SET", c"attribute value already set"),
    ("TOOMANY", c"too many parameters"),
    ("TOOSMALL", c"parameter is too small"),
];

impl From<EncodeError> for Failed {
    fn from(error: EncodeError) -> Failed {
        let position = CODES.iter().position(|(name, _)| *name == error.code());
        position.map_or(INVAL, |position| Failed(-(position as c_int)))
    }
}

/// The number that a function returns.
pub(crate) fn number(result: Result<c_int, Failed>) -> c_int {
    result.unwrap_or_else(|Failed(code)| code)
}

pub(crate) fn message(code: c_int) -> &'static CStr {
    let position = code.checked_neg().and_then(|code| usize::try_from(code).ok());
    let known = position.and_then(|position| CODES.get(position));
    known.map_or(c"unknown error code", |(_, message)| message)
}
