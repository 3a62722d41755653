use crate::{BucketWidth, Region};

/// What a histogram held at one moment: plain data.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Snapshot {
    /// In the order in which the regions were given.
    pub regions: Vec<RegionSnapshot>,
    /// Samples at addresses that no region counts, each by its weight where samples have one.
    pub outside: u64,
    /// The sum of the squares of their weights, as in [`Bucket::squares`].
    pub outside_squares: u64,
    /// Samples that the flags said not to count.
    pub dropped: u64,
}

/// The counts of one region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegionSnapshot {
    /// Which addresses share a bucket.
    pub region: Region,
    /// How wide its buckets are.
    pub width: BucketWidth,
    /// Those that are not 0, by address.
    pub buckets: Vec<Bucket>,
}

/// A bucket that counted something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bucket {
    /// Its index in the region.
    pub index: usize,
    /// The first address that it counts.
    pub first: u64,
    /// The last one.
    pub last: u64,
    /// What it holds.
    pub count: u64,
    /// The sum of the squares of what each sample added, which is `count` where each added 1.
    ///
    /// It tells how sure the count is: few heavy samples say less than many light ones.
    pub squares: u64,
    /// It is full and may have missed some; only in [saturating](crate::Histogram::saturating) histograms.
    pub saturated: bool,
}

impl RegionSnapshot {
    /// The sum of its buckets.
    pub fn total(&self) -> u64 {
        self.buckets.iter().fold(0, |sum, bucket| sum.saturating_add(bucket.count))
    }
}

impl Snapshot {
    /// The sum of all buckets of all regions; without those outside.
    pub fn total(&self) -> u64 {
        self.regions.iter().fold(0, |sum, region| sum.saturating_add(region.total()))
    }

    /// Adds what another histogram of the same regions counted: another thread's, another run's.
    ///
    /// Sums are of 64 bits, whatever the width of the buckets.
    ///
    /// # Errors
    /// [`MergeError`] if the regions differ; nothing is added then.
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
        }
        self.outside = self.outside.saturating_add(other.outside);
        self.outside_squares = self.outside_squares.saturating_add(other.outside_squares);
        self.dropped = self.dropped.saturating_add(other.dropped);
        Ok(())
    }
}

/// The buckets of both, by index.
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

/// Why two snapshots cannot be added.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// They have different numbers of regions.
    #[error("one profile has {ours} regions, the other {theirs}")]
    RegionCount {
        /// How many the one has that is added to.
        ours: usize,
        /// How many the other has.
        theirs: usize,
    },
    /// A region has other addresses, another scale or another length.
    #[error("region {index} is not the same in both profiles")]
    Region {
        /// Its index.
        index: usize,
    },
}
