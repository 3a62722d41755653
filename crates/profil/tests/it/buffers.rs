//! Counting in the caller's memory, in one thread and in several.

use counterpoint_profil::write::{self, Profile};
use counterpoint_profil::{
    BucketWidth, Buckets, Histogram, HistogramError, MergeError, Region, Scale, SharedBuckets,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

#[test]
fn a_callers_buffer_is_added_to_and_never_passed() {
    let region = Region { start: 0x1000, scale: Scale::ONE_ADDRESS, buckets: 4, end: None };
    let mut buffer = [7u16; 6];
    let mut histogram = Histogram::with_buckets(vec![(region, &mut buffer[..])]).unwrap();
    histogram.record_batch(&[0x1000, 0x1003, 0x1004, 0x1005]);
    assert_eq!(histogram.snapshot().outside, 2);
    assert_eq!(histogram.into_buckets()[0].get(3), 8);
    assert_eq!(buffer, [8, 7, 7, 8, 7, 7]);
    let (mut middle, mut wide) = ([7_u32; 6], [7_u64; 6]);
    let mut in_32 = Histogram::with_buckets(vec![(region, &mut middle[..])]).unwrap();
    in_32.record(0x1000);
    let mut in_64 = Histogram::with_buckets(vec![(region, &mut wide[..])]).unwrap();
    in_64.record(0x1000);
    assert_eq!((middle, wide), ([8, 7, 7, 7, 7, 7], [8, 7, 7, 7, 7, 7]));
    let shared: Vec<AtomicU16> = (0..6).map(|_| AtomicU16::new(7)).collect();
    let mut of_threads = Histogram::with_buckets(vec![(region, shared.as_slice())]).unwrap();
    of_threads.record(0x1000);
    assert_eq!(shared[0].load(Ordering::Relaxed), 8);
}

#[test]
fn a_short_buffer_is_refused() {
    let region = Region::new(0..100, Scale::TWO_ADDRESSES).unwrap();
    let mut buffer = [0u32; 49];
    let error = Histogram::with_buckets(vec![(region, &mut buffer[..])]).unwrap_err();
    assert_eq!(error, HistogramError::ShortBuffer { region: 0, has: 49, needs: 50 });
    assert_eq!(error.to_string(), "the buffer of region 0 has 49 buckets, but the region needs 50");
}

/// Sparse buckets count as dense ones do, in any order of addresses, and beside other regions.
#[test]
fn sparse_buckets_have_the_counts_of_dense_ones() {
    let regions = vec![
        Region::new(0x1000..0x1_000_000, Scale::TWO_ADDRESSES).unwrap(),
        Region::new(0x2000_0000..0x2000_1000, Scale::ONE_ADDRESS).unwrap(),
    ];
    let widths = [BucketWidth::Bits16, BucketWidth::Bits32, BucketWidth::Bits64];
    for (width, is_saturating) in widths.into_iter().flat_map(|of| [(of, false), (of, true)]) {
        let mut dense = Histogram::new(regions.clone(), width).unwrap();
        let mut sparse = Histogram::sparse(regions.clone(), width);
        if is_saturating {
            (dense, sparse) = (dense.saturating(), sparse.saturating());
        }
        let addresses: Vec<u64> =
            (0..2000_u64).map(|n| 0x1000 + n * n * 7919 % 0x2100_0000).collect();
        for histogram in [&mut dense, &mut sparse] {
            histogram.record_batch(&addresses);
            histogram.record(0x1004);
            histogram.record_batch(&[0x1004, 0x1005, 0x2000_0fff, 0x999]);
            histogram.add(0x1004, u64::from(u32::MAX));
            histogram.add(0x1006, u64::MAX);
            histogram.add(0x1006, 2);
            assert_eq!(histogram.counts(0).len(), regions[0].buckets);
        }
        let snapshot = sparse.snapshot();
        assert_eq!(snapshot, dense.snapshot());
        assert!(snapshot.regions[0].buckets.len() > 10 && snapshot.outside > 0);
        let buckets = &sparse.into_buckets()[0];
        let sum = u64::from(u32::MAX) + 3;
        let sum = if is_saturating { sum.min(width.max()) } else { sum & width.max() };
        assert_eq!((buckets.get(2), buckets.len()), (sum, regions[0].buckets));
    }
}

#[test]
fn threads_that_share_buckets_lose_nothing() {
    let region = Region::new(0..64, Scale::ONE_ADDRESS).unwrap();
    let counts: Vec<AtomicU64> = (0..64).map(|_| AtomicU64::new(0)).collect();
    std::thread::scope(|threads| {
        for thread in 0..8u64 {
            let counts = counts.as_slice();
            threads.spawn(move || {
                let mut mine = Histogram::with_buckets(vec![(region, counts)]).unwrap();
                for sample in 0..10_000 {
                    mine.record((sample + thread) % 64);
                }
            });
        }
    });
    let total: u64 = counts.iter().map(|count| count.load(Ordering::Relaxed)).sum();
    assert_eq!(total, 80_000);
}

#[test]
fn shared_buckets_are_those_of_the_caller_in_every_width() {
    let region = Region::new(0x1000..0x1010, Scale::ONE_ADDRESS).unwrap();
    let narrow: Arc<[AtomicU16]> = (0..16).map(|_| AtomicU16::new(u16::MAX)).collect();
    let middle: Arc<[AtomicU32]> = (0..16).map(|_| AtomicU32::new(3)).collect();
    let wide: Arc<[AtomicU64]> = (0..16).map(|_| AtomicU64::new(0)).collect();
    let all: [SharedBuckets; 3] =
        [narrow.clone().into(), middle.clone().into(), wide.clone().into()];
    let mut totals = Vec::new();
    for buckets in all {
        let width = buckets.width();
        assert!(buckets.is_shared() && buckets.len() == 16, "{width:?}");
        let mut histogram = Histogram::with_buckets(vec![(region, buckets)]).unwrap();
        let mut other = histogram.clone();
        histogram.record_batch(&[0x1004; 5]);
        other.record(0x1004);
        let mut full = histogram.clone().saturating();
        full.add(0x1005, 2);
        assert_eq!(histogram.snapshot().regions[0].width, width);
        assert!(histogram.counts(0).eq(other.counts(0)), "{width:?}");
        totals.push((histogram.counts(0).nth(4).unwrap(), histogram.counts(0).nth(5).unwrap()));
    }
    assert_eq!(totals, [(5, 65_535), (9, 5), (6, 2)], "16 bits wrap, unless they stay full");
    assert_eq!(narrow[4].load(Ordering::Relaxed), 5);
    assert_eq!((middle[4].load(Ordering::Relaxed), wide[4].load(Ordering::Relaxed)), (9, 6));
}

#[test]
fn shared_buckets_stay_full_too() {
    let region = Region::new(0..1, Scale::ONE_ADDRESS).unwrap();
    let counts = [AtomicU16::new(65_000)];
    std::thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| {
                let buckets = vec![(region, &counts[..])];
                let mut mine = Histogram::with_buckets(buckets).unwrap().saturating();
                mine.record_batch(&[0; 1000]);
            });
        }
    });
    assert_eq!(counts[0].load(Ordering::Relaxed), 65_535);
}

