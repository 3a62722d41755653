//! Histograms of program addresses, with the arithmetic of `PAPI_profil(3)`, and the file formats they are read in.
//!
//! ```
//! use counterpoint_profil::{BucketWidth, Histogram, Region, Scale};
//!
//! // Two addresses a bucket, over the code at 0x401000..0x403000.
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
//! The crate is arithmetic and memory: it knows no kernel, no signals and no symbols.
//! Samples come from wherever there are some; names for addresses are given to the writers as a function.
//!
//! Reading order: [`Scale`] and [`Region`] say which addresses share a bucket, [`BucketWidth`] and [`Buckets`] where
//! counts are kept, [`Flags`] what a sample adds; [`Histogram`] records, [`Snapshot`] is what was recorded, and
//! [`write`](mod@write) makes files of it.

#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods)]

mod region;
mod scale;

mod map;

mod buckets;
mod flags;

mod histogram;
mod snapshot;
pub mod write;

pub use buckets::{BucketWidth, Buckets, OwnedBuckets};
pub use flags::{Flags, FlagsError, PapiFlags, Random};
pub use histogram::{Histogram, HistogramError, Outcome};
pub use region::{Region, RegionError};
pub use scale::{Scale, ScaleError};
pub use snapshot::{Bucket, MergeError, RegionSnapshot, Snapshot};
