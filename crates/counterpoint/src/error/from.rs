//! Conversions from the errors of the crates beneath, so that `?` works with each of them.

use super::set::SetError;
use super::{Error, Kind};
use crate::counting::error::CountError;
use crate::error::profile::ProfileError;
use crate::names::error::NameError;
use counterpoint_formula::{EvalError, ParseError};
use counterpoint_perf::OpenError;
use counterpoint_pmu::EncodeError;
use counterpoint_pmu::syntax::SyntaxError;
use counterpoint_pmu::sysfs::TermError;

/// The errors of the modules of this crate.
macro_rules! of_modules {
    ($($error:ty => $kind:path),* $(,)?) => {$(
        impl From<$error> for Error {
            fn from(error: $error) -> Error {
                Error::new($kind(error))
            }
        }
    )*};
}

of_modules! {
    NameError => Kind::Name,
    CountError => Kind::Count,
    ProfileError => Kind::Profile,
    SetError => Kind::Set,
}

impl From<OpenError> for Error {
    fn from(error: OpenError) -> Error {
        Error::new(Kind::Open(error))
    }
}

impl From<EncodeError> for Error {
    fn from(error: EncodeError) -> Error {
        Error::encode(error, 0)
    }
}

/// Errors with a position in a text.
macro_rules! in_text {
    ($($error:ty => $kind:path),* $(,)?) => {$(
        impl From<$error> for Error {
            fn from(error: $error) -> Error {
                let span = error.span.clone();
                Error::new($kind(error)).at(span)
            }
        }
    )*};
}

in_text! {
    SyntaxError => Kind::Syntax,
    TermError => Kind::Term,
    ParseError => Kind::Formula,
    EvalError => Kind::Eval,
}

/// Errors that consist of a message only.
macro_rules! sentences {
    ($($error:ty),* $(,)?) => {$(
        impl From<$error> for Error {
            fn from(error: $error) -> Error {
                Error::new(Kind::Other(Box::new(error)))
            }
        }
    )*};
}

sentences! {
    std::io::Error,
    counterpoint_definitions::Unavailable,
    counterpoint_formula::LimitError,
    counterpoint_formula::ColumnsError,
    counterpoint_perf::CpuListError,
    counterpoint_perf::Errno,
    counterpoint_perf::UnknownErrno,
    counterpoint_pmu::sysfs::FileError,
}

#[cfg(any(feature = "profile", feature = "verify"))]
sentences!(counterpoint_perf::records::RecordError);

#[cfg(feature = "profile")]
sentences! {
    counterpoint_profil::FlagsError,
    counterpoint_profil::HistogramError,
    counterpoint_profil::MergeError,
    counterpoint_profil::RegionError,
    counterpoint_profil::ScaleError,
}

#[cfg(feature = "catalog")]
sentences! {
    counterpoint_catalog24x7::DecodeError,
    counterpoint_catalog24x7::EncodeError,
    counterpoint_catalog24x7::sysfs::Refusal,
    counterpoint_catalog24x7::sysfs::Stop,
    counterpoint_catalog24x7::sysfs::ValueError,
    crate::catalog::MetricError,
}

#[cfg(feature = "json")]
sentences!(counterpoint_pmu::vendor::Error);

#[cfg(feature = "libpfm3")]
sentences!(counterpoint_pmu::libpfm3::DispatchError);