#[test]
fn profiles_of_the_same_regions_add_up() {
    let region = Region::new(0..100, Scale::TWO_ADDRESSES).unwrap();
    let run = |pcs: &[u64]| {
        let mut histogram = Histogram::new(vec![region], Default::default()).unwrap();
        histogram.record_batch(pcs);
        histogram.snapshot()
    };
    let mut sum = run(&[0, 1, 50, 200]);
    sum.merge(&run(&[1, 80, 200])).unwrap();
    assert_eq!(sum, run(&[0, 1, 1, 50, 80, 200, 200]));

    let before = sum.clone();
    let other = Histogram::new(vec![Region::catch_all()], Default::default()).unwrap().snapshot();
    assert_eq!(sum.merge(&other), Err(MergeError::Region { index: 0 }));
    assert_eq!(sum.merge(&Default::default()), Err(MergeError::RegionCount { ours: 1, theirs: 0 }));
    assert_eq!(sum, before);
}

/// The loss when buckets wrap is known, however samples were recorded, and whatever the buffer had before.
#[test]
fn buckets_that_wrap_are_counted() {
    let region = Region::new(0x1000..0x1010, Scale::ONE_ADDRESS).unwrap();
    let mut buffer = [65_535_u16; 16];
    let mut histogram = Histogram::with_buckets(vec![(region, &mut buffer[..])]).unwrap();
    assert_eq!(histogram.snapshot().regions[0].wrapped, 0);
    histogram.record(0x1000);
    histogram.record(0x1001);
    histogram.record_batch(&[0x1002; 65_537]);
    histogram.record_batch(&[0x1003, 0x9000, 0x1003]);
    histogram.add(0x1004, 200_000);
    let snapshot = histogram.snapshot();
    assert_eq!(snapshot.regions[0].wrapped, 1 + 1 + 2 + 1 + 4);
    let lost = 65_536 * snapshot.regions[0].wrapped;
    assert_eq!(snapshot.total() + lost, 16 * 65_535 + 2 + 65_537 + 2 + 200_000);
    let mut twice = snapshot.clone();
    twice.merge(&snapshot).unwrap();
    assert_eq!(twice.regions[0].wrapped, 18);
    let table = write::table(
        &Profile::new("e", &snapshot),
        &write::TableSize { rows: 9, ..write::TableSize::default() },
    );
    assert!(
        table.contains("buckets of 16 bits wrapped 9 times, each time from 65535 to 0"),
        "{table}"
    );

    let full = Histogram::new(vec![region], BucketWidth::Bits16).unwrap();
    let mut full = full.saturating();
    full.add(0x1000, 100_000);
    assert_eq!(full.snapshot().regions[0].wrapped, 0, "full buckets do not wrap");
}
