//! Histograms of addresses in buffers of the caller.

#![allow(unsafe_code, reason = "the buckets are the caller's memory")]

use counterpoint::profil::{BucketWidth, PapiFlags, Scale};
use std::ffi::c_uint;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

use crate::claim::Claimed;
use crate::codes::{EINVAL, ENOSUPP, Failed};
use crate::layout::ProfileRegion;

/// A histogram. It is kept, because a signal may arrive late.
#[derive(Debug)]
pub(crate) struct Profile {
    regions: Vec<Region>,
    flags: PapiFlags,
    random: AtomicU32,
}

/// The scale at which a region at 0 has one bucket for every address.
const CATCH_ALL: u32 = 2;

/// Every histogram of this process: one with the same buffers is used again.
static KEPT: Claimed<Vec<&'static Profile>> = Claimed::new(Vec::new());

/// The addresses that a buffer counts.
#[derive(Debug, PartialEq)]
struct Region {
    buckets: *mut u8,
    count: usize,
    offset: u64,
    scale: Scale,
}

// SAFETY: the buckets are only changed by atomic operations.
unsafe impl Send for Region {}
// SAFETY: as above.
unsafe impl Sync for Region {}

impl Profile {
    /// For buffers of a caller.
    ///
    /// # Safety
    ///
    /// Each buffer is as large as its size says, aligned for its buckets, and stays until the profile is ended.
    pub(crate) unsafe fn new(regions: &[ProfileRegion], flags: c_uint) -> Result<Profile, Failed> {
        const REGISTERS: c_uint = 0x180;
        if flags & REGISTERS != 0 {
            return Err(ENOSUPP);
        }
        let flags = PapiFlags::from_bits(flags).map_err(|_| EINVAL)?;
        let bytes = flags.width.bytes();
        let region = |region: &ProfileRegion| {
            let scale = Scale::new(region.scale).map_err(|_| EINVAL)?;
            // The one bucket that takes every address may be said to have any size, as in PAPI_sprofil(3).
            let is_catch_all = region.offset == 0 && region.scale == CATCH_ALL && region.size > 0;
            let count = if is_catch_all { 1 } else { region.size as usize / bytes };
            let is_aligned = region.base.addr().is_multiple_of(bytes);
            if region.base.is_null() || count == 0 || !is_aligned {
                return Err(EINVAL);
            }
            Ok(Region { buckets: region.base.cast(), count, offset: region.offset as u64, scale })
        };
        let regions: Result<Vec<Region>, Failed> = regions.iter().map(region).collect();
        let regions = regions?;
        if regions.is_empty() {
            return Err(EINVAL);
        }
        Ok(Profile { regions, flags, random: AtomicU32::new(0xdead_beef) })
    }

    /// Keeps it, or finds the one that is like it, unless another call looks for its own just now.
    pub(crate) fn kept(self) -> &'static Profile {
        let mut kept = KEPT.try_claim();
        let is_like =
            |known: &&&Profile| (&known.regions, known.flags) == (&self.regions, self.flags);
        if let Some(known) = kept.iter().flat_map(|kept| kept.iter()).find(is_like) {
            return known;
        }
        let new: &'static Profile = Box::leak(Box::new(self));
        kept.iter_mut().for_each(|kept| kept.push(new));
        new
    }

    /// Counts an address, in the handler of a signal.
    pub(crate) fn record(&self, address: u64) {
        // The region that takes every address is the last one, as in PAPI_sprofil(3).
        let of = |region: &&Region| region.bucket(address).is_some();
        let Some(region) = self.regions.iter().find(of) else { return };
        let Some(bucket) = region.bucket(address) else { return };
        if self.flags.flags.random && self.draw() <= 16_383 {
            return;
        }
        let place = region.buckets.wrapping_add(bucket * self.flags.width.bytes());
        let draw = self.flags.flags.compress.then(|| u64::from(self.draw()));
        let is_kept = |count: u64| draw.is_none_or(|draw| draw >= count);
        match self.flags.width {
            BucketWidth::Bits16 => {
                // SAFETY: the bucket is in the buffer, which is aligned and stays, as `new` says.
                let count = unsafe { AtomicU16::from_ptr(place.cast()) };
                if is_kept(count.load(Ordering::Relaxed).into()) {
                    count.fetch_add(1, Ordering::Relaxed);
                }
            }
            BucketWidth::Bits32 => {
                // SAFETY: as above.
                let count = unsafe { AtomicU32::from_ptr(place.cast()) };
                if is_kept(count.load(Ordering::Relaxed).into()) {
                    count.fetch_add(1, Ordering::Relaxed);
                }
            }
            _ => {
                // SAFETY: as above.
                let count = unsafe { AtomicU64::from_ptr(place.cast()) };
                if is_kept(count.load(Ordering::Relaxed)) {
                    count.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    }

    fn draw(&self) -> u16 {
        let next = |state: u32| state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let order = Ordering::Relaxed;
        let before = self.random.fetch_update(order, order, |state| Some(next(state)));
        next(before.unwrap_or_default()) as u16
    }
}

impl Region {
    fn bucket(&self, address: u64) -> Option<usize> {
        if self.offset == 0 && self.scale.value() == CATCH_ALL {
            return Some(0);
        }
        let bucket = self.scale.bucket(address.checked_sub(self.offset)?);
        usize::try_from(bucket).ok().filter(|bucket| *bucket < self.count)
    }
}
