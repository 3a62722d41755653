//! The storage of counts: the widths of buckets, and the memory of the caller.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

/// The width of a bucket.
///
/// Source: `PAPI_profil(3)`, the flags of the same names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum BucketWidth {
    /// Up to 65,535.
    #[default]
    #[doc(alias = "PAPI_PROFIL_BUCKET_16")]
    Bits16,
    /// Up to 4,294,967,295.
    #[doc(alias = "PAPI_PROFIL_BUCKET_32")]
    Bits32,
    /// Up to 18,446,744,073,709,551,615.
    #[doc(alias = "PAPI_PROFIL_BUCKET_64")]
    Bits64,
}

impl BucketWidth {
    /// The width with this number of bits: 16, 32 or 64.
    pub fn from_bits(bits: u32) -> Option<BucketWidth> {
        match bits {
            16 => Some(BucketWidth::Bits16),
            32 => Some(BucketWidth::Bits32),
            64 => Some(BucketWidth::Bits64),
            _ => None,
        }
    }

    /// 16, 32 or 64.
    pub fn bits(self) -> u32 {
        match self {
            BucketWidth::Bits16 => 16,
            BucketWidth::Bits32 => 32,
            BucketWidth::Bits64 => 64,
        }
    }

    /// 2, 4 or 8.
    pub fn bytes(self) -> usize {
        self.bits() as usize / 8
    }

    /// The maximum count of a bucket.
    pub fn max(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }
}

/// Storage for a region's counts: memory of the histogram ([`OwnedBuckets`]), a slice of the caller (`&mut [u16]`, `&mut [u32]`, `&mut [u64]`), or one shared by several threads, borrowed (`&[AtomicU16]`, `&[AtomicU32]`, `&[AtomicU64]`) or not ([`SharedBuckets`]).
///
/// This trait is sealed.
pub trait Buckets: sealed::Sealed {
    /// The width of each bucket.
    fn width(&self) -> BucketWidth;
    /// The number of buckets.
    fn len(&self) -> usize;
    /// Returns true if there are no buckets.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Returns true if others may change the counts at the same time.
    fn is_shared(&self) -> bool {
        false
    }
    /// The count of a bucket; 0 if the bucket does not exist.
    fn get(&self, bucket: usize) -> u64;
    /// The buckets that are not 0, in order, with their counts.
    fn counted(&self) -> impl Iterator<Item = (usize, u64)> {
        (0..self.len()).map(|bucket| (bucket, self.get(bucket))).filter(|(_, count)| *count != 0)
    }
    /// Adds to a bucket, modulo its width, and returns how many times it has wrapped, or 0 if it is shared; does nothing if the bucket does not exist.
    fn add(&mut self, bucket: usize, increment: u64) -> u64;
    /// Adds 1 to each of these buckets, and returns how many times they have wrapped, as `add` does.
    fn increment_each(&mut self, buckets: impl Iterator<Item = usize>) -> u64;
    /// Adds to a bucket, which stays at its maximum count instead of wrapping.
    /// On shared buckets this retries if other threads interfere; `add` never does.
    fn add_saturating(&mut self, bucket: usize, increment: u64);
}

mod sealed {
    pub trait Sealed {}
}

/// Buckets owned by the histogram, with a width chosen at run time.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum OwnedBuckets {
    /// 16 bits each.
    U16(Vec<u16>),
    /// 32 bits each.
    U32(Vec<u32>),
    /// 64 bits each.
    U64(Vec<u64>),
    /// In the memory of those that are not 0.
    Sparse(SparseBuckets),
}

/// Buckets that take memory only if they are not 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SparseBuckets {
    len: usize,
    width: BucketWidth,
    counts: BTreeMap<usize, u64>,
}

impl OwnedBuckets {
    /// `len` buckets of 0, or `None` if there is not enough memory.
    pub(crate) fn zeroed(len: usize, width: BucketWidth) -> Option<OwnedBuckets> {
        match width {
            BucketWidth::Bits16 => zeroed(len).map(OwnedBuckets::U16),
            BucketWidth::Bits32 => zeroed(len).map(OwnedBuckets::U32),
            BucketWidth::Bits64 => zeroed(len).map(OwnedBuckets::U64),
        }
    }

    /// `len` buckets of 0 that take no memory yet.
    pub(crate) fn sparse(len: usize, width: BucketWidth) -> OwnedBuckets {
        OwnedBuckets::Sparse(SparseBuckets { len, width, counts: BTreeMap::new() })
    }
}

fn zeroed<T: Clone + Default>(len: usize) -> Option<Vec<T>> {
    // Reserves the memory first, because `vec!` aborts the program if there is none, and then uses `vec!`, because it gets zeroed pages from the system, which take no memory until they are used.
    Vec::<T>::new().try_reserve_exact(len).ok()?;
    Some(vec![T::default(); len])
}

