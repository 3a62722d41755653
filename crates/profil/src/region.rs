//! Ranges of addresses that are counted.

use crate::Scale;
use std::ops::Range;

/// A range of addresses to count, divided into buckets.
///
/// A region begins at `start` and extends as far as its buckets do, as in `PAPI_profil(3)`, unless it has an `end` before that: an address at or above `start` is counted if its bucket is one of the `buckets`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Region {
    /// The first address.
    #[doc(alias = "offset")]
    #[doc(alias = "pr_off")]
    pub start: u64,
    /// The scale, which determines how many addresses share a bucket.
    #[doc(alias = "pr_scale")]
    pub scale: Scale,
    /// The number of buckets; a buffer of `bufsiz` bytes has `bufsiz / width.bytes()`.
    #[doc(alias = "bufsiz")]
    #[doc(alias = "pr_size")]
    pub buckets: usize,
    /// The address after the last one that is counted; `None` if that is the end of the last bucket, as in PAPI.
    pub end: Option<u64>,
}

impl Region {
    /// The region that has a bucket for every address of `addresses`.
    ///
    /// By `PAPI_profil(3)`, the size is `bufsiz = (end - start) * (bucket_size / 2) * (scale / 65536)` bytes, rounded up to the bucket of the last address.
    ///
    /// # Errors
    /// Returns [`RegionError::Empty`] if there are no addresses, and [`RegionError::TooLarge`] if the number of buckets is too large.
    ///
    /// ```
    /// use counterpoint_profil::{BucketWidth, Region, Scale};
    ///
    /// let region = Region::new(0x400000..0x400000 + 1000, Scale::TWO_ADDRESSES)?;
    /// assert_eq!(region.buckets, 500);
    /// assert_eq!(region.buckets * BucketWidth::Bits32.bytes(), 2000); // bufsiz
    /// # Ok::<(), counterpoint_profil::RegionError>(())
    /// ```
    pub fn new(addresses: Range<u64>, scale: Scale) -> Result<Region, RegionError> {
        let region = Region::exactly(addresses, scale)?;
        Ok(match (region.start, scale) {
            (0, Scale::COARSEST) => Region::catch_all(),
            _ => Region { end: None, ..region },
        })
    }

    /// The region that counts the addresses of `addresses` and no others: its last bucket ends with them.
    ///
    /// # Errors
    /// Returns [`RegionError::Empty`] if there are no addresses, and [`RegionError::TooLarge`] if the number of buckets is too large.
    ///
    /// ```
    /// use counterpoint_profil::{Region, Scale};
    ///
    /// let region = Region::exactly(0x1000..0x1002, Scale::COARSEST)?;
    /// assert_eq!((region.bucket(0x1001), region.bucket(0x1002)), (Some(0), None));
    /// assert_eq!(region.addresses(0), (0x1000, 0x1001));
    /// # Ok::<(), counterpoint_profil::RegionError>(())
    /// ```
    pub fn exactly(addresses: Range<u64>, scale: Scale) -> Result<Region, RegionError> {
        let Range { start, end } = addresses;
        if start >= end {
            return Err(RegionError::Empty { start, end });
        }
        let buckets = scale.bucket(end - start - 1) + 1;
        let buckets =
            usize::try_from(buckets).map_err(|_| RegionError::TooLarge { start, end, buckets })?;
        Ok(Region { start, scale, buckets, end: Some(end) })
    }

    /// The region whose single bucket takes every address that no other region takes, independent of the order of regions.
    pub fn catch_all() -> Region {
        Region { start: 0, scale: Scale::COARSEST, buckets: 1, end: None }
    }

    /// Returns true if the region is a catch-all: it starts at 0 with scale 2, and has no end.
    pub fn is_catch_all(&self) -> bool {
        self.start == 0 && self.scale == Scale::COARSEST && self.end.is_none()
    }

    /// The first and the last address that are counted; `None` if there are none.
    pub fn span(&self) -> Option<(u64, u64)> {
        if self.buckets == 0 || self.end.is_some_and(|end| end <= self.start) {
            return None;
        }
        let last =
            if self.is_catch_all() { u64::MAX } else { self.last_address(self.buckets as u64 - 1) };
        Some((self.start, last))
    }

    /// The first and the last address of a bucket.
    pub fn addresses(&self, bucket: usize) -> (u64, u64) {
        if self.is_catch_all() {
            return (0, u64::MAX);
        }
        let bucket = bucket as u64;
        (self.address(self.scale.first_offset(bucket)), self.last_address(bucket))
    }

    /// The bucket of an address; `None` if the address is outside the region.
    pub fn bucket(&self, pc: u64) -> Option<usize> {
        let bucket = if self.is_catch_all() {
            0
        } else if self.end.is_some_and(|end| pc >= end) {
            return None;
        } else {
            usize::try_from(self.scale.bucket(pc.checked_sub(self.start)?)).ok()?
        };
        (bucket < self.buckets).then_some(bucket)
    }

    fn last_address(&self, bucket: u64) -> u64 {
        let last = self.address(self.scale.first_offset(bucket + 1) - 1);
        self.end.map_or(last, |end| last.min(end.saturating_sub(1)))
    }

    /// The address at an offset, or the highest address.
    fn address(&self, offset: u128) -> u64 {
        u64::try_from(u128::from(self.start) + offset).unwrap_or(u64::MAX)
    }
}

/// An invalid range of addresses for a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegionError {
    /// The end is not above the start.
    #[error("no addresses from {start:#x} to {end:#x}: the end must be above the start")]
    Empty {
        /// The first address.
        start: u64,
        /// The address after the last one.
        end: u64,
    },
    /// More buckets than fit in memory.
    #[error(
        "{buckets} buckets for {start:#x} to {end:#x} do not fit in memory: use a smaller scale or fewer addresses"
    )]
    TooLarge {
        /// The first address.
        start: u64,
        /// The address after the last one.
        end: u64,
        /// The number of buckets needed.
        buckets: u128,
    },
}
