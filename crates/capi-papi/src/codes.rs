//! The codes that functions return.

use std::ffi::{CStr, c_int};

use counterpoint::perf::OpenError;

/// A code other than success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Failed(pub(crate) c_int);

pub(crate) const OK: c_int = 0;
pub(crate) const EINVAL: Failed = Failed(-1);
pub(crate) const ENOMEM: Failed = Failed(-2);
pub(crate) const ESYS: Failed = Failed(-3);
pub(crate) const ECMP: Failed = Failed(-4);
pub(crate) const EBUG: Failed = Failed(-6);
pub(crate) const ENOEVNT: Failed = Failed(-7);
pub(crate) const ECNFLCT: Failed = Failed(-8);
pub(crate) const ENOTRUN: Failed = Failed(-9);
pub(crate) const EISRUN: Failed = Failed(-10);
pub(crate) const ENOEVST: Failed = Failed(-11);
pub(crate) const ENOTPRESET: Failed = Failed(-12);
pub(crate) const EMISC: Failed = Failed(-14);
pub(crate) const EPERM: Failed = Failed(-15);
pub(crate) const ENOINIT: Failed = Failed(-16);
pub(crate) const ENOCMP: Failed = Failed(-17);
pub(crate) const ENOSUPP: Failed = Failed(-18);
pub(crate) const EBUF: Failed = Failed(-20);
pub(crate) const ECMP_DISABLED: Failed = Failed(-25);
pub(crate) const EINVAL_DOM: Failed = Failed(-21);

/// The text of `PAPI_strerror` for each code; the code is the position, negative. They are PAPI's, because programs print and compare them.
const MESSAGES: [&CStr; 29] = [
    c"No error",
    c"Invalid argument",
    c"Insufficient memory",
    c"A System/C library call failed",
    c"Not supported by component",
    c"Access to the counters was lost or interrupted",
    c"Internal error, please send mail to the developers",
    c"Event does not exist",
    c"Event exists, but cannot be counted due to hardware resource limits",
    c"EventSet is currently not running",
    c"EventSet is currently counting",
    c"No such EventSet available",
    c"Event in argument is not a valid preset",
    c"Hardware does not support performance counters",
    c"Unknown error code",
    c"Permission level does not permit operation",
    c"PAPI hasn't been initialized yet",
    c"Component Index isn't set",
    c"Not supported",
    c"Not implemented",
    c"Buffer size exceeded",
    c"EventSet domain is not supported for the operation",
    c"Invalid or missing event attributes",
    c"Too many events or attributes",
    c"Bad combination of features",
    c"Component containing event is disabled",
    c"Delayed initialization component",
    c"Event exists, but cannot be counted due to multiple passes required by hardware",
    c"Component is partially disabled",
];

/// The message of a code among the first `count` ones, which are those of a release.
pub(crate) fn message(code: c_int, count: usize) -> Option<&'static CStr> {
    let position = code.checked_neg().and_then(|code| usize::try_from(code).ok())?;
    MESSAGES[..count].get(position).copied()
}

impl From<counterpoint::perf::Errno> for Failed {
    fn from(_: counterpoint::perf::Errno) -> Failed {
        ESYS
    }
}

impl From<OpenError> for Failed {
    fn from(error: OpenError) -> Failed {
        match counterpoint::Error::from(error).papi_code() {
            "EPERM" => EPERM,
            "ECNFLCT" => ECNFLCT,
            "ENOEVNT" => ENOEVNT,
            "ENOSUPP" => ENOSUPP,
            "ENOMEM" => ENOMEM,
            "ESYS" => ESYS,
            _ => EINVAL,
        }
    }
}
