#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod file;

#[cfg(feature = "profile")]
mod build_ids;
#[cfg(feature = "profile")]
mod decoder;
#[cfg(feature = "profile")]
mod error;
#[cfg(feature = "profile")]
mod filter;
#[cfg(feature = "profile")]
mod growth;
#[cfg(feature = "profile")]
mod joined;
#[cfg(feature = "profile")]
mod kernel;
#[cfg(feature = "profile")]
mod limit;
#[cfg(feature = "profile")]
mod located;
#[cfg(feature = "profile")]
mod places;
#[cfg(feature = "profile")]
mod reading;
#[cfg(feature = "profile")]
mod recorded;
#[cfg(feature = "profile")]
mod recorder;
#[cfg(feature = "profile")]
mod remark;
#[cfg(feature = "profile")]
mod samples;
#[cfg(feature = "profile")]
mod seekable;
#[cfg(feature = "profile")]
mod tasks;

#[cfg(feature = "profile")]
pub use error::ReadError;
#[cfg(feature = "profile")]
pub use filter::Filters;
#[cfg(feature = "profile")]
pub use growth::Growth;
#[cfg(feature = "profile")]
pub use joined::{Joined, Joining, Recording};
#[cfg(feature = "profile")]
pub use located::LocatedSample;
#[cfg(feature = "profile")]
pub use recorded::Recorded;
#[cfg(feature = "profile")]
pub use recorder::FileRecorder;
#[cfg(feature = "profile")]
pub use remark::Remark;
#[cfg(feature = "profile")]
pub use samples::Samples;
#[cfg(feature = "profile")]
pub use seekable::seekable;