/// Calls the same method on the buckets inside, whatever their width.
macro_rules! each {
    ($buckets:expr, $inside:ident => $body:expr) => {
        match $buckets {
            OwnedBuckets::U16(vec) => {
                let $inside = &mut vec.as_mut_slice();
                $body
            }
            OwnedBuckets::U32(vec) => {
                let $inside = &mut vec.as_mut_slice();
                $body
            }
            OwnedBuckets::U64(vec) => {
                let $inside = &mut vec.as_mut_slice();
                $body
            }
            OwnedBuckets::Sparse($inside) => $body,
        }
    };
}

impl sealed::Sealed for OwnedBuckets {}

impl Buckets for OwnedBuckets {
    fn width(&self) -> BucketWidth {
        match self {
            OwnedBuckets::U16(_) => BucketWidth::Bits16,
            OwnedBuckets::U32(_) => BucketWidth::Bits32,
            OwnedBuckets::U64(_) => BucketWidth::Bits64,
            OwnedBuckets::Sparse(sparse) => sparse.width,
        }
    }

    fn len(&self) -> usize {
        match self {
            OwnedBuckets::U16(slice) => slice.len(),
            OwnedBuckets::U32(slice) => slice.len(),
            OwnedBuckets::U64(slice) => slice.len(),
            OwnedBuckets::Sparse(sparse) => sparse.len,
        }
    }

    #[inline]
    fn get(&self, bucket: usize) -> u64 {
        match self {
            OwnedBuckets::Sparse(sparse) => sparse.get(bucket),
            OwnedBuckets::U16(slice) => slice.get(bucket).map_or(0, |&count| count.into()),
            OwnedBuckets::U32(slice) => slice.get(bucket).map_or(0, |&count| count.into()),
            OwnedBuckets::U64(slice) => slice.get(bucket).copied().unwrap_or(0),
        }
    }

    #[inline]
    fn add(&mut self, bucket: usize, increment: u64) -> u64 {
        each!(self, inside => Buckets::add(inside, bucket, increment))
    }

    #[inline]
    fn increment_each(&mut self, buckets: impl Iterator<Item = usize>) -> u64 {
        each!(self, inside => Buckets::increment_each(inside, buckets))
    }

    #[inline]
    fn add_saturating(&mut self, bucket: usize, increment: u64) {
        each!(self, inside => Buckets::add_saturating(inside, bucket, increment))
    }

    fn counted(&self) -> impl Iterator<Item = (usize, u64)> {
        let (len, sparse) = match self {
            OwnedBuckets::Sparse(sparse) => (0, Some(sparse.counted())),
            dense => (dense.len(), None),
        };
        let dense = (0..len).map(|bucket| (bucket, self.get(bucket)));
        dense.filter(|(_, count)| *count != 0).chain(sparse.into_iter().flatten())
    }
}

impl sealed::Sealed for SparseBuckets {}

impl Buckets for SparseBuckets {
    fn width(&self) -> BucketWidth {
        self.width
    }

    fn len(&self) -> usize {
        self.len
    }

    fn get(&self, bucket: usize) -> u64 {
        self.counts.get(&bucket).copied().unwrap_or(0)
    }

    fn counted(&self) -> impl Iterator<Item = (usize, u64)> {
        self.counts.iter().map(|(bucket, count)| (*bucket, *count)).filter(|(_, count)| *count != 0)
    }

    fn add(&mut self, bucket: usize, increment: u64) -> u64 {
        if bucket >= self.len {
            return 0;
        }
        let count = self.counts.entry(bucket).or_default();
        let sum = u128::from(*count) + u128::from(increment);
        *count = sum as u64 & self.width.max();
        (sum >> self.width.bits()) as u64
    }

    fn increment_each(&mut self, buckets: impl Iterator<Item = usize>) -> u64 {
        buckets.map(|bucket| self.add(bucket, 1)).sum()
    }

    fn add_saturating(&mut self, bucket: usize, increment: u64) {
        if bucket < self.len {
            let count = self.counts.entry(bucket).or_default();
            *count = count.saturating_add(increment).min(self.width.max());
        }
    }
}

/// Not inlined, so that a wrap, which is rare, costs a branch at all other times.
#[cold]
#[inline(never)]
fn one_more(wraps: u64) -> u64 {
    wraps + 1
}

