//! libpfm's event strings: `pmu::EVENT:UMASK:modifier=value`, to register images and the fields of `perf_event_open`.

mod advice;
pub(crate) mod codes;
pub(crate) mod error;
mod matching;
mod perf_events;
mod print;
pub(crate) mod programmed;
pub(crate) mod request;
pub(crate) mod spelling;
pub(crate) mod string;
mod text;

pub use codes::Codes;
pub use error::{EncodeError, EncodeErrorKind};
pub use perf_events::PerfEncoding;
pub use string::{Encoding, Program, encode, program};
