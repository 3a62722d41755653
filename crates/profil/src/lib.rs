//! Histograms of program addresses, with the arithmetic of `PAPI_profil(3)`, and writers for common file formats.
//!
//! ```
//! use counterpoint_profil::{BucketWidth, Histogram, Region, Scale};
//!
//! // Two addresses per bucket, for the code at 0x401000..0x403000.
//! let code = Region::new(0x401000..0x403000, Scale::TWO_ADDRESSES)?;
//! let mut histogram = Histogram::new(vec![code, Region::catch_all()], BucketWidth::Bits32)?;
//! for pc in [0x401010, 0x401011, 0x402ffe, 0x7fff0000] {
//!     histogram.record(pc);
//! }
//! let snapshot = histogram.snapshot();
//! let hottest = snapshot.regions[0].buckets[0];
//! assert_eq!((hottest.first, hottest.last, hottest.count), (0x401010, 0x401011, 2));
//! assert_eq!(snapshot.regions[1].total(), 1); // what no other region took
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate consists of arithmetic and memory only: it is independent of kernel, signals and symbols.
//! Samples can come from any source; a function passed to the writers supplies names for addresses.
//!
//! Reading order: [`Scale`] and [`Region`] define which addresses share a bucket, [`BucketWidth`] and [`Buckets`] where counts are kept, and [`Flags`] how much a sample adds; [`Histogram`] records samples, [`Snapshot`] is the result, and [`write`](mod@write) converts it to files.
//! [`Stacks`] counts call stacks.

#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods)]

mod region;
mod scale;

mod map;
mod near;

mod buckets;
mod flags;

mod histogram;
mod snapshot;
mod stacks;
pub mod write;

pub use buckets::{BucketWidth, Buckets, OwnedBuckets, SharedBuckets, SparseBuckets};
pub use flags::{Flags, FlagsError, PapiFlags, Random};
pub use histogram::{Histogram, HistogramError, Outcome};
pub use region::{Region, RegionError};
pub use scale::{Scale, ScaleError};
pub use snapshot::{Bucket, MergeError, RegionSnapshot, Snapshot};
pub use stacks::{StackFrame, Stacks};

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
