//! Counts of samples by address.

use crate::map::Map;
use crate::near::{Part, Recent};
use crate::snapshot::{Bucket, RegionSnapshot, Snapshot};
use crate::{BucketWidth, Buckets, Flags, OwnedBuckets, Random, Region};
use std::collections::HashMap;

/// Counts samples by address.
///
/// If several regions contain an address, the one with the greatest start takes it, or the first of them on a tie; a [catch-all](Region::catch_all) takes the addresses that no other region contains.
///
/// `B` is the storage of the counts: the histogram's own memory, or slices of the caller (see [`Buckets`]).
/// To count in several threads, let each make a histogram over the same `&[AtomicU32]`.
///
/// ```
/// use counterpoint_profil::{Histogram, Region, Scale};
/// use std::sync::atomic::AtomicU32;
///
/// let region = Region::new(0x1000..0x2000, Scale::ONE_ADDRESS)?;
/// let counts: Vec<AtomicU32> = (0..region.buckets).map(|_| AtomicU32::new(0)).collect();
/// std::thread::scope(|threads| {
///     for _ in 0..4 {
///         threads.spawn(|| {
///             let mut mine = Histogram::with_buckets(vec![(region, counts.as_slice())])?;
///             mine.record_batch(&[0x1800; 100]);
///             Ok::<_, counterpoint_profil::HistogramError>(())
///         });
///     }
/// });
/// assert_eq!(counts[0x800].load(std::sync::atomic::Ordering::Relaxed), 400);
/// # Ok::<(), counterpoint_profil::RegionError>(())
/// ```
#[doc(alias = "PAPI_profil")]
#[doc(alias = "PAPI_sprofil")]
#[doc(alias = "PAPI_sprofil_t")]
#[derive(Clone, Debug)]
pub struct Histogram<B = OwnedBuckets> {
    regions: Vec<Region>,
    parts: Vec<Part<B>>,
    map: Map,
    flags: Flags,
    threshold: u64,
    random: Random,
    saturating: bool,
    recent: Recent,
    outside: u64,
    outside_squares: u64,
    /// For buckets, by region and index: the difference between the sum of the squared increments and the sum of the increments.
    unequal: HashMap<(usize, usize), u64>,
    dropped: u64,
}

/// The number of samples of a batch that are counted together: more of them lose less time in large regions, fewer in small ones.
const RUN: usize = 96;

/// The outcome of recording a sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The sample was added to a bucket.
    Counted {
        /// The index of the region, in the order given.
        region: usize,
        /// The index of the bucket in the region.
        bucket: usize,
        /// The amount added, before any wrapping.
        increment: u64,
    },
    /// The sample's bucket was found, but the flags dropped the sample.
    Dropped,
    /// No region has a bucket for the sample.
    Outside,
}

impl Histogram {
    /// A histogram of these regions in its own memory, with all counts 0.
    ///
    /// # Errors
    /// Returns [`HistogramError::NoMemory`] if there is not enough memory.
    pub fn new(regions: Vec<Region>, width: BucketWidth) -> Result<Histogram, HistogramError> {
        let buckets = regions
            .iter()
            .map(|region| {
                OwnedBuckets::zeroed(region.buckets, width)
                    .ok_or(HistogramError::NoMemory { buckets: region.buckets, width })
            })
            .collect::<Result<_, _>>()?;
        Ok(Histogram::over(regions, buckets))
    }
}

impl Histogram {
    /// A histogram of these regions in buckets that take memory only if they are not 0.
    ///
    /// Its [`snapshot`](Histogram::snapshot) takes as long as it has such buckets, but a sample takes longer to count.
    pub fn sparse(regions: Vec<Region>, width: BucketWidth) -> Histogram {
        let sparse = |region: &Region| OwnedBuckets::sparse(region.buckets, width);
        let buckets = regions.iter().map(sparse).collect();
        Histogram::over(regions, buckets)
    }
}

impl<B: Buckets> Histogram<B> {
    /// A histogram that counts in the caller's buffers, one per region.
    ///
    /// Counts that the buffers already contain are added to.
    ///
    /// # Errors
    /// Returns [`HistogramError::ShortBuffer`] if a buffer has fewer buckets than its region.
    pub fn with_buckets(regions: Vec<(Region, B)>) -> Result<Histogram<B>, HistogramError> {
        for (index, (region, buckets)) in regions.iter().enumerate() {
            if buckets.len() < region.buckets {
                let (has, needs) = (buckets.len(), region.buckets);
                return Err(HistogramError::ShortBuffer { region: index, has, needs });
            }
        }
        let (regions, buckets) = regions.into_iter().unzip();
        Ok(Histogram::over(regions, buckets))
    }

