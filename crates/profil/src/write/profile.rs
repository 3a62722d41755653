//! The data that all writers take: the counts of a profile, and the names of addresses.

use crate::{Bucket, Snapshot};
use std::fmt;
use std::ops::Range;

/// The data of a profile that the writers need.
#[derive(Clone, Copy)]
pub struct Profile<'a> {
    /// The name of the event whose overflows were counted.
    pub event: &'a str,
    /// The number of events per sample; 0 if it is not fixed.
    pub period: u64,
    /// The counts.
    pub snapshot: &'a Snapshot,
    /// The number of samples that the kernel could not deliver.
    pub lost: u64,
    /// The unit of the counts, if not samples, or their weight: `µs`, for instance.
    pub unit: Option<&'static str>,
    /// The counts add up to about as many events as there were: each sample counts as its period, which the kernel changes while it looks for the frequency.
    pub is_estimate: bool,
    /// Returns the name of an address, or `None` if there is no code, or no name for it.
    ///
    /// A bucket of several addresses gets the names of all of them.
    pub symbols: &'a dyn Fn(u64) -> Option<Symbol>,
}

/// The location of an address in the program.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Symbol {
    /// The name of the function.
    pub function: String,
    /// The file from which it was loaded: an executable or a shared object.
    pub module: Option<String>,
    /// It is a copy of the function that is a part of the code of its caller.
    pub inlined: bool,
    /// The source file.
    pub file: Option<String>,
    /// The line number in the file, from 1.
    pub line: Option<u32>,
    /// The addresses around this one that have the same function, file and line; `None` if that is known of this address only.
    ///
    /// It saves asking for the name of every address of a large bucket.
    pub addresses: Option<Range<u64>>,
}

impl Symbol {
    /// A function about which nothing else is known.
    pub fn new(function: impl Into<String>) -> Symbol {
        Symbol { function: function.into(), ..Symbol::default() }
    }
}

impl fmt::Debug for Profile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Profile { event, period, snapshot, lost, unit, is_estimate, symbols: _ } = self;
        let mut profile = f.debug_struct("Profile");
        profile.field("event", event).field("period", period).field("snapshot", snapshot);
        profile.field("lost", lost).field("unit", unit).field("is_estimate", is_estimate);
        profile.finish_non_exhaustive()
    }
}

impl<'a> Profile<'a> {
    /// A profile without names, period or losses.
    pub fn new(event: &'a str, snapshot: &'a Snapshot) -> Profile<'a> {
        let (period, lost, unit, is_estimate) = (0, 0, None, false);
        Profile { event, period, snapshot, lost, unit, is_estimate, symbols: &|_| None }
    }

    /// `about `, if the total is an estimate.
    pub fn about(&self) -> &'static str {
        if self.is_estimate { "about " } else { "" }
    }

    /// The buckets of all regions that have an address; excludes that of the catch-all, which stands for any address.
    pub fn placed(&self) -> impl Iterator<Item = &'a Bucket> {
        let regions = self.snapshot.regions.iter().filter(|region| !region.region.is_catch_all());
        regions.flat_map(|region| &region.buckets)
    }

    /// The counts without an address, and their squares: those of catch-alls, and those outside all regions.
    pub fn unplaced(&self) -> (u64, u64) {
        let Snapshot { outside, outside_squares, regions, .. } = self.snapshot;
        let caught = regions.iter().filter(|region| region.region.is_catch_all());
        caught.flat_map(|region| &region.buckets).fold(
            (*outside, *outside_squares),
            |sum, bucket| {
                (sum.0.saturating_add(bucket.count), sum.1.saturating_add(bucket.squares))
            },
        )
    }

    /// The unit of the counts: that of the profile, or else `samples`, or `weight` if some samples added more than 1.
    pub fn unit(&self) -> &'static str {
        if let Some(unit) = self.unit {
            return unit;
        }
        let Snapshot { outside, outside_squares, regions, .. } = self.snapshot;
        let mut buckets = regions.iter().flat_map(|region| &region.buckets);
        if outside != outside_squares || buckets.any(|bucket| bucket.squares != bucket.count) {
            "weight"
        } else {
            "samples"
        }
    }

    /// All counts, with or without an address.
    pub(super) fn total(&self) -> u64 {
        self.snapshot.total().saturating_add(self.snapshot.outside)
    }
}

/// `part` of `total` in percent; 0 of 0 is 0.
pub(super) fn percent(part: u64, total: u64) -> f64 {
    if total == 0 { 0.0 } else { part as f64 / total as f64 * 100.0 }
}
