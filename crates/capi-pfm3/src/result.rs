//! The result codes of the functions.

use std::ffi::{CStr, c_int};

use counterpoint_pmu::libpfm3::DispatchError;

/// A result other than success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Failed(pub(crate) c_int);

pub(crate) const SUCCESS: c_int = 0;
pub(crate) const NOTSUPP: Failed = Failed(-1);
pub(crate) const INVAL: Failed = Failed(-2);
pub(crate) const NOINIT: Failed = Failed(-3);
pub(crate) const NOTFOUND: Failed = Failed(-4);
pub(crate) const FULL: Failed = Failed(-6);
pub(crate) const BADHOST: Failed = Failed(-19);
pub(crate) const UMASK: Failed = Failed(-22);
pub(crate) const NOMEM: Failed = Failed(-23);

/// The texts of `pfm_strerror`, by the number of the code without its sign.
const MESSAGES: [&CStr; 24] = [
    c"success",
    c"not supported",
    c"invalid parameters",
    c"pfmlib not initialized",
    c"event not found",
    c"cannot assign events to counters",
    c"buffer is full or too small",
    c"event used more than once",
    c"invalid model specific magic number",
    c"invalid combination of model specific features",
    c"incompatible event sets",
    c"incompatible events combination",
    c"too many events or unit masks",
    c"code range too big",
    c"empty code range",
    c"invalid code range",
    c"too many code ranges",
    c"invalid data range",
    c"too many data ranges",
    c"not supported by host cpu",
    c"code range is not bundle-aligned",
    c"code range requires some flags in rr_flags",
    c"invalid or missing unit mask",
    c"out of memory",
];

impl From<DispatchError> for Failed {
    fn from(error: DispatchError) -> Failed {
        Failed(error.kind().code())
    }
}

pub(crate) fn message(code: c_int) -> &'static CStr {
    let place = code.checked_neg().and_then(|code| usize::try_from(code).ok());
    place.and_then(|place| MESSAGES.get(place)).copied().unwrap_or(c"unknown error code")
}