    fn over(regions: Vec<Region>, buckets: Vec<B>) -> Histogram<B> {
        Histogram {
            map: Map::new(&regions),
            recent: Recent::new(&regions),
            regions,
            parts: buckets.into_iter().map(Part::new).collect(),
            flags: Flags::default(),
            threshold: 0,
            random: Random::default(),
            saturating: false,
            outside: 0,
            outside_squares: 0,
            unequal: HashMap::new(),
            dropped: 0,
        }
    }

    /// Sets the flags; `threshold` is the number of events per overflow, to which weights are relative.
    #[must_use]
    pub fn with_flags(mut self, flags: Flags, threshold: u64) -> Histogram<B> {
        self.flags = flags;
        self.threshold = threshold;
        self.parts.iter_mut().for_each(Part::forget);
        self
    }

    /// Sets the random number generator for the flags that need one.
    #[must_use]
    pub fn with_random(mut self, random: Random) -> Histogram<B> {
        self.random = random;
        self
    }

    /// Makes full buckets keep their maximum count, instead of wrapping to 0; the snapshot marks them.
    #[must_use]
    pub fn saturating(mut self) -> Histogram<B> {
        self.saturating = true;
        self.parts.iter_mut().for_each(Part::forget);
        self
    }

    /// Counts a sample at an address.
    #[inline]
    pub fn record(&mut self, pc: u64) -> Outcome {
        self.record_excess(pc, 0)
    }

    /// Counts a sample at an address, taken when the event was `excess` past its threshold.
    ///
    /// Only [`Flags::weighted`] uses the excess; hardware that interrupts exactly at the threshold has none.
    #[inline]
    pub fn record_excess(&mut self, pc: u64, excess: i64) -> Outcome {
        // Most histograms have a single region, of which fewer words are read than of others.
        if let Some(counted) = self.record_near(0, pc) {
            return counted;
        }
        match self.record_near(self.recent.region(pc), pc) {
            Some(counted) => counted,
            None => self.look_up(pc, excess),
        }
    }

    /// Counts a sample if it is near the last one in this region.
    #[inline]
    fn record_near(&mut self, region: usize, pc: u64) -> Option<Outcome> {
        let part = self.parts.get_mut(region)?;
        let bucket = part.near().bucket(pc)?;
        part.add(bucket, 1);
        Some(Outcome::Counted { region, bucket, increment: 1 })
    }

    /// Counts a sample of this weight at an address, regardless of flags; the errors of shares take it as one sample.
    pub fn record_weight(&mut self, pc: u64, weight: u64) -> Outcome {
        let span = self.map.find(pc);
        match span.region {
            Some(region) => self.weighted(region, span.bucket(pc), weight),
            None => {
                self.outside = self.outside.saturating_add(weight);
                let square = weight.saturating_mul(weight);
                self.outside_squares = self.outside_squares.saturating_add(square);
                Outcome::Outside
            }
        }
    }

    /// Counts a sample at each address.
    pub fn record_batch(&mut self, pcs: &[u64]) {
        let mut buckets = [0; RUN];
        let mut rest = pcs;
        while !rest.is_empty() {
            let run = self.record_run(rest, &mut buckets);
            rest = rest.get(run..).unwrap_or_default();
            // If samples are in other spans than those before them, runs take longer than single samples.
            if run < RUN / 4 {
                let (few, after) = rest.split_at(rest.len().min(RUN));
                for &pc in few {
                    self.record(pc);
                }
                rest = after;
            }
        }
    }

    /// Counts the first samples, as far as they are in the same span and that is known, and returns how many they are.
    ///
    /// It finds their buckets before it adds to any, so that as many additions as possible wait for memory at once.
    #[inline]
    fn record_run(&mut self, pcs: &[u64], buckets: &mut [usize; RUN]) -> usize {
        let region = pcs.first().map(|pc| self.recent.region(*pc));
        let Some(part) = region.and_then(|region| self.parts.get_mut(region)) else { return 0 };
        let run = part.near().buckets(pcs, buckets);
        part.increment_each(buckets.get(..run).unwrap_or_default());
        run
    }

