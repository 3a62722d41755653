//! Files of a profile: `gmon.out` for gprof, folded stacks for flame graphs, pprof, a picture, a table.
//!
//! Every writer takes a [`Profile`] and gives the whole file; names for addresses come from the profile's `symbols`.
//!
//! ```
//! use counterpoint_profil::write::{self, Profile, Symbol};
//! use counterpoint_profil::{BucketWidth, Histogram, Region, Scale};
//!
//! let mut histogram =
//!     Histogram::new(vec![Region::new(0x1000..0x2000, Scale::ONE_ADDRESS)?], BucketWidth::Bits32)?;
//! histogram.record_batch(&[0x1004, 0x1004, 0x1804]);
//! let snapshot = histogram.snapshot();
//! let symbols = |pc: u64| Some(Symbol::new(if pc < 0x1800 { "setup" } else { "solve" }));
//! let profile = Profile { symbols: &symbols, ..Profile::new("task-clock", &snapshot) };
//! assert_eq!(write::folded(&profile), "setup 2\nsolve 1\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod folded;
mod functions;
mod gmon;
mod pprof;
mod svg;
mod table;

pub use folded::folded;
pub use functions::{FunctionCount, LineCount, functions, lines};
pub use gmon::gmon;
pub use pprof::pprof;
pub use svg::svg;
pub use table::table;

use crate::{Bucket, Snapshot};

/// What the writers need to know of a profile.
#[derive(Clone, Copy)]
pub struct Profile<'a> {
    /// The name of the event whose overflows were counted.
    pub event: &'a str,
    /// After how many events each sample was taken; 0 where they have no fixed distance.
    pub period: u64,
    /// What was counted.
    pub snapshot: &'a Snapshot,
    /// Samples that the kernel could not deliver.
    pub lost: u64,
    /// The name of an address.
    pub symbols: &'a dyn Fn(u64) -> Option<Symbol>,
}

/// Where an address is in the program.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Symbol {
    /// The name of the function.
    pub function: String,
    /// The file of the program that it was loaded from: an executable, a shared object.
    pub module: Option<String>,
    /// The source file.
    pub file: Option<String>,
    /// The line in it, from 1.
    pub line: Option<u32>,
}

impl Symbol {
    /// A function of which no more is known.
    pub fn new(function: impl Into<String>) -> Symbol {
        Symbol { function: function.into(), ..Symbol::default() }
    }
}

impl<'a> Profile<'a> {
    /// A profile without names, period or losses.
    pub fn new(event: &'a str, snapshot: &'a Snapshot) -> Profile<'a> {
        Profile { event, period: 0, snapshot, lost: 0, symbols: &|_| None }
    }

    /// The buckets of all regions that stand for addresses; without the catch-all's, which stands for any.
    fn placed(&self) -> impl Iterator<Item = &'a Bucket> {
        let regions = self.snapshot.regions.iter().filter(|region| !region.region.is_catch_all());
        regions.flat_map(|region| &region.buckets)
    }

    /// Counts without an address, and their squares: what catch-alls took, and what fell outside of all regions.
    fn unplaced(&self) -> (u64, u64) {
        let Snapshot { outside, outside_squares, regions, .. } = self.snapshot;
        let caught = regions.iter().filter(|region| region.region.is_catch_all());
        caught.flat_map(|region| &region.buckets).fold(
            (*outside, *outside_squares),
            |sum, bucket| {
                (sum.0.saturating_add(bucket.count), sum.1.saturating_add(bucket.squares))
            },
        )
    }

    /// All counts, placed or not.
    fn total(&self) -> u64 {
        self.snapshot.total().saturating_add(self.snapshot.outside)
    }
}

/// `part` of `total` in percent; 0 of 0 is 0.
fn percent(part: u64, total: u64) -> f64 {
    if total == 0 { 0.0 } else { part as f64 / total as f64 * 100.0 }
}