macro_rules! slices {
    ($($int:ident $atomic:ident $width:ident $variant:ident;)*) => {$(
        impl sealed::Sealed for &mut [$int] {}

        impl Buckets for &mut [$int] {
            fn width(&self) -> BucketWidth {
                BucketWidth::$width
            }

            fn len(&self) -> usize {
                <[$int]>::len(self)
            }

            #[inline]
            fn get(&self, bucket: usize) -> u64 {
                <[$int]>::get(self, bucket).map_or(0, |&count| u64::from(count))
            }

            #[inline]
            fn add(&mut self, bucket: usize, increment: u64) -> u64 {
                let Some(count) = self.get_mut(bucket) else { return 0 };
                let (sum, wrapped) = count.overflowing_add(increment as $int);
                *count = sum;
                increment.checked_shr($int::BITS).unwrap_or(0) + u64::from(wrapped)
            }

            #[inline]
            fn increment_each(&mut self, buckets: impl Iterator<Item = usize>) -> u64 {
                let slice: &mut [$int] = self;
                let mut wraps = 0;
                for bucket in buckets {
                    let Some(count) = slice.get_mut(bucket) else { continue };
                    *count = count.wrapping_add(1);
                    if *count == 0 {
                        wraps = one_more(wraps);
                    }
                }
                wraps
            }

            #[inline]
            fn add_saturating(&mut self, bucket: usize, increment: u64) {
                if let Some(count) = self.get_mut(bucket) {
                    *count = count.saturating_add(increment.try_into().unwrap_or($int::MAX));
                }
            }
        }

        impl From<Arc<[$atomic]>> for SharedBuckets {
            fn from(buckets: Arc<[$atomic]>) -> SharedBuckets {
                SharedBuckets::$variant(buckets)
            }
        }

        impl sealed::Sealed for &[$atomic] {}

        impl Buckets for &[$atomic] {
            fn width(&self) -> BucketWidth {
                BucketWidth::$width
            }

            fn len(&self) -> usize {
                <[$atomic]>::len(self)
            }

            fn is_shared(&self) -> bool {
                true
            }

            #[inline]
            fn get(&self, bucket: usize) -> u64 {
                <[$atomic]>::get(self, bucket)
                    .map_or(0, |count| u64::from(count.load(Ordering::Relaxed)))
            }

            #[inline]
            fn add(&mut self, bucket: usize, increment: u64) -> u64 {
                if let Some(count) = <[$atomic]>::get(self, bucket) {
                    count.fetch_add(increment as $int, Ordering::Relaxed);
                }
                0
            }

            #[inline]
            fn increment_each(&mut self, buckets: impl Iterator<Item = usize>) -> u64 {
                buckets.map(|bucket| self.add(bucket, 1)).sum()
            }

            #[inline]
            fn add_saturating(&mut self, bucket: usize, increment: u64) {
                let Some(count) = <[$atomic]>::get(self, bucket) else { return };
                let increment = increment.try_into().unwrap_or($int::MAX);
                let _ = count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| {
                    (count != $int::MAX).then(|| count.saturating_add(increment))
                });
            }
        }
    )*};
}

/// Buckets of the caller that several threads may read and change while samples are counted in them.
///
/// A clone has the same buckets.
///
/// ```
/// use counterpoint_profil::{Histogram, Region, Scale, SharedBuckets};
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU16, Ordering};
///
/// let region = Region::new(0x1000..0x2000, Scale::ONE_ADDRESS)?;
/// let counts: Arc<[AtomicU16]> = (0..region.buckets).map(|_| AtomicU16::new(0)).collect();
/// let buckets = SharedBuckets::from(counts.clone());
/// let mut histogram = Histogram::with_buckets(vec![(region, buckets)])?;
/// histogram.record(0x1800);
/// assert_eq!(counts[0x800].load(Ordering::Relaxed), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum SharedBuckets {
    /// 16 bits each.
    U16(Arc<[AtomicU16]>),
    /// 32 bits each.
    U32(Arc<[AtomicU32]>),
    /// 64 bits each.
    U64(Arc<[AtomicU64]>),
}

/// Calls the same function on the slice of atomics inside, whatever its width.
macro_rules! each_shared {
    ($buckets:expr, $slice:ident => $body:expr) => {
        match $buckets {
            SharedBuckets::U16(shared) => {
                let $slice = &mut &**shared;
                $body
            }
            SharedBuckets::U32(shared) => {
                let $slice = &mut &**shared;
                $body
            }
            SharedBuckets::U64(shared) => {
                let $slice = &mut &**shared;
                $body
            }
        }
    };
}

impl sealed::Sealed for SharedBuckets {}

impl Buckets for SharedBuckets {
    fn width(&self) -> BucketWidth {
        each_shared!(self, slice => slice.width())
    }

    fn len(&self) -> usize {
        each_shared!(self, slice => slice.len())
    }

    fn is_shared(&self) -> bool {
        true
    }

    #[inline]
    fn get(&self, bucket: usize) -> u64 {
        each_shared!(self, slice => Buckets::get(slice, bucket))
    }

    #[inline]
    fn add(&mut self, bucket: usize, increment: u64) -> u64 {
        each_shared!(self, slice => slice.add(bucket, increment))
    }

    #[inline]
    fn increment_each(&mut self, buckets: impl Iterator<Item = usize>) -> u64 {
        each_shared!(self, slice => slice.increment_each(buckets))
    }

    #[inline]
    fn add_saturating(&mut self, bucket: usize, increment: u64) {
        each_shared!(self, slice => slice.add_saturating(bucket, increment))
    }
}

slices! {
    u16 AtomicU16 Bits16 U16;
    u32 AtomicU32 Bits32 U32;
    u64 AtomicU64 Bits64 U64;
}