    /// Counts a sample whose bucket is found by a search: one that is not near the last sample of its region, or in a histogram with flags.
    fn look_up(&mut self, pc: u64, excess: i64) -> Outcome {
        let span = self.map.find(pc);
        let Some(region) = span.region else {
            let weight = self.flags.weight(excess, self.threshold);
            self.outside = self.outside.saturating_add(weight);
            self.outside_squares = self.outside_squares.saturating_add(weight * weight);
            return Outcome::Outside;
        };
        let bucket = span.bucket(pc);
        let increment = if self.flags.is_plain() {
            if !self.saturating {
                self.recent.keep(pc, region);
                self.parts[region].keep(span, pc);
            }
            1
        } else {
            let count = self.parts[region].buckets.get(bucket);
            self.flags.increment(&mut self.random, count, excess, self.threshold)
        };
        if increment == 0 {
            self.dropped += 1;
            return Outcome::Dropped;
        }
        self.weighted(region, bucket, increment)
    }

    /// Adds one sample to a bucket.
    fn weighted(&mut self, region: usize, bucket: usize, weight: u64) -> Outcome {
        if weight > 1 {
            let unequal = self.unequal.entry((region, bucket)).or_default();
            *unequal = unequal.saturating_add(weight.saturating_mul(weight - 1));
        }
        self.increase(region, bucket, weight)
    }

    /// Adds to the bucket of an address, regardless of flags, like `count` samples of 1.
    pub fn add(&mut self, pc: u64, count: u64) -> Outcome {
        let span = self.map.find(pc);
        match span.region {
            Some(region) => self.increase(region, span.bucket(pc), count),
            None => {
                self.outside = self.outside.saturating_add(count);
                self.outside_squares = self.outside_squares.saturating_add(count);
                Outcome::Outside
            }
        }
    }

    fn increase(&mut self, region: usize, bucket: usize, increment: u64) -> Outcome {
        if self.saturating {
            self.parts[region].buckets.add_saturating(bucket, increment)
        } else {
            self.parts[region].add(bucket, increment);
        }
        Outcome::Counted { region, bucket, increment }
    }

    /// The regions, in the order given.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// The count of each bucket of a region.
    pub fn counts(&self, region: usize) -> impl ExactSizeIterator<Item = u64> {
        let buckets = &self.parts[region].buckets;
        (0..self.regions[region].buckets).map(|bucket| buckets.get(bucket))
    }

    /// The current state of the random number generator, from which [`with_random`](Histogram::with_random) can continue.
    pub fn random(&self) -> Random {
        self.random
    }

    /// The counts so far.
    pub fn snapshot(&self) -> Snapshot {
        let regions = (0..self.regions.len()).map(|region| self.region_snapshot(region)).collect();
        let Histogram { outside, outside_squares, dropped, .. } = *self;
        Snapshot { regions, outside, outside_squares, dropped }
    }

    fn region_snapshot(&self, index: usize) -> RegionSnapshot {
        let region = self.regions[index];
        let width = self.parts[index].buckets.width();
        let buckets: Vec<Bucket> = self.parts[index]
            .buckets
            .counted()
            .take_while(|(bucket, _)| *bucket < region.buckets)
            .map(|(bucket, count)| {
                let (first, last) = region.addresses(bucket);
                Bucket {
                    index: bucket,
                    first,
                    last,
                    count,
                    squares: count
                        .saturating_add(self.unequal.get(&(index, bucket)).copied().unwrap_or(0)),
                    saturated: self.saturating && count == width.max(),
                }
            })
            .collect();
        RegionSnapshot { region, width, buckets, wrapped: self.parts[index].wraps }
    }

    /// Returns the buffers, one per region.
    pub fn into_buckets(self) -> Vec<B> {
        self.parts.into_iter().map(|part| part.buckets).collect()
    }
}

/// The reason why a histogram cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HistogramError {
    /// There is not enough memory.
    #[doc(alias = "PAPI_ENOMEM")]
    #[error(
        "no memory for {buckets} buckets of {} bits: use a smaller scale, narrower buckets or fewer addresses", .width.bits()
    )]
    NoMemory {
        /// The number of buckets.
        buckets: usize,
        /// The width of each bucket.
        width: BucketWidth,
    },
    /// A buffer is too short for its region.
    #[doc(alias = "PAPI_EINVAL")]
    #[error("the buffer of region {region} has {has} buckets, but the region needs {needs}")]
    ShortBuffer {
        /// The index of the region.
        region: usize,
        /// The number of buckets in the buffer.
        has: usize,
        /// The number of buckets in the region.
        needs: usize,
    },
}
