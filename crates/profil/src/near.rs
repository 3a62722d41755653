//! Finds the bucket of most samples without a search.

use crate::map::Span;
use crate::{Buckets, Region};

/// A region's buckets, and the last of its spans that a sample was in, with buckets computed in 64 bits.
#[derive(Clone, Debug)]
pub(crate) struct Part<B> {
    near: Near,
    pub(crate) buckets: B,
    /// The number of times a bucket has wrapped.
    pub(crate) wraps: u64,
}

/// A [`Span`] reduced to what most samples need.
///
/// It is in as few words as possible, because how many samples wait for their buckets at once depends on how many words each of them reads.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Near {
    first: u64,
    /// The scale, whether `before` is not 0, and the number of addresses from `first` on; 0 if there are none.
    packed: u64,
    /// The contribution of the region's addresses before `first` to the scaled offset.
    before: u64,
}

impl Near {
    const SCALE: u64 = (1 << 18) - 1;
    const HAS_BEFORE: u64 = 1 << 18;
    const LEN_SHIFT: u32 = 19;

    /// The addresses of a span; if it is too long to be packed, those around `pc`.
    fn new(span: &Span, pc: u64) -> Near {
        let Span { last, start, .. } = *span;
        let scale = u64::from(span.scale);
        let first = if last - span.first > u64::MAX >> Near::LEN_SHIFT {
            span.first.max(pc.saturating_sub(1 << (63 - Near::LEN_SHIFT)))
        } else {
            span.first
        };
        // Larger offsets would overflow 64 bits when scaled.
        let farthest = start.saturating_add(u64::MAX.checked_div(scale).unwrap_or(u64::MAX));
        let len = last.min(farthest).saturating_sub(first).min(u64::MAX >> Near::LEN_SHIFT);
        let before = (first - start).wrapping_mul(scale);
        let has_before = if before == 0 { 0 } else { Near::HAS_BEFORE };
        Near { first, packed: scale | has_before | len << Near::LEN_SHIFT, before }
    }

    /// The bucket of an address, or `None` if the address must be looked up.
    #[inline]
    pub(crate) fn bucket(&self, pc: u64) -> Option<usize> {
        let offset = pc.wrapping_sub(self.first);
        if offset >= self.packed >> Near::LEN_SHIFT {
            return None;
        }
        let scaled = offset * (self.packed & Near::SCALE);
        let scaled = match self.packed & Near::HAS_BEFORE {
            0 => scaled,
            _ => self.after_another(scaled),
        };
        Some((scaled >> 17) as usize)
    }

    /// The buckets of the first addresses, as far as they are near; returns how many they are.
    #[inline]
    pub(crate) fn buckets(&self, pcs: &[u64], buckets: &mut [usize]) -> usize {
        let Near { first, packed, before } = *self;
        let (len, scale) = (packed >> Near::LEN_SHIFT, packed & Near::SCALE);
        let mut found = 0;
        for (bucket, &pc) in buckets.iter_mut().zip(pcs) {
            let offset = pc.wrapping_sub(first);
            if offset >= len {
                break;
            }
            *bucket = ((offset * scale).wrapping_add(before) >> 17) as usize;
            found += 1;
        }
        found
    }

    /// In a function, so that the word is read only where another region is inside this one.
    #[cold]
    #[inline(never)]
    fn after_another(&self, scaled: u64) -> u64 {
        scaled.wrapping_add(self.before)
    }
}

impl<B: Buckets> Part<B> {
    pub(crate) fn new(buckets: B) -> Part<B> {
        Part { near: Near::default(), buckets, wraps: 0 }
    }

    #[inline]
    pub(crate) fn near(&self) -> &Near {
        &self.near
    }

    #[inline]
    pub(crate) fn add(&mut self, bucket: usize, increment: u64) {
        let wraps = self.buckets.add(bucket, increment);
        if wraps > 0 {
            self.wrapped(wraps);
        }
    }

    #[inline]
    pub(crate) fn increment_each(&mut self, buckets: &[usize]) {
        let wraps = self.buckets.increment_each(buckets.iter().copied());
        if wraps > 0 {
            self.wrapped(wraps);
        }
    }

    /// Not inlined, so that a sample that does not wrap its bucket takes a branch and nothing else.
    #[cold]
    fn wrapped(&mut self, wraps: u64) {
        self.wraps = self.wraps.saturating_add(wraps);
    }

    pub(crate) fn keep(&mut self, span: &Span, pc: u64) {
        self.near = Near::new(span, pc);
    }

    pub(crate) fn forget(&mut self) {
        self.near = Near::default();
    }
}

/// The regions of the last samples, each in the place of the page of its sample.
///
/// So a sample finds its region without a search even if the next one is in another, and whatever lies between them.
#[derive(Clone, Debug)]
pub(crate) struct Recent {
    /// Pages have 2 to this power of addresses.
    shift: u32,
    regions: [u16; PLACES],
}

const PLACES: usize = 256;

impl Recent {
    /// Pages are so large that samples all over the regions leave most places free, because pages of different regions in the same place displace each other.
    pub(crate) fn new(regions: &[Region]) -> Recent {
        let spans = regions.iter().filter(|region| !region.is_catch_all()).filter_map(Region::span);
        let addresses = spans.fold(0_u64, |sum, (first, last)| sum.saturating_add(last - first));
        let shift = u64::BITS - (addresses / (PLACES as u64 / 4)).leading_zeros();
        Recent { shift, regions: [0; PLACES] }
    }

    /// The region that an address is likely to be in.
    #[inline]
    pub(crate) fn region(&self, pc: u64) -> usize {
        self.regions[self.place(pc)].into()
    }

    pub(crate) fn keep(&mut self, pc: u64, region: usize) {
        if let Ok(region) = u16::try_from(region) {
            self.regions[self.place(pc)] = region;
        }
    }

    #[inline]
    fn place(&self, pc: u64) -> usize {
        (pc >> self.shift) as usize % PLACES
    }
}
