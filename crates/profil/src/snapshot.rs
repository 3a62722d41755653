//! The counts of a histogram at one moment.

use crate::{BucketWidth, Region};

/// The contents of a histogram at one moment, as plain data.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Snapshot {
    /// In the order in which the regions were given.
    pub regions: Vec<RegionSnapshot>,
    /// Samples at addresses outside all regions, weighted if samples are weighted.
    pub outside: u64,
    /// The sum of the squared weights of these samples, as in [`Bucket::squares`].
    pub outside_squares: u64,
    /// Samples dropped by the flags.
    pub dropped: u64,
}

/// The counts of one region.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RegionSnapshot {
    /// The region, which defines the addresses of each bucket.
    pub region: Region,
    /// The width of its buckets.
    pub width: BucketWidth,
    /// The buckets that are not 0, by address.
    pub buckets: Vec<Bucket>,
    /// The number of times a bucket has wrapped: each time, the counts are too low by 1 more than [`BucketWidth::max`].
    ///
    /// It is 0 for buckets that several histograms share, of which that is not known.
    pub wrapped: u64,
}

/// A bucket with a count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Bucket {
    /// Its index in the region.
    pub index: usize,
    /// The first address that it covers.
    pub first: u64,
    /// The last address that it covers.
    pub last: u64,
    /// Its count.
    pub count: u64,
    /// The sum of the squared increments; equal to `count` if each sample added 1.
    ///
    /// It determines how precise the count is: a few heavy samples are less precise than many light ones.
    pub squares: u64,
    /// True if it is full and may have missed samples; only in [saturating](crate::Histogram::saturating) histograms.
    pub saturated: bool,
}

impl Bucket {
    /// A bucket that is not full, of the addresses from the first to the last.
    pub fn new(index: usize, (first, last): (u64, u64), count: u64, squares: u64) -> Bucket {
        Bucket { index, first, last, count, squares, saturated: false }
    }
}

impl RegionSnapshot {
    /// The sum of its buckets.
    pub fn total(&self) -> u64 {
        self.buckets.iter().fold(0, |sum, bucket| sum.saturating_add(bucket.count))
    }
}

impl Snapshot {
    /// The sum of all buckets of all regions, without samples outside the regions.
    pub fn total(&self) -> u64 {
        self.regions.iter().fold(0, |sum, region| sum.saturating_add(region.total()))
    }

    /// The number of samples of equal weight that would be as precise as these, with or without an address: the square of the sum of their weights, divided by the sum of the squares (Kish's effective sample size); 0 without samples.
    pub fn effective_samples(&self) -> f64 {
        let buckets = self.regions.iter().flat_map(|region| &region.buckets);
        let sums = (self.outside as f64, self.outside_squares as f64);
        let (total, squares) = buckets.fold(sums, |(total, squares), bucket| {
            (total + bucket.count as f64, squares + bucket.squares as f64)
        });
        if squares > 0.0 { total * total / squares } else { 0.0 }
    }

    /// Adds the counts of another histogram of the same regions, such as that of another thread or run.
    ///
    /// Sums have 64 bits, whatever the width of the buckets.
    ///
    /// # Errors
    /// Returns [`MergeError`] if the regions differ; nothing is added in that case.
    pub fn merge(&mut self, other: &Snapshot) -> Result<(), MergeError> {
        let (ours, theirs) = (self.regions.len(), other.regions.len());
        if ours != theirs {
            return Err(MergeError::RegionCount { ours, theirs });
        }
        let pairs = self.regions.iter().zip(&other.regions);
        if let Some(index) = pairs.into_iter().position(|(a, b)| a.region != b.region) {
            return Err(MergeError::Region { index });
        }
        for (ours, theirs) in self.regions.iter_mut().zip(&other.regions) {
            ours.buckets = sum(&ours.buckets, &theirs.buckets);
            ours.wrapped = ours.wrapped.saturating_add(theirs.wrapped);
        }
        self.outside = self.outside.saturating_add(other.outside);
        self.outside_squares = self.outside_squares.saturating_add(other.outside_squares);
        self.dropped = self.dropped.saturating_add(other.dropped);
        Ok(())
    }
}

/// The sum of both lists of buckets, by index.
fn sum(ours: &[Bucket], theirs: &[Bucket]) -> Vec<Bucket> {
    let mut all: Vec<Bucket> = ours.iter().chain(theirs).copied().collect();
    all.sort_by_key(|bucket| bucket.index);
    all.dedup_by(|next, kept| {
        let same = next.index == kept.index;
        if same {
            kept.count = kept.count.saturating_add(next.count);
            kept.squares = kept.squares.saturating_add(next.squares);
            kept.saturated |= next.saturated;
        }
        same
    });
    all
}

/// The reason why two snapshots cannot be added.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// The snapshots have different numbers of regions.
    #[error("the profiles have different numbers of regions, {ours} and {theirs}")]
    RegionCount {
        /// The number of regions in the first snapshot.
        ours: usize,
        /// The number of regions in the other snapshot.
        theirs: usize,
    },
    /// A region has different addresses, a different scale or a different length.
    #[error("region {index} differs between the profiles")]
    Region {
        /// Its index.
        index: usize,
    },
}
